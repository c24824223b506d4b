public import Foundation

/// The result of a request that a context executes. The subclasses say what it is.
open class NSPersistentStoreResult: NSObject {}
