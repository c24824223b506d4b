import Foundation
import ObjectGraph
import Synchronization

/// Observes a context, and hands the changes of one class in each round to a handler.
// @unchecked Sendable: all stored properties are constants. Only the filter and the handler are not Sendable, and only the
// context uses them, on its queue.
final class ChangeObserver<Object: NSManagedObject>: _BucketObserver, @unchecked Sendable {
    private let filter: ChangeFilter<Object>
    private let handler: (ManagedObjectChanges<Object>) -> Void
    private let onEnd: @Sendable () -> Void
    private let reference: ContextReference
    private let isForReaders: Bool
    let _hearsOfSaves: Bool
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - context: The observed context.
    ///   - condition: Which changes to hand over.
    ///   - handler: Is called with the changes, on the context's queue.
    ///   - onEnd: Is called on any thread when the observer is deallocated, after the last call of the handler.
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
        // The references are made here, so that readers on every thread have them.
        if isForReaders { _ = changes.ids }
        handler(changes)
    }
}
