import Foundation
import OpenCoreData

/// A movie as code for Apple's framework has it: the model says what the attributes are, and the class has accessors alone.
final class PortedMovie: NSManagedObject {
    @Managed var duration: Int64

    /// A context with a store in memory.
    static func makeContext() throws -> NSManagedObjectContext {
        let duration = NSAttributeDescription()
        duration.name = "duration"
        duration.attributeType = .integer64AttributeType
        let entity = NSEntityDescription()
        entity.name = "Movie"
        entity.managedObjectClassName = NSStringFromClass(Self.self)
        entity.properties = [duration]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.tracksObservation = false
        return context
    }
}
