import DataModel
import Foundation
public import ObjectGraph

/// The objects of a fetch, which are kept up to date.
///
/// ```swift
/// let movies = try FetchedResults(request, in: context)
/// let observation = movies.observe { difference in
///     print(difference.objectIDs.insertions.count, "new ones;", movies.count, "in all")
/// }
/// ```
///
/// The results follow the changes of their context. The context processes its pending changes at the end of `perform`, at a save
/// and at a merge. After that the results are the objects that a fetch would find, in its order. No run loop is needed.
///
/// The predicate is evaluated in memory for changed objects. If that is impossible for an object, it is not among the results.
/// The predicate, the order and the sections may refer to other objects through relationships. If only such another object
/// changes, the results change with the next ``refetch()``. A limit or offset applies to the fetch. Objects that are inserted
/// later are added. Without sort descriptors, new objects come last.
///
/// A round with c changed objects of the entity costs O(c log n) comparisons for n results, and moves up to n pointers. Reading
/// an object is O(1).
///
/// Use the results on their context's queue, like objects. The values of ``snapshot``, ``objectIDs`` and ``differences()`` may be
/// used on every thread. The results retain the context. The context does not retain the results.
public final class FetchedResults<Object: NSManagedObject>: RandomAccessCollection {
    private let tracker: ResultsTracker
    private let request: NSFetchRequest<Object>
    private let handlers = ObserverList<FetchedResultsHandler>()

    /// Fetches the objects.
    ///
    /// - Parameters:
    ///   - request: The request. A change of it takes effect with the next ``refetch()``. Its `resultType` is ignored.
    ///   - context: The context. Call the initializer on its queue.
    ///   - sectionKeyPath: The key path to the value whose text is the name of an object's section, or nil for one section. A
    ///     value that is not a text is described. The first sort descriptor must sort by it.
    /// - Throws: 134060 if the request does not fit the model or the class, or the store's error.
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
    ///   - name: The name of the property in messages.
    ///   - section: Reads the value of a property that the class has and the model has not.
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

    /// The position of the first object, which is 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { tracker.count }

    /// The object at a position.
    public subscript(position: Int) -> Object { checked(tracker.object(at: position)) }

    /// The position of an object, or nil if it is not among the results. This is as fast as reading an object.
    public func position(of object: Object) -> Int? { tracker.position(of: object) }

    /// The present sections in order. Without a section key path there is one section, even if there are no objects.
    public var sections: [FetchedResultsSection<Object>] {
        let members = members
        return members.sections.map { FetchedResultsSection($0, members) }
    }

    /// The present IDs of all objects in order.
    public var objectIDs: [NSManagedObjectID] { members.objects.map(\.objectID) }

    /// The present sections and the IDs in them.
    public var snapshot: FetchedResultsSnapshot { FetchedResultsSnapshot(members) }

    /// The context.
    public var managedObjectContext: NSManagedObjectContext { tracker.context }

    /// Fetches again, with the present request. Call it after a change of the request, and after a reset of the context, which
    /// empties the results. Observers are told the difference, without updated objects.
    ///
    /// - Throws: 134060 if the request does not fit the model or the class, or the store's error. The results then stay as they
    ///   were.
    public func refetch() throws {
        tell(try fetch(), isUpdate: false)
    }

    // MARK: Observing

    /// Calls a handler for each change of the results.
    ///
    /// The handler is called on the context's queue while the context processes pending changes. The results are then the new
    /// ones. Changes by the handler are told later, when they are processed.
    ///
    /// - Parameter handler: Is called with the difference. It is not called if nothing changed.
    /// - Returns: The observation, which lasts as long as you keep this value and the results.
    public func observe(_ handler: @escaping (_ difference: FetchedResultsDifference) -> Void) -> ManagedObjectObservation {
        add(FetchedResultsHandler(handler))
    }

    /// Makes a sequence of all changes of the results from now on.
    ///
    /// The sequence receives each change while the context processes pending changes, and keeps it for its reader without limit.
    /// No change may be left out, because each one builds on those before. The sequence ends when the results are deallocated, or
    /// when the task that reads it is cancelled. It is for one reader, so make one for each `for await`.
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
            // The ID belongs to this handler until it is removed from the list. That happens only here, and once.
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

/// Casts an object of the results to the class that was fetched.
func checked<Object: NSManagedObject>(_ object: NSManagedObject) -> Object {
    guard let object = object as? Object else {
        fatalError("\(object.objectID) is of class \(type(of: object)), which is not the \(Object.self) that the results are for")
    }
    return object
}
