import Foundation

/// Ends a save's transaction because of a violated uniqueness constraint. Never leaves the context.
// @unchecked Sendable: thrown and caught in one save, on the context's queue.
struct ConstraintFailure: Error, @unchecked Sendable {
    let plan: SavePlan
    /// The store's own error.
    let error: NSError
}
