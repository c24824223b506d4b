// Keys in the user info of Core Data's errors. Names and values are Apple's.

/// The single errors of an error that stands for several: `[Error]`.
public let NSDetailedErrorsKey = "NSDetailedErrors"

/// The object that is not valid.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"

/// The name of the property that is not valid.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"

/// The predicate that the value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"

/// The value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"

/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"

/// The conflicts that prevented a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

/// The domain of SQLite's own errors, and the key of SQLite's code in the user info of other errors.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
