/// An observer of a context's rounds of changes. It gets the objects sorted by entity. The typed layer's observers
/// conform.
package protocol _BucketObserver: AnyObject {
    /// Whether it observes saves, and not each processing of pending changes.
    var _hearsOfSaves: Bool { get }
    /// Whether it was cancelled. It may still be in the list of observers that are being told.
    var _isCancelled: Bool { get }
    /// The indices of the entities whose objects it observes; nil for all.
    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]?
    /// Whether it observes objects of the entity with this index even if the context has not read them. A merge then
    /// reads the objects that others inserted.
    func _watches(entity: Int, in context: NSManagedObjectContext) -> Bool
    /// Called on the context's queue, after `NSManagedObjectContextObjectsDidChange` or `NSManagedObjectContextDidSave`
    /// was posted.
    func _objectsDidChange(_ buckets: _ChangeBuckets)
    /// Called on the context's queue when the context was reset, before `_objectsDidChange(_:)` reports the objects
    /// that are gone.
    /// - Returns: Whether it need not be told of these objects.
    func _contextWasReset() -> Bool
}

extension _BucketObserver {
    /// By default it observes each processing of pending changes.
    package var _hearsOfSaves: Bool { false }
    /// By default it is removed only when it ends.
    package var _isCancelled: Bool { false }
    /// By default it observes all objects.
    package func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? { nil }
    /// By default it observes only objects that the context has read.
    package func _watches(entity: Int, in context: NSManagedObjectContext) -> Bool { false }
    /// By default it is told of the objects.
    package func _contextWasReset() -> Bool { false }
}

extension NSManagedObjectContext {
    /// Adds an observer, which is held until it is removed. Callable on every thread.
    package final func _addObserver(_ observer: any _BucketObserver) {
        ChangeInterest.note()
        shared.observers.add(observer)
    }

    /// Removes an observer. Callable on every thread.
    package final func _removeObserver(_ observer: any _BucketObserver) { shared.observers.remove(observer) }

    /// The observers of each processing of pending changes.
    final var roundObservers: [any _BucketObserver] { shared.observers.all.filter { !$0._hearsOfSaves } }

    /// The observers of each save.
    final var saveObservers: [any _BucketObserver] { shared.observers.all.filter(\._hearsOfSaves) }
}
