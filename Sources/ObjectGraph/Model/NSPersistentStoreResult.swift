import Foundation

/// What comes of a request that a context executes. The subclasses say what.
open class NSPersistentStoreResult: NSObject {}
