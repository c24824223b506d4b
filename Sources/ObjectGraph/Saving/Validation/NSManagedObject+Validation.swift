import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Checks all properties: presence, limits, predicates, counts. Calls overrides of `validateValue(_:forKey:)`.
    final func checkProperties() throws {
        // An override may have reset the context before it calls this. There is nothing left to save then.
        guard !_state.contains(.gone) else { return }
        if isFault, row == nil, context?.saving.isUnderWay == true, !OverriddenValidation.isOverridden(by: type(of: self)) {
            // Only inverses have changed this object. All other values are as they were saved.
            let errors = registry.runtime.validationRules[layout.index].counts.flatMap { toManyErrors($0.relationship) }
            if !errors.isEmpty { throw Self.combined(errors) }
            return
        }
        let slots = _loadedSlots
        // A fault whose row is gone has just become a deleted object, which the save reports. Values that could not be
        // read are not validated.
        guard _state.isDisjoint(with: [.deleted, .unread]) else { return }
        if OverriddenValidation.isOverridden(by: type(of: self)) { return try checkThroughOverride() }
        var invalid = SlotMask()
        registry.runtime.validationRules[layout.index].check(slots, self, &invalid)
        if _state.contains(.hasUnfitValues) { for slot in UnfitValues.slots(self) { invalid.insert(slot) } }
        guard !invalid.isEmpty || hasMissingValue(slots) else { return }
        let errors = layout.slots.indices.flatMap { slot in
            layout.requiredSlots.contains(slot) || invalid.contains(slot) ? slotErrors(slot) : []
        }
        if !errors.isEmpty { throw Self.combined(errors) }
    }

    private final func hasMissingValue(_ slots: Row.Slots) -> Bool {
        for (word, required) in layout.requiredMask.enumerated() where slots[-1 - word] & required != 0 { return true }
        return false
    }

    private final func slotErrors(_ slot: Int) -> [NSError] {
        // A value that could not be read is not validated.
        guard unreadFile(slot) == nil else { return [] }
        let property = layout.slots[slot]
        let validation = PropertyValidation(object: self, key: property.name)
        if let relationship = layout.relationship(slot: slot), relationship.isToMany { return toManyErrors(relationship) }
        guard let value = valueForValidation(slot) else {
            if layout.requiredSlots.contains(slot) { return [validation.missing()] }
            return missingPath(slot).map { [PropertyValidation(object: self, key: $0).missing()] } ?? []
        }
        if let attribute = property.attribute {
            return validation.errors(
                attribute, value: value, checksType: _state.contains(.inserted) || markedSlots.contains(slot))
        }
        return layout.relationship(slot: slot).map { validation.predicateErrors($0.description, value) } ?? []
    }

    /// The path of what is missing if an element of a composite has no value: the element or the whole composite. Nil
    /// if nothing is missing.
    private final func missingPath(_ slot: Int) -> String? {
        guard let row else { return nil }
        for composite in registry.runtime.validationRules[layout.index].composites where composite.slots.contains(slot) {
            if composite.slots.allSatisfy(row.isNil) {
                if !composite.isOptional, composite.required.isEmpty { return composite.path }
            } else if composite.required.contains(slot) {
                return layout.slots[slot].name
            }
        }
        return nil
    }

    private final func toManyErrors(_ relationship: RelationshipLayout) -> [NSError] {
        guard let value = valueForValidation(relationship.slot) else { return [] }
        return toManyErrors(relationship, value, toMany(relationship).objects.count { !$0.isDeleted })
    }

    final func toManyErrors(_ relationship: RelationshipLayout, _ value: Any, _ count: Int) -> [NSError] {
        let validation = PropertyValidation(object: self, key: relationship.name)
        let rule = registry.runtime.validationRules[layout.index].counts.first { $0.relationship === relationship }
        return (rule.map { validation.countErrors($0, count, value) } ?? [])
            + validation.predicateErrors(relationship.description, value)
    }

    /// A property's value for predicates; nil if it has none, and for a to-many relationship that is unchanged and not
    /// loaded.
    final func valueForValidation(_ slot: Int) -> Any? {
        guard let relationship = layout.relationship(slot: slot) else {
            guard let row, !row.isNil(slot) else { return nil }
            if let unfit = UnfitValues.value(self, slot: slot) { return unfit }
            return SlotCoding.value(in: row, slot: slot, of: layout)
        }
        guard relationship.isToMany else { return toOne(relationship) }
        guard countForValidation(relationship) != nil else { return nil }
        let objects = toMany(relationship).objects
        return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    /// The number of a to-many relationship's members that will not be deleted; nil if it is unchanged and not loaded.
    final func countForValidation(_ relationship: RelationshipLayout) -> Int? {
        guard let link = links?[relationship.index] else { return _state.contains(.inserted) ? 0 : nil }
        let members = unsafeDowncast(link, to: _ToManyObjects.self)
        guard members.isLoaded || members.hasChanges, !members.isUnread else { return nil }
        return members.objects.count { !$0.isDeleted }
    }

    /// Checks that no relationship with the deny rule prevents the deletion of this object.
    final func checkDenyRules() throws {
        var errors: [NSError] = []
        for relationship in layout.relationships where relationship.deleteRule == .denyDeleteRule {
            let destinations = relationship.isToMany ? toMany(relationship).objects : (toOne(relationship).map { [$0] } ?? [])
            let remaining = destinations.filter { !$0.isDeleted && !$0.isGone }
            if !remaining.isEmpty { errors.append(denyError(relationship, remaining)) }
        }
        if !errors.isEmpty { throw Self.combined(errors) }
    }

    /// The error for a deletion that a relationship with remaining destinations denies.
    final func denyError(_ relationship: RelationshipLayout, _ remaining: [NSManagedObject]) -> NSError {
        PropertyValidation(object: self, key: relationship.name).error(
            NSValidationRelationshipDeniedDeleteError,
            "\(objectID) can't be deleted: “\(relationship.name)” of “\(layout.name)” still has \(remaining.count) object(s)",
            relationship.isToMany ? NSSet(array: remaining) : remaining[0])
    }

    /// One error is returned as it is. Several become one error with all of them as its details; combined errors are
    /// taken apart.
    static func combined(_ errors: [NSError]) -> NSError {
        let flat = errors.flatMap { error in
            error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
                ? error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] : [error]
        }
        guard flat.count > 1 else { return flat.first ?? .coreData(NSManagedObjectValidationError, "The object is not valid") }
        let lines = flat.prefix(20).map { "  " + $0.localizedDescription } + (flat.count > 20 ? ["  …"] : [])
        return .coreData(
            NSValidationMultipleErrorsError, "\(flat.count) validation errors:\n" + lines.joined(separator: "\n"),
            [NSDetailedErrorsKey: flat])
    }
}
