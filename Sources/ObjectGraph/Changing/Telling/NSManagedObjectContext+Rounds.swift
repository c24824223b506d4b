import DataModel
import Foundation

/// Rounds of changes while they are being told of, and what outlives them.
extension NSManagedObjectContext {
    /// Tells of a round: what the body and those whom it calls do meanwhile does not change what the round's past is.
    final func telling(_ past: RoundPast, _ body: () -> Void) {
        roundsBeingTold.append(past)
        isTelling = true
        body()
        roundsBeingTold.removeAll { $0 === past }
        isTelling = !roundsBeingTold.isEmpty
    }

    /// Has the rounds being told of write down what the context is about to forget.
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

    /// Loads the members of relationships that nobody has read yet, with one look into the store for each relationship. Where that fails each object does it by itself.
    final func loadMembersTogether(_ owners: [Int: [NSManagedObject]]) {
        for (id, objects) in owners where objects.count > 1 {
            guard let first = objects.first, let relationship = first.layout.relationship(id: id) else { continue }
            let prefetching = try? Prefetching([relationship.name], from: first.layout, runtime.layout)
            try? prefetching?.run(objects, in: self)
        }
    }
}
