import Foundation
import Synchronization

/// Whether anybody may be listening to `NSManagedObjectContextDidSaveObjectIDs`.
///
/// Its sets cost as much as all else that a save tells, and most programs never ask for them. Foundation does not tell who observes what, but who wants to
/// observe has to ask for the name first: by the constant, or by a message type.
enum ObjectIDInterest {
    private static let wasAskedFor = Atomic<Bool>(false)

    static var exists: Bool { wasAskedFor.load(ordering: .relaxed) }

    static let name = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")

    static var nameForObservers: Notification.Name {
        wasAskedFor.store(true, ordering: .relaxed)
        return name
    }
}
