import Foundation

/// A context's failures of reading. Confined to the context's queue.
final class ReadingState {
    struct Placeholder: Hashable {
        let owner: ObjectIdentifier
        let slot: Int
    }

    private struct Entry {
        let number: Int
        let failure: ReadingFailure
        /// Whether the failure comes from the object's row. Otherwise it comes from reading a relationship or a fetched
        /// property.
        let isOfRow: Bool
    }

    var policy: NSManagedObjectContext.ReadingFailurePolicy?
    var handler: ((ReadingFailure) -> Void)?
    /// The failure because of which an object's delete rules could not be applied when changes were last processed.
    var failureOfDeleteRules: ReadingFailure?
    // Unchecked exclusivity: confined to the queue, and no other code is called while these are changed.
    @exclusivity(unchecked) private var remembered: [NSManagedObjectID: [Entry]] = [:]
    /// The objects that stand for the destinations of required relationships of objects that could not be read.
    var placeholders: [Placeholder: NSManagedObject] = [:]
    private var nextNumber = 0
    private var isTelling = false
    /// The failures of each reader that collects them, the inner readers last, and functions that have each tried
    /// again.
    @exclusivity(unchecked) private var collections: [[(failure: ReadingFailure, retry: () -> Void)]] = []

    var isEmpty: Bool { remembered.isEmpty }

    /// The failures that are remembered, the oldest first.
    var failures: [ReadingFailure] { remembered.values.joined().sorted { $0.number < $1.number }.map(\.failure) }

    func remember(_ failure: ReadingFailure) {
        var entries = remembered[failure.objectID] ?? []
        let known = entries.firstIndex { $0.failure.propertyName == failure.propertyName }
        let entry = Entry(number: known.map { entries[$0].number } ?? nextNumber, failure: failure, isOfRow: failure.isOfRow)
        if let known { entries[known] = entry } else { entries.append(entry) }
        remembered[failure.objectID] = entries
        nextNumber += 1
        // The handler is not called again for failures of its own reading.
        guard let handler, !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        handler(failure)
    }

    func failure(of object: NSManagedObject) -> ReadingFailure? {
        remembered.isEmpty ? nil : remembered[object.objectID]?.first?.failure
    }

    /// Notes that an object's row was read.
    func forget(_ object: NSManagedObject) {
        if !remembered.isEmpty { forget(object.objectID) { $0.isOfRow } }
    }

    /// Notes that a relationship or a fetched property was read.
    func forget(_ object: NSManagedObject, _ property: String) {
        if !remembered.isEmpty { forget(object.objectID) { !$0.isOfRow && $0.failure.propertyName == property } }
    }

    private func forget(_ id: NSManagedObjectID, where isMeant: (Entry) -> Bool) {
        guard let rest = remembered[id]?.filter({ !isMeant($0) }) else { return }
        remembered[id] = rest.isEmpty ? nil : rest
    }

    func removeAll() {
        remembered.removeAll()
        failureOfDeleteRules = nil
        placeholders.removeAll()
    }

    // MARK: Collecting

    var isCollecting: Bool { !collections.isEmpty }

    /// - Parameter retry: makes the object read again at its next access.
    func collect(_ failure: ReadingFailure, retry: @escaping () -> Void) {
        collections[collections.count - 1].append((failure, retry))
    }

    func beginCollecting() { collections.append([]) }

    func endCollecting() -> [ReadingFailure] {
        let collected = collections.removeLast()
        for (_, retry) in collected { retry() }
        return collected.map(\.failure)
    }
}
