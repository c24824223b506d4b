import DataModel
import Foundation
import ObjectGraph

/// Takes the objects of one class out of each round of a context's changes.
// @unchecked Sendable: everything stored is constant, and the handler, which alone is not Sendable, is called by the context only, on its queue.
final class ChangeObserver<Object: NSManagedObject>: _BucketObserver, @unchecked Sendable {
    private let kinds: Notification.ChangedType
    private let handler: (ManagedObjectChanges<Object>) -> Void
    private let onEnd: @Sendable () -> Void
    private weak let context: NSManagedObjectContext?

    /// - Parameters:
    ///   - kinds: which kinds of changes to take.
    ///   - onEnd: called when nobody can call the handler any more, on any thread.
    init(
        context: NSManagedObjectContext, kinds: Notification.ChangedType,
        handler: @escaping (ManagedObjectChanges<Object>) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.context = context
        self.kinds = kinds
        self.handler = handler
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func _objectsDidChange(_ buckets: _ChangeBuckets) {
        guard let context else { return }
        let entities = context.topEntities(of: Object.self)
        let changes = ManagedObjectChanges(
            inserted: objects(.inserted, kinds.contains(.inserted), entities, buckets),
            updated: objects(.updated, kinds.contains(.updated), entities, buckets),
            deleted: objects(.deleted, kinds.contains(.deleted), entities, buckets), in: context)
        guard changes.counts != (0, 0, 0) else { return }
        handler(changes)
    }

    private func objects(
        _ kind: _ChangeKind, _ isWanted: Bool, _ entities: [NSEntityDescription], _ buckets: _ChangeBuckets
    ) -> [Object] {
        guard isWanted else { return [] }
        var result: [Object] = []
        for entity in entities {
            let found = buckets.objects(kind, for: entity)
            // Objects of another class come up where a subentity has no class of its own below `Object`.
            let typed = found.castToArray(of: Object.self) ?? found.compactMap { $0 as? Object }
            if result.isEmpty { result = typed } else { result += typed }
        }
        return result
    }
}
