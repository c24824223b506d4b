import DataModel
import Foundation

/// The kinds of change that typed observers ask for.
public enum _ChangeKind: Int, Sendable {
    case inserted, updated, deleted
    /// Objects whose values are to be read again; some of them are updated ones, too.
    case refreshed
}

/// What brought changes about.
public enum _ChangeOrigin: Sendable {
    case local, undo, merge
}

/// Hears of each processing of pending changes in a context, objects sorted by entity. The typed layer's observers conform.
public protocol _BucketObserver: AnyObject {
    /// Called on the context's queue, after `NSManagedObjectContextObjectsDidChange` was posted.
    func _objectsDidChange(_ buckets: _ChangeBuckets)
}

/// The objects of one processing of pending changes, by kind and entity: sorted once, however many observers there are.
public final class _ChangeBuckets {
    private let layout: ModelLayout
    /// What brought the changes about.
    public let origin: _ChangeOrigin
    /// By kind, then by entity index.
    private var buckets: [[[NSManagedObject]]]
    /// Room for what the typed layer makes of the objects for one class, so that all observers of the class share it.
    public var typedViews: [ObjectIdentifier: AnyObject] = [:]

    init(
        _ layout: ModelLayout, inserted: some Sequence<NSManagedObject>, updated: some Sequence<NSManagedObject>,
        deleted: some Sequence<NSManagedObject>, refreshed: some Sequence<NSManagedObject>, origin: _ChangeOrigin
    ) {
        self.layout = layout
        self.origin = origin
        let count = layout.entities.count
        buckets = [
            Self.sort(inserted, count), Self.sort(updated, count), Self.sort(deleted, count), Self.sort(refreshed, count),
        ]
    }

    private static func sort(_ objects: some Sequence<NSManagedObject>, _ count: Int) -> [[NSManagedObject]] {
        var result = [[NSManagedObject]](repeating: [], count: count)
        for object in objects { result[object.layout.index].append(object) }
        return result
    }

    /// The changed objects of an entity and of all its descendants.
    public func objects(_ kind: _ChangeKind, for entity: NSEntityDescription) -> [NSManagedObject] {
        guard let index = layout.indexByName[entity.name ?? ""] else { return [] }
        let bucket = buckets[kind.rawValue]
        let filled = layout.family(of: index).filter { !bucket[$0].isEmpty }
        return filled.count == 1 ? bucket[filled[0]] : filled.flatMap { bucket[$0] }
    }
}

extension NSManagedObjectContext {
    /// Adds an observer, which is held until it is removed. Callable on every thread.
    public final func _addObserver(_ observer: any _BucketObserver) { observers.add(observer) }

    /// Removes an observer. Callable on every thread.
    public final func _removeObserver(_ observer: any _BucketObserver) { observers.remove(observer) }
}
