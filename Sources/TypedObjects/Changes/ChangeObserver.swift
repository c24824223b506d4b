import Foundation
import ObjectGraph
import Synchronization

/// Takes the objects of one class out of each round of a context's changes.
// @unchecked Sendable: everything stored is constant. The filter and the handler, which alone are not Sendable, are used by the
// context only, on its queue.
final class ChangeObserver<Object: NSManagedObject>: _BucketObserver, @unchecked Sendable {
    private let filter: ChangeFilter<Object>
    private let handler: (ManagedObjectChanges<Object>) -> Void
    private let onEnd: @Sendable () -> Void
    private let reference: ContextReference
    private let isForReaders: Bool
    let _hearsOfSaves: Bool
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - condition: Which changes to take.
    ///   - End: Called when the handler can't be called any more, on any thread.
    init(
        _ context: NSManagedObjectContext, _ condition: ChangeCondition<Object>,
        handler: @escaping (ManagedObjectChanges<Object>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
        reference = context.reference
        filter = ChangeFilter(condition, in: context)
        isForReaders = condition.isForReaders
        _hearsOfSaves = condition.isOfSaves
        self.handler = handler
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    var _isCancelled: Bool { isCancelled.load(ordering: .relaxed) }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? {
        filter.watchesOtherClasses ? nil : context.entityIndices(of: Object.self)
    }

    func _objectsDidChange(_ buckets: _ChangeBuckets) {
        guard let context = reference.context else { return }
        let all = ManagedObjectChangeStorage<Object>.shared(by: buckets, in: context)
        guard let storage = filter.isEmpty ? all : filter.filter(all, of: buckets, in: context) else { return }
        let changes = ManagedObjectChanges<Object>(storage: storage, kinds: filter.kinds)
        guard !changes.isEmpty else { return }
        // Asked for here, the references are known to every reader.
        if isForReaders { _ = changes.ids }
        handler(changes)
    }
}
