public import DataModel
public import Foundation
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
// is constant (`queue`, the concurrency type, the parts of `shared`), or read from the queue.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    let queue: ContextQueue
    /// A reference for code that must not hold the context.
    package final let reference = ContextReference()
    final let shared = SharedState()

    // Each value owns a subject, and its methods keep the subject's rules. Unchecked exclusivity: confined to the
    // queue, and the methods call no code that could reenter while a value is being changed.
    @exclusivity(unchecked) final var stackPlace = StackPlace()
    @exclusivity(unchecked) final var uniquing = Uniquing()
    @exclusivity(unchecked) final var changeLists = ChangeLists()
    @exclusivity(unchecked) final var event = EventRecord()
    @exclusivity(unchecked) final var telling: Telling
    @exclusivity(unchecked) final var observing: ObservingState
    @exclusivity(unchecked) final var undoing = UndoState()
    @exclusivity(unchecked) final var moment = ReadMoment()
    @exclusivity(unchecked) final var fetches = FetchState()
    @exclusivity(unchecked) final var saving = SavingState()
    @exclusivity(unchecked) final var merging = MergingState()
    final let reading = ReadingState()

    /// Makes a context.
    ///
    /// - Parameter ct: The kind of queue. `.confinementConcurrencyType`, long deprecated, is not offered.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queue = ContextQueue(ct)
        observing = ObservingState(tracksReading: ct == .mainQueueConcurrencyType)
        telling = Telling(awaitsTurns: ct == .mainQueueConcurrencyType)
        super.init()
        shared.executor.context = self
        queue.context = self
        reference.point(at: self)
    }

    /// Makes a context.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawType) }

    deinit {
        reference.cut()
        telling.abandonImages()
        leaveUndoManager()
        // Loaded relationships hold objects in cycles, which nothing else would break.
        for object in allObjects { object.clearLinks() }
        uniquing.abandonAll()
    }

    /// The kind of queue the context uses.
    public final var concurrencyType: NSManagedObjectContextConcurrencyType { queue.type }

    /// The coordinator whose stores the context reads and writes; for a child, the coordinator of its parent. Set it
    /// before the first use of the context.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { stackPlace.coordinator ?? stackPlace.parent?.persistentStoreCoordinator }
        set {
            if stackPlace.coordinator !== newValue, stackPlace.coordinator != nil { reset() }
            if stackPlace.mergesAutomatically { mergeSource?.remove(self) }
            if stackPlace.coordinator !== newValue { moment.generation = nil }
            stackPlace.coordinator?.contexts.remove(self)
            stackPlace.coordinator = newValue
            newValue?.contexts.add(self)
            moment.begin(with: newValue?.clock)
            if stackPlace.mergesAutomatically { mergeSource?.add(self) }
        }
    }

    /// The context that this one reads from and saves to, in place of a coordinator. Set it before the first use of the context.
    ///
    /// A child sees the parent's unsaved changes when it fetches or fires a fault. Its ``save()`` makes its changes
    /// unsaved changes of the parent; only the parent's own save brings them to the store. New objects have temporary
    /// IDs until then. The child's own object gets the permanent ID when the child next asks its parent, for example
    /// with a fetch or a refresh. From then on it is found by both IDs.
    public final var parent: NSManagedObjectContext? {
        get { stackPlace.parent }
        set {
            guard stackPlace.parent !== newValue else { return }
            guard stackPlace.coordinator == nil || newValue == nil else {
                fatalError("\(self) has a persistentStoreCoordinator, so it can't have a parent")
            }
            if stackPlace.parent != nil { reset() }
            if stackPlace.mergesAutomatically { mergeSource?.remove(self) }
            persistentStoreCoordinator?.contexts.remove(self)
            stackPlace.parent = newValue
            persistentStoreCoordinator?.contexts.add(self)
            if stackPlace.mergesAutomatically { mergeSource?.add(self) }
            newValue?.stackPlace.hasChildren = true
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
        get { uniquing.retainsAll }
        set { if newValue != uniquing.retainsAll { _ = uniquing.setRetainsAll(newValue) } }
    }

    // MARK: What is unsaved

    /// Whether anything was inserted, changed or deleted and not saved.
    public final var hasChanges: Bool { changeLists.hasUnsaved }

    /// New objects.
    public final var insertedObjects: Set<NSManagedObject> { Set(changeLists.inserted.lazy.filter(\.isPendingInsert)) }

    /// Objects saved before, with unsaved changes.
    public final var updatedObjects: Set<NSManagedObject> { Set(changeLists.updated.lazy.filter(\.isUpdated)) }

    /// Objects saved before that the next save deletes.
    public final var deletedObjects: Set<NSManagedObject> { Set(changeLists.deleted.lazy.filter(\.isDeleted)) }

    /// All objects that the context knows and that still exist.
    public final var registeredObjects: Set<NSManagedObject> { Set(allObjects) }

    final var allObjects: [NSManagedObject] { uniquing.objects }

    /// The name, if there is one, and the kind of queue.
    open override var description: String {
        "<NSManagedObjectContext \(name.map { "“\($0)”, " } ?? "")\(queue.type == .mainQueueConcurrencyType ? "main" : "private") queue>"
    }
}

extension NSManagedObject {
    /// New, and not deleted again.
    final var isPendingInsert: Bool { _state.contains(.inserted) && !_state.contains(.deleted) }
}
