import DataModel
import Foundation
public import ObjectGraph

/// The objects that a fetch finds, kept up to date.
///
/// ```swift
/// let movies = try FetchedResults(request, in: context)
/// let observation = movies.observe { difference in
///     print(difference.objectIDs.insertions.count, "new ones;", movies.count, "in all")
/// }
/// ```
///
/// The results follow the changes of their context. After each processing of pending changes (at the end of `perform`, at a save,
/// at a merge) they are what a fetch would find, in its order. No run loop is needed. Objects that the predicate, the order or
/// the sections refer to through relationships are not followed: only ``refetch()`` sees a change of these alone. The predicate
/// is evaluated in memory for changed objects. If that is impossible for an object, it is not among the results. A limit or
/// offset applies to the fetch. Objects that are inserted later are added. Without sort descriptors new objects come last.
///
/// A processing with c changed objects of the entity costs O(c log n) comparisons for n results, and moves up to n pointers;
/// reading an object is O(1).
///
/// Results belong to their context's queue, as objects do. A ``snapshot``, ``objectIDs`` and ``differences()`` may be used
/// elsewhere. The results keep the context; the context does not keep them.
public final class FetchedResults<Object: NSManagedObject>: RandomAccessCollection {
    private let tracker: ResultsTracker
    private let request: NSFetchRequest<Object>
    private let handlers = ObserverList<FetchedResultsHandler>()

    /// Fetches.
    ///
    /// - Parameters:
    ///   - request: What to fetch. A change of it takes effect with the next ``refetch()``. Its `resultType` does not matter.
    ///   - context: The context, on whose queue the call must be.
    ///   - sectionKeyPath: The value by which objects are in sections; texts as they are, others as their description. The first
    ///     sort descriptor has to sort by it. Nil for one section.
    /// - Throws: 134060 for a request that makes no sense for the model or the class, or an error of the store.
    public init(_ request: NSFetchRequest<Object>, in context: NSManagedObjectContext, sectionedBy sectionKeyPath: String? = nil)
        throws
    {
        self.request = request
        tracker = ResultsTracker(context, section: sectionKeyPath.map { SectionKey(keyPath: $0) }) {
            try FetchPlan(request, in: context)
        }
        tracker.client = self
        try fetch()
    }

    /// - Parameters:
    ///   - name: What the property is called in messages.
    ///   - section: Reads the value of a property that is the class's and not the model's.
    package init(
        _ request: NSFetchRequest<Object>, in context: NSManagedObjectContext, sectionedBy name: String,
        computed section: @escaping (NSManagedObject) -> Any?
    ) throws {
        self.request = request
        tracker = ResultsTracker(context, section: SectionKey(computed: name, section)) { try FetchPlan(request, in: context) }
        tracker.client = self
        try fetch()
    }

    @discardableResult private func fetch() throws -> ResultsChange {
        try tracker.performFetch { objects in
            let _: [Object] = try tracker.context.typed(objects, request)
        }
    }

    private var members: ResultsMembers { tracker.members ?? ResultsMembers([], sectionName: nil) }

    // MARK: Reading

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { tracker.count }

    /// The object at a position.
    public subscript(position: Int) -> Object { checked(tracker.object(at: position)) }

    /// The position of an object; nil if it is not among the results. As fast as reading an object.
    public func position(of object: Object) -> Int? { tracker.position(of: object) }

    /// The sections in order, as they are now. Without section key path one, also if there are no objects.
    public var sections: [FetchedResultsSection<Object>] {
        let members = members
        return members.sections.map { FetchedResultsSection($0, members) }
    }

    /// The IDs of all objects in order, as they are now.
    public var objectIDs: [NSManagedObjectID] { members.objects.map(\.objectID) }

    /// The sections and the IDs in them, as they are now.
    public var snapshot: FetchedResultsSnapshot { FetchedResultsSnapshot(members) }

    /// The context.
    public var managedObjectContext: NSManagedObjectContext { tracker.context }

    /// Fetches again, with the request as it is now. This is needed after a change of the request, and after a reset of the
    /// context, which empties the results. Observers get the difference, without updated objects.
    ///
    /// - Throws: 134060 for a request that makes no sense for the model or the class, or an error of the store: the results are
    ///   as before.
    public func refetch() throws {
        tell(try fetch(), isUpdate: false)
    }

    // MARK: Observing

    /// Tells of each change of the results.
    ///
    /// The handler is called where the context processes pending changes, on its queue. The results are the new ones by then.
    /// Changes that the handler makes are told later, when they are processed.
    ///
    /// - Parameter handler: Gets what changed; never called without any change.
    /// - Returns: Keep it as long as the observation is to last. It ends with the results as well.
    public func observe(_ handler: @escaping (_ difference: FetchedResultsDifference) -> Void) -> ManagedObjectObservation {
        add(FetchedResultsHandler(handler))
    }

    /// The changes of the results from now on, as a sequence to wait on.
    ///
    /// Each change is delivered to the sequence where the context processes pending changes, and waits there for its reader
    /// however many there are: leaving one out would make the following ones useless. The sequence ends when the results go or
    /// the task that reads it is cancelled. It serves one reader: ask for one sequence per `for await`.
    public func differences() -> AsyncStream<FetchedResultsDifference> {
        let (stream, continuation) = AsyncStream.makeStream(of: FetchedResultsDifference.self, bufferingPolicy: .unbounded)
        let handler = FetchedResultsHandler {
            continuation.yield($0)
        } onEnd: {
            continuation.finish()
        }
        let observation = add(handler)
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    private func add(_ handler: FetchedResultsHandler) -> ManagedObjectObservation {
        handlers.add(handler)
        return ManagedObjectObservation { [weak handlers, id = ObjectIdentifier(handler)] in
            // The ID stays this handler's until it is taken off the list, which happens here only, and once.
            handlers?.remove(id)
        }
    }

    private func tell(_ change: ResultsChange, isUpdate: Bool) {
        let handlers = handlers.all
        guard !handlers.isEmpty, !change.isEmpty else { return }
        let difference = FetchedResultsDifference(change, isUpdate: isUpdate)
        for handler in handlers { handler.handler(difference) }
    }
}

extension FetchedResults: ResultsClient {
    var wantsChanges: Bool { true }

    var wantsRefreshed: Bool { false }

    func resultsWillChange(_ change: ResultsChange) {
        tracker.apply()
        tell(change, isUpdate: true)
    }

    func contextWasReset() { tell(tracker.removeAll(), isUpdate: false) }
}

/// An object of results as what it was fetched for.
func checked<Object: NSManagedObject>(_ object: NSManagedObject) -> Object {
    guard let object = object as? Object else {
        fatalError("\(object.objectID) is of class \(type(of: object)), which is not the \(Object.self) that the results are for")
    }
    return object
}
