package import DataModel
import Foundation

/// The property layouts of all entities of a model: computed once, when the model is first used, and never changed.
package final class ModelLayout: Sendable {
    /// Entities depth first, parents before children, siblings by name without regard to case: the order in which a new store
    /// numbers them.
    package let entities: [EntityLayout]
    package let indexByName: [String: Int]
    package let relationshipCount: Int

    package func entity(named name: String) -> EntityLayout? { indexByName[name].map { entities[$0] } }

    /// - Parameter classOrder: the property names that an entity's typed class wants in the first slots, in order.
    package init(_ model: NSManagedObjectModel, classOrder: (NSEntityDescription) -> [String] = { _ in [] }) {
        let ordered = Self.depthFirst(model.entities)
        let indexByName = Dictionary(ordered.enumerated().map { ($1.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        var relationshipIDs: [ObjectIdentifier: Int] = [:]
        for entity in ordered {
            for case let relationship as NSRelationshipDescription in entity.ownProperties {
                relationshipIDs[ObjectIdentifier(relationship)] = relationshipIDs.count
            }
        }
        relationshipCount = relationshipIDs.count
        self.indexByName = indexByName
        let context = EntityLayout.Context(indexByName: indexByName, relationshipIDs: relationshipIDs)
        entities = ordered.enumerated().map { index, entity in
            EntityLayout(entity, index: index, classOrder: classOrder(entity), context: context)
        }
    }

    /// The entity and all its descendants, as indices, parents first.
    package func family(of index: Int) -> [Int] {
        // Depth-first order keeps a family together.
        var end = index + 1
        while end < entities.count, entities[end].depth > entities[index].depth { end += 1 }
        return Array(index..<end)
    }

    static func depthFirst(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        func sorted(_ list: [NSEntityDescription]) -> [NSEntityDescription] {
            list.map { (($0.name ?? "").lowercased(), $0) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
        }
        var result: [NSEntityDescription] = []
        // Deeper ones are left out: no store is opened with such a model.
        func visit(_ entity: NSEntityDescription, depth: Int) {
            result.append(entity)
            guard depth < NSEntityDescription.greatestDepth else { return }
            sorted(entity.subentities).forEach { visit($0, depth: depth + 1) }
        }
        sorted(entities.filter { $0.superentity == nil }).forEach { visit($0, depth: 0) }
        return result
    }
}
