import Foundation
import OpenCoreData

/// A store in memory whose entity "Item" has a name, a parent and children.
struct Surface {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init() throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    static func model() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.type = .string
        let parent = NSRelationshipDescription()
        parent.name = "parent"
        parent.maxCount = 1
        let children = NSRelationshipDescription()
        children.name = "children"
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = [name, parent, children]
        for (one, other) in [(parent, children), (children, parent)] {
            one.destinationEntity = item
            one.inverseRelationship = other
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// Runs on the context's queue, and waits.
    func run<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        // The test waits meanwhile, so nothing captured is used elsewhere.
        nonisolated(unsafe) let body = body
        return try context.performAndWait { try body(context) }
    }
}

extension NSManagedObjectContext {
    func item(_ name: String, parent: NSManagedObject? = nil) -> NSManagedObject {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: self)
        item.setValue(name, forKey: "name")
        item.setValue(parent, forKey: "parent")
        return item
    }
}
