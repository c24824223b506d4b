import DataModel
import Foundation
import Storage

/// What a context holds of a live query: it does not keep the query.
final class ResultsRelay: _BucketObserver {
    private weak var tracker: ResultsTracker?

    init(_ tracker: ResultsTracker) { self.tracker = tracker }

    static func all(of context: NSManagedObjectContext) -> [ResultsRelay] {
        context.observers.all.compactMap { $0 as? ResultsRelay }
    }

    func watches(_ layout: EntityLayout) -> Bool { tracker?.watches(layout) ?? false }

    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? { tracker?.watchedEntities ?? [] }

    func _objectsDidChange(_ buckets: _ChangeBuckets) { tracker?.take(buckets) }

    func contextWasReset() { tracker?.contextWasReset() }
}
