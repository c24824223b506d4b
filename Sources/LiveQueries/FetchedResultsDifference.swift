import Foundation
public import ObjectGraph

/// The changes of fetched results in one round. May be used on every thread.
///
/// If you apply all differences in order to the IDs or the number of objects from the beginning, the result is that of the
/// fetched results. Nothing is told twice, and nothing is left out.
public struct FetchedResultsDifference: Sendable {
    /// The IDs that were inserted, removed and moved, by their positions among all objects. A move is a removal and an insertion
    /// that are associated with each other.
    ///
    /// An object that was not saved when it was inserted has a temporary ID here. The save changes the ID, which is not told
    /// again.
    public let objectIDs: CollectionDifference<NSManagedObjectID>
    /// The IDs of changed objects that were in the results before and after the round. They include objects that moved.
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
