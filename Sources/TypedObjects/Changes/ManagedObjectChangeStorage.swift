import DataModel
import ObjectGraph
import Synchronization

/// The objects of one class in one round of changes. The observers of the class share one storage with all objects. An observer
/// with a condition has a storage of its own.
// @unchecked Sendable: variables are used only after a check that the thread is on the context's queue, and `idLists` has a lock.
// Objects are handed out only there, or after their context is gone, when they have no state that can change. Objects may be
// released on every thread.
final class ManagedObjectChangeStorage<Object: NSManagedObject>: _ChangeView, @unchecked Sendable {
    typealias Kind = ManagedObjectChangeKind
    typealias Lists = [[Object]]

    let origin: ManagedObjectChangeOrigin
    let author: String?
    /// The errors that conditions threw.
    let errors: [any Error]
    /// Indexed by kind, and made when first used.
    private var lists: [[Object]?]
    private let counts: [Int]
    /// Makes the list of a kind while the round is told.
    private var make: ((Kind) -> [Object])?
    /// Indexed by kind, and made when first used.
    private var sets = [Set<Object>?](repeating: nil, count: Kind.allCases.count)
    private var positions = [[ObjectIdentifier: Int]?](repeating: nil, count: Kind.allCases.count)
    private let idLists = Mutex<[[ManagedObjectID<Object>]]?>(nil)
    private let past: RoundPast
    /// Changes that wait for a reader don't retain the context.
    private let reference: ContextReference

    static var noObjects: Lists { Lists(repeating: [], count: Kind.allCases.count) }

    /// The shared storage of a round. The first observer of the class makes it.
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

    /// Makes a storage of the changes that fulfil a condition.
    convenience init(of buckets: _ChangeBuckets, _ lists: Lists, errors: [any Error], in context: NSManagedObjectContext) {
        self.init(buckets, in: context, errors, lists: lists, make: nil) { lists[$0.rawValue].count }
        buckets.views[ObjectIdentifier(self)] = self
    }

    /// - Parameter count: The number of objects of a kind. It is nil if the list must be made to know it.
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

    /// The position of an object in the list of a kind.
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
        let set = Set(sparse: list(kind))
        sets[kind.rawValue] = set
        return set
    }

    /// References to the objects. The first call must be on the context's queue. Later calls may be on any thread.
    func ids(_ kind: Kind) -> [ManagedObjectID<Object>] {
        if let known = idLists.withLock({ $0 }) { return known[kind.rawValue] }
        checkQueue()
        let made = Kind.allCases.map { list($0).map(ManagedObjectID.init) }
        idLists.withLock { $0 = made }
        return made[kind.rawValue]
    }

    // MARK: The past

    func objectBefore(_ object: Object) -> Object? { checkQueue() ? past.objectBefore(object) as? Object : nil }

    /// The object as it was after the round. It is nil if the context is gone.
    func objectAfter(_ object: Object) -> Object? { checkQueue() ? past.objectAfter(object) as? Object : nil }

    func changedKeys(of object: Object) -> Set<String> {
        guard checkQueue() else { return [] }
        return past.changedKeys(of: object) ?? Set(object.entity.propertiesByName.keys)
    }

    /// Stops the program if the thread is not on the context's queue.
    /// - Returns: Whether the context still exists.
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
