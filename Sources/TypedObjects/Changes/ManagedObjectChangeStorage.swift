import DataModel
import ObjectGraph
import Synchronization

/// The objects of one class in one round of changes: all of them, shared by the observers of the class, or those that fulfil one
/// observer's condition.
// @unchecked Sendable: what is not constant is touched only by what has just found itself on the context's queue, `idLists` under
// its lock. Objects are handed out there only, or when their context is gone and nothing can be done with them any more. Letting
// go of objects is allowed on every thread.
final class ManagedObjectChangeStorage<Object: NSManagedObject>: _ChangeView, @unchecked Sendable {
    typealias Kind = ManagedObjectChangeKind
    typealias Lists = [[Object]]

    let origin: ManagedObjectChangeOrigin
    let author: String?
    /// The errors of conditions.
    let errors: [any Error]
    /// By kind, made on first use.
    private var lists: [[Object]?]
    private let counts: [Int]
    /// Makes the list of a kind, while the round is being told of.
    private var make: ((Kind) -> [Object])?
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
        let entities = context.entityIndices(of: Object.self)
        let storage = ManagedObjectChangeStorage(buckets, in: context, [], lists: []) { kind in
            guard let kind = kind.inContext else { return [] }
            let found = buckets.objects(kind, ofEntities: entities)
            return found.castToArray(of: Object.self) ?? found.compactMap { $0 as? Object }
        } count: { kind in
            kind.inContext.map { buckets.count($0, ofEntities: entities) } ?? 0
        }
        buckets.views[key] = storage
        return storage
    }

    /// The part of a round that fulfils a condition.
    convenience init(of buckets: _ChangeBuckets, _ lists: Lists, errors: [any Error], in context: NSManagedObjectContext) {
        self.init(buckets, in: context, errors, lists: lists, make: nil) { lists[$0.rawValue].count }
        buckets.views[ObjectIdentifier(self)] = self
    }

    /// - Parameter count: nil where only the list tells.
    private init(
        _ buckets: _ChangeBuckets, in context: NSManagedObjectContext, _ errors: [any Error], lists: Lists,
        make: ((Kind) -> [Object])?, count: (Kind) -> Int?
    ) {
        self.errors = errors
        self.make = make
        var made = make == nil ? lists.map(Optional.some) : [[Object]?](repeating: nil, count: Kind.allCases.count)
        counts = Kind.allCases.map { kind in
            if let count = count(kind) { return count }
            let list = make?(kind) ?? []
            made[kind.rawValue] = list
            return list.count
        }
        self.lists = made
        origin = buckets.origin
        author = buckets.author
        past = buckets.past
        reference = context.reference
    }

    override func keep() {
        for kind in Kind.allCases { past.keep(list(kind).map { $0 as NSManagedObject }) }
        make = nil
    }

    private func list(_ kind: Kind) -> [Object] {
        if let list = lists[kind.rawValue] { return list }
        let made = counts[kind.rawValue] == 0 ? [] : make?(kind) ?? []
        lists[kind.rawValue] = made
        return made
    }

    // MARK: Objects

    func count(_ kind: Kind) -> Int { counts[kind.rawValue] }

    func objects(_ kind: Kind) -> [Object] {
        checkQueue()
        return list(kind)
    }

    /// Where an object is in the list of a kind.
    func position(of object: Object, _ kind: Kind) -> Int? {
        guard checkQueue(), count(kind) > 0 else { return nil }
        if positions[kind.rawValue] == nil {
            let pairs = list(kind).enumerated().map { (ObjectIdentifier($1), $0) }
            positions[kind.rawValue] = Dictionary(pairs) { first, _ in first }
        }
        return positions[kind.rawValue]?[ObjectIdentifier(object)]
    }

    func set(_ kind: Kind) -> Set<Object> {
        guard checkQueue() else { return Set(list(kind)) }
        if let set = sets[kind.rawValue] { return set }
        let set = Set(list(kind))
        sets[kind.rawValue] = set
        return set
    }

    /// The objects' references. They must have been asked for on the context's queue before another thread asks.
    func ids(_ kind: Kind) -> [ManagedObjectID<Object>] {
        if let known = idLists.withLock({ $0 }) { return known[kind.rawValue] }
        checkQueue()
        let made = Kind.allCases.map { list($0).map(ManagedObjectID.init) }
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
