import Foundation
public import ObjectGraph

/// What one round of changes did to fetched results. May be used on every thread.
///
/// Applying the differences one after the other to the IDs, or to the number of objects, at the beginning always gives what the
/// results have: nothing is told twice, and nothing is left out.
public struct FetchedResultsDifference: Sendable {
    /// IDs that were inserted, removed and moved, by position among all objects. A move is a removal and an insertion that point
    /// to each other.
    ///
    /// Objects that were not saved when they were inserted have temporary IDs here, which change with the save without being told
    /// again.
    public let objectIDs: CollectionDifference<NSManagedObjectID>
    /// The IDs of objects that were in the results before and after, and were changed; those that moved are among them.
    public let updatedIDs: Set<NSManagedObjectID>
    /// The names of sections that were inserted and removed, by index.
    public let sections: CollectionDifference<String>

    init(_ change: ResultsChange, isUpdate: Bool) {
        objectIDs = change.difference
        updatedIDs =
            isUpdate ? Set(change.steps.lazy.filter { $0.type == .update || $0.type == .move }.map(\.object.objectID)) : []
        sections = change.sectionDifference
    }
}
