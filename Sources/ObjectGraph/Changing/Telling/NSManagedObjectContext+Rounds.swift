import DataModel
import Foundation
import Storage

/// Rounds of changes while observers are told of them, and what outlives them.
extension NSManagedObjectContext {
    /// Tells observers of a round. Changes that the body and the observers make meanwhile don't change the round's
    /// past.
    final func whileTelling(of past: RoundPast, _ body: () -> Void) {
        telling.begin(past)
        body()
        telling.end(past)
    }

    /// Has the rounds that are being told write down what the context is about to forget.
    final func settleRounds() {
        guard telling.isTelling else { return }
        for past in telling.rounds { past.settle() }
    }

    final func settleRounds(for object: NSManagedObject) {
        for past in telling.rounds { past.settle(object) }
    }

    // MARK: Loading together

    /// Loads the members of relationships that have not been read yet, with one query for each relationship. If that
    /// fails, each object loads them by itself.
    final func loadMembersTogether(_ owners: [Int: [NSManagedObject]]) {
        for (id, objects) in owners where objects.count > 1 {
            guard let first = objects.first, let relationship = first.layout.relationship(id: id) else { continue }
            let prefetching = try? Prefetching([relationship.name], from: first.layout, runtime.layout)
            try? prefetching?.run(objects, in: self)
        }
    }
}
