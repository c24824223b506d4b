import Foundation

/// Something asked of a store.
open class NSPersistentStoreRequest: NSObject {
    /// Makes a request.
    public override init() { super.init() }
}
