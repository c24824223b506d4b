import Foundation
import OpenCoreData

@Entity(isAbstract: true) class Vessel: NSManagedObject {
    var name: String
    var mark: String?
}

@Entity final class Boat: Vessel {
    var oars: Int = 2
}

@Entity final class Ship: Vessel {
    @Relationship(deleteRule: .deny, inverse: \Sailor.ship) var crew: Set<Sailor>
}

@Entity final class Sailor: NSManagedObject {
    var ship: Ship?
}

extension Vessel {
    /// A store whose model has entities for the subclasses only, with different marks for ships: a boat, and two ships, one with a sailor.
    static func store(at url: URL? = nil) throws -> TestStore {
        let model = try NSManagedObjectModel(Boat.self, Ship.self, Sailor.self)
        let entities = model.entities.filter { $0.name != "Vessel" }
        for entity in model.entities where entity.name == "Vessel" {
            entity.subentities = []
            for name in ["Boat", "Ship"] {
                let copies = entity.properties.compactMap { $0.copy() as? NSAttributeDescription }
                model.entitiesByName[name]?.properties.insert(contentsOf: copies, at: 0)
            }
        }
        model.entitiesByName["Ship"]?.uniquenessConstraints = [["mark"]]
        model.entities = entities
        let store = try TestStore(
            NSPersistentContainer(name: "Vessels", managedObjectModel: model, entities: Boat.self, Ship.self, Sailor.self),
            at: url)
        try store.fresh { context throws in
            _ = Boat(context: context, name: "red")
            _ = Ship(context: context, name: "blue")
            Sailor(context: context).ship = Ship(context: context, name: "green")
            try context.save()
        }
        return store
    }
}
