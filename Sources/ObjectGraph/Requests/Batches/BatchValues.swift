import DataModel
import Foundation
import Storage

/// Puts values by name into the rows of one concrete entity.
struct BatchValues {
    let entity: EntityLayout
    let runtime: ModelRuntime
    /// "batch insert of “Movie”": for messages.
    let subject: String

    /// Sets one property. A composite attribute takes a dictionary.
    ///
    /// - Returns: The slots that were set.
    /// - Throws: 134060 for a name that is no attribute of the entity, 1550 for a value of a wrong type.
    func set(_ name: String, _ value: Any?, in row: Row) throws -> [Int] {
        let value = value is NSNull ? nil : value
        if let composite = entity.composites[name] { return try set(composite, value, in: row) }
        let slot = try slot(name)
        try set(slot, value, in: row)
        return [slot]
    }

    /// - Throws: 134060 for a name that is no stored attribute of the entity.
    func slot(_ name: String) throws -> Int {
        guard let slot = entity.slotByName[name], entity.kind(slot) != .vacant else {
            let names = (Array(entity.slotByName.keys) + entity.composites.keys).sorted().joined(separator: ", ")
            throw failure("“\(entity.name)” has no property “\(name)”. It has: \(names)")
        }
        guard entity.slots[slot].relationship == nil else {
            throw failure("“\(name)” is a relationship, which a batch request can't set")
        }
        guard entity.slots[slot].isPersistent else { throw failure("“\(name)” is transient, so that no store keeps it") }
        guard !(entity.slots[slot].attribute is NSDerivedAttributeDescription) else {
            throw failure("“\(name)” is derived: the store computes it")
        }
        return slot
    }

    private func set(_ composite: CompositeLayout, _ value: Any?, in row: Row) throws -> [Int] {
        guard let values = value == nil ? [:] : value as? [String: Any] else {
            throw failure("the composite attribute “\(composite.name)” needs a dictionary, not \(value ?? NSNull())")
        }
        let names = Set(composite.elements.map(\.name))
        if let other = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw failure("the composite attribute “\(composite.name)” has no element “\(other)”")
        }
        return try composite.elements.flatMap { name, element -> [Int] in
            let value = values[name] is NSNull ? nil : values[name]
            switch element {
            case .composite(let inner): return try set(inner, value, in: row)
            case .slot(let slot):
                try set(slot, value, in: row)
                return [slot]
            }
        }
    }

    private func set(_ slot: Int, _ value: Any?, in row: Row) throws {
        guard let value else { return row.setNil(slot) }
        guard SlotCoding.store(value, in: row, slot: slot) else {
            let property = entity.slots[slot]
            throw NSError.coreData(
                NSManagedObjectValidationError,
                "The \(subject) can't be done: “\(property.name)” needs a value of type \(SlotCoding.className(property.attributeType)), "
                    + "not \(type(of: value)): \(value)",
                [NSValidationKeyErrorKey: property.name, NSValidationValueErrorKey: value])
        }
    }

    /// Gives the values of transformable attributes their stored form.
    func encode(_ row: Row, id: NSManagedObjectID) throws {
        for slot in entity.variableSlots where entity.kind(slot) == .transformable && !row.isNil(slot) {
            guard let box = Row.box(row.slots, slot), !(box.value is StoredBytes), box.encoded == nil,
                let attribute = entity.slots[slot].attribute
            else { continue }
            box.encoded = try TransformableCoding.data(from: box.value, of: attribute, objectID: id)
        }
    }

    func failure(_ reason: String) -> NSError { .coreData(NSCoreDataError, "The \(subject) can't be done: \(reason)") }
}
