public import Foundation

/// The typed forms of a context's notifications.
///
/// They are posted beside the notifications, for observers by message type, with the context as the subject. Messages
/// of a main-queue context are delivered on the main actor; they are posted when the context works on the main thread.
extension NSManagedObjectContext {
    /// Pending changes were processed; see `NSManagedObjectContextObjectsDidChange`.
    public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
        /// Messages are about a context.
        public typealias Subject = NSManagedObjectContext
        /// The name of the notification with the same content.
        public static var name: Notification.Name { .NSManagedObjectContextObjectsDidChange }

        /// New objects.
        public var insertedObjects: Set<NSManagedObject> { sets.inserted.set }
        /// Changed objects.
        public var updatedObjects: Set<NSManagedObject> { sets.updated.set }
        /// Deleted objects.
        public var deletedObjects: Set<NSManagedObject> { sets.deleted.set }
        /// Objects whose values were read again.
        public var refreshedObjects: Set<NSManagedObject> { sets.refreshed.set }
        private let sets: ChangeSets

        init(_ sets: ChangeSets) { self.sets = sets }

        /// The message with the content of a notification.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.name == name ? Self(ChangeSets(notification)) : nil
        }

        /// The notification with the content of a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: nil, userInfo: message.sets.userInfo)
        }
    }

    /// A save begins; see `NSManagedObjectContextWillSave`.
    public struct WillSaveMessage: NotificationCenter.MainActorMessage {
        /// Messages are about a context.
        public typealias Subject = NSManagedObjectContext
        /// The name of the notification with the same content.
        public static var name: Notification.Name { .NSManagedObjectContextWillSave }

        /// The message with the content of a notification.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.name == name ? Self() : nil
        }

        /// The notification with the content of a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification { Notification(name: name) }
    }

    /// A save succeeded; see `NSManagedObjectContextDidSave`.
    public struct DidSaveMessage: NotificationCenter.MainActorMessage {
        /// Messages are about a context.
        public typealias Subject = NSManagedObjectContext
        /// The name of the notification with the same content.
        public static var name: Notification.Name { .NSManagedObjectContextDidSave }

        /// New objects.
        public var insertedObjects: Set<NSManagedObject> { sets.inserted.set }
        /// Changed objects.
        public var updatedObjects: Set<NSManagedObject> { sets.updated.set }
        /// Deleted objects.
        public var deletedObjects: Set<NSManagedObject> { sets.deleted.set }
        private let sets: ChangeSets

        init(_ sets: ChangeSets) { self.sets = sets }

        /// The message with the content of a notification.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.name == name ? Self(ChangeSets(notification)) : nil
        }

        /// The notification with the content of a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: nil, userInfo: message.sets.userInfo)
        }
    }

    /// A save of a main-queue context succeeded, as IDs; see `NSManagedObjectContextDidSaveObjectIDs`.
    public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
        /// Messages are about a context.
        public typealias Subject = NSManagedObjectContext
        /// The name of the notification with the same content.
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// The IDs of new objects.
        public var insertedObjectIDs: Set<NSManagedObjectID> { ids.sets.inserted }
        /// The IDs of changed objects.
        public var updatedObjectIDs: Set<NSManagedObjectID> { ids.sets.updated }
        /// The IDs of deleted objects.
        public var deletedObjectIDs: Set<NSManagedObjectID> { ids.sets.deleted }
        private let ids: SavedObjectIDs

        init(_ ids: SavedObjectIDs) { self.ids = ids }

        /// The message with the content of a notification.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.name == name ? Self(SavedObjectIDs(notification)) : nil
        }

        /// The notification with the content of a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: nil, userInfo: message.ids.userInfo)
        }
    }

    /// A save of a private-queue context succeeded, as IDs; see `NSManagedObjectContextDidSaveObjectIDs`. Delivered
    /// asynchronously.
    public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
        /// Messages are about a context.
        public typealias Subject = NSManagedObjectContext
        /// The name of the notification with the same content.
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// The IDs of new objects.
        public var insertedObjectIDs: Set<NSManagedObjectID> { ids.sets.inserted }
        /// The IDs of changed objects.
        public var updatedObjectIDs: Set<NSManagedObjectID> { ids.sets.updated }
        /// The IDs of deleted objects.
        public var deletedObjectIDs: Set<NSManagedObjectID> { ids.sets.deleted }
        private let ids: SavedObjectIDs

        init(_ ids: SavedObjectIDs) { self.ids = ids }

        /// The message with the content of a notification.
        public static func makeMessage(_ notification: Notification) -> Self? {
            notification.name == name ? Self(SavedObjectIDs(notification)) : nil
        }

        /// The notification with the content of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: nil, userInfo: message.ids.userInfo)
        }
    }
}
