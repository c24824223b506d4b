import Foundation
import OpenCoreData
import Testing

@Suite("API surface: merge policies, requests, errors")
struct PolicyAndErrorSurfaceTests {
    @Test("API-184…188: policies and conflicts")
    func policies() {
        typealias Policy = NSMergePolicy
        let _: (NSMergePolicyType) -> Policy = Policy.init(merge:)
        let _: KeyPath<Policy, NSMergePolicyType> = \.mergeType
        let _: (Policy) -> ([Any]) throws -> Void = Policy.resolve(mergeConflicts:)
        let _: (Policy) -> ([NSMergeConflict]) throws -> Void = Policy.resolve(optimisticLockingConflicts:)
        let _: (Policy) -> ([NSConstraintConflict]) throws -> Void = Policy.resolve(constraintConflicts:)
        let _: (NSManagedObject, Int, Int, [String: Any]?, [String: Any]?) -> NSMergeConflict =
            NSMergeConflict.init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:)
        let _: KeyPath<NSMergeConflict, NSManagedObject> = \.sourceObject
        let _: [KeyPath<NSMergeConflict, [String: Any]?>] = [\.objectSnapshot, \.cachedSnapshot, \.persistedSnapshot]
        let _: [KeyPath<NSMergeConflict, Int>] = [\.newVersionNumber, \.oldVersionNumber]
        let _: ([String], NSManagedObject?, [AnyHashable: Any]?, [NSManagedObject], [Any]) -> NSConstraintConflict =
            NSConstraintConflict.init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:)
        let _: KeyPath<NSConstraintConflict, [String]> = \.constraint
        let _: KeyPath<NSConstraintConflict, [String: Any]> = \.constraintValues
        let _: KeyPath<NSConstraintConflict, NSManagedObject?> = \.databaseObject
        let _: KeyPath<NSConstraintConflict, [String: Any]?> = \.databaseSnapshot
        let _: KeyPath<NSConstraintConflict, [NSManagedObject]> = \.conflictingObjects
        let _: KeyPath<NSConstraintConflict, [[AnyHashable: Any]]> = \.conflictingSnapshots
        let policies: [(NSMergePolicy, AnyObject, NSMergePolicyType, UInt)] = [
            (.error, NSErrorMergePolicy, .errorMergePolicyType, 0),
            (.mergeByPropertyStoreTrump, NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrumpMergePolicyType, 1),
            (.mergeByPropertyObjectTrump, NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrumpMergePolicyType, 2),
            (.overwrite, NSOverwriteMergePolicy, .overwriteMergePolicyType, 3),
            (.rollback, NSRollbackMergePolicy, .rollbackMergePolicyType, 4),
        ]
        for (policy, older, type, number) in policies {
            #expect(policy === older && policy.mergeType == type && type.rawValue == number)
        }
    }

    @Test("API-153, API-154: what a request of objects has")
    func requests() {
        typealias Request = NSFetchRequest<NSManagedObject>
        let _: () -> Request = Request.init
        let _: (String) -> Request = Request.init(entityName:)
        let _: ReferenceWritableKeyPath<Request, NSEntityDescription?> = \.entity
        let _: KeyPath<Request, String?> = \.entityName
        let _: ReferenceWritableKeyPath<Request, NSPredicate?> = \.predicate
        let _: ReferenceWritableKeyPath<Request, [NSSortDescriptor]?> = \.sortDescriptors
        let counts: [ReferenceWritableKeyPath<Request, Int>] = [\.fetchLimit, \.fetchOffset]
        let _: ReferenceWritableKeyPath<Request, NSFetchRequestResultType> = \.resultType
        let flags: [ReferenceWritableKeyPath<Request, Bool>] = [
            \.includesSubentities, \.includesPropertyValues, \.returnsObjectsAsFaults, \.includesPendingChanges,
        ]
        let request = Request(entityName: "Item")
        #expect(request.entityName == "Item" && request.predicate == nil && request.sortDescriptors == nil)
        #expect(counts.allSatisfy { request[keyPath: $0] == 0 } && flags.allSatisfy { request[keyPath: $0] })
        #expect(request.resultType == .managedObjectResultType && request as NSObject is NSPersistentStoreRequest)
        let types: [NSFetchRequestResultType] = [.managedObjectResultType, .managedObjectIDResultType, .countResultType]
        #expect(types.map(\.rawValue) == [0, 1, 4])
    }

    @Test("API-200…222: every error code, in all notations")
    func codes() {
        #expect(NSCocoaErrorDomain == "NSCocoaErrorDomain" && NSSQLiteErrorDomain == "NSSQLiteErrorDomain")
        typealias Code = CocoaError.Code
        let codes: [(Int, Int, Code, Code)] = [
            (1550, NSManagedObjectValidationError, .managedObjectValidation, CocoaError.managedObjectValidation),
            (1560, NSValidationMultipleErrorsError, .validationMultipleErrors, CocoaError.validationMultipleErrors),
            (
                1570, NSValidationMissingMandatoryPropertyError, .validationMissingMandatoryProperty,
                CocoaError.validationMissingMandatoryProperty
            ),
            (
                1580, NSValidationRelationshipLacksMinimumCountError, .validationRelationshipLacksMinimumCount,
                CocoaError.validationRelationshipLacksMinimumCount
            ),
            (
                1590, NSValidationRelationshipExceedsMaximumCountError, .validationRelationshipExceedsMaximumCount,
                CocoaError.validationRelationshipExceedsMaximumCount
            ),
            (
                1600, NSValidationRelationshipDeniedDeleteError, .validationRelationshipDeniedDelete,
                CocoaError.validationRelationshipDeniedDelete
            ),
            (1610, NSValidationNumberTooLargeError, .validationNumberTooLarge, CocoaError.validationNumberTooLarge),
            (1620, NSValidationNumberTooSmallError, .validationNumberTooSmall, CocoaError.validationNumberTooSmall),
            (1630, NSValidationDateTooLateError, .validationDateTooLate, CocoaError.validationDateTooLate),
            (1640, NSValidationDateTooSoonError, .validationDateTooSoon, CocoaError.validationDateTooSoon),
            (1650, NSValidationInvalidDateError, .validationInvalidDate, CocoaError.validationInvalidDate),
            (1660, NSValidationStringTooLongError, .validationStringTooLong, CocoaError.validationStringTooLong),
            (1670, NSValidationStringTooShortError, .validationStringTooShort, CocoaError.validationStringTooShort),
            (
                1680, NSValidationStringPatternMatchingError, .validationStringPatternMatching,
                CocoaError.validationStringPatternMatching
            ),
            (132000, NSManagedObjectContextLockingError, .managedObjectContextLocking, CocoaError.managedObjectContextLocking),
            (
                132010, NSPersistentStoreCoordinatorLockingError, .persistentStoreCoordinatorLocking,
                CocoaError.persistentStoreCoordinatorLocking
            ),
            (
                133000, NSManagedObjectReferentialIntegrityError, .managedObjectReferentialIntegrity,
                CocoaError.managedObjectReferentialIntegrity
            ),
            (
                133010, NSManagedObjectExternalRelationshipError, .managedObjectExternalRelationship,
                CocoaError.managedObjectExternalRelationship
            ),
            (133020, NSManagedObjectMergeError, .managedObjectMerge, CocoaError.managedObjectMerge),
            (133021, NSManagedObjectConstraintMergeError, .managedObjectConstraintMerge, CocoaError.managedObjectConstraintMerge),
            (134000, NSPersistentStoreInvalidTypeError, .persistentStoreInvalidType, CocoaError.persistentStoreInvalidType),
            (134010, NSPersistentStoreTypeMismatchError, .persistentStoreTypeMismatch, CocoaError.persistentStoreTypeMismatch),
            (
                134020, NSPersistentStoreIncompatibleSchemaError, .persistentStoreIncompatibleSchema,
                CocoaError.persistentStoreIncompatibleSchema
            ),
            (134030, NSPersistentStoreSaveError, .persistentStoreSave, CocoaError.persistentStoreSave),
            (
                134040, NSPersistentStoreIncompleteSaveError, .persistentStoreIncompleteSave,
                CocoaError.persistentStoreIncompleteSave
            ),
            (134050, NSPersistentStoreSaveConflictsError, .persistentStoreSaveConflicts, CocoaError.persistentStoreSaveConflicts),
            (134060, NSCoreDataError, .coreData, CocoaError.coreData),
            (134070, NSPersistentStoreOperationError, .persistentStoreOperation, CocoaError.persistentStoreOperation),
            (134080, NSPersistentStoreOpenError, .persistentStoreOpen, CocoaError.persistentStoreOpen),
            (134090, NSPersistentStoreTimeoutError, .persistentStoreTimeout, CocoaError.persistentStoreTimeout),
            (
                134091, NSPersistentStoreUnsupportedRequestTypeError, .persistentStoreUnsupportedRequestType,
                CocoaError.persistentStoreUnsupportedRequestType
            ),
            (
                134100, NSPersistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash,
                CocoaError.persistentStoreIncompatibleVersionHash
            ),
            (134110, NSMigrationError, .migration, CocoaError.migration),
            (134120, NSMigrationCancelledError, .migrationCancelled, CocoaError.migrationCancelled),
            (134130, NSMigrationMissingSourceModelError, .migrationMissingSourceModel, CocoaError.migrationMissingSourceModel),
            (134140, NSMigrationMissingMappingModelError, .migrationMissingMappingModel, CocoaError.migrationMissingMappingModel),
            (134150, NSMigrationManagerSourceStoreError, .migrationManagerSourceStore, CocoaError.migrationManagerSourceStore),
            (
                134160, NSMigrationManagerDestinationStoreError, .migrationManagerDestinationStore,
                CocoaError.migrationManagerDestinationStore
            ),
            (134170, NSEntityMigrationPolicyError, .entityMigrationPolicy, CocoaError.entityMigrationPolicy),
            (134180, NSSQLiteError, .sqlite, CocoaError.sqlite),
            (134190, NSInferredMappingModelError, .inferredMappingModel, CocoaError.inferredMappingModel),
            (134200, NSExternalRecordImportError, .externalRecordImport, CocoaError.externalRecordImport),
        ]
        for (number, constant, code, short) in codes {
            #expect(constant == number && code.rawValue == number && short == code)
        }
        #expect(Set(codes.map(\.0)).count == codes.count)
        // These have no constant of CocoaError.
        let others = [
            NSManagedObjectConstraintValidationError, NSValidationInvalidURIError, NSPersistentHistoryTokenExpiredError,
            NSManagedObjectModelReferenceNotFoundError, NSStagedMigrationFrameworkVersionMismatchError,
            NSStagedMigrationBackwardMigrationError,
        ]
        #expect(others == [1551, 1690, 134301, 134504, 134505, 134506])
    }

    @Test("API-223, API-224: keys of an error's details, and their properties")
    func details() throws {
        let keys = [
            NSDetailedErrorsKey, NSValidationObjectErrorKey, NSValidationKeyErrorKey, NSValidationPredicateErrorKey,
            NSValidationValueErrorKey, NSAffectedStoresErrorKey, NSAffectedObjectsErrorKey,
            NSPersistentStoreSaveConflictsErrorKey,
        ]
        #expect(
            keys == [
                "NSDetailedErrors", "NSValidationErrorObject", "NSValidationErrorKey", "NSValidationErrorPredicate",
                "NSValidationErrorValue", "NSAffectedStoresErrorKey", "NSAffectedObjectsErrorKey", "conflictList",
            ])
        let _: [KeyPath<CocoaError, Any?>] = [\.validationObject, \.validationValue]
        let _: KeyPath<CocoaError, String?> = \.validationKey
        let _: KeyPath<CocoaError, NSPredicate?> = \.validationPredicate
        let _: [KeyPath<CocoaError, [AnyObject]?>] = [\.affectedObjects, \.affectedStores]
        let _: KeyPath<CocoaError, [NSMergeConflict]?> = \.persistentStoreSaveConflicts
        try Surface().run { context in
            let item = context.item("A")
            try context.save()
            item.setValue("B", forKey: "name")
            let other = NSManagedObjectContext(.privateQueue)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            let id = item.objectID
            try other.performAndWait {
                other.object(with: id).setValue("C", forKey: "name")
                try other.save()
            }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectMerge)
            #expect(error?.persistentStoreSaveConflicts?.map(\.sourceObject) == [item])
            #expect(error?.validationObject == nil && error?.validationKey == nil)
        }
    }
}
