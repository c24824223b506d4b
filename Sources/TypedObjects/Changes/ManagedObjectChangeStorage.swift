import ObjectGraph

/// The objects of a `ManagedObjectChanges` value, shared by its copies.
// @unchecked Sendable: the arrays are constant; `sets` is touched only by what has just found itself on the context's queue. Objects are handed
// out there only, or when their context is gone and nothing can be done with them any more. Letting go of objects is allowed on every thread.
final class ManagedObjectChangeStorage<Object: NSManagedObject>: @unchecked Sendable {
    /// By kind.
    private let lists: [[Object]]
    /// By kind, made on first use.
    private var sets: [Set<Object>?] = [nil, nil, nil]
    /// Weak, so that changes that wait for a reader don't keep the context.
    private weak let context: NSManagedObjectContext?

    init(_ lists: [[Object]], in context: NSManagedObjectContext) {
        self.lists = lists
        self.context = context
    }

    var counts: (inserted: Int, updated: Int, deleted: Int) {
        (count(.inserted), count(.updated), count(.deleted))
    }

    private func count(_ kind: _ChangeKind) -> Int { lists[kind.rawValue].count }

    func objects(_ kind: _ChangeKind) -> [Object] {
        checkQueue()
        return lists[kind.rawValue]
    }

    func set(_ kind: _ChangeKind) -> Set<Object> {
        guard checkQueue() else { return Set(lists[kind.rawValue]) }
        if let set = sets[kind.rawValue] { return set }
        let set = Set(lists[kind.rawValue])
        sets[kind.rawValue] = set
        return set
    }

    /// Stops the program on a foreign thread.
    /// - Returns: whether there still is a context.
    @discardableResult
    private func checkQueue() -> Bool {
        guard let context else { return false }
        guard context.isOnQueue else {
            fatalError(
                "The objects of ManagedObjectChanges<\(Object.self)> belong to the queue of \(context.name ?? "their context"): "
                    + "use them there, for one inside context.perform { }")
        }
        return true
    }
}
