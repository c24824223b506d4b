import Foundation
import OpenCoreData

/// The second half of the demo: any Core Data store, entity by entity.
struct StoreListing {
    let store: URL
    /// Nil for the model that the store keeps.
    let model: URL?

    func run() throws {
        let model =
            try model.map { try NSManagedObjectModel(readingModelAt: $0) } ?? NSManagedObjectModel(cachedInStoreAt: store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .sqlite, at: store, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            guard let name = entity.name else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            print("\(name): \(try context.count(for: request))")
            request.fetchLimit = 3
            for object in try context.fetch(request) { print("   \(line(object))") }
        }
    }

    private func line(_ object: NSManagedObject) -> String {
        let attributes = object.entity.attributesByName.keys.sorted().compactMap { name in
            object.value(forKey: name).map { "\(name) = \(text($0))" }
        }
        let relationships = object.entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap {
            name, relationship -> String? in
            let ids = object.objectIDs(forRelationshipNamed: name)
            if relationship.isToMany { return "\(name): \(ids.count)" }
            return ids.first.map { "\(name) → \($0.uriRepresentation().lastPathComponent)" }
        }
        let key = object.objectID.uriRepresentation().lastPathComponent
        return "\(key)  " + (attributes + relationships).joined(separator: ", ")
    }

    private func text(_ value: Any) -> String {
        switch value {
        case let data as Data: "\(data.count) bytes"
        case let string as String where string.count > 40: "\(string.prefix(40))…"
        default: "\(value)"
        }
    }
}
