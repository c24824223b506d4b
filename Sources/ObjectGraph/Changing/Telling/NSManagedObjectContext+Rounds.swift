import DataModel
import Foundation

/// Rounds of changes while observers are told of them, and what outlives them.
extension NSManagedObjectContext {
    /// Tells observers of a round. Changes that the body and the observers make meanwhile don't change the round's
    /// past.
    final func telling(_ past: RoundPast, _ body: () -> Void) {
        roundsBeingTold.append(past)
        isTelling = true
        body()
        roundsBeingTold.removeAll { $0 === past }
        isTelling = !roundsBeingTold.isEmpty
    }

    /// Has the rounds that are being told write down what the context is about to forget.
    final func settleRounds() {
        guard isTelling else { return }
        for past in roundsBeingTold { past.settle() }
    }

    final func settleRounds(for object: NSManagedObject) {
        for past in roundsBeingTold { past.settle(object) }
    }

    /// Remembers a past that has images, to cut them off when the context ends.
    final func noteImages(of past: RoundPast) {
        if pastsWithImages.count >= 16 { pastsWithImages.removeAll { $0.past == nil } }
        pastsWithImages.append(WeakPast(past: past))
    }

    struct WeakPast {
        weak let past: RoundPast?
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
