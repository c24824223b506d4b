import DataModel
import Storage

/// A relationship that would dangle, or lead to an object that does not lead back, if a save ended with the present
/// state of its store.
struct ReferenceFlaw {
    enum Place {
        case object(NSManagedObject)
        /// A row without an object in the save.
        case row(RowKey)
    }

    let place: Place
    /// The `id` of the relationship to give up.
    let relationship: Int
    /// The missing member of a to-many relationship.
    var member: NSManagedObject?
}

/// Ends a save's transaction because the resolution of conflicts has made relationships inconsistent. Never leaves the
/// context.
// @unchecked Sendable: thrown and caught in one save, on the context's queue.
struct InconsistentOutcome: Error, @unchecked Sendable {
    let plan: SavePlan
    let flaws: [ReferenceFlaw]
}
