/// Names that a managed property can't have: members of `NSObject` and `NSManagedObject`, and words that have another
/// meaning in Swift.
///
/// Some would compile here, but hide a member that key-value coding, the life cycle or Apple's framework needs.
enum ReservedNames {
    static let all: Set<String> = [
        // Members that a property would have to override.
        "entity", "managedObjectContext", "objectID", "isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges",
        "hasPersistentChangedValues", "faultingState", "hash", "hashValue", "description", "debugDescription", "classForCoder",
        // Members that it would hide.
        "inserted", "updated", "deleted", "fault", "observationInfo", "objectWillChange",
        "contextShouldIgnoreUnmodeledPropertyChanges",
        "fetchRequest", "awakeFromFetch", "awakeFromInsert", "awake", "prepareForDeletion", "willSave", "didSave",
        "willTurnIntoFault",
        "didTurnIntoFault", "willAccessValue", "didAccessValue", "willChangeValue", "didChangeValue", "primitiveValue",
        "setPrimitiveValue", "setValue", "hasFault", "objectIDs", "committedValues", "changedValues",
        "changedValuesForCurrentEvent",
        "validateForInsert", "validateForUpdate", "validateForDelete", "validateValue", "isEqual", "isProxy", "isKind",
        "isMember",
        "copy", "mutableCopy", "superclass", "class", "self", "zone", "perform", "responds", "conforms", "retain", "release",
        "autorelease", "retainCount", "dealloc", "finalize", "className", "classDescription",
        "attributeKeys", "toOneRelationshipKeys", "toManyRelationshipKeys", "forwardingTarget", "methodSignature",
        "doesNotRecognizeSelector",
        // Words of Swift that don't become names in backticks.
        "Type", "Protocol", "init",
    ]
}
