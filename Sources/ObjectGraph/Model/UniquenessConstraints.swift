import DataModel
import Storage

/// The uniqueness constraints of a model, each as slots of the entities that it concerns. They are made after a save
/// has failed, so they are not kept.
struct UniquenessConstraints {
    struct Constraint {
        /// The number of the constraint in the model.
        let id: Int
        let names: [String]
        let slots: [Int]
    }

    /// By entity index.
    private let constraints: [[Constraint]]

    init(_ model: ModelLayout) {
        var declared: [(entity: EntityLayout, names: [String])] = []
        for entity in model.entities {
            for names in entity.description.uniquenessConstraintNames where !names.isEmpty { declared.append((entity, names)) }
        }
        constraints = model.entities.map { entity in
            declared.enumerated().compactMap { id, constraint in
                guard constraint.entity.root == entity.root, Self.share(constraint.names, entity, constraint.entity) else {
                    return nil
                }
                let slots = constraint.names.compactMap { entity.slotByName[$0] }
                return slots.count == constraint.names.count ? Constraint(id: id, names: constraint.names, slots: slots) : nil
            }
        }
    }

    /// Whether both entities have the properties from one declaration. It matters because an index of a store covers
    /// its whole table.
    private static func share(_ names: [String], _ a: EntityLayout, _ b: EntityLayout) -> Bool {
        names.allSatisfy { name in
            let property = String(name.prefix { $0 != "." })
            guard let own = a.description.propertiesByName[property] else { return false }
            return own === b.description.propertiesByName[property]
        }
    }

    subscript(_ entity: EntityLayout) -> [Constraint] { constraints[entity.index] }

    /// The slots of all constraints of an entity, ascending.
    func slots(of entity: EntityLayout) -> [Int] { Set(self[entity].flatMap(\.slots)).sorted() }
}
