import DataModel
public import Foundation
public import ObjectGraph

extension Notification {
    /// Kinds of changes that a context's notification tells of.
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
        /// Objects whose values are to be read again.
        public static let refreshed = ChangedType(rawValue: 0x0008)
        /// Objects that the context gave up.
        public static let invalidated = ChangedType(rawValue: 0x0010)
        /// For observers with a predicate: objects that match because of a change. `updated` has them, too.
        public static let entered = ChangedType(rawValue: 0x0020)
        /// For observers with a predicate: objects that don't match any more because of a change. `updated` has them, too.
        public static let left = ChangedType(rawValue: 0x0040)
    }

    /// The new objects of the class that the result's type names, in no particular order.
    ///
    /// ```swift
    /// notification.insertedManagedObjects().forEach { (movie: Movie) in … }
    /// ```
    ///
    /// Call it where the notification was delivered, on the context's queue. A notification that tells of no changes gives an
    /// empty array.
    public func insertedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSInsertedObjectsKey)
    }

    /// The changed objects of the class that the result's type names, in no particular order. Rules as for
    /// `insertedManagedObjects()`.
    public func updatedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSUpdatedObjectsKey)
    }

    /// The deleted objects of the class that the result's type names, in no particular order. Rules as for
    /// `insertedManagedObjects()`.
    public func deletedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSDeletedObjectsKey)
    }

    /// The refreshed objects of the class that the result's type names, in no particular order. Rules as for
    /// `insertedManagedObjects()`.
    public func refreshedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSRefreshedObjectsKey)
    }

    /// The objects of the class that the result's type names whose values are no longer good, in no particular order. Rules as
    /// for `insertedManagedObjects()`.
    ///
    /// A notification of a reset tells of IDs: see `invalidatedManagedObjectIDs()`.
    public func invalidatedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSInvalidatedObjectsKey)
    }

    /// The objects of the class that the result's type names, kind by kind: invalidated, deleted, inserted, updated, refreshed.
    ///
    /// - Parameter type: which kinds to take.
    public func changedManagedObjects<T: NSManagedObject>(type: ChangedType = .all) -> [T] {
        Self.kinds.flatMap { type.contains($0.kind) ? managedObjects(infoKey: $0.objectsKey) : [] }
    }

    private static let kinds: [(kind: ChangedType, objectsKey: String, idsKey: NSManagedObjectContext.NotificationKey)] = [
        (.invalidated, NSInvalidatedObjectsKey, .invalidatedObjectIDs), (.deleted, NSDeletedObjectsKey, .deletedObjectIDs),
        (.inserted, NSInsertedObjectsKey, .insertedObjectIDs), (.updated, NSUpdatedObjectsKey, .updatedObjectIDs),
        (.refreshed, NSRefreshedObjectsKey, .refreshedObjectIDs),
    ]

    /// A notification of a coming save carries no objects: they are the context's.
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
    /// References to the new objects of the class that the result's type names, in no particular order.
    ///
    /// ```swift
    /// notification.insertedManagedObjectIDs().forEach { (id: ManagedObjectID<Movie>) in … }
    /// ```
    ///
    /// For the notifications that carry IDs, `NSManagedObjectContextDidSaveObjectIDs` and
    /// `NSManagedObjectContextDidMergeChangesObjectIDs`, on every thread; for those that carry objects, where they are delivered.
    public func insertedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .inserted)
    }

    /// References to the changed objects of the class. Rules as for `insertedManagedObjectIDs()`.
    public func updatedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] { changedManagedObjectIDs(type: .updated) }

    /// References to the deleted objects of the class. Rules as for `insertedManagedObjectIDs()`.
    public func deletedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] { changedManagedObjectIDs(type: .deleted) }

    /// References to the refreshed objects of the class. Rules as for `insertedManagedObjectIDs()`.
    public func refreshedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .refreshed)
    }

    /// References to the objects of the class whose values are no longer good, those of a reset included. Rules as for
    /// `insertedManagedObjectIDs()`.
    public func invalidatedManagedObjectIDs<T: NSManagedObject>() -> [ManagedObjectID<T>] {
        changedManagedObjectIDs(type: .invalidated)
    }

    /// References to the objects of the class that the result's type names, kind by kind.
    ///
    /// - Parameter type: which kinds to take.
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
