import DataModel
public import Foundation
public import ObjectGraph

extension Notification {
    /// Kinds of changes in a context's notification.
    public struct ChangedType: OptionSet, Hashable, Sendable {
        /// The kinds as bits.
        public let rawValue: UInt8

        /// Makes a set of kinds from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Objects that are new.
        public static let inserted = ChangedType(rawValue: 0x0001)
        /// Objects with changed properties.
        public static let updated = ChangedType(rawValue: 0x0002)
        /// Objects that were deleted.
        public static let deleted = ChangedType(rawValue: 0x0004)
        /// Objects that are new, changed or deleted.
        public static let all = ChangedType(rawValue: 0x0007)
        /// Objects whose values were read again, or will be read again when they are next needed.
        public static let refreshed = ChangedType(rawValue: 0x0008)
        /// Objects that are no longer valid, because the context was reset or their store was removed.
        public static let invalidated = ChangedType(rawValue: 0x0010)
        /// Objects that match an observer's predicate because of a change. Asking for `updated` includes them.
        public static let entered = ChangedType(rawValue: 0x0020)
        /// Objects that no longer match an observer's predicate because of a change. Asking for `updated` includes them.
        public static let left = ChangedType(rawValue: 0x0040)
    }

    /// The inserted objects of the class in the result's type, in no particular order.
    ///
    /// ```swift
    /// notification.insertedManagedObjects().forEach { (movie: Movie) in … }
    /// ```
    ///
    /// Call it on the context's queue, where the notification is delivered. The array is empty if the notification has no
    /// changes.
    public func insertedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSInsertedObjectsKey)
    }

    /// The updated objects of the class in the result's type, in no particular order. The rules are those of
    /// `insertedManagedObjects()`.
    public func updatedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSUpdatedObjectsKey)
    }

    /// The deleted objects of the class in the result's type, in no particular order. The rules are those of
    /// `insertedManagedObjects()`.
    public func deletedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSDeletedObjectsKey)
    }

    /// The refreshed objects of the class in the result's type, in no particular order. The rules are those of
    /// `insertedManagedObjects()`.
    public func refreshedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSRefreshedObjectsKey)
    }

    /// The invalidated objects of the class in the result's type, in no particular order. The rules are those of
    /// `insertedManagedObjects()`.
    ///
    /// The notification of a reset has only IDs. See `invalidatedManagedObjectIDs()`.
    public func invalidatedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSInvalidatedObjectsKey)
    }

    /// The changed objects of the class in the result's type, by kind: invalidated, deleted, inserted, updated, refreshed.
    ///
    /// - Parameter type: The kinds of changes.
    public func changedManagedObjects<T: NSManagedObject>(type: ChangedType = .all) -> [T] {
        Self.kinds.flatMap { type.contains($0.kind) ? managedObjects(infoKey: $0.objectsKey) : [] }
    }

    private static let kinds: [(kind: ChangedType, objectsKey: String, idsKey: NSManagedObjectContext.NotificationKey)] = [
        (.invalidated, NSInvalidatedObjectsKey, .invalidatedObjectIDs), (.deleted, NSDeletedObjectsKey, .deletedObjectIDs),
        (.inserted, NSInsertedObjectsKey, .insertedObjectIDs), (.updated, NSUpdatedObjectsKey, .updatedObjectIDs),
        (.refreshed, NSRefreshedObjectsKey, .refreshedObjectIDs),
    ]

    /// A notification that a save will happen has no objects in its user info. They are read from the context.
    private func managedObjects<T: NSManagedObject>(infoKey: String) -> [T] {
        if name == .NSManagedObjectContextWillSave, let context = object as? NSManagedObjectContext {
            switch infoKey {
            case NSInsertedObjectsKey: return context.insertedObjects.compactMap { $0 as? T }
            case NSUpdatedObjectsKey: return context.updatedObjects.compactMap { $0 as? T }
            case NSDeletedObjectsKey: return context.deletedObjects.compactMap { $0 as? T }
            default: return []
            }
        }
        guard let objects = userInfo?[infoKey] as? Set<NSManagedObject> else { return [] }
        return objects.compactMap { $0 as? T }
    }
}

// MARK: IDs

extension Notification {
    /// References to the inserted objects of the class in the result's type, in no particular order.
    ///
    /// ```swift
    /// notification.insertedManagedObjectIDs().forEach { (id: ManagedObjectID<Movie>) in … }
    /// ```
    ///
    /// If the notification has IDs, call it on any thread. Such notifications are `NSManagedObjectContextDidSaveObjectIDs` and
    /// `NSManagedObjectContextDidMergeChangesObjectIDs`. If the notification has objects, call it on the context's queue, where
    /// the notification is delivered.
    public func insertedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .inserted)
    }

    /// References to the updated objects of the class in the result's type. The rules are those of `insertedManagedObjectIDs()`.
    public func updatedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] { changedManagedObjectIDs(type: .updated) }

    /// References to the deleted objects of the class in the result's type. The rules are those of `insertedManagedObjectIDs()`.
    public func deletedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] { changedManagedObjectIDs(type: .deleted) }

    /// References to the refreshed objects of the class in the result's type. The rules are those of
    /// `insertedManagedObjectIDs()`.
    public func refreshedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .refreshed)
    }

    /// References to the invalidated objects of the class in the result's type, including those of a reset. The rules are those
    /// of `insertedManagedObjectIDs()`.
    public func invalidatedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .invalidated)
    }

    /// References to the changed objects of the class in the result's type, by kind.
    ///
    /// - Parameter type: The kinds of changes.
    public func changedManagedObjectIDs<T: NSManagedObject>(type: ChangedType = .all) -> [ManagedObjectID<T>] {
        Self.kinds.flatMap { kind -> [ManagedObjectID<T>] in
            guard type.contains(kind.kind) else { return [] }
            if let ids = userInfo?[kind.idsKey.rawValue] as? Set<NSManagedObjectID> { return typed(ids) }
            let ofReset = kind.kind == .invalidated ? userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] : nil
            return ofReset.map(typed) ?? (managedObjects(infoKey: kind.objectsKey) as [T]).map(ManagedObjectID.init)
        }
    }

    private func typed<T: NSManagedObject>(_ ids: some Sequence<NSManagedObjectID>) -> [ManagedObjectID<T>] {
        guard let context = object as? NSManagedObjectContext else { return [] }
        let entities = context.topEntities(of: T.self).compactMap(\.name)
        return ids.compactMap { ManagedObjectID($0, ofEntities: entities) }
    }
}
