import DataModel
import Foundation

/// The models in use, for what Apple's API asks without naming a model: the entity of a class.
enum RuntimeList {
    private static let models = WeakList<NSManagedObjectModel>()

    static func add(_ model: NSManagedObjectModel) { models.add(model) }

    /// The entity of a class, in the model that came into use last.
    ///
    /// A class that no model has gets an entity of its name outside of every model, and standard error a line: a request made with it finds the
    /// entity by its name in the model of the context that executes it.
    static func entity(of objectClass: NSManagedObject.Type) -> NSEntityDescription {
        for model in models.all.reversed() {
            let runtime = ModelRuntime.of(model)
            if let layout = runtime.entity(for: objectClass) ?? runtime.layout.entity(named: String(describing: objectClass)) {
                return layout.description
            }
        }
        NSManagedObjectModel.report(
            "no model in use has an entity with objects of class \(objectClass), so \(objectClass).entity() gives one that belongs to no model: "
                + "make the container or the coordinator first")
        let entity = NSEntityDescription()
        entity.name = String(describing: objectClass)
        entity.managedObjectClassName = String(reflecting: objectClass)
        return entity
    }
}
