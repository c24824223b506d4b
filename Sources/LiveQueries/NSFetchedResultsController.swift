import DataModel
public import Foundation
import FoundationGaps
public import ObjectGraph

/// Keeps the results of a fetch up to date for a delegate, in sections if wanted.
///
/// ```swift
/// let request = NSFetchRequest<Movie>(entityName: "Movie")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// While it has a delegate, the controller follows the changes of its context. The context processes its pending changes at the
/// end of `perform`, at a save and at a merge. If that concerns the results, the delegate is called at once. Without a delegate
/// the results stay as they were fetched. ``FetchedResults`` does the same without a delegate and index paths.
///
/// A round with c changed objects of the entity costs O(c log n) comparisons for n results, and moves up to n pointers. Changes
/// of objects that the predicate refers to through relationships are not followed. The predicate is evaluated in memory for
/// changed objects. If that is impossible for an object, it is not among the results. `fetchLimit` and `fetchOffset` apply to the
/// fetch. Objects that are inserted later are added.
///
/// Differences from Apple's framework:
///
/// - Objects that a merge changed are followed, whether or not they are loaded.
/// - If section names are not in the order of the sort descriptors, there is still one section for each name.
/// - Objects of a removed store leave the results.
/// - There is no cache, because section names are not read from the store separately.
///
/// Use it on its context's queue.
open class NSFetchedResultsController<ResultType>: NSObject {
    let core: FetchedResultsCore
    private let request: NSFetchRequest<ResultType>
    /// The instance that the delegate gets, or nil if it gets this one.
    private var counterpart: FetchedResultsCore.AnyController?
    /// Whether this is the instance that the delegate gets, and not the one that the program made.
    private let isCounterpart: Bool

