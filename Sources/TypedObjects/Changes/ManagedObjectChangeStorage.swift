import DataModel
import ObjectGraph
import Synchronization

/// The objects of one class in one round of changes, shared by all observers of the class and by what they pass on; or those that one observer's condition leaves.
// @unchecked Sendable: the arrays are constant; `past`, `sets` and `positions` are touched only by what has just found itself on the context's queue, `idLists` under its lock.
// Objects are handed out there only, or when their context is gone and nothing can be done with them any more. Letting go of objects is allowed on every thread.
final class ManagedObjectChangeStorage<Object: NSManagedObject>: ChangeView, @unchecked Sendable {
    typealias Kind = ManagedObjectChangeKind
    typealias Lists = [[Object]]

    let origin: ManagedObjectChanges<Object>.Origin
    let author: String?
    /// What conditions threw.
    let errors: [any Error]
    /// By kind.
    private let lists: Lists
    /// By kind, made on first use.
    private var sets = [Set<Object>?](repeating: nil, count: Kind.allCases.count)
    private var positions = [[ObjectIdentifier: Int]?](repeating: nil, count: Kind.allCases.count)
    private let idLists = Mutex<[[ManagedObjectID<Object>]]?>(nil)
    private let past: RoundPast
    /// Changes that wait for a reader don't keep the context.
    private let reference: ContextReference

    static var noObjects: Lists { Lists(repeating: [], count: Kind.allCases.count) }

    /// The storage of a round: the first observer of a class makes it.
    static func shared(by buckets: _ChangeBuckets, in context: NSManagedObjectContext) -> ManagedObjectChangeStorage {
        let key = ObjectIdentifier(Object.self)
        if let storage = buckets.views[key] as? ManagedObjectChangeStorage { return storage }
        let entities = context.topEntities(of: Object.self)
        var lists = noObjects
        for (kind, ofContext) in zip(
            [Kind.inserted, .updated, .deleted, .refreshed, .invalidated],
            [_ChangeKind.inserted, .updated, .deleted, .refreshed, .invalidated])
        {
            lists[kind.rawValue] = objects(ofContext, of: entities, in: buckets)
        }
        let storage = ManagedObjectChangeStorage(lists, [], buckets, in: context)
        buckets.views[key] = storage
        return storage
    }

    /// What a condition leaves of a round.
    convenience init(of buckets: _ChangeBuckets, _ lists: Lists, errors: [any Error], in context: NSManagedObjectContext) {
        self.init(lists, errors, buckets, in: context)
        buckets.views[ObjectIdentifier(self)] = self
    }

    private init(_ lists: Lists, _ errors: [any Error], _ buckets: _ChangeBuckets, in context: NSManagedObjectContext) {
        self.lists = lists
        self.errors = errors
        origin =
            switch buckets.origin {
            case .local: .local
            case .undo: .undo
            case .childSave: .childSave
            case .merge: .merge
            }
        author = buckets.author
        past = buckets.past
        reference = context.reference
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

    override func keep() { past.keep(lists.joined().map { $0 as NSManagedObject }) }

    // MARK: Objects

    func count(_ kind: Kind) -> Int { lists[kind.rawValue].count }

    func objects(_ kind: Kind) -> [Object] {
        checkQueue()
        return lists[kind.rawValue]
    }

    /// Where an object is in the list of a kind.
    func position(of object: Object, _ kind: Kind) -> Int? {
        guard checkQueue(), !lists[kind.rawValue].isEmpty else { return nil }
        if positions[kind.rawValue] == nil {
            let pairs = lists[kind.rawValue].enumerated().map { (ObjectIdentifier($1), $0) }
            positions[kind.rawValue] = Dictionary(pairs) { first, _ in first }
        }
        return positions[kind.rawValue]?[ObjectIdentifier(object)]
    }

    func set(_ kind: Kind) -> Set<Object> {
        guard checkQueue() else { return Set(lists[kind.rawValue]) }
        if let set = sets[kind.rawValue] { return set }
        let set = Set(lists[kind.rawValue])
        sets[kind.rawValue] = set
        return set
    }

    /// The objects' references. On a foreign thread they must have been asked for before.
    func ids(_ kind: Kind) -> [ManagedObjectID<Object>] {
        if let known = idLists.withLock({ $0 }) { return known[kind.rawValue] }
        checkQueue()
        let made = lists.map { $0.map(ManagedObjectID.init) }
        idLists.withLock { $0 = made }
        return made[kind.rawValue]
    }

    // MARK: The past

    func objectBefore(_ object: Object) -> Object? { checkQueue() ? past.objectBefore(object) as? Object : nil }

    /// Nil without a context.
    func objectAfter(_ object: Object) -> Object? { checkQueue() ? past.objectAfter(object) as? Object : nil }

    func changedKeys(of object: Object) -> Set<String> {
        guard checkQueue() else { return [] }
        return past.changedKeys(of: object) ?? Set(object.entity.propertiesByName.keys)
    }

    /// Stops the program on a foreign thread.
    /// - Returns: whether there still is a context.
    @discardableResult
    private func checkQueue() -> Bool {
        guard let context = reference.context else { return false }
        guard context.isOnQueue else {
            fatalError(
                "The objects of ManagedObjectChanges<\(Object.self)> belong to the queue of \(context.name ?? "their context"): "
                    + "use them there, for one inside context.perform { }")
        }
        return true
    }
}
