import Foundation
import OpenCoreData
import TestSupport
import Testing

// The code of WritingAStore.md: a test compares the two.

enum WritingAStoreExamples {
    @Entity final class Note: NSManagedObject {
        var text: String
        var stars: Int?
    }

    final class ListStore: NSAtomicStore, @unchecked Sendable {
        static let storeType = "List"

        override var type: String { ListStore.storeType }

        private func contents() throws -> [String: Any] {
            guard let url, FileManager.default.fileExists(atPath: url.path) else { return [:] }
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            guard let contents = list as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
            return contents
        }

        override func loadMetadata() throws {
            metadata = try contents()["metadata"] as? [String: Any]
            // Gives a new store its type and a UUID.
            try super.loadMetadata()
        }

        override func load() throws {
            let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
            for (name, objects) in try contents()["objects"] as? [String: [String: [String: Any]]] ?? [:] {
                guard let entity = entities[name] else { throw CocoaError(.fileReadCorruptFile) }
                for (reference, values) in objects {
                    let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
                    for (key, value) in values { node.setValue(value, forKey: key) }
                    addCacheNodes([node])
                }
            }
        }

        override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

        override func save() throws {
            var objects: [String: [String: [String: Any]]] = [:]
            for node in cacheNodes() {
                let entity = node.objectID.entity
                var values: [String: Any] = [:]
                for key in entity.attributesByName.keys { values[key] = node.value(forKey: key) }
                objects[entity.name ?? "", default: [:]]["\(referenceObject(for: node.objectID))"] = values
            }
            let list: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            if let url { try data.write(to: url, options: .atomic) }
        }
    }

    static func makeContainer(at url: URL) throws -> NSPersistentContainer {
        NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: ListStore.storeType)
        let container = try NSPersistentContainer(name: "Notes", entities: Note.self)
        let description = NSPersistentStoreDescription(url: url)
        description.type = ListStore.storeType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    final class LinesStore: NSIncrementalStore, @unchecked Sendable {
        override var type: String { "Lines" }

        private func lines() throws -> [String] {
            guard let url else { return [] }
            return try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        }

        override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
            guard let request = request as? NSFetchRequest<any NSFetchRequestResult>, let entity = request.entity, let context
            else { throw CocoaError(.featureUnsupported) }
            let objects = try lines().indices.map { context.object(with: newObjectID(for: entity, referenceObject: $0 + 1)) }
            let found = objects.filter { request.predicate?.evaluate(with: $0) ?? true }
            return request.resultType == .countResultType ? [NSNumber(value: found.count)] : found
        }

        override func newValuesForObject(
            with objectID: NSManagedObjectID, with context: NSManagedObjectContext
        ) throws -> NSIncrementalStoreNode {
            let (number, lines) = try (referenceObject(for: objectID) as? Int ?? 0, lines())
            guard lines.indices.contains(number - 1) else { throw CocoaError(.managedObjectReferentialIntegrity) }
            return NSIncrementalStoreNode(objectID: objectID, withValues: ["text": lines[number - 1]], version: 1)
        }
    }

    static func reference(of object: NSManagedObject, in store: ListStore) -> String {
        "\(store.referenceObject(for: object.objectID))"
    }
}

@Suite("The examples of “Writing a store of your own”")
struct WritingAStoreTests {
    typealias Examples = WritingAStoreExamples

    @Test("The list store keeps objects, and finds them by predicates and IDs") @MainActor
    func list() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("notes.plist")
        let uri = try { () throws -> URL in
            let container = try Examples.makeContainer(at: url)
            let context = container.viewContext
            let note = Examples.Note(context: context, text: "one")
            note.stars = 3
            _ = Examples.Note(context: context, text: "two")
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first as? Examples.ListStore)
            #expect(UUID(uuidString: Examples.reference(of: note, in: store)) != nil)
            return note.objectID.uriRepresentation()
        }()
        let container = try Examples.makeContainer(at: url)
        let found = try container.viewContext.fetch(Examples.Note.self, where: #Predicate { ($0.stars ?? 0) > 2 })
        #expect(found.map(\.text) == ["one"])
        #expect(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) == found.first?.objectID)
    }

    @Test("The store of lines shows the lines of a file") @MainActor
    func lines() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("lines.txt")
        try Data("one\ntwo\nthree".utf8).write(to: url)
        NSPersistentStoreCoordinator.registerStoreClass(Examples.LinesStore.self, forStoreType: "Lines")
        let container = try NSPersistentContainer(name: "Lines", entities: Examples.Note.self)
        let description = NSPersistentStoreDescription(url: url)
        description.type = "Lines"
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        let context = container.viewContext
        #expect(try context.fetch(Examples.Note.self).map(\.text) == ["one", "two", "three"])
        #expect(
            try context.fetch(Examples.Note.self, where: #Predicate { $0.text.contains("t") }).map(\.text) == ["two", "three"])
        #expect(try context.count(for: Examples.Note.fetchRequest()) == 3)
    }
}
