import Foundation
import Storage

/// The names that entities and properties have in an XML store: those of entities in upper case, those of properties in lower
/// case.
struct XMLNames {
    enum Property {
        case attribute(slot: Int)
        case relationship(RelationshipLayout)
    }

    private var entities: [String: EntityLayout] = [:]
    /// By the index of the entity.
    private var properties: [Int: [String: Property]] = [:]

    static func of(_ entity: EntityLayout) -> String { entity.name.uppercased() }
    static func of(property: String) -> String { property.lowercased() }

    /// - Throws: `AtomicFailure` if two entities, or two properties of one entity, have the same name in a file.
    init(_ all: [EntityLayout]) throws {
        for entity in all {
            try Self.requireText(entity.name)
            if let other = entities.updateValue(entity, forKey: Self.of(entity)) {
                throw AtomicFailure("XML stores can't tell the entity “\(entity.name)” from “\(other.name)”")
            }
            var names: [String: Property] = [:]
            var given: [String: String] = [:]
            func add(_ name: String, _ property: Property) throws {
                try Self.requireText(name)
                let lower = Self.of(property: name)
                names[lower] = property
                guard let other = given.updateValue(name, forKey: lower) else { return }
                throw AtomicFailure("XML stores can't tell “\(name)” of “\(entity.name)” from “\(other)”")
            }
            for slot in entity.fileSlots { try add(entity.slots[slot].name, .attribute(slot: slot)) }
            for relationship in entity.storedRelationships { try add(relationship.name, .relationship(relationship)) }
            properties[entity.index] = names
        }
    }

    func entity(_ name: String) -> EntityLayout? { entities[name] }
    func property(_ name: String, of entity: EntityLayout) -> Property? { properties[entity.index]?[name] }

    private static func requireText(_ name: String) throws {
        guard XMLStoreText.canHold(name) else {
            throw AtomicFailure("the name “\(name)” has a character that XML does not have")
        }
    }
}
