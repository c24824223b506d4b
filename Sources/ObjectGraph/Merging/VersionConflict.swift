import Foundation
import Storage

/// An object that a save can't write because its row has changed.
struct VersionConflict {
    let object: NSManagedObject
    /// The row as the context had read it.
    let base: Row?
    /// The row in the store; nil if it was deleted.
    let fresh: Row?
    /// Whether this coordinator wrote the row, or deleted it.
    let isKnown: Bool
}

/// Ends a save's transaction because of rows that others changed. Never leaves the context.
// @unchecked Sendable: thrown and caught in one save, on the context's queue.
struct VersionConflicts: Error, @unchecked Sendable {
    let list: [VersionConflict]
}
