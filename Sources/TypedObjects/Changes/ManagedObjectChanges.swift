import Foundation
public import ObjectGraph

/// What changed among the objects of one class, in one round of a context's change processing or in one save.
///
/// Objects of subclasses count as objects of the class. An object is in at most one of `inserted`, `entered`, `updated`, `left`
/// and `deleted`: a new object is not also updated. Kinds of changes that were not asked for are empty.
///
/// ```swift
/// for movie in changes.inserted { print("new:", movie.title) }
/// for change in changes where change.hasChanged(\.title) { print(change.old(\.title) ?? "", "→", change.object.title) }
/// ```
///
/// The value may be passed to any thread or task. Take its objects out on the context's queue only: on the main thread for a
/// main-queue context, inside `perform` for any other. Taking them out elsewhere stops the program. A value that is kept knows
/// what its objects were before and after the round, as long as the context lives.
public struct ManagedObjectChanges<Object: NSManagedObject>: Sendable {
    let storage: ManagedObjectChangeStorage<Object>
    private let kinds: Notification.ChangedType

    init(storage: ManagedObjectChangeStorage<Object>, kinds: Notification.ChangedType) {
        self.storage = storage
        self.kinds = kinds
    }

    /// What brought the changes about. May be read on every thread.
    public var origin: ManagedObjectChangeOrigin { storage.origin }

    /// The `transactionAuthor` of the context that made the changes, if it is known: of the context itself, of the child, or of
    /// the context whose save was merged. May be read on every thread.
    public var author: String? { storage.author }

    /// Objects that were inserted. With a predicate: those of them that match.
    public var inserted: Set<Object> { objectSet(.inserted) }
    /// Objects with changed properties: set ones, relationships that changed because the other side did, and objects that got
    /// other values by a merge or a refresh. With a predicate: those that matched before and still do.
    public var updated: Set<Object> { objectSet(.updated) }
    /// With a predicate, objects that match because of a change. Part of `.updated` for those who ask for kinds.
    public var entered: Set<Object> { objectSet(.entered) }
    /// With a predicate, objects that don't match any more because of a change. Part of `.updated` for those who ask for kinds.
    public var left: Set<Object> { objectSet(.left) }
    /// Objects that were deleted. With a predicate: those that matched at last, or whose values are not known.
    public var deleted: Set<Object> { objectSet(.deleted) }
    /// Objects whose values were read again, by a refresh, or by a merge that changed them; those with other values are also
    /// updated.
    public var refreshed: Set<Object> { objectSet(.refreshed) }
    /// Objects that the context gave up in `reset()`, which have no values any more, or whose store was removed from the
    /// coordinator, which keep those that are loaded.
    public var invalidated: Set<Object> { objectSet(.invalidated) }

    private func objectSet(_ kind: ManagedObjectChangeKind) -> Set<Object> { kinds.includes(kind) ? storage.set(kind) : [] }

    /// The objects of a kind by entity, in the order in which it happened to them; costs less than a set.
    public func objects(_ kind: ManagedObjectChangeKind) -> [Object] { kinds.includes(kind) ? storage.objects(kind) : [] }

    /// How many objects of a kind there are. May be read on every thread.
    public func count(_ kind: ManagedObjectChangeKind) -> Int { kinds.includes(kind) ? storage.count(kind) : 0 }

    /// The numbers of inserted, updated and deleted objects. May be read on every thread.
    public var counts: (inserted: Int, updated: Int, deleted: Int) { (count(.inserted), count(.updated), count(.deleted)) }

    /// Whether there is nothing. May be read on every thread.
    public var isEmpty: Bool { errors.isEmpty && ManagedObjectChangeKind.allCases.allSatisfy { count($0) == 0 } }

    /// What the observer's predicate threw. Objects for which it did are in none of the sets. May be read on every thread.
    public var errors: [any Error] { storage.errors }

    /// The changes as references that every thread may use. Ask for them on the context's queue; for elements of a sequence that
    /// is done already.
    public var ids: ManagedObjectChangeIDs<Object> {
        ManagedObjectChangeIDs(origin: origin, author: author) { kinds.includes($0) ? Set(storage.ids($0)) : [] }
    }

    // MARK: One object

    /// What happened to an object; nil if nothing did.
    public subscript(object: Object) -> ManagedObjectChange<Object>? {
        for kind in ManagedObjectChangeKind.allCases where kinds.includes(kind) {
            guard let position = storage.position(of: object, kind) else { continue }
            return ManagedObjectChange(storage: storage, kind: kind, position: position)
        }
        return nil
    }

    /// The names in the model of the properties of an object that are others than before; empty if nothing happened to it. See
    /// ``ManagedObjectChange/changedKeys``.
    public func changedKeys(of object: Object) -> Set<String> { self[object]?.changedKeys ?? [] }
}

extension ManagedObjectChanges: Sequence {
    /// Goes through the changes by kind: invalidated, deleted, left, inserted, entered, updated and refreshed objects, so that
    /// what is new may have the key of what is gone. One that came as updated does not come again as refreshed.
    public struct Iterator: IteratorProtocol {
        private let storage: ManagedObjectChangeStorage<Object>
        private let kinds: [ManagedObjectChangeKind]
        private var rest: ArraySlice<ManagedObjectChangeKind>
        private var position = 0

        init(_ storage: ManagedObjectChangeStorage<Object>, _ kinds: [ManagedObjectChangeKind]) {
            self.storage = storage
            self.kinds = kinds
            rest = kinds[...]
        }

        private func hasCome(_ object: Object) -> Bool {
            [.entered, .updated, .left].contains { kinds.contains($0) && storage.position(of: object, $0) != nil }
        }

        /// The next change.
        public mutating func next() -> ManagedObjectChange<Object>? {
            while let kind = rest.first {
                guard position < storage.count(kind) else {
                    rest.removeFirst()
                    position = 0
                    continue
                }
                let change = ManagedObjectChange(storage: storage, kind: kind, position: position)
                position += 1
                if kind == .refreshed, hasCome(change.object) { continue }
                return change
            }
            return nil
        }
    }

    /// Goes through the changes. Its objects are for the context's queue.
    public func makeIterator() -> Iterator { Iterator(storage, ManagedObjectChangeKind.allCases.filter(kinds.includes)) }
}
