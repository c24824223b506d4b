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
        let changes = ManagedObjectChanges<Object>(storage: .shared(by: buckets, in: context), kinds: kinds)
        guard changes.counts != (0, 0, 0) else { return }
        handler(changes)
    }
}
