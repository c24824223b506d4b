import DataModel
import Foundation
package import Predicates
import Storage

/// The identity of a managed object and of its ID, as predicates compare them.
struct ObjectIdentity: Hashable {
    /// Nil for an object that no store has yet.
    let store: String?
    let rootEntity: String
    let key: Int64
}

extension NSManagedObject: PredicateIdentity {
    package final var predicateIdentity: AnyHashable {
        let model = registry.runtime.layout
        return ObjectIdentity(store: registry.store?.identifier, rootEntity: model.entities[layout.root].name, key: key)
    }
}

extension NSManagedObjectID: PredicateIdentity {
    package var predicateIdentity: AnyHashable {
        let root = runtime.layout.entities[entityIndex].root
        return ObjectIdentity(store: storeReference?.identifier, rootEntity: runtime.layout.entities[root].name, key: key)
    }
}

extension NSManagedObject: PredicateKeyReading {
    /// The value of a property, `objectID` or `entity`, without boxing.
    package final func predicateValue(forKey key: String) throws -> PredicateValue {
        guard let slot = layout.slotByName[key], layout.kind(slot) != .vacant else {
            if layout.composites[key] != nil { return PredicateValue(value(forKey: key)) }
            switch key {
            case "objectID": return .object(objectID)
            case "entity": return .object(entity)
            default: throw unknownKey(key)
            }
        }
        let slots = _loadedSlots(reading: slot)
        if _state.contains(.unread) { noteUnreadReading() }
        if let relationship = layout.relationship(slot: slot) {
            guard relationship.isToMany else { return toOne(relationship).map { .object($0) } ?? .null }
            let members = toMany(relationship).objects.map { PredicateValue.object($0) }
            return .collection(ValueCollection(kind: relationship.isOrdered ? .orderedSet : .set, elements: members))
        }
        if Row.isNil(slots, slot) { return .null }
        let type = layout.slots[slot].attributeType
        switch layout.kind(slot) {
        case .integer:
            let value = Int64(bitPattern: slots[slot])
            return .integer(type == .booleanAttributeType ? (value == 0 ? 0 : 1) : value)
        case .real:
            let value = Double(bitPattern: slots[slot])
            // NaN can't be saved, so it counts as no value here.
            if value.isNaN { return .null }
            switch type {
            case .dateAttributeType: return .date(Date(timeIntervalSinceReferenceDate: value))
            case .floatAttributeType: return .double(ValueDomain.float(value))
            default: return .double(value)
            }
        case .string: return .string(Row.string(slots, slot))
        case .decimal:
            let value = Row.decimal(slots, slot)
            return value.isNaN ? .null : .decimal(value)
        default: return PredicateValue(readSlot(slot))
        }
    }

    private final func unknownKey(_ key: String) -> InvalidPredicateError {
        let names = Array(layout.slotByName.keys) + layout.composites.keys
        return InvalidPredicateError(
            .key, "keypath \(key) not found in entity \(layout.name)",
            suggestion: layout.storedNameHint(key) ?? NearestName.suggestion(for: key, among: names).map {
                "Did you mean \"\($0)\"?"
            }
                ?? "There are: \(names.sorted().joined(separator: ", "))")
    }
}
