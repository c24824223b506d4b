/// One round on its way to its observers.
///
/// An observer may make changes and so start the next round. The others are told of this round first, so that each is
/// told of all rounds in their order.
final class RoundDelivery {
    private let observers: [any _BucketObserver]
    private let buckets: _ChangeBuckets
    private var next = 0

    init(_ observers: [any _BucketObserver], _ buckets: _ChangeBuckets) {
        self.observers = observers
        self.buckets = buckets
    }

    /// Tells all observers that have not been told yet.
    func run(on queue: ContextQueue) {
        guard next < observers.count else { return }
        queue.owning {
            while next < observers.count {
                let observer = observers[next]
                next += 1
                if !observer._isCancelled { observer._objectsDidChange(buckets) }
            }
        }
    }
}

extension NSManagedObjectContext {
    /// Tells observers of a round, after `first`.
    final func tell(
        _ observers: [any _BucketObserver], _ objects: _ChangeBuckets.Objects, _ source: RoundSource, _ past: RoundPast,
        after first: () -> Void = {}
    ) {
        guard !objects.isEmpty else { return first() }
        let buckets = _ChangeBuckets(objects, in: self, source, past: past)
        let delivery = RoundDelivery(observers, buckets)
        telling.begin(delivery)
        first()
        delivery.run(on: queue)
        telling.end(delivery)
        buckets.end()
    }

    /// Tells all remaining observers of the rounds under way, before the context goes on.
    final func finishTelling() {
        guard !telling.deliveries.isEmpty else { return }
        for delivery in telling.deliveries { delivery.run(on: queue) }
    }
}
