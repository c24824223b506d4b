import DataModel
import Foundation

/// Finds the class of an entity's objects.
enum EntityClass {
    /// The class that the model names, or `NSManagedObject`.
    ///
    /// A name with a module ("App.Movie") is looked up as it is. A name without one ("Movie", ".Movie") is searched in
    /// the module whose resources hold the model's file, then in the main program's module, then in the other Swift
    /// modules of the process, by name.
    static func resolve(_ entity: NSEntityDescription) -> NSManagedObject.Type {
        if let bound = entity.boundClass as? NSManagedObject.Type { return bound }
        let name = entity.managedObjectClassName ?? ""
        let simple = name.hasPrefix(".") ? String(name.dropFirst()) : name
        guard !simple.isEmpty, simple != "NSManagedObject" else { return NSManagedObject.self }
        if let found = NSClassFromString(simple) as? NSManagedObject.Type { return found }
        guard !simple.contains(".") else { return NSManagedObject.self }
        for module in entity.resourceModules + LoadedModules.names {
            if let found = NSClassFromString("\(module).\(simple)") as? NSManagedObject.Type { return found }
        }
        return NSManagedObject.self
    }
}
