import DataModel
import Foundation
import ObjectGraph
import Storage

/// Stands for a live query among the observers of a context. It does not retain the query.
final class ResultsRelay: _BucketObserver {
    private weak var tracker: ResultsTracker?

    init(_ tracker: ResultsTracker) { self.tracker = tracker }

    func _watches(entity: Int, in context: NSManagedObjectContext) -> Bool { tracker?.watches(entity) ?? false }

    func _watchedEntities(in context: NSManagedObjectContext) -> [Int]? { tracker?.watchedEntities ?? [] }

    func _objectsDidChange(_ buckets: _ChangeBuckets) { tracker?.take(buckets) }

    func _contextWasReset() -> Bool {
        tracker?.contextWasReset()
        return true
    }
}
