package import DataModel
import Foundation
import Storage

/// The kinds of change that typed observers ask for.
package enum _ChangeKind: Int, Sendable, CaseIterable {
    case inserted, updated, deleted
    /// Objects whose values were read again. Some of them are updated ones, too.
    case refreshed
    /// Objects that the context gave up, or whose store was removed.
    case invalidated
    /// Objects that others changed and that the context did not know, or has as faults with unsaved changes. Only for
    /// live queries.
    case unseen
    /// Objects that a merge named although the context knew their values already. Only for live queries, which may have
    /// been made before.
    case known
}

/// The objects of one round of changes, by kind and entity. They are sorted once for all observers.
package final class _ChangeBuckets {
    private let layout: ModelLayout
    /// The origin of the changes.
    package let origin: ManagedObjectChangeOrigin
    /// The author of the changes, if it is known.
    package let author: String?
    /// The state of the objects before the round.
    package let past: RoundPast
    private let lists: [ContiguousArray<NSManagedObject>]
    /// The positions of each entity's objects in the lists, by kind, then by entity index. Positions cost less than
    /// objects, which would be retained once more.
    private let buckets: [[Bucket]]
    /// The typed layer's views of the objects, by class. All observers of a class share one.
    package var views: [ObjectIdentifier: _ChangeView] = [:]

    private struct Bucket {
        var positions: ContiguousArray<Int32> = []
        /// Whether all objects are of the entity's own class.
        var isUniform = true
    }

    /// The objects of one round.
    struct Objects {
        var inserted: ContiguousArray<NSManagedObject> = []
        var updated: ContiguousArray<NSManagedObject> = []
        var deleted: ContiguousArray<NSManagedObject> = []
        var refreshed: ContiguousArray<NSManagedObject> = []
        var invalidated: ContiguousArray<NSManagedObject> = []
        var unseen: ContiguousArray<NSManagedObject> = []
        var known: ContiguousArray<NSManagedObject> = []

        /// In the order of `_ChangeKind`.
        var lists: [ContiguousArray<NSManagedObject>] { [inserted, updated, deleted, refreshed, invalidated, unseen, known] }

        var all: [NSManagedObject] { Array(lists.joined()) }

        var isEmpty: Bool { lists.allSatisfy(\.isEmpty) }
    }

    init(_ objects: Objects, in context: NSManagedObjectContext, _ source: RoundSource, past: RoundPast) {
        layout = context.runtime.layout
        origin = source.origin
        author = source.author
        self.past = past
        let classes = context.runtime.classes
        lists = objects.lists
        buckets = lists.map { list in
            guard !list.isEmpty else { return [] }
            var sorted = [Bucket](repeating: Bucket(), count: classes.count)
            var position: Int32 = 0
            list.forEachUnretained { object in
                let index = object.layout.index
                sorted.withUnsafeMutableBufferPointer { sorted in
                    sorted[index].positions.append(position)
                    if type(of: object) != classes[index] { sorted[index].isUniform = false }
                }
                position += 1
            }
            return sorted
        }
    }

    /// The number of objects of some entities; nil if some objects have another class than the entity's, so that each
    /// must be checked.
    package func count(_ kind: _ChangeKind, ofEntities indices: [Int]) -> Int? {
        let buckets = buckets[kind.rawValue]
        guard !buckets.isEmpty else { return 0 }
        return indices.allSatisfy { buckets[$0].isUniform } ? indices.reduce(0) { $0 + buckets[$1].positions.count } : nil
    }

    /// The objects of some entities.
    package func objects(_ kind: _ChangeKind, ofEntities indices: [Int]) -> [NSManagedObject] {
        let (list, buckets) = (lists[kind.rawValue], buckets[kind.rawValue])
        guard !buckets.isEmpty else { return [] }
        let filled = indices.filter { !buckets[$0].positions.isEmpty }
        if filled.count == 1, buckets[filled[0]].positions.count == list.count { return Array(list) }
        return filled.flatMap { buckets[$0].positions.map { list[Int($0)] } }
    }

    /// The changed objects of an entity and of all its descendants.
    package func objects(_ kind: _ChangeKind, for entity: NSEntityDescription) -> [NSManagedObject] {
        layout.indexByName[entity.name ?? ""].map { objects(kind, ofEntities: Array(layout.family(of: $0))) } ?? []
    }

    /// Ends the round: all observers were told. Views that are still held keep from now on what the context will
    /// forget.
    func end() {
        var views = Array(views.values)
        self.views = [:]
        for index in views.indices where !isKnownUniquelyReferenced(&views[index]) { views[index].keep() }
        past.end()
    }
}

/// The typed layer's view of a round for one class.
open class _ChangeView {
    /// Makes a view; subclasses fill it.
    public init() {}

    /// Called when the round is over and the view is still held.
    open func keep() {}
}
