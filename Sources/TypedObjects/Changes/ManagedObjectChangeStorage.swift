import DataModel
import ObjectGraph

/// The objects of one class in one round of changes, shared by all observers of the class and by what they pass on.
// @unchecked Sendable: the arrays are constant; `sets` is touched only by what has just found itself on the context's queue. Objects are handed
// out there only, or when their context is gone and nothing can be done with them any more. Letting go of objects is allowed on every thread.
final class ManagedObjectChangeStorage<Object: NSManagedObject>: @unchecked Sendable {
    let origin: ManagedObjectChanges<Object>.Origin
    /// By kind.
    private let lists: [[Object]]
    /// By kind, made on first use.
    private var sets: [Set<Object>?] = [nil, nil, nil]
    /// Weak, so that changes that wait for a reader don't keep the context.
    private weak let context: NSManagedObjectContext?

    /// The storage of a round: the first observer of a class makes it.
    static func shared(by buckets: _ChangeBuckets, in context: NSManagedObjectContext) -> ManagedObjectChangeStorage {
        let key = ObjectIdentifier(Object.self)
        if let storage = buckets.typedViews[key] as? ManagedObjectChangeStorage { return storage }
        let storage = ManagedObjectChangeStorage(buckets, in: context)
        buckets.typedViews[key] = storage
        return storage
    }

    private init(_ buckets: _ChangeBuckets, in context: NSManagedObjectContext) {
        let entities = context.topEntities(of: Object.self)
        lists = [_ChangeKind.inserted, .updated, .deleted].map { Self.objects($0, of: entities, in: buckets) }
        origin =
            switch buckets.origin {
            case .local: .local
            case .undo: .undo
            case .merge: .merge
            }
        self.context = context
    }

    private static func objects(
        _ kind: _ChangeKind, of entities: [NSEntityDescription], in buckets: _ChangeBuckets
    ) -> [Object] {
        var result: [Object] = []
        for entity in entities {
            let found = buckets.objects(kind, for: entity)
            // Objects of another class come up where a subentity has no class of its own below `Object`.
            let typed = found.castToArray(of: Object.self) ?? found.compactMap { $0 as? Object }
            if result.isEmpty { result = typed } else { result += typed }
        }
        return result
    }

    func count(_ kind: _ChangeKind) -> Int { lists[kind.rawValue].count }

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
