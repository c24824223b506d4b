import DataModel
import Foundation
import Predicates

/// Asks for the objects of an entity: which ones, in which order, how many, and in what form.
///
/// The store answers predicates and sort descriptors; objects with unsaved changes are tested in memory by the same rules. Evaluated in memory, over the objects that
/// the rest of the predicate leaves, is what only memory can: `NSPredicate(block:)`, functions of your own, indexes such as `[FIRST]`, the contents of transformable
/// attributes, quotients of decimals; and sorting by a comparator. With stores in memory everything is.
///
/// A predicate or sort descriptor with a mistake (a property that the entity does not have, or that is transient; a to-many relationship without `ANY`; a text
/// where a number is needed) makes the fetch throw 134060 before the store is asked. Under `NSUnderlyingErrorKey` the error has an ``InvalidPredicateError``.
///
/// A request is good for several contexts and may be changed after it was executed, which does not change results it gave. It belongs to one thread at a
/// time; ``copy(with:)`` gives one of its own to another.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// All that the request asks for.
    package final var settings = FetchSettings()
    /// Who watches the fetch. Copies have none.
    final var monitor: FetchMonitor?

    /// Makes a request without entity.
    public required override init() { super.init() }

    /// Makes a request for an entity by its name, which is looked up in the context's model when the request is executed.
    public convenience init(entityName: String) {
        self.init()
        settings.entityName = entityName
    }

    /// Always a fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request of the same class that asks the same, and that can be changed without changing this one.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        copy.affectedStores = affectedStores
        copy.settings = settings
        return copy
    }

    /// What the request finds in the context whose `perform` or `performAndWait` is running.
    ///
    /// - Throws: 134060 outside of any context's block, where Apple's framework raises an exception; else as
    ///   ``NSManagedObjectContext/fetch(_:)-(NSFetchRequest<T>)``.
    public final func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw NSError.coreData(
                NSCoreDataError,
                "execute() of a fetch request for “\(entityName ?? "")” was called outside of a context's perform or performAndWait"
            )
        }
        return try context.typedResults(of: self)
    }

    // MARK: What to find

    /// The entity; nil while only its name is known. Executing the request does not set it.
    public final var entity: NSEntityDescription? {
        get { settings.entity }
        set { settings.entity = newValue }
    }

    /// The name of the entity.
    public final var entityName: String? { settings.entityName }

    /// Which objects; nil for all.
    public final var predicate: NSPredicate? {
        get { settings.predicate }
        set { settings.predicate = newValue }
    }

    /// In which order; without it the order is not specified.
    public final var sortDescriptors: [NSSortDescriptor]? {
        get { settings.sortDescriptors }
        set { settings.sortDescriptors = newValue }
    }

    /// At most how many; 0, the default, for all.
    public final var fetchLimit: Int {
        get { settings.fetchLimit }
        set { settings.fetchLimit = newValue }
    }

    /// How many of the first to leave out.
    public final var fetchOffset: Int {
        get { settings.fetchOffset }
        set { settings.fetchOffset = newValue }
    }

    /// Whether objects of subentities count too. True by default.
    public final var includesSubentities: Bool {
        get { settings.includesSubentities }
        set { settings.includesSubentities = newValue }
    }

    /// Whether the context's unsaved changes count: new objects are found, deleted ones are not. True by default. Dictionary results never know of them.
    public final var includesPendingChanges: Bool {
        get { settings.includesPendingChanges }
        set { settings.includesPendingChanges = newValue }
    }

    // MARK: In what form

    /// What the result holds. The request's type parameter has to fit.
    public final var resultType: NSFetchRequestResultType {
        get { NSFetchRequestResultType(rawValue: settings.resultType) }
        set { settings.resultType = newValue.rawValue }
    }

    /// Whether new objects in the result are faults, whose values are at hand without a further look into the store. True by default.
    public final var returnsObjectsAsFaults: Bool {
        get { settings.returnsObjectsAsFaults }
        set { settings.returnsObjectsAsFaults = newValue }
    }

    /// Whether the values of new objects are read with them. True by default; with false only the objects are known, and the first value asked for
    /// loads those of the next hundred objects of the result as well.
    public final var includesPropertyValues: Bool {
        get { settings.includesPropertyValues }
        set { settings.includesPropertyValues = newValue }
    }

    /// How many objects' values to read at once; 0, the default, for all of them with the fetch.
    ///
    /// With a batch size only the keys are read by the fetch. The first value asked of an object loads it and those that follow it in the result, as many as
    /// the batch size says. A Swift array holds all its objects all the same, each of them a fault;
    /// ``NSManagedObjectContext/fetchBatched(_:)`` gives a collection that makes them page by page.
    public final var fetchBatchSize: Int {
        get { settings.fetchBatchSize }
        set { settings.fetchBatchSize = newValue }
    }

    /// Relationships, by key paths from the entity such as `director.studio`, whose objects are fetched along: one look into the store for each step of a
    /// path, however many objects there are. Reading these relationships afterwards, and the values of their objects, needs no further one. A child context prefetches nothing: it asks its parent.
    public final var relationshipKeyPathsForPrefetching: [String]? {
        get { settings.relationshipKeyPathsForPrefetching }
        set { settings.relationshipKeyPathsForPrefetching = newValue }
    }

    /// Whether objects that the context has already get the values that the store has now. False by default.
    ///
    /// With true unsaved changes stay over the new values, as by `refresh(_:mergeChanges:)` with true. Apple's documentation says so; its framework leaves
    /// loaded objects alone.
    public final var shouldRefreshRefetchedObjects: Bool {
        get { settings.shouldRefreshRefetchedObjects }
        set { settings.shouldRefreshRefetchedObjects = newValue }
    }

    // MARK: Dictionaries

    /// The columns of dictionary results: names, key paths over to-one relationships, `NSPropertyDescription`s, `NSExpressionDescription`s. Nil, the default,
    /// for all attributes.
    ///
    /// Objects have the values of all properties, whatever stands here.
    public final var propertiesToFetch: [Any]? {
        get { settings.propertiesToFetch }
        set { settings.propertiesToFetch = newValue }
    }

    /// Whether of equal dictionaries only one is given. False by default.
    public final var returnsDistinctResults: Bool {
        get { settings.returnsDistinctResults }
        set { settings.returnsDistinctResults = newValue }
    }

    /// The columns by whose values rows are put together to one dictionary, given as in ``propertiesToFetch``. All columns that are not here must be
    /// aggregates.
    public final var propertiesToGroupBy: [Any]? {
        get { settings.propertiesToGroupBy }
        set { settings.propertiesToGroupBy = newValue }
    }

    /// Which groups to give. It may name columns, grouped properties, and aggregates of properties.
    public final var havingPredicate: NSPredicate? {
        get { settings.havingPredicate }
        set { settings.havingPredicate = newValue }
    }
}

extension NSFetchRequest {
    /// A copy.
    final var frozen: NSFetchRequest { NSFetchRequest(settings, affectedStores: affectedStores) }

    /// A request that has these settings.
    convenience init(_ settings: FetchSettings, affectedStores: [NSPersistentStore]? = nil) {
        self.init()
        self.settings = settings
        self.affectedStores = affectedStores
    }
}
