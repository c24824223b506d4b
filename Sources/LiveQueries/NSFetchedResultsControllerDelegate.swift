public import Foundation
public import ObjectGraph

/// Receives the changes of a fetched results controller on its context's queue, while the context processes pending changes.
///
/// Implement one of three ways: steps (``controllerWillChangeContent(_:)``, the two `didChange` methods,
/// ``controllerDidChangeContent(_:)``), one difference, or one snapshot. If several are implemented, the snapshot is preferred to
/// the difference, and the difference to the steps.
///
/// Without Objective-C there are no optional methods, so all methods have a default implementation. The controller follows
/// changes for every delegate, even for one that implements no method.
///
/// If the controller is for objects of one class, the methods get another instance than the program made, because a generic class
/// is not covariant without Objective-C. It has the same results and the same delegate, and is equal to the program's. Compare
/// with `==`, not with `===`.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Is called before changes are told. The results are still the old ones.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Is called for an object that was inserted, deleted, moved or updated.
    ///
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - anObject: The object, or its ID.
    ///   - indexPath: The index path before all changes, or nil for an insertion.
    ///   - type: What happened. A changed object that keeps its position among the others is an update, whatever changed.
    ///   - newIndexPath: The index path after all changes, or nil for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Is called for a section that was inserted or deleted, before the changes of objects are told.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section. A deleted section has no objects.
    ///   - sectionIndex: The index before all changes for a deletion, or after all changes for an insertion.
    ///   - type: An insertion or a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)

    /// Is called after all changes were told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Returns the index title of a section. The default implementation returns the controller's
    /// `sectionIndexTitle(forSectionName:)`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
    ) -> String?

    /// Is called after the results changed.
    ///
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - diff: The insertions, deletions and moves among the IDs of all objects. It does not have changed objects that keep
    ///     their position.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// Is called after the results changed or were fetched.
    ///
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - snapshot: The sections and IDs. Apple's method has an object of the user interface frameworks here.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith snapshot: FetchedResultsSnapshot)
}

/// The default implementations.
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

    /// Returns the controller's `sectionIndexTitle(forSectionName:)`.
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
