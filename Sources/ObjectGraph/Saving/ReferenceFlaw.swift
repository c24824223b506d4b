import DataModel
import Storage

/// A relationship that would lead nowhere, or to an object that does not lead back, if a save ended as its store has it.
struct ReferenceFlaw {
    enum Place {
        case object(NSManagedObject)
        /// A row that no object of the save stands for.
        case row(RowKey)
    }

    let place: Place
    /// The `id` of the relationship that is to be given up.
    let relationship: Int
    /// Of a to-many relationship the member that is not there.
    var member: NSManagedObject?
}

/// Ends a save's transaction because of what the resolution of conflicts has made of relationships. Never leaves the context.
// @unchecked Sendable: thrown and caught in one save, on the context's queue.
struct InconsistentOutcome: Error, @unchecked Sendable {
    let plan: SavePlan
    let flaws: [ReferenceFlaw]
}
