import DataModel
import Foundation
import Storage

/// Validation of single values, and through overrides.
extension NSManagedObject {
    /// What ``validateValue(_:forKey:)`` does unless overridden.
    final func checkValue(_ value: Any?, forKey key: String) throws {
        let errors = valueErrors(value is NSNull ? nil : value, key)
        if !errors.isEmpty { throw Self.combined(errors) }
    }

    private final func valueErrors(_ value: Any?, _ key: String) -> [NSError] {
        if let composite = layout.composites[key],
            let description = layout.description.attributesByName[key] as? NSCompositeAttributeDescription
        {
            return compositeErrors(composite, description, key, value)
        }
        // As with key-value coding, any value is valid for a key without rules.
        guard let slot = layout.slotByName[key], layout.kind(slot) != .vacant else { return [] }
        guard let relationship = layout.relationship(slot: slot) else { return attributeErrors(slot, value) }
        return relationship.isToMany ? toManyErrors(relationship, value) : toOneErrors(relationship, value)
    }

    private final func attributeErrors(_ slot: Int, _ value: Any?) -> [NSError] {
        let property = layout.slots[slot]
        let validation = PropertyValidation(object: self, key: property.name)
        guard let value else { return property.isOptional ? [] : [validation.missing()] }
        guard let attribute = property.attribute else { return [] }
        // Predicates are evaluated with the value as it would be stored.
        let scratch = Row.emptyDraft(layout)
        let stored: Any
        switch SlotCoding.store(value, in: scratch, slot: slot) {
        case .stored: stored = SlotCoding.value(in: scratch, slot: slot, of: layout) ?? value
        case .unfit(let number): stored = number
        case .wrongType: return [validation.unacceptable(value, wanted: SlotCoding.className(attribute.attributeType))]
        }
        return validation.errors(attribute, value: stored)
    }

    private final func toOneErrors(_ relationship: RelationshipLayout, _ value: Any?) -> [NSError] {
        let validation = PropertyValidation(object: self, key: relationship.name)
        guard let value else { return relationship.isOptional ? [] : [validation.missing()] }
        if let error = destinationError(value, relationship) { return [error] }
        return validation.predicateErrors(relationship.description, value)
    }

    private final func toManyErrors(_ relationship: RelationshipLayout, _ value: Any?) -> [NSError] {
        let validation = PropertyValidation(object: self, key: relationship.name)
        let members: [Any]
        switch value {
        case nil: members = []
        case let set as NSSet: members = set.allObjects
        case let set as NSOrderedSet: members = set.array
        case let set as Set<AnyHashable>: members = Array(set)
        case let array as [Any]: members = array
        case .some(let other): return [validation.unacceptable(other, wanted: relationship.isOrdered ? "NSOrderedSet" : "NSSet")]
        }
        for member in members {
            if let error = destinationError(member, relationship) { return [error] }
        }
        return toManyErrors(relationship, value ?? NSSet(), members.count { ($0 as? NSManagedObject)?.isDeleted == false })
    }

    private final func destinationError(_ value: Any, _ relationship: RelationshipLayout) -> NSError? {
        let destination = registry.runtime.layout.entities[relationship.destination]
        if let object = value as? NSManagedObject, object.entity.isKindOf(entity: destination.description) { return nil }
        return PropertyValidation(object: self, key: relationship.name).unacceptable(
            value, wanted: "an object of “\(destination.name)”")
    }

    private final func compositeErrors(
        _ composite: CompositeLayout, _ description: NSCompositeAttributeDescription, _ path: String, _ value: Any?
    ) -> [NSError] {
        let validation = PropertyValidation(object: self, key: path)
        guard let value else { return description.isOptional ? [] : [validation.missing()] }
        guard let values = value as? [String: Any] else { return [validation.unacceptable(value, wanted: "[String: Any]")] }
        return zip(composite.elements, description.elements).flatMap { named, attribute -> [NSError] in
            let (name, element) = named
            let value = values[name].flatMap { $0 is NSNull ? nil : $0 }
            switch element {
            case .composite(let nested):
                guard let inner = attribute as? NSCompositeAttributeDescription else { return [] }
                return compositeErrors(nested, inner, "\(path).\(name)", value)
            case .slot(let slot):
                guard value == nil else { return attributeErrors(slot, value) }
                return attribute.isOptional ? [] : [PropertyValidation(object: self, key: layout.slots[slot].name).missing()]
            }
        }
    }

    // MARK: Through an override

    /// Calls ``validateValue(_:forKey:)`` for every property, and sets the values that it replaces.
    final func checkThroughOverride() throws {
        var errors: [any Error] = []
        for key in keysForValidation {
            var value = value(forValidationOf: key)
            let before = value
            do {
                try validateValue(&value, forKey: key)
            } catch {
                errors.append(error)
                continue
            }
            if value is NSNull { value = nil }
            if !Self.isSame(before, value) { setDynamicValue(value, forKey: key) }
        }
        // A single error is thrown as it is, because a Swift error would lose its type as an NSError.
        if errors.count == 1 { throw errors[0] }
        if !errors.isEmpty { throw Self.combined(errors.map { $0 as NSError }) }
    }

    /// The names of all properties, except to-many relationships that are unchanged and not loaded.
    private final var keysForValidation: [String] {
        var composites: Set<Substring> = []
        return layout.slots.indices.compactMap { slot in
            guard unreadFile(slot) == nil else { return nil }
            let property = layout.slots[slot]
            guard property.kind != .vacant, property.kind != .entityIndex else { return nil }
            if layout.slotByName[property.name] == nil { return nil }
            if property.attribute != nil, let dot = property.name.firstIndex(of: ".") {
                let name = property.name[..<dot]
                return composites.insert(name).inserted ? String(name) : nil
            }
            if let relationship = layout.relationship(slot: slot), relationship.isToMany, countForValidation(relationship) == nil
            {
                return nil
            }
            return property.name
        }
    }

    private final func value(forValidationOf key: String) -> Any? {
        layout.slotByName[key].map { valueForValidation($0) } ?? readPrimitive(key)
    }

    /// Whether an override left a value as it was.
    private static func isSame(_ a: Any?, _ b: Any?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        // An override may replace a Swift value by an equal object of a Foundation class, such as a text. It would be
        // replaced again and again.
        if let a = a as AnyObject as? NSObject, let b = b as AnyObject as? NSObject, a.isEqual(b) { return true }
        if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
        if type(of: a) is AnyClass || type(of: b) is AnyClass { return a as AnyObject === b as AnyObject }
        // These values can't be compared, so a new value of the same type can't be told from the old one. An endless
        // repetition of validations would be worse.
        return type(of: a) == type(of: b)
    }
}
