/// Hears of rounds of changes in a context, objects sorted by entity. The typed layer's observers conform.
public protocol _BucketObserver: AnyObject {
    /// Whether it wants to hear of each processing of pending changes, or of each save.
    var _hearsOfSaves: Bool { get }
    /// Whether it wants to hear of nothing more, although it may be in the list of those who are being told.
    var _isCancelled: Bool { get }
    /// The indices of the entities whose objects it hears of; nil for all.
    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]?
    /// Whether objects of the entity with this index concern it although the context has not read them: a merge then reads what others inserted.
    func _watches(entity: Int, in context: NSManagedObjectContext) -> Bool
    /// Called on the context's queue, after `NSManagedObjectContextObjectsDidChange` or `NSManagedObjectContextDidSave` was posted.
    func _objectsDidChange(_ buckets: _ChangeBuckets)
    /// Called on the context's queue when the context was reset, before `_objectsDidChange(_:)` tells of the objects that are gone.
    /// - Returns: Whether it knows enough, and need not be told of these objects.
    func _contextWasReset() -> Bool
}

extension _BucketObserver {
    /// It hears of each processing of pending changes.
    public var _hearsOfSaves: Bool { false }
    /// It is removed only when it is gone.
    public var _isCancelled: Bool { false }
    /// It hears of all objects.
    public func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? { nil }
    /// It hears of objects that the context has.
    public func _watches(entity: Int, in context: NSManagedObjectContext) -> Bool { false }
    /// It is told of the objects.
    public func _contextWasReset() -> Bool { false }
}

extension NSManagedObjectContext {
    /// Adds an observer, which is held until it is removed. Callable on every thread.
    public final func _addObserver(_ observer: any _BucketObserver) {
        ChangeInterest.note()
        observers.add(observer)
    }

    /// Removes an observer. Callable on every thread.
    public final func _removeObserver(_ observer: any _BucketObserver) { observers.remove(observer) }

    /// Who hears of each processing of pending changes.
    final var roundObservers: [any _BucketObserver] { observers.all.filter { !$0._hearsOfSaves } }

    /// Who hears of each save.
    final var saveObservers: [any _BucketObserver] { observers.all.filter(\._hearsOfSaves) }
}
