public import Foundation

/// One object of an ``NSAtomicStore``: its ID, and the values that the store has read or will write.
///
/// A node belongs to its store, and is used while the store is loaded or saved. A subclass may keep values in its own
/// way: it overrides ``value(forKey:)`` and ``setValue(_:forKey:)``.
open class NSAtomicStoreCacheNode: NSObject {
    private let id: NSManagedObjectID
    private var cache: NSMutableDictionary?

    /// Makes a node without values.
    ///
    /// - Parameter moid: An ID that ``NSAtomicStore/objectID(for:withReferenceObject:)`` gave, or that of an object of
    ///   the store.
    public init(objectID moid: NSManagedObjectID) {
        id = moid
        super.init()
    }

    /// The object's ID.
    public final var objectID: NSManagedObjectID { id }

    /// The values by the names of properties; nil while there are none.
    ///
    /// Attributes have the values that key-value coding of objects has, such as `NSNumber`, `String` and `Date`. A
    /// to-one relationship has the node of its destination. A to-many one has a set of nodes, an ordered one an array
    /// or an `NSOrderedSet`.
    open var propertyCache: NSMutableDictionary? {
        get { cache }
        set { cache = newValue }
    }

    /// The value of a property; nil if it has none.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property, or takes it away.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
        propertyCache = cache
    }
}
