import DataModel
import Foundation
import Testing

@Suite("Error codes")
struct ErrorCodeTests {
    @Test("API-201 to API-221: numbers are Apple's, in all three notations")
    func numbers() {
        let codes: [(Int, CocoaError.Code, CocoaError.Code, Int)] = [
            (NSManagedObjectValidationError, .managedObjectValidation, CocoaError.managedObjectValidation, 1550),
            (NSValidationMultipleErrorsError, .validationMultipleErrors, CocoaError.validationMultipleErrors, 1560),
            (
                NSValidationMissingMandatoryPropertyError, .validationMissingMandatoryProperty,
                CocoaError.validationMissingMandatoryProperty, 1570
            ),
            (
                NSValidationRelationshipDeniedDeleteError, .validationRelationshipDeniedDelete,
                CocoaError.validationRelationshipDeniedDelete, 1600
            ),
            (NSManagedObjectMergeError, .managedObjectMerge, CocoaError.managedObjectMerge, 133020),
            (NSManagedObjectConstraintMergeError, .managedObjectConstraintMerge, CocoaError.managedObjectConstraintMerge, 133021),
            (NSCoreDataError, .coreData, CocoaError.coreData, 134060),
            (NSPersistentStoreOpenError, .persistentStoreOpen, CocoaError.persistentStoreOpen, 134080),
            (
                NSPersistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash,
                CocoaError.persistentStoreIncompatibleVersionHash, 134100
            ),
            (NSSQLiteError, .sqlite, CocoaError.sqlite, 134180),
        ]
        for (old, new, short, number) in codes {
            #expect(old == number)
            #expect(new.rawValue == number)
            #expect(short == new)
        }
        #expect(NSManagedObjectConstraintValidationError == 1551)
        #expect(NSPersistentHistoryTokenExpiredError == 134301)
        #expect(NSManagedObjectModelReferenceNotFoundError == 134504)
    }

    @Test("API-223, API-224: an error's details are under Apple's keys")
    func details() throws {
        let object = NSObject()
        let error = NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMissingMandatoryPropertyError,
            userInfo: [
                "NSValidationErrorObject": object, "NSValidationErrorKey": "title", "NSValidationErrorValue": 5,
                "NSAffectedObjectsErrorKey": [object],
            ])
        let cocoa = try #require(error as any Error as? CocoaError)
        #expect(cocoa.code == .validationMissingMandatoryProperty)
        #expect(cocoa.validationObject as? NSObject === object)
        #expect(cocoa.validationKey == "title")
        #expect(cocoa.validationValue as? Int == 5)
        #expect(cocoa.validationPredicate == nil)
        #expect(cocoa.affectedObjects?.first === object)
        #expect(cocoa.affectedStores == nil)
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
        #expect(NSPersistentStoreSaveConflictsErrorKey == "conflictList")
    }
}
