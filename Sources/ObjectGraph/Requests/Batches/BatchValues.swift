import DataModel
import Foundation
import Storage

/// Puts values by name into the rows of one concrete entity.
struct BatchValues {
    let entity: EntityLayout
    let runtime: ModelRuntime
    /// "batch insert of “Movie”": for messages.
    let subject: String
    /// The attributes whose types don't accept every value that their slots have room for.
    private let checkedSlots: [Int]

    init(entity: EntityLayout, runtime: ModelRuntime, subject: String) {
        self.entity = entity
        self.runtime = runtime
        self.subject = subject
        checkedSlots = entity.slots.indices.filter { slot in
            guard entity.slots[slot].attribute != nil, entity.slots[slot].isPersistent else { return false }
            return switch entity.kind(slot) {
            case .integer, .real, .decimal, .uri: true
            default: false
            }
        }
    }

    /// Sets one property. A composite attribute takes a dictionary.
    ///
    /// - Returns: The slots that were set.
    /// - Throws: 134060 for a name that is not an attribute of the entity, 1550 for a value of a wrong type.
    func set(_ name: String, _ value: Any?, in row: Row) throws -> [Int] {
        let value = value is NSNull ? nil : value
        if let composite = entity.composites[name] { return try set(composite, value, in: row) }
        let slot = try slot(name)
        try set(slot, value, in: row)
        return [slot]
    }

    /// - Throws: 134060 for a name that is not a stored attribute of the entity.
    func slot(_ name: String) throws -> Int {
        guard let slot = entity.slotByName[name], entity.kind(slot) != .vacant else {
            let names = entity.names(Array(entity.slotByName.keys) + entity.composites.keys, insteadOf: name)
            throw failure("“\(entity.name)” has no property “\(name)”. \(names)")
        }
        guard entity.slots[slot].relationship == nil else {
            throw relationshipFailure(name)
        }
        guard entity.slots[slot].isPersistent else { throw failure("“\(name)” is transient, so stores don't keep it") }
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
        switch SlotCoding.store(value, in: row, slot: slot) {
        case .stored: break
        case .unfit(let number): throw unfit(number, slot)
        case .wrongType:
            let property = entity.slots[slot]
            throw invalid(
                NSManagedObjectValidationError, slot,
                "needs a value of type \(SlotCoding.className(property.attributeType)), not \(type(of: value)): \(ValueText.short(value))",
                value)
        }
    }

    // MARK: Checking

    /// Checks the values of a row. A request does not write values that saving refuses because of an attribute's type,
    /// and does not leave out required ones.
    ///
    /// - Parameter slots: The slots that are written; nil for all, in a new row.
    /// - Throws: the validation error that saving would throw.
    func check(_ row: Row, slots: SlotMask? = nil) throws {
        for slot in entity.requiredSlots where row.isNil(slot) && entity.slots[slot].isPersistent && slots?.contains(slot) ?? true
        {
            throw missing(slot)
        }
        for slot in checkedSlots where !row.isNil(slot) && slots?.contains(slot) ?? true {
            if let problem = ValueDomain.problem(row.slots, slot, of: entity) {
                throw invalid(problem, slot, SlotCoding.value(in: row, slot: slot, of: entity) ?? NSNull())
            }
        }
        for composite in runtime.validationRules[entity.index].composites {
            // If only parts of a composite are set, it is not known here which other parts have a value.
            let isWhole = composite.slots.allSatisfy { slots?.contains($0) ?? true }
            let wrong = composite.missing(row.slots).filter { slot in
                isWhole || slots?.contains(slot) == true && composite.required.contains(slot)
            }
            if let slot = wrong.first { throw missing(slot) }
        }
    }

    /// The error for a number that was set and that its attribute can't hold.
    func unfit(_ number: NSNumber, _ slot: Int) -> NSError {
        invalid(ValueProblem(number, for: entity.slots[slot].attributeType) ?? .notANumber, slot, number)
    }

    private func missing(_ slot: Int) -> NSError {
        invalid(NSValidationMissingMandatoryPropertyError, slot, "is required and has no value", nil)
    }

    private func invalid(_ problem: ValueProblem, _ slot: Int, _ value: Any) -> NSError {
        let text = problem.text(entity.slots[slot].attributeType)
        return invalid(problem.errorCode, slot, "\(text): \(ValueText.short(value))", value)
    }

    private func invalid(_ code: Int, _ slot: Int, _ text: String, _ value: Any?) -> NSError {
        let name = entity.slots[slot].name
        var userInfo: [String: Any] = [NSValidationKeyErrorKey: name]
        userInfo[NSValidationValueErrorKey] = (value as? Date).map { NSNumber(value: $0.timeIntervalSinceReferenceDate) } ?? value
        return .coreData(code, "The \(subject) can't be done: “\(name)” \(text)", userInfo)
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

    func relationshipFailure(_ name: String) -> NSError {
        failure("“\(name)” is a relationship, which a batch request can't set")
    }

    func failure(_ reason: String) -> NSError { .coreData(NSCoreDataError, "The \(subject) can't be done: \(reason)") }
}
