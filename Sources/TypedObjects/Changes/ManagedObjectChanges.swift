import Foundation
public import ObjectGraph

/// The changes to objects of one class in one round of a context's changes, or in one save.
///
/// Objects of subclasses count as objects of the class. An object is in at most one of `inserted`, `entered`, `updated`, `left`
/// and `deleted`: a new object is not also updated. The sets of kinds that were not asked for are empty.
///
/// ```swift
/// for movie in changes.inserted { print("new:", movie.title) }
/// for change in changes where change.hasChanged(\.title) { print(change.old(\.title) ?? "", "→", change.object.title) }
/// ```
///
/// The value may be passed to any thread or task. Read its objects on the context's queue only: on the main thread for a
/// main-queue context, and inside `perform` for any other context. Reading them elsewhere stops the program. As long as the
/// context exists, the value can tell the state of its objects before and after the round.
public struct ManagedObjectChanges<Object: NSManagedObject>: Sendable {
    let storage: ManagedObjectChangeStorage<Object>
    private let kinds: Notification.ChangedType

    init(storage: ManagedObjectChangeStorage<Object>, kinds: Notification.ChangedType) {
        self.storage = storage
        self.kinds = kinds
    }

    /// What caused the changes. May be read on every thread.
    public var origin: ManagedObjectChangeOrigin { storage.origin }

    /// The `transactionAuthor` of the context that made the changes, if it is known. This is the context itself, its child, or
    /// the context whose save was merged. May be read on every thread.
    public var author: String? { storage.author }

    /// Objects that were inserted. With a predicate, only those that match.
    public var inserted: Set<Object> { objectSet(.inserted) }
    /// Objects with changed properties. A property may have been set, may have changed because it is the inverse of a
    /// relationship, or may have got another value by a merge or a refresh. With a predicate, only objects that matched before
    /// and still match.
    public var updated: Set<Object> { objectSet(.updated) }
    /// Objects that match the observer's predicate because of a change. They belong to the kind `.updated` if kinds are asked
    /// for.
    public var entered: Set<Object> { objectSet(.entered) }
    /// Objects that no longer match the observer's predicate because of a change. They belong to the kind `.updated` if kinds are
    /// asked for.
    public var left: Set<Object> { objectSet(.left) }
    /// Objects that were deleted. With a predicate, only those that matched before, or whose values are not known.
    public var deleted: Set<Object> { objectSet(.deleted) }
    /// Objects whose values were read again by a refresh, or by a merge that changed them. Objects whose values differ are also
    /// in `updated`.
    public var refreshed: Set<Object> { objectSet(.refreshed) }
    /// Objects that are no longer valid. After `reset()` they have no values. If their store was removed from the coordinator,
    /// they keep the values that were loaded.
    public var invalidated: Set<Object> { objectSet(.invalidated) }

    private func objectSet(_ kind: ManagedObjectChangeKind) -> Set<Object> { kinds.includes(kind) ? storage.set(kind) : [] }

    /// The objects of a kind, by entity, in the order of their changes. An array costs less than a set.
    public func objects(_ kind: ManagedObjectChangeKind) -> [Object] { kinds.includes(kind) ? storage.objects(kind) : [] }

    /// The number of objects of a kind. May be read on every thread.
    public func count(_ kind: ManagedObjectChangeKind) -> Int { kinds.includes(kind) ? storage.count(kind) : 0 }

    /// The numbers of inserted, updated and deleted objects. May be read on every thread.
    public var counts: (inserted: Int, updated: Int, deleted: Int) { (count(.inserted), count(.updated), count(.deleted)) }

    /// Whether there are no changes and no errors. May be read on every thread.
    public var isEmpty: Bool { errors.isEmpty && ManagedObjectChangeKind.allCases.allSatisfy { count($0) == 0 } }

    /// The errors that the observer's predicate threw. Objects for which it threw are in none of the sets. May be read on every
    /// thread.
    public var errors: [any Error] { storage.errors }

    /// The changes as references that may be used on every thread. Read this property first on the context's queue. For elements
    /// of a sequence that was already done, and every thread may read it.
    public var ids: ManagedObjectChangeIDs<Object> {
        ManagedObjectChangeIDs(origin: origin, author: author) { kinds.includes($0) ? Set(storage.ids($0)) : [] }
    }

    // MARK: One object

    /// The change to an object. It is nil if the object did not change.
    public subscript(object: Object) -> ManagedObjectChange<Object>? {
        for kind in ManagedObjectChangeKind.allCases where kinds.includes(kind) {
            guard let position = storage.position(of: object, kind) else { continue }
            return ManagedObjectChange(storage: storage, kind: kind, position: position)
        }
        return nil
    }

    /// The names in the model of the properties of an object whose values differ from those before. The set is empty if the
    /// object did not change. See ``ManagedObjectChange/changedKeys``.
    public func changedKeys(of object: Object) -> Set<String> { self[object]?.changedKeys ?? [] }
}

extension ManagedObjectChanges: Sequence {
    /// Iterates over the changes by kind: invalidated, deleted, left, inserted, entered, updated and refreshed objects. Objects
    /// that go come first, because a new object may have the key of one that goes. An object that came as updated does not come
    /// again as refreshed.
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

    /// Makes an iterator over the changes. Use it on the context's queue.
    public func makeIterator() -> Iterator { Iterator(storage, ManagedObjectChangeKind.allCases.filter(kinds.includes)) }
}
