import DataModel
public import Foundation
import Storage

// @unchecked Sendable: constants only; the store's error is an NSError, which is Sendable itself.

/// The reason why the values of an object, or one of its properties, could not be read: the store's file is damaged,
/// gone or out of reach.
///
/// Thrown by ``NSManagedObject/load()`` and its kin. Under ``NSManagedObjectContext/ReadingFailurePolicy/record`` the
/// context also remembers it, and its saves fail with it. Not in Apple's framework, which raises an exception.
///
/// As an `NSError` it is in Cocoa's domain with the code of the store's error, which is under `NSUnderlyingErrorKey`;
/// the ID is under `NSAffectedObjectsErrorKey`.
public final class ReadingFailure: NSError, @unchecked Sendable {
    /// The object.
    public let objectID: NSManagedObjectID
    /// The name of the object's entity.
    public let entityName: String
    /// The name in the model of the property that could not be read; nil if none of the object's values could be read.
    public let propertyName: String?
    /// The store's error.
    public let storeError: NSError

    /// Whether reading the object's row again repeats the failure.
    let isOfRow: Bool

    init(_ object: NSManagedObject, property: String?, _ error: any Error) {
        objectID = object.objectID
        entityName = object.layout.name
        propertyName = property
        let error = error as NSError
        storeError = error
        isOfRow =
            property.flatMap { object.layout.slotByName[$0] }.map { object.layout.relationship(slot: $0)?.isToMany != true }
            ?? (property == nil)
        let subject = property.map { "“\($0)” of " } ?? "The values of "
        super.init(
            domain: NSCocoaErrorDomain,
            code: error.domain == NSCocoaErrorDomain ? error.code : NSPersistentStoreOperationError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(subject)\(type(of: object)) \(objectID) can't be read: \(error.localizedDescription)",
                NSUnderlyingErrorKey: error, NSAffectedObjectsErrorKey: [objectID],
            ])
    }

    /// Nil: a failure is not archived.
    public required init?(coder: NSCoder) { nil }
}
