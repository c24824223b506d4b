import Foundation
import ObjectGraph
import Synchronization

/// Takes the objects of one class out of each round of a context's changes.
// @unchecked Sendable: everything stored is constant, and the condition and the handler, which alone are not Sendable, are used by the context only, on its queue.
final class ChangeObserver<Object: NSManagedObject>: _BucketObserver, @unchecked Sendable {
    private let kinds: Notification.ChangedType
    private let condition: ChangeCondition<Object>
    private let handler: (ManagedObjectChanges<Object>) -> Void
    private let onEnd: @Sendable () -> Void
    private let reference: ContextReference
    let _hearsOfSaves: Bool
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - kinds: which kinds of changes to take.
    ///   - onEnd: called when nobody can call the handler any more, on any thread.
    init(
        context: NSManagedObjectContext, kinds: Notification.ChangedType, when moment: ChangeMoment,
        _ condition: ChangeCondition<Object>,
        handler: @escaping (ManagedObjectChanges<Object>) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        reference = context.reference
        self.kinds = kinds
        self.condition = condition
        self.handler = handler
        self.onEnd = onEnd
        _hearsOfSaves = moment == .saved
        context.requireEntity(of: Object.self)
    }

    deinit { onEnd() }

    var _isCancelled: Bool { isCancelled.load(ordering: .relaxed) }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? {
        // A path leads to objects of other classes.
        condition.paths?.hasSeveralSteps == true ? nil : context.entityIndices(of: Object.self)
    }

    func _objectsDidChange(_ buckets: _ChangeBuckets) {
        guard let context = reference.context else { return }
        let all = ManagedObjectChangeStorage<Object>.shared(by: buckets, in: context)
        guard let storage = condition.isEmpty ? all : condition.filter(all, of: buckets, kinds, in: context) else { return }
        let changes = ManagedObjectChanges<Object>(storage: storage, kinds: kinds)
        if !changes.isEmpty { handler(changes) }
    }
}
