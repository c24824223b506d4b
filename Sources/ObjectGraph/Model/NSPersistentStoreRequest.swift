public import Foundation

/// A request to stores: a fetch, or a batch operation.
///
/// A request belongs to one thread at a time.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// Makes a request.
    public override init() { super.init() }

    /// The stores that are asked; nil, the default, for all that hold the request's entity.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of request. A subclass of your own must override it; this class itself stops the program.
    open var requestType: NSPersistentStoreRequestType {
        fatalError("\(type(of: self)) does not say its requestType")
    }

    /// A request that asks the same, and that can be changed without changing this one.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}
