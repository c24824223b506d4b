import Foundation

/// What a context knows of readings that failed. Confined to the context's queue.
final class ReadingState {
    /// What was to be read.
    struct Place: Hashable {
        let object: NSManagedObjectID
        let property: String?
    }

    var policy: NSManagedObjectContext.ReadingFailurePolicy?
    var handler: ((ReadingFailure) -> Void)?
    /// Why the delete rules of an object could not be applied when changes were last processed.
    var failureOfDeleteRules: ReadingFailure?
    private var remembered: [Place: (number: Int, failure: ReadingFailure)] = [:]
    private var nextNumber = 0
    private var isTelling = false
    /// Failures that whoever reads now wants to have, the inner readers last, and how to have each tried again.
    private var collections: [[(failure: ReadingFailure, retry: () -> Void)]] = []

    var isEmpty: Bool { remembered.isEmpty }

    /// The failures that are remembered, the oldest first.
    var failures: [ReadingFailure] { remembered.values.sorted { $0.number < $1.number }.map(\.failure) }

    func remember(_ failure: ReadingFailure) {
        let place = Place(object: failure.objectID, property: failure.propertyName)
        remembered[place] = (remembered[place]?.number ?? nextNumber, failure)
        nextNumber += 1
        // Who reads in the handler what can't be read is not told once more.
        guard let handler, !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        handler(failure)
    }

    func failure(of object: NSManagedObject, _ property: String? = nil) -> ReadingFailure? {
        remembered.isEmpty ? nil : remembered[Place(object: object.objectID, property: property)]?.failure
    }

    /// Notes that something was read.
    func forget(_ object: NSManagedObject, _ property: String? = nil) {
        if !remembered.isEmpty { remembered[Place(object: object.objectID, property: property)] = nil }
    }

    func removeAll() {
        remembered.removeAll()
        failureOfDeleteRules = nil
    }

    // MARK: Collecting

    var isCollecting: Bool { !collections.isEmpty }

    /// - Parameter retry: makes the object read again when it is asked next.
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
