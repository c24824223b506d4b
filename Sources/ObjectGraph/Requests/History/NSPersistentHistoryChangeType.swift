/// What a transaction did to an object. The numbers are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted. It may have been changed in the same transaction, too.
    case insert = 0
    /// The object was changed.
    case update = 1
    /// The object was deleted.
    case delete = 2
}
