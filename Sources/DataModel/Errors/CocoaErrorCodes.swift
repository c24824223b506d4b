public import Foundation

extension CocoaError {
    /// A value is not valid, in a way that no other code describes.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// Several errors; they are under `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A required property is nil.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// A relationship holds too few objects.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { .validationRelationshipLacksMinimumCount }
    /// A relationship holds too many objects.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { .validationRelationshipExceedsMaximumCount }
    /// A relationship with the deny rule still holds objects.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// A number is greater than the model allows.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is smaller than the model allows.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is later than the model allows.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is earlier than the model allows.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// A date is not valid.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A text is longer than the model allows.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A text is shorter than the model allows.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A text does not match the pattern of the model.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A context could not be locked.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// An object refers to one that does not exist.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// An object refers to one in another store.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// A save conflicts with what others saved.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// A save conflicts with a uniqueness constraint.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// There is no such kind of store.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// A store is of another kind than asked for.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// A store's tables do not fit the model.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// A store could not be saved.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// One of several stores could not be saved.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// A save met conflicts that the merge policy does not solve.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// Something is wrong that no other code describes.
    public static var coreData: CocoaError.Code { .coreData }
    /// A store could not do what was asked.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// A store could not be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// A store did not answer in time.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// A store cannot execute this kind of request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// A store was written with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
    /// A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The model that a store was written with was not found.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping model leads from the store's model to the wanted one.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// A migration has trouble with the source store.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// A migration has trouble with the destination store.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// An entity migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// SQLite reported an error; its code is under `NSSQLiteErrorDomain`.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// A mapping model could not be inferred.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// An external record could not be imported.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
