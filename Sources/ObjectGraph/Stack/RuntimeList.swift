import DataModel
import Foundation
import Storage

/// The models in use, because Apple's API asks for the entity of a class without naming a model.
enum RuntimeList {
    private static let models = WeakList<NSManagedObjectModel>()

    static func add(_ model: NSManagedObjectModel) { models.add(model) }

    /// The entity of a class, in the model that came into use last.
    ///
    /// If no model has the class, the answer is an entity with the class's name that belongs to no model, and standard
    /// error gets a line. A request with such an entity finds the real one by name, in the model of the context that
    /// executes the request.
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
