import Foundation
import FoundationGaps
import ObjectGraph

/// The state that the two instances of a fetched results controller share: the one that the program made, and the one that its
/// delegate gets.
final class FetchedResultsCore: ResultsClient {
    typealias AnyController = NSFetchedResultsController<any NSFetchRequestResult>

    /// How a delegate is told of changes, if it is known. A call of a default implementation shows that the delegate does not
    /// implement the method.
    private enum Style {
        case unknown, snapshot
        /// By a difference, or in steps.
        case difference
        case steps
    }

    let tracker: ResultsTracker
    let cacheName: String?
    /// Whether the results are IDs. The request decides that when it is executed.
    private(set) var givesIDs = false
    private let checkRequest: () throws -> Bool
    private let checkObjects: ([NSManagedObject]) throws -> Void
    /// The controller that the delegate gets.
    weak var controller: AnyController?
    /// The index title for a section's name. The program's controller defines it.
    var indexTitle: (String) -> String? = { _ in nil }
    private var style = Style.unknown
    private var change: ResultsChange?
    /// The arrays that were returned since the results last changed, by the type of their elements.
    var given: [ObjectIdentifier: Any] = [:]

    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { if delegate !== oldValue { style = .unknown } }
    }

    /// - Parameters:
    ///   - checkRequest: Throws an error for a request that can't be followed. Otherwise it returns whether the request is for
    ///     IDs.
    ///   - checkObjects: Throws an error for objects of a class that the controller does not have.
    init(
        _ tracker: ResultsTracker, cacheName: String?, checkRequest: @escaping () throws -> Bool,
        checkObjects: @escaping ([NSManagedObject]) throws -> Void
    ) {
        self.tracker = tracker
        self.cacheName = cacheName
        self.checkRequest = checkRequest
        self.checkObjects = checkObjects
        tracker.client = self
        tracker.onChange = { [unowned self] in given = [:] }
    }

    func performFetch() throws {
        let givesIDs = try checkRequest()
        try tracker.performFetch(checking: checkObjects)
        self.givesIDs = givesIDs
        guard style == .unknown || style == .snapshot, let delegate, let controller, let members = tracker.members else { return }
        change = nil
        tellSnapshot(FetchedResultsSnapshot(members), to: delegate, controller)
    }

    // MARK: Reading

    func result(_ object: NSManagedObject) -> Any { givesIDs ? object.objectID : object }

    var sections: [FetchedResultsSectionInfo]? {
        guard let members = tracker.members else { return nil }
        return members.sections.map { info($0, members) }
    }

    private func info(_ section: ResultsMembers.Section, _ members: ResultsMembers) -> FetchedResultsSectionInfo {
        FetchedResultsSectionInfo(
            name: section.name, indexTitle: sectionIndexTitle(section.name),
            members: members.objects[section.start..<section.end],
            givesIDs: givesIDs)
    }

    func sectionIndexTitle(_ name: String) -> String? {
        guard let delegate, let controller else { return indexTitle(name) }
        return delegate.controller(controller, sectionIndexTitleForSectionName: name)
    }

    // MARK: Telling

    var wantsChanges: Bool { delegate != nil }

    /// True, as with Apple's framework. A view may show values that the program wants to be read again.
    var wantsRefreshed: Bool { true }

    /// Does nothing. The context has made the objects invalid, and the delegate is not told.
    func contextWasReset() {}

    func resultsWillChange(_ change: ResultsChange) {
        guard let delegate, let controller else { return }
        self.change = change
        defer { self.change = nil }
        switch style {
        case .unknown, .snapshot:
            guard let members = tracker.membersToCome else { return }
            tellSnapshot(FetchedResultsSnapshot(members), to: delegate, controller)
        case .difference: tellDifference(to: delegate)
        case .steps: tellSteps(to: delegate)
        }
    }

    /// If the delegate does not implement this, the default implementation calls `tellDifference`. If it does not implement that
    /// either, `tellSteps` is called.
    private func tellSnapshot(
        _ snapshot: FetchedResultsSnapshot, to delegate: any NSFetchedResultsControllerDelegate, _ controller: AnyController
    ) {
        style = .snapshot
        delegate.controller(controller, didChangeContentWith: snapshot)
    }

    func tellDifference(to delegate: any NSFetchedResultsControllerDelegate) {
        if delegate === self.delegate { style = .difference }
        guard let change, let controller else { return }
        delegate.controller(controller, didChangeContentWith: change.difference)
    }

    func tellSteps(to delegate: any NSFetchedResultsControllerDelegate) {
        if delegate === self.delegate { style = .steps }
        guard let change, let controller else { return }
        let generation = tracker.generation
        tracker.showsOldState = true
        delegate.controllerWillChangeContent(controller)
        tracker.showsOldState = false
        defer { delegate.controllerDidChangeContent(controller) }
        // After a new fetch there are no steps to the results.
        guard generation == tracker.generation, let members = tracker.members else { return }
        for step in change.deletedSections {
            let info = FetchedResultsSectionInfo(
                name: step.name, indexTitle: sectionIndexTitle(step.name), members: [], givesIDs: givesIDs)
            delegate.controller(controller, didChange: info, atSectionIndex: step.index, for: .delete)
        }
        for step in change.insertedSections {
            delegate.controller(
                controller, didChange: info(members.sections[step.index], members), atSectionIndex: step.index, for: .insert)
        }
        for step in change.steps {
            delegate.controller(
                controller, didChange: result(step.object), at: step.old.map { IndexPath(item: $0.item, section: $0.section) },
                for: step.type, newIndexPath: step.new.map { IndexPath(item: $0.item, section: $0.section) })
        }
    }
}