    /// Makes a controller without results. ``performFetch()`` fetches them.
    ///
    /// - Parameters:
    ///   - fetchRequest: The request for objects or their IDs, with sort descriptors. If there are sections, the first sort
    ///     descriptor must sort by them.
    ///   - context: The context.
    ///   - sectionNameKeyPath: The key path to the value whose text is the name of an object's section, or nil for one section. A
    ///     value that is not a text is described. A property that the class computes is found if `value(forKey:)` or
    ///     `value(forUndefinedKey:)` returns it.
    ///   - name: A name for the cache of sections. It is kept, but not used.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        request = fetchRequest
        isCounterpart = false
        let tracker = ResultsTracker(context, section: sectionNameKeyPath.map { SectionKey(keyPath: $0) }) {
            try FetchPlan(fetchRequest, in: context)
        }
        core = FetchedResultsCore(tracker, cacheName: name) {
            try Self.check(fetchRequest)
        } checkObjects: { objects in
            try Self.check(objects, fetchRequest, context)
        }
        super.init()
        if let own = self as? FetchedResultsCore.AnyController {
            core.controller = own
        } else {
            counterpart = FetchedResultsCore.AnyController(core: core, request: fetchRequest.forAnyResult)
            core.controller = counterpart
        }
        core.indexTitle = { [weak self] name in self?.sectionIndexTitle(forSectionName: name) }
    }

    init(core: FetchedResultsCore, request: NSFetchRequest<ResultType>) {
        self.core = core
        self.request = request
        isCounterpart = true
        super.init()
    }

    private static func check(_ request: NSFetchRequest<ResultType>) throws -> Bool {
        guard request.sortDescriptors != nil else {
            throw NSError.coreData(
                NSCoreDataError,
                "An instance of NSFetchedResultsController requires a fetch request with sort descriptors; the one for "
                    + "“\(request.entityName ?? "")” has none")
        }
        guard request.resultType == .managedObjectResultType || request.resultType == .managedObjectIDResultType else {
            throw NSError.coreData(
                NSCoreDataError,
                "NSFetchedResultsController gives objects or their IDs, not what the request for “\(request.entityName ?? "")” asks for"
            )
        }
        return request.resultType == .managedObjectIDResultType
    }

    private static func check(
        _ objects: [NSManagedObject], _ request: NSFetchRequest<ResultType>, _ context: NSManagedObjectContext
    ) throws {
        guard request.resultType == .managedObjectIDResultType else {
            let _: [ResultType] = try context.typed(objects, request)
            return
        }
        guard objects.first.map({ $0.objectID is ResultType }) ?? true else {
            throw NSError.coreData(
                NSCoreDataError,
                "The fetch of “\(request.entityName ?? "")” gives IDs, which are not the \(ResultType.self) that it is for")
        }
    }

    // MARK: Fetching

    /// Fetches with the present request. Call it again after a change of the request, after a reset of the context, or to see
    /// changes while there is no delegate.
    ///
    /// - Throws: 134060 if the sort descriptors are nil (an empty array is allowed), if the request does not fit the model, or if
    ///   the section key path does not lead to one value of each object. Otherwise the store's error.
    open func performFetch() throws { try core.performFetch() }

    /// Does nothing, because there are no caches.
    open class func deleteCache(withName name: String?) {}

    // MARK: What it was made with

    /// The request. A change of it takes effect with the next ``performFetch()``. The controller that a delegate gets has a copy.
    open var fetchRequest: NSFetchRequest<ResultType> { request }

    /// The context.
    open var managedObjectContext: NSManagedObjectContext { core.tracker.context }

    /// The key path to the value whose text is the name of an object's section.
    open var sectionNameKeyPath: String? { core.tracker.section?.keyPath }

    /// The name of the cache.
    open var cacheName: String? { core.cacheName }

    /// The object that is told of changes. The controller does not retain it. While it is nil, the results don't change. The
    /// first change that is told afterwards includes what happened to the results in the meantime, except for objects that were
    /// inserted.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    // MARK: Results

    /// All objects, or their IDs, in order. It is nil before the first fetch. The first reading after a change is O(n).
    open var fetchedObjects: [ResultType]? {
        guard let members = core.tracker.members else { return nil }
        if let given = core.given[ObjectIdentifier(ResultType.self)] as? [ResultType] { return given }
        // IDs become permanent without a change of the results, so they are read each time.
        guard !core.givesIDs else { return members.objects.map(typed) }
        let results = (try? core.tracker.context.typed(members.objects, request)) ?? members.objects.map(typed)
        core.given[ObjectIdentifier(ResultType.self)] = results
        return results
    }

    /// The object at an index path. Stops the program if there is no object.
    ///
    /// - Parameter indexPath: The section and the item in it.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let members = core.tracker.members else { fatalError("object(at: \(indexPath)) was called before performFetch()") }
        guard indexPath.count == 2, members.sections.indices.contains(indexPath.section),
            (0..<members.sections[indexPath.section].count).contains(indexPath.item)
        else {
            fatalError("no object at index path \(indexPath): there are \(members.sections.map(\.count)) objects in the sections")
        }
        return typed(members.objects[members.sections[indexPath.section].start + indexPath.item])
    }

    /// The index path of an object, or nil if it is not in the results.
    ///
    /// - Parameter object: The object, or its ID.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        let id = object as? NSManagedObjectID
        guard let object = object as? NSManagedObject ?? id.flatMap(core.tracker.context.registeredObject),
            let position = core.tracker.position(of: object), let place = core.tracker.members?.sections.place(of: position)
        else { return nil }
        return IndexPath(item: place.item, section: place.section)
    }

    private func typed(_ object: NSManagedObject) -> ResultType {
        guard let result = core.result(object) as? ResultType else {
            fatalError(
                "\(object.objectID) is of class \(type(of: object)), which is not the \(ResultType.self) that the controller is for"
            )
        }
        return result
    }

    // MARK: Sections

    /// The sections in order. It is nil before the first fetch. Without `sectionNameKeyPath` there is one section, even if there
    /// are no objects.
    open var sections: [any NSFetchedResultsSectionInfo]? { core.sections }

    /// The index titles of the sections, each once.
    open var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return (core.sections ?? []).compactMap(\.indexTitle).filter { seen.insert($0).inserted }
    }

    /// The index title of a section: the first letter of its name as a capital. A subclass may override it, and a delegate may
    /// return another title.
    ///
    /// - Parameter sectionName: The section's name.
    /// - Returns: The title, or nil for an empty name.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        // The delegate's instance asks the program's instance, which may be of a subclass.
        isCounterpart ? core.indexTitle(sectionName) : sectionName.first.map { $0.uppercased() }
    }

    /// The first section with an index title. Stops the program if there is none.
    ///
    /// - Parameters:
    ///   - title: A title in ``sectionIndexTitles``.
    ///   - sectionIndex: The index of the title in ``sectionIndexTitles``.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        guard let section = core.sections?.firstIndex(where: { $0.indexTitle == title }) else {
            fatalError("no section has the index title “\(title)” (\(sectionIndex)); the titles are \(sectionIndexTitles)")
        }
        return section
    }

    // MARK: Identity

    /// Whether two instances are the same controller. The program's instance equals the one that its delegate gets.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any FetchedResultsCoreOwner)?.core === core
    }

    /// A hash value that is the same for equal instances.
    open override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// A fetched results controller of any type.
private protocol FetchedResultsCoreOwner {
    var core: FetchedResultsCore { get }
}

extension NSFetchedResultsController: FetchedResultsCoreOwner {}
