public import DataModel
public import Foundation
import Predicates

/// Asks for the objects of an entity: which ones, in which order, how many, and in what form.
///
/// The store answers predicates and sort descriptors; objects with unsaved changes are tested in memory by the same
/// rules. Some parts can only be evaluated in memory, over the objects that the rest of the predicate leaves:
/// `NSPredicate(block:)`, functions of your own, indexes such as `[FIRST]`, the contents of transformable attributes,
/// quotients of decimals, and sorting by a comparator. With stores in memory everything is evaluated there.
///
/// A predicate or sort descriptor with a mistake (a property that the entity does not have, or that is transient; a
/// to-many relationship without `ANY`; a text where a number is needed) makes the fetch throw 134060 before the store
/// is asked. The error has an ``InvalidPredicateError`` under `NSUnderlyingErrorKey`.
///
/// A request may be used with several contexts, and may be changed after it was executed; results that it gave do not
/// change. It belongs to one thread at a time. ``copy(with:)`` makes one for another thread.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// All that the request asks for.
    package final var settings = FetchSettings()
    /// The watcher of the fetch. Copies of the request have none.
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

    /// The entity; nil while only its name is known. Executing the request does not set this property.
    public final var entity: NSEntityDescription? {
        get { settings.entity }
        set { settings.entity = newValue }
    }

    /// The name of the entity.
    public final var entityName: String? { settings.entityName }

    /// Which objects to find; nil for all.
    public final var predicate: NSPredicate? {
        get { settings.predicate }
        set { settings.predicate = newValue }
    }

    /// The order of the result. Without sort descriptors the order is not specified.
    public final var sortDescriptors: [NSSortDescriptor]? {
        get { settings.sortDescriptors }
        set { settings.sortDescriptors = newValue }
    }

    /// The greatest number of objects to find; 0, the default, for all.
    public final var fetchLimit: Int {
        get { settings.fetchLimit }
        set { settings.fetchLimit = newValue }
    }

    /// How many objects to leave out at the beginning.
    public final var fetchOffset: Int {
        get { settings.fetchOffset }
        set { settings.fetchOffset = newValue }
    }

    /// Whether objects of subentities count too. True by default.
    public final var includesSubentities: Bool {
        get { settings.includesSubentities }
        set { settings.includesSubentities = newValue }
    }

    /// Whether the context's unsaved changes count: new objects are found, deleted ones are not. True by default.
    /// Dictionary results never contain them.
    public final var includesPendingChanges: Bool {
        get { settings.includesPendingChanges }
        set { settings.includesPendingChanges = newValue }
    }

    // MARK: In what form

    /// What the result holds. It must fit the request's type parameter.
    public final var resultType: NSFetchRequestResultType {
        get { NSFetchRequestResultType(rawValue: settings.resultType) }
        set { settings.resultType = newValue.rawValue }
    }

    /// Whether new objects in the result are faults. The store need not be asked again for their values. True by
    /// default.
    public final var returnsObjectsAsFaults: Bool {
        get { settings.returnsObjectsAsFaults }
        set { settings.returnsObjectsAsFaults = newValue }
    }

    /// Whether the values of new objects are read with them. True by default. With false only the objects are known,
    /// and the first value that is read loads the values of the next hundred objects of the result as well.
    public final var includesPropertyValues: Bool {
        get { settings.includesPropertyValues }
        set { settings.includesPropertyValues = newValue }
    }

    /// How many objects' values to read at once; 0, the default, reads all of them with the fetch.
    ///
    /// With a batch size the fetch reads only the keys. The first value that is read from an object loads this object
    /// and those that follow it in the result, as many as the batch size says. A Swift array still holds all its
    /// objects, each of them a fault; ``NSManagedObjectContext/fetchBatched(_:)`` gives a collection that makes them
    /// page by page.
    public final var fetchBatchSize: Int {
        get { settings.fetchBatchSize }
        set { settings.fetchBatchSize = newValue }
    }

    /// Relationships, by key paths from the entity such as `director.studio`, whose objects are fetched with the
    /// result. Each step of a path costs one query, however many objects there are. Reading these relationships and the
    /// values of their objects afterwards needs no further query. A child context prefetches nothing: it asks its
    /// parent.
    public final var relationshipKeyPathsForPrefetching: [String]? {
        get { settings.relationshipKeyPathsForPrefetching }
        set { settings.relationshipKeyPathsForPrefetching = newValue }
    }

    /// Whether objects that the context already has get the store's present values. False by default.
    ///
    /// With true, unsaved changes stay on top of the new values, as with `refresh(_:mergeChanges:)` and true. This is
    /// what Apple's documentation says; Apple's framework leaves loaded objects as they are.
    public final var shouldRefreshRefetchedObjects: Bool {
        get { settings.shouldRefreshRefetchedObjects }
        set { settings.shouldRefreshRefetchedObjects = newValue }
    }

    // MARK: Dictionaries

    /// The columns of dictionary results: names, key paths over to-one relationships, `NSPropertyDescription`s,
    /// `NSExpressionDescription`s. Nil, the default, for all attributes.
    ///
    /// Objects always have the values of all properties.
    public final var propertiesToFetch: [Any]? {
        get { settings.propertiesToFetch }
        set { settings.propertiesToFetch = newValue }
    }

    /// Whether equal dictionaries are given only once. False by default.
    public final var returnsDistinctResults: Bool {
        get { settings.returnsDistinctResults }
        set { settings.returnsDistinctResults = newValue }
    }

    /// The columns by whose values rows are grouped into one dictionary, given as in ``propertiesToFetch``. All other
    /// columns must be aggregates.
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

    /// Makes a request with settings.
    convenience init(_ settings: FetchSettings, affectedStores: [NSPersistentStore]? = nil) {
        self.init()
        self.settings = settings
        self.affectedStores = affectedStores
    }
}
