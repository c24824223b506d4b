package import DataModel
package import Foundation
package import ObjectGraph
import Predicates

/// A store that is open for reading, with the model that it carries or one that it was given.
///
/// No class of an application is needed and no archive inside of the store is decoded: all objects are of `NSManagedObject`, and
/// transformable values are the bytes that the store has.
@MainActor package final class OpenedStore {
    package let url: URL
    /// The model as the application wrote it.
    package let model: NSManagedObjectModel
    package let metadata: [String: Any]
    package let store: NSPersistentStore
    package let context: NSManagedObjectContext
    package let coordinator: NSPersistentStoreCoordinator

    /// - Parameters:
    ///   - path: The store's file.
    ///   - modelPath: A model; nil for the one in the store.
    package init(_ path: String, modelPath: String? = nil) throws {
        url = try ModelFile.existing(path)
        guard ModelFile.isStore(url) else {
            throw ToolError(
                "“\(TextWidth.shown(path))” is not an SQLite store",
                hint: url.pathExtension.hasPrefix("xcdatamodel") || url.pathExtension.hasPrefix("mom")
                    ? "it is a model: coredata model shows it" : nil)
        }
        metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        do {
            model = try ModelFile.read(modelPath ?? path)
        } catch  where modelPath == nil {
            throw ToolError(ToolError(error).message, hint: "give the application's model: --model Cinema.xcdatamodeld")
        }
        if modelPath != nil, !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
            throw Self.mismatch(model, url, metadata)
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.withoutClasses(model))
        store = try coordinator.addPersistentStore(
            type: .sqlite, configuration: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true])
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.readingFailurePolicy = .record
    }

    /// A copy whose objects need no classes and no transformers. The columns are the same.
    static func withoutClasses(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { throw ToolError("the model can't be copied") }
        for entity in copy.entities {
            entity.managedObjectClassName = "NSManagedObject"
            entity.boundClass = nil
            for case let attribute as NSAttributeDescription in entity.ownProperties where attribute.type == .transformable {
                attribute.defaultValue = nil
                attribute.valueTransformerName = nil
                attribute.type = .binaryData
            }
        }
        return copy
    }

    /// Which entities differ, by their version hashes.
    private static func mismatch(_ model: NSManagedObjectModel, _ url: URL, _ metadata: [String: Any]) -> ToolError {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let given = model.entityVersionHashesByName
        var lines: [String] = []
        if let own = try? NSManagedObjectModel(cachedInStoreAt: url) {
            lines = model.differences(from: own)
        } else {
            lines += stored.keys.filter { given[$0] == nil }.sorted().map { "the entity “\($0)” is only in the store" }
            lines += given.keys.filter { stored[$0] == nil }.sorted().map { "the entity “\($0)” is only in the model" }
            let changed = given.keys.filter { stored[$0] != nil && stored[$0] != given[$0] }.sorted()
            lines += changed.map { "the entity “\($0)” differs" }
        }
        let shown = lines.prefix(20).map { "\n  " + TextWidth.shown($0) }.joined() + (lines.count > 20 ? "\n  …" : "")
        return ToolError(
            "the model is not the one that the store was made with:\(shown)",
            hint: "leave --model out if the store carries its own model")
    }

    /// The entity of a name, with its properties as the store is read.
    package func entity(_ name: String) throws -> NSEntityDescription {
        try ModelNames.entity(name, in: coordinator.managedObjectModel)
    }

    package var entities: [NSEntityDescription] {
        coordinator.managedObjectModel.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// `Movie/p12`: an ID without the store's UUID.
    package static func shortText(_ id: NSManagedObjectID) -> String { "\(id.entity.name ?? "")/p\(id.key)" }

    /// The ID of a URI, or of its short form.
    package func objectID(_ text: String) throws -> NSManagedObjectID {
        let isURI = text.hasPrefix("x-coredata:")
        let identifier = store.identifier ?? ""
        guard let url = URL(string: isURI ? text : "x-coredata://\(identifier)/\(text)"),
            let id = coordinator.managedObjectID(forURIRepresentation: url)
        else {
            let name = text.split(separator: "/").dropLast().last.map(String.init)
            if let name { _ = try entity(name) }
            throw ToolError(
                "“\(TextWidth.shown(text, limit: 100))” does not name an object of this store",
                hint: "write x-coredata://\(identifier)/Movie/p12, or Movie/p12")
        }
        return id
    }

    /// How people tell an object from others: by its title if it has one.
    package func title(of object: NSManagedObject) -> String {
        let key = ModelNames.titleKey(of: object.entity)
        let title = key.flatMap { key in
            StoredValue.text(object.value(forKey: key), object.entity.attributesByName[key]?.type)
        }
        guard let title, !title.isEmpty else { return Self.shortText(object.objectID) }
        return title
    }

    /// Tells of the values that could not be read. They appear as missing ones.
    package func reportFailures(_ output: any ToolOutput) -> ToolStatus {
        let failures = context.readingFailures
        for failure in failures.prefix(20) { output.remark("warning: \(failure.localizedDescription)") }
        if failures.count > 20 { output.remark("warning: \(failures.count - 20) more values can't be read") }
        return failures.isEmpty ? .success : .failure
    }
}
