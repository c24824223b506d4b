import Foundation
import Synchronization

/// Whether the notification `NSManagedObjectContextDidSaveObjectIDs` may have observers.
///
/// Its sets cost as much as everything else that a save posts, and most programs never need them. Foundation does not
/// show whether a name has observers, but an observer must first read the name. Observers of the message types don't
/// read it, so the messages are always posted: they make their sets when they are asked for them.
enum ObjectIDInterest {
    private static let wasAskedFor = Atomic<Bool>(false)

    static var exists: Bool { wasAskedFor.load(ordering: .relaxed) }

    static let name = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")

    static var nameForObservers: Notification.Name {
        wasAskedFor.store(true, ordering: .relaxed)
        return name
    }
}
