import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Checks that every required attribute and to-one relationship has a value.
    final func checkProperties() throws {
        // A row at hand is not yet all there is: transient values and what `awakeFromFetch` sets come with firing.
        if isFault, row != nil { _ = _loadedSlots }
        guard let slots = row?.slots, hasMissingValue(slots) else { return }
        let errors = layout.requiredSlots.filter { Row.isNil(slots, $0) }.map { slot in
            validationError(
                NSValidationMissingMandatoryPropertyError, key: layout.slots[slot].name,
                "“\(layout.slots[slot].name)” of “\(layout.name)” is required and has no value (\(objectID))")
        }
        throw Self.combined(errors)
    }

    private final func hasMissingValue(_ slots: Row.Slots) -> Bool {
        for (word, required) in layout.requiredMask.enumerated() where slots[-1 - word] & required != 0 { return true }
        return false
    }

    /// Checks that no relationship with the deny rule keeps this deleted object.
    final func checkDenyRules() throws {
        var errors: [NSError] = []
        for relationship in layout.relationships where relationship.deleteRule == .denyDeleteRule {
            let destinations = relationship.isToMany ? toMany(relationship).objects : (toOne(relationship).map { [$0] } ?? [])
            let remaining = destinations.filter { !$0.isDeleted }
            guard !remaining.isEmpty else { continue }
            errors.append(
                validationError(
                    NSValidationRelationshipDeniedDeleteError, key: relationship.name,
                    "\(objectID) can't be deleted: “\(relationship.name)” of “\(layout.name)” still has \(remaining.count) object(s)",
                    value: relationship.isToMany ? NSSet(array: remaining) : remaining[0]))
        }
        if !errors.isEmpty { throw Self.combined(errors) }
    }

    private final func validationError(_ code: Int, key: String, _ message: String, value: Any? = nil) -> NSError {
        var userInfo: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key]
        userInfo[NSValidationValueErrorKey] = value
        return .coreData(code, message, userInfo)
    }

    /// One error as it is; several as one with all of them as its details, those of combined errors taken apart.
    static func combined(_ errors: [NSError]) -> NSError {
        let flat = errors.flatMap { error in
            error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
                ? error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] : [error]
        }
        guard flat.count > 1 else { return flat.first ?? .coreData(NSManagedObjectValidationError, "The object is not valid") }
        let lines = flat.prefix(20).map { "  " + $0.localizedDescription } + (flat.count > 20 ? ["  …"] : [])
        return .coreData(
            NSValidationMultipleErrorsError, "\(flat.count) validation errors:\n" + lines.joined(separator: "\n"), [NSDetailedErrorsKey: flat])
    }
}
