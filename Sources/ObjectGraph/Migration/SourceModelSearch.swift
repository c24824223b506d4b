import DataModel
import Foundation
import Storage

/// Looks for the model that a store was made with: in the store itself, where the options say, and among the resources of the
/// program.
struct SourceModelSearch {
    let url: URL
    let files: any StoreFiles
    let metadata: [String: Any]
    let folders: [URL]

    /// - Throws: 134130 if there is none, or if there are several that say different things.
    func find() throws -> NSManagedObjectModel {
        if let cached { return cached }
        let places = folders.flatMap { ModelSearch.isModel($0) ? [$0] : ModelSearch.models(in: [$0]) }
        var seen: Set<String> = []
        let all = (places + ModelSearch.models(in: ModelSearch.folders(of: nil)))
            .filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap(ModelSearch.versions)
        let models = all.compactMap { place in NSManagedObjectModel(contentsOf: place).map { (place: place, model: $0) } }
        let hashes = metadata[StoreMetadata.hashesKey] as? [String: Data]
        if let hashes, let same = models.first(where: { $0.model.matches(versionHashes: hashes, entities: $0.model.entities) }) {
            return same.model
        }
        let fitting = models.filter { $0.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
        if let first = fitting.first {
            // Tables don't show everything, so that models with the same tables may differ.
            let others = fitting.filter { !$0.model.differences(from: first.model).isEmpty }
            guard others.isEmpty else {
                throw failure("several models fit its tables, and they differ: \(list(fitting.map(\.place)))")
            }
            return first.model
        }
        // Several files may have been one model when the program ran.
        if let merged = NSManagedObjectModel(byMerging: models.map(\.model), forStoreMetadata: metadata) { return merged }
        throw failure(explanation(models))
    }

    /// The model in the store, unless it is older or newer than the store's version hashes.
    private var cached: NSManagedObjectModel? {
        let model = NSManagedObjectModel()
        // Stores of old frameworks keep none, and a damaged one is as good as none.
        guard (try? files.readCachedModel(of: url, into: model)) != nil, model.structuralProblems.isEmpty else { return nil }
        let hashes = metadata[StoreMetadata.hashesKey] as? [String: Data] ?? [:]
        guard Set(model.entitiesByName.keys) == Set(hashes.keys) else { return nil }
        let isOurs = metadata[StoreMetadata.ownHashesKey] != nil
        // The application's classes are for the newer model.
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        guard isOurs else { return model }
        return model.entities.allSatisfy { hashes[$0.name ?? ""] == $0.structuralHash } ? model : nil
    }

    private func explanation(_ models: [(place: URL, model: NSManagedObjectModel)]) -> String {
        let hashes = (metadata[StoreMetadata.hashesKey] as? [String: Data] ?? [:])
        func text(_ hash: Data) -> String { hash.prefix(4).map { String(format: "%02x", $0) }.joined() + "…" }
        let wanted = hashes.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        let found = models.map { place, model in
            let other = model.entityVersionHashesByName
            let differing = Set(hashes.keys).union(other.keys).filter { hashes[$0] != other[$0] }.sorted()
            return "\(name(place)) (differs in \(differing.joined(separator: ", ")))"
        }
        let places = ["the store itself"] + folders.map(\.path) + ["the resources of the program"]
        return "the model that it was made with was not found. It has the version hashes \(wanted). Looked for in "
            + places.joined(separator: ", ") + "; found: \(found.isEmpty ? "no model" : found.joined(separator: "; ")). "
            + "Add that version of the model to the program, or give its place with OpenCoreDataModelFoldersOption"
    }

    private func list(_ places: [URL]) -> String { places.map(name).joined(separator: ", ") }

    /// "Cinema.xcdatamodeld/Cinema 2.xcdatamodel".
    private func name(_ place: URL) -> String {
        let bundle = place.deletingLastPathComponent()
        let isInBundle = ["xcdatamodeld", "momd"].contains(bundle.pathExtension)
        return isInBundle ? "\(bundle.lastPathComponent)/\(place.lastPathComponent)" : place.lastPathComponent
    }

    private func failure(_ reason: String) -> NSError {
        .coreData(
            NSMigrationMissingSourceModelError, "“\(url.lastPathComponent)” can't be migrated: \(reason)",
            ["reason": "Can't find model for source store", "metadata": metadata, NSFilePathErrorKey: url.path])
    }
}
