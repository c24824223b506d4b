import Foundation
import ObjectGraph

extension Notification {
    /// Kinds of changes that a context's notification tells of.
    public struct ChangedType: OptionSet, Hashable, Sendable {
        /// The kinds as bits: 1, 2 and 4.
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
        /// All of them.
        public static let all = ChangedType(rawValue: 0x0007)
    }

    /// The new objects of the class that the result's type names, in no particular order.
    ///
    /// ```swift
    /// notification.insertedManagedObjects().forEach { (movie: Movie) in … }
    /// ```
    ///
    /// Call it where the notification was delivered, on the context's queue. A notification that tells of no changes gives an empty array.
    public func insertedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSInsertedObjectsKey)
    }

    /// The changed objects of the class that the result's type names, in no particular order. Rules as for `insertedManagedObjects()`.
    public func updatedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSUpdatedObjectsKey)
    }

    /// The deleted objects of the class that the result's type names, in no particular order. Rules as for `insertedManagedObjects()`.
    public func deletedManagedObjects<T: NSManagedObject>() -> [T] {
        managedObjects(infoKey: NSDeletedObjectsKey)
    }

    /// The inserted, updated and deleted objects of the class that the result's type names, in this order of kinds.
    ///
    /// - Parameter type: which kinds to take.
    public func changedManagedObjects<T: NSManagedObject>(type: ChangedType = .all) -> [T] {
        let inserted: [T] = type.contains(.inserted) ? insertedManagedObjects() : []
        let updated: [T] = type.contains(.updated) ? updatedManagedObjects() : []
        let deleted: [T] = type.contains(.deleted) ? deletedManagedObjects() : []
        return inserted + updated + deleted
    }

    private func managedObjects<T: NSManagedObject>(infoKey: String) -> [T] {
        guard let objects = userInfo?[infoKey] as? Set<NSManagedObject> else { return [] }
        return objects.compactMap { $0 as? T }
    }
}
