/// The rounds and saves that a context is telling observers of, and what it has told them.
struct Telling {
    /// The rounds that observers are being told of, the inner ones last.
    private(set) var rounds: [RoundPast] = []
    /// Whether there are any. It is read at every change of an object.
    private(set) var isTelling = false
    /// The same rounds on their way to observers.
    private(set) var deliveries: [RoundDelivery] = []
    /// The saves that are done and that observers are being told of, the inner ones last.
    private(set) var saves: [SaveNotice] = []
    /// The new objects that observers have been told of.
    var insertions = ToldInsertions()
    /// Whether processing pending changes at the end of the turn is already arranged, or not needed.
    private(set) var isTurnNoted: Bool
    /// The pasts with images, which must be separated from the context when it ends.
    private var pastsWithImages: [WeakPast] = []

    private struct WeakPast {
        weak let past: RoundPast?
    }

    /// - Parameter awaitsTurns: Whether pending changes are processed at the end of a turn of the main queue.
    init(awaitsTurns: Bool) { isTurnNoted = !awaitsTurns }

    mutating func begin(_ past: RoundPast) {
        rounds.append(past)
        isTelling = true
    }

    mutating func end(_ past: RoundPast) {
        rounds.removeAll { $0 === past }
        isTelling = !rounds.isEmpty
    }

    mutating func begin(_ delivery: RoundDelivery) { deliveries.append(delivery) }

    mutating func end(_ delivery: RoundDelivery) { deliveries.removeAll { $0 === delivery } }

    mutating func begin(_ save: SaveNotice) { saves.append(save) }

    mutating func endSave() { saves.removeLast() }

    mutating func noteTurn() { isTurnNoted = true }

    mutating func forgetTurn() { isTurnNoted = false }

    /// Remembers a past that has images.
    mutating func noteImages(of past: RoundPast) {
        if pastsWithImages.count >= 16 { pastsWithImages.removeAll { $0.past == nil } }
        pastsWithImages.append(WeakPast(past: past))
    }

    /// Must be called when the context ends.
    func abandonImages() {
        for entry in pastsWithImages { entry.past?.abandonImages() }
    }
}
