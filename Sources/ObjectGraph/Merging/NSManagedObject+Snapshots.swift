import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// The attributes and to-one relationships in a row of this object, by name: nil as `NSNull`, destinations as IDs.
    final func snapshotValues(_ row: Row) -> [String: Any] {
        var values: [String: Any] = [:]
        for (slot, property) in layout.slots.enumerated() where property.isPersistent && property.kind != .entityIndex {
            if property.attribute == nil {
                guard let relationship = layout.relationship(slot: slot) else { continue }
                values[property.name] = destinationID(of: relationship, in: row) ?? NSNull()
            } else if !property.name.contains(".") {
                values[property.name] = SlotCoding.value(in: row, slot: slot, of: layout) ?? NSNull()
            }
        }
        for (name, composite) in layout.composites { values[name] = self.values(of: composite, in: row) ?? NSNull() }
        return values
    }

    /// The values as last fetched or saved; nil for a new object.
    final var snapshotOfSavedValues: [String: Any]? {
        guard !_state.contains(.inserted), let saved = snapshot ?? row else { return nil }
        return snapshotValues(saved)
    }

    /// The values as they are now.
    final var snapshotOfCurrentValues: [String: Any] {
        _ = _loadedSlots
        return row.map(snapshotValues) ?? [:]
    }

    private final func values(of composite: CompositeLayout, in row: Row) -> [String: Any]? {
        var values: [String: Any] = [:]
        for (name, element) in composite.elements {
            switch element {
            case .slot(let slot): values[name] = SlotCoding.value(in: row, slot: slot, of: layout)
            case .composite(let nested): values[name] = self.values(of: nested, in: row)
            }
        }
        return values.isEmpty ? nil : values
    }

    private final func destinationID(of relationship: RelationshipLayout, in row: Row) -> NSManagedObjectID? {
        guard !row.isNil(relationship.slot) else { return nil }
        let key = row.integer(relationship.slot)
        let entity = destinationEntity(of: relationship, in: row)
        if key < 0 {
            // New objects are linked. Their key in the row is valid until they are saved.
            return (links?[relationship.index] as? NSManagedObject)?.objectID
                ?? NSManagedObjectID(runtime: registry.runtime, entityIndex: entity, key: key, store: nil)
        }
        return NSManagedObjectID(
            runtime: registry.runtime, entityIndex: entity, key: key, store: registry.store ?? context?.onlyStore)
    }

    /// The concrete entity of a to-one relationship's destination.
    final func destinationEntity(of relationship: RelationshipLayout, in row: Row) -> Int {
        guard let slot = relationship.entitySlot, !row.isNil(slot) else { return relationship.destination }
        return Int(row.integer(slot))
    }

    /// The destination of a to-one relationship in another row of this object, unless it will be deleted.
    final func destination(of relationship: RelationshipLayout, in row: Row) -> NSManagedObject? {
        guard !row.isNil(relationship.slot) else { return nil }
        let entity = destinationEntity(of: relationship, in: row)
        let object = context?.destination(of: self, entity: entity, key: row.integer(relationship.slot))
        return object?.isDeleted == true ? nil : object
    }
}
