import Foundation
import Synchronization

/// Whether a notification may have observers.
///
/// The sets of a notification cost as much as everything else that is told of a save, and most programs never need
/// them. Foundation does not show whether a name has observers, but an observer must first read the name. Observers of
/// the message types don't read it, so the messages are always posted: they make their sets when they are asked for
/// them.
final class NotificationInterest: Sendable {
    static let objectsDidChange = NotificationInterest("NSObjectsChangedInManagingContextNotification")
    static let didSave = NotificationInterest("NSManagingContextDidSaveChangesNotification")
    static let didSaveObjectIDs = NotificationInterest("NSManagedObjectContextDidSaveObjectIDsNotification")

    let name: Notification.Name
    private let wasAskedFor = Atomic<Bool>(false)

    private init(_ name: String) { self.name = Notification.Name(name) }

    var exists: Bool { wasAskedFor.load(ordering: .relaxed) }

    /// The name, for programs.
    var nameForObservers: Notification.Name {
        wasAskedFor.store(true, ordering: .relaxed)
        return name
    }
}
