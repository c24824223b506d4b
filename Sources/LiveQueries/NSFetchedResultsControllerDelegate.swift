public import Foundation
public import ObjectGraph

/// Is told of the changes of a fetched results controller, on its context's queue, while the context processes pending changes.
///
/// Implement one of three ways: steps (``controllerWillChangeContent(_:)``, the two `didChange` methods,
/// ``controllerDidChangeContent(_:)``), one difference, or one snapshot. If several are implemented, the snapshot is preferred to
/// the difference, and the difference to the steps.
///
/// Without Objective-C there are no optional methods: all have an implementation that does nothing. The controller follows
/// changes for every delegate, even for one that implements no method.
///
/// If the controller is for objects of one class, the methods get another instance than the program made, because a generic class
/// is not covariant without Objective-C. It has the same results and the same delegate, and is equal to the program's. Compare
/// with `==`, not with `===`.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Changes are about to be told. The results are still the old ones.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// An object was inserted, deleted, moved or updated.
    ///
    /// - Parameters:
    ///   - controller: The controller, which has the new results already.
    ///   - anObject: The object, or its ID.
    ///   - indexPath: Where it was before all the changes; nil for an insertion.
    ///   - type: What happened. An object that was changed and keeps its place among the others is an update, whatever changed.
    ///   - newIndexPath: Where it is after all the changes; nil for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// A section was inserted or deleted; told before the changes of objects.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section; a deleted one has no objects.
    ///   - sectionIndex: For a deletion its index before all the changes, for an insertion that after them.
    ///   - type: An insertion or a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)

    /// All changes were told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// What stands for a section in an index; by default the controller's `sectionIndexTitle(forSectionName:)`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
    ) -> String?

    /// The results changed.
    ///
    /// - Parameters:
    ///   - controller: The controller, which has the new results already.
    ///   - diff: Insertions, deletions and moves among the IDs of all objects. Changed objects that keep their place are not in
    ///     it.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The results changed, or were fetched.
    ///
    /// - Parameters:
    ///   - controller: The controller, which has the new results already.
    ///   - snapshot: The sections and IDs. Apple's method gets an object of the user interface frameworks.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith snapshot: FetchedResultsSnapshot)
}

/// What delegates need not implement.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// The controller's `sectionIndexTitle(forSectionName:)`.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.sectionIndexTitle(forSectionName: sectionName)
    }

    /// Tells the changes in steps.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.core.tellSteps(to: self)
    }

    /// Tells the changes as a difference.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
        controller.core.tellDifference(to: self)
    }
}
