import DataModel
import Foundation
import Storage

/// A space in which objects live, are changed together and saved together.
///
/// A context belongs to a queue: the main queue, or a private one of its own. Use it and its objects inside `perform`,
/// `performAndWait` or the asynchronous `perform`; a main-queue context may also be used directly on the main thread.
///
/// Pending changes are processed, and `NSManagedObjectContextObjectsDidChange` is posted, at the end of the outermost
/// `perform` or `performAndWait`, at ``save()``, and by ``processPendingChanges()``. No run loop is needed. Where the
/// main run loop or the main dispatch queue runs, a main-queue context also processes them at the end of the turn in
/// which they were made, in code on the main actor, too. A fetch sees pending changes and posts nothing.
///
/// A context has a coordinator, or a parent context that it reads from and saves to.
// @unchecked Sendable: the context may be passed around, but its state is confined to its queue. State for every thread
// is constant (`queue`, the concurrency type), under a lock (`observers`), or read from the queue.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    let queue: ContextQueue
    /// A reference for code that must not hold the context.
    package final let reference = ContextReference()
    @exclusivity(unchecked) private var storedCoordinator: NSPersistentStoreCoordinator?
    @exclusivity(unchecked) private var storedParent: NSManagedObjectContext?
    /// Whether another context ever had this one as its parent.
    final var hasChildren = false
    let permanentPlaces = PermanentPlaces()

    /// The initializer of a managed object finds here that it makes a fault; see `makeObject(in:of:)`.
    @exclusivity(unchecked) final var registryOfNextFault: ObjectRegistry?
    /// The number of calls that are making faults, and a flag for a reset of the context meanwhile; see
    /// `beginMakingFaults()`.
    @exclusivity(unchecked) final var faultMakers = 0
    final var registriesLeftBehind: [ObjectRegistry] = []
    @exclusivity(unchecked) final var unsaved: StoreRegistries?
    /// Where the last object was inserted. In most cases the next one goes there, too.
    @exclusivity(unchecked) final var lastInsert: (entity: ObjectIdentifier, registry: ObjectRegistry)?
    @exclusivity(unchecked) final var lastClass: (objectClass: ObjectIdentifier, entity: NSEntityDescription)?
    @exclusivity(unchecked) final var saved: [StoreRegistries?] = []

    // Objects with unsaved changes. An object's state bits tell whether an entry still counts, see `ContiguousArray.list`.
    @exclusivity(unchecked) final var insertedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var updatedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var deletedList: ContiguousArray<NSManagedObject> = []
    /// The number of entries that were made stale one by one; see `noteStaleEntry`.
    final var staleEntries = 0
    // What happened since the last processing of pending changes.
    @exclusivity(unchecked) final var eventInserted: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var eventUpdated: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var eventDeleted: ContiguousArray<NSManagedObject> = []
    /// The number of deleted objects whose delete rules were applied before their deletion was processed.
    final var propagatedDeletions = 0
    @exclusivity(unchecked) final var eventRefreshed: ContiguousArray<NSManagedObject> = []
    /// The sets of the last ObjectsDidChange, kept for the save that often follows with the same objects.
    final var lastEventSets = ChangeSets()
    final var announcedChanges: [AnnouncedChange: [NSManagedObject]] = [:]
    /// Primitive values that were given out for relationships whose change is announced. These sets may have been
    /// changed in place.
    final var announcedSets: [AnnouncedChange: NSObject] = [:]
    /// Relationships that keep an ordered set until the event ends.
    final var withKeptSets: ContiguousArray<ToManyObjects> = []
    /// The changes of the present event, and the event whose ObjectsDidChange is being posted.
    @exclusivity(unchecked) final var event = EventLog()
    final var postedEvent: PostedEvent?
    /// The former values of objects whose values were replaced since the last processing of pending changes, for
    /// observers.
    final var replacedStates: [ObjectIdentifier: ReplacedState] = [:]
    /// The rounds that observers are being told of, the inner ones last.
    final var roundsBeingTold: [RoundPast] = []
    @exclusivity(unchecked) final var isTelling = false
    /// The same rounds on their way to observers.
    final var deliveries: [RoundDelivery] = []
    final var pastsWithImages: [WeakPast] = []
    /// Whether every change of a relationship is kept for undo.
    @exclusivity(unchecked) final var recordsLinks = false
    final let undoState = UndoState()
    /// Objects whose deletion was processed while its propagation waits for the save.
    final var deletedUnpropagated: ContiguousArray<NSManagedObject> = []
    /// All objects, while `retainsRegisteredObjects`.
    final var retained: Set<NSManagedObject> = []
    @exclusivity(unchecked) private var retainsRegistered = false
    @exclusivity(unchecked) final var faultBatches = FaultBatches()
    final var fetchedValues = FetchedValues()
    final var isSaving = false
    /// The saves that are done and that observers are being told of, the inner ones last.
    final var savesBeingTold: [SaveNotice] = []
    /// The recent saves, for contexts that merge them.
    let saveNotices = SaveNotices()
    /// Whether processing pending changes at the end of the turn is already arranged, or not needed.
    @exclusivity(unchecked) final var isTurnNoted: Bool
    /// The number of nested fetch requests, as parts of predicates, that are being executed.
    final var fetchDepth = 0
    final let observers = ObserverList<any _BucketObserver>()
    final let merging = MergingState()
    final let tracking = ObservationTracking()
    /// Made when one of the objects gets a key-value observer.
    @exclusivity(unchecked) final var observedChanges: ObservedChanges?
    @exclusivity(unchecked) final var readingRecorders: [ReadingRecorder] = []
    final let reading = ReadingState()
    /// The initial state of an object of the context.
    @exclusivity(unchecked) final var readingState: ObjectState
    /// Runs the jobs of actors on the queue.
    final let executor: ContextExecutor
    /// The state that the context reads; nil for the newest.
    final var queryGeneration: QueryGeneration?
    /// The coordinator's clock, unretained, because the context holds the coordinator. Nil for a child.
    @exclusivity(unchecked) private(set) final var clock: Unmanaged<WriteClock>?
    /// The number of a save of the coordinator. No fault has a row from before it.
    @exclusivity(unchecked) final var momentOfRows = 0
    /// The coordinator's last save that was the context's own.
    final var momentOfOwnWrite = 0

    /// Makes a context.
    ///
    /// - Parameter ct: The kind of queue. `.confinementConcurrencyType`, long deprecated, is not offered.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queue = ContextQueue(ct)
        readingState = ct == .mainQueueConcurrencyType ? .tracksReading : []
        isTurnNoted = ct != .mainQueueConcurrencyType
        executor = ContextExecutor()
        super.init()
        executor.context = self
        queue.context = self
        reference.point(at: self)
    }

    /// Makes a context.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawType) }

    deinit {
        reference.cut()
        for entry in pastsWithImages { entry.past?.abandonImages() }
        leaveUndoManager()
        // Loaded relationships hold objects in cycles, which nothing else would break.
        for object in allObjects { object.clearLinks() }
        abandonRegistries()
    }

    /// The kind of queue the context uses.
    public final var concurrencyType: NSManagedObjectContextConcurrencyType { queue.type }

    /// The coordinator whose stores the context reads and writes; for a child, the coordinator of its parent. Set it
    /// before the first use of the context.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { storedCoordinator ?? storedParent?.persistentStoreCoordinator }
        set {
            if storedCoordinator !== newValue, storedCoordinator != nil { reset() }
            if merging.mergesAutomatically { mergeSource?.remove(self) }
            if storedCoordinator !== newValue { queryGeneration = nil }
            storedCoordinator?.contexts.remove(self)
            storedCoordinator = newValue
            newValue?.contexts.add(self)
            clock = newValue.map { .passUnretained($0.clock) }
            momentOfRows = newValue?.clock.now ?? 0
            momentOfOwnWrite = 0
            if merging.mergesAutomatically { mergeSource?.add(self) }
        }
    }

    /// The context that this one reads from and saves to, in place of a coordinator. Set it before the first use of the context.
    ///
    /// A child sees the parent's unsaved changes when it fetches or fires a fault. Its ``save()`` makes its changes
    /// unsaved changes of the parent; only the parent's own save brings them to the store. New objects have temporary
    /// IDs until then. The child's own object gets the permanent ID when the child next asks its parent, for example
    /// with a fetch or a refresh. From then on it is found by both IDs.
    public final var parent: NSManagedObjectContext? {
        get { storedParent }
        set {
            guard storedParent !== newValue else { return }
            guard storedCoordinator == nil || newValue == nil else {
                fatalError("\(self) has a persistentStoreCoordinator, so it can't have a parent")
            }
            if storedParent != nil { reset() }
            if merging.mergesAutomatically { mergeSource?.remove(self) }
            persistentStoreCoordinator?.contexts.remove(self)
            storedParent = newValue
            persistentStoreCoordinator?.contexts.add(self)
            if merging.mergesAutomatically { mergeSource?.add(self) }
            newValue?.hasChildren = true
        }
    }

    /// A name for debugging. Stores that keep a history note it with each save.
    public final var name: String?

    /// The author of the saves, for stores that keep a history: each save notes it. Nil unless set.
    public final var transactionAuthor: String?

    /// Values that the application keeps with the context.
    public final let userInfo = NSMutableDictionary()

    /// Whether a fault whose row is gone becomes a deleted object with nil values (true, the default) or stops the program.
    public final var shouldDeleteInaccessibleFaults = true

    /// Called when a fault is fired and its row is gone. With true the object becomes a deleted object whose properties
    /// are nil. With false the program stops.
    ///
    /// Override it to decide from case to case, or to note what is missing. Called on the context's queue. Difference
    /// from Apple's framework: `property` is always nil.
    ///
    /// - Parameters:
    ///   - fault: The object without row.
    ///   - oid: Its ID.
    ///   - property: The property that was read, if it is known.
    /// - Returns: ``shouldDeleteInaccessibleFaults``, unless overridden.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    /// Whether delete rules are applied when pending changes are processed (true, the default), or only when the
    /// context is saved.
    public final var propagatesDeletesAtEndOfEvent = true

    /// Whether the context holds all objects it knows, rather than those with unsaved changes only. False unless set.
    ///
    /// Setting it to false releases the objects that are not held elsewhere.
    public final var retainsRegisteredObjects: Bool {
        get { retainsRegistered }
        set {
            guard newValue != retainsRegistered else { return }
            retainsRegistered = newValue
            retained = newValue ? Set(allObjects) : []
        }
    }

    // MARK: What is unsaved

    /// Whether anything was inserted, changed or deleted and not saved.
    public final var hasChanges: Bool {
        insertedList.contains { $0.isPendingInsert } || updatedList.contains { $0.isUpdated }
            || deletedList.contains { $0.isDeleted }
    }

    /// New objects.
    public final var insertedObjects: Set<NSManagedObject> { Set(insertedList.lazy.filter(\.isPendingInsert)) }

    /// Objects saved before, with unsaved changes.
    public final var updatedObjects: Set<NSManagedObject> { Set(updatedList.lazy.filter(\.isUpdated)) }

    /// Objects saved before that the next save deletes.
    public final var deletedObjects: Set<NSManagedObject> { Set(deletedList.lazy.filter(\.isDeleted)) }

    /// All objects that the context knows and that still exist.
    public final var registeredObjects: Set<NSManagedObject> { Set(allObjects) }

    final var allObjects: [NSManagedObject] {
        (unsaved?.objects ?? []) + saved.flatMap { $0?.objects ?? [] }
    }

    /// The name, if there is one, and the kind of queue.
    open override var description: String {
        "<NSManagedObjectContext \(name.map { "“\($0)”, " } ?? "")\(queue.type == .mainQueueConcurrencyType ? "main" : "private") queue>"
    }
}

extension NSManagedObject {
    /// New, and not deleted again.
    final var isPendingInsert: Bool { _state.contains(.inserted) && !_state.contains(.deleted) }
}
