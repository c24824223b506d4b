public import DataModel
public import Foundation
import Synchronization

/// What an ``NSIncrementalStore`` has of one object: its attributes, the IDs of its to-one destinations, and a version.
///
/// May be used on every thread.
// @unchecked Sendable: what changes is under the lock.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    private let id: NSManagedObjectID
    private let lock = NSLock()
    private var values: [String: Any]
    private var currentVersion: UInt64

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - objectID: The object's ID.
    ///   - values: The values of attributes by name; one that is missing is nil. A to-one relationship may have the ID
    ///     of its destination, or `NSNull` for none; for one that is missing the store is asked by
    ///     ``NSIncrementalStore/newValue(forRelationship:forObjectWith:with:)``.
    ///   - version: Differs whenever the values do. A save whose object has another version than the store is a
    ///     conflict.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        id = objectID
        self.values = values
        currentVersion = version
        super.init()
    }

    /// Gives the node new values and the version that belongs to them. Values that are not named go.
    open func update(withValues values: [String: Any], version: UInt64) {
        lock.withLock {
            self.values = values
            currentVersion = version
        }
    }

    /// The object's ID.
    public final var objectID: NSManagedObjectID { id }

    /// The version of the values.
    open var version: UInt64 { lock.withLock { currentVersion } }

    /// The value of an attribute or a to-one relationship; nil if the node has none.
    open func value(for prop: NSPropertyDescription) -> Any? { lock.withLock { values[prop.name] } }
}
