// The error codes of Core Data, in the domain `NSCocoaErrorDomain`. Names and numbers are Apple's.

/// A value is not valid, in a way that no other code describes.
public var NSManagedObjectValidationError: Int { 1550 }

/// Values that must be unique are not.
public var NSManagedObjectConstraintValidationError: Int { 1551 }

/// Several errors; they are under `NSDetailedErrorsKey`.
public var NSValidationMultipleErrorsError: Int { 1560 }

/// A required property is nil.
public var NSValidationMissingMandatoryPropertyError: Int { 1570 }

/// A relationship holds too few objects.
public var NSValidationRelationshipLacksMinimumCountError: Int { 1580 }

/// A relationship holds too many objects.
public var NSValidationRelationshipExceedsMaximumCountError: Int { 1590 }

/// A relationship with the deny rule still holds objects.
public var NSValidationRelationshipDeniedDeleteError: Int { 1600 }

/// A number is greater than the model allows.
public var NSValidationNumberTooLargeError: Int { 1610 }

/// A number is smaller than the model allows.
public var NSValidationNumberTooSmallError: Int { 1620 }

/// A date is later than the model allows.
public var NSValidationDateTooLateError: Int { 1630 }

/// A date is earlier than the model allows.
public var NSValidationDateTooSoonError: Int { 1640 }

/// A date is not valid.
public var NSValidationInvalidDateError: Int { 1650 }

/// A text is longer than the model allows.
public var NSValidationStringTooLongError: Int { 1660 }

/// A text is shorter than the model allows.
public var NSValidationStringTooShortError: Int { 1670 }

/// A text does not match the pattern of the model.
public var NSValidationStringPatternMatchingError: Int { 1680 }

/// A text is not a URI.
public var NSValidationInvalidURIError: Int { 1690 }

/// A context could not be locked.
public var NSManagedObjectContextLockingError: Int { 132000 }

/// A coordinator could not be locked.
public var NSPersistentStoreCoordinatorLockingError: Int { 132010 }

/// An object refers to one that does not exist.
public var NSManagedObjectReferentialIntegrityError: Int { 133000 }

/// An object refers to one in another store.
public var NSManagedObjectExternalRelationshipError: Int { 133010 }

/// A save conflicts with what others saved.
public var NSManagedObjectMergeError: Int { 133020 }

/// A save conflicts with a uniqueness constraint.
public var NSManagedObjectConstraintMergeError: Int { 133021 }

/// There is no such kind of store.
public var NSPersistentStoreInvalidTypeError: Int { 134000 }

/// A store is of another kind than asked for.
public var NSPersistentStoreTypeMismatchError: Int { 134010 }

/// A store's tables do not fit the model.
public var NSPersistentStoreIncompatibleSchemaError: Int { 134020 }

/// A store could not be saved.
public var NSPersistentStoreSaveError: Int { 134030 }

/// One of several stores could not be saved.
public var NSPersistentStoreIncompleteSaveError: Int { 134040 }

/// A save met conflicts that the merge policy does not solve.
public var NSPersistentStoreSaveConflictsError: Int { 134050 }

/// Something is wrong that no other code describes.
public var NSCoreDataError: Int { 134060 }

/// A store could not do what was asked.
public var NSPersistentStoreOperationError: Int { 134070 }

/// A store could not be opened.
public var NSPersistentStoreOpenError: Int { 134080 }

/// A store did not answer in time.
public var NSPersistentStoreTimeoutError: Int { 134090 }

/// A store cannot execute this kind of request.
public var NSPersistentStoreUnsupportedRequestTypeError: Int { 134091 }

/// A store was written with another version of the model.
public var NSPersistentStoreIncompatibleVersionHashError: Int { 134100 }

/// A migration failed.
public var NSMigrationError: Int { 134110 }

/// A migrated object violates a uniqueness constraint.
public var NSMigrationConstraintViolationError: Int { 134111 }

/// A migration was cancelled.
public var NSMigrationCancelledError: Int { 134120 }

/// The model that a store was written with was not found.
public var NSMigrationMissingSourceModelError: Int { 134130 }

/// No mapping model leads from the store's model to the wanted one.
public var NSMigrationMissingMappingModelError: Int { 134140 }

/// A migration has trouble with the source store.
public var NSMigrationManagerSourceStoreError: Int { 134150 }

/// A migration has trouble with the destination store.
public var NSMigrationManagerDestinationStoreError: Int { 134160 }

/// An entity migration policy failed.
public var NSEntityMigrationPolicyError: Int { 134170 }

/// SQLite reported an error; its code is under `NSSQLiteErrorDomain`.
public var NSSQLiteError: Int { 134180 }

/// A mapping model could not be inferred.
public var NSInferredMappingModelError: Int { 134190 }

/// An external record could not be imported.
public var NSExternalRecordImportError: Int { 134200 }

/// A history token is older than the history that is left.
public var NSPersistentHistoryTokenExpiredError: Int { 134301 }

/// A model reference leads to no model.
public var NSManagedObjectModelReferenceNotFoundError: Int { 134504 }

/// A staged migration needs another version of the framework.
public var NSStagedMigrationFrameworkVersionMismatchError: Int { 134505 }

/// A staged migration would lead back to an older model.
public var NSStagedMigrationBackwardMigrationError: Int { 134506 }
