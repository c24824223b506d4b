import DataModel
import Foundation

/// The kinds of change that typed observers ask for.
public enum _ChangeKind: Int, Sendable, CaseIterable {
    case inserted, updated, deleted
    /// Objects whose values are to be read again; some of them are updated ones, too.
    case refreshed
    /// Objects that the context gave up, or whose store was removed.
    case invalidated
}

/// What brought changes about.
public enum _ChangeOrigin: Sendable {
    case local, undo, childSave, merge
}

/// The objects of one round of changes, by kind and entity: sorted once, however many observers there are.
public final class _ChangeBuckets {
    private let layout: ModelLayout
    /// What brought the changes about.
    public let origin: _ChangeOrigin
    /// Who brought them about, if that is known.
    public let author: String?
    /// What the objects were before.
    package var past: RoundPast
    /// By kind, then by entity index.
    private let buckets: [[[NSManagedObject]]]
    /// What the typed layer makes of the objects for one class, so that all observers of the class share it.
    package var views: [ObjectIdentifier: ChangeView] = [:]

    /// The objects of one round.
    struct Objects {
        var inserted: ContiguousArray<NSManagedObject> = []
        var updated: ContiguousArray<NSManagedObject> = []
        var deleted: ContiguousArray<NSManagedObject> = []
        var refreshed: ContiguousArray<NSManagedObject> = []
        var invalidated: ContiguousArray<NSManagedObject> = []

        var all: [NSManagedObject] { Array([inserted, updated, deleted, refreshed, invalidated].joined()) }

        var isEmpty: Bool {
            inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
        }
    }

    init(_ objects: Objects, in context: NSManagedObjectContext, origin: _ChangeOrigin, author: String?, past: RoundPast) {
        layout = context.runtime.layout
        self.origin = origin
        self.author = author
        self.past = past
        let count = layout.entities.count
        buckets = [objects.inserted, objects.updated, objects.deleted, objects.refreshed, objects.invalidated].map { list in
            guard !list.isEmpty else { return [] }
            var sorted = [[NSManagedObject]](repeating: [], count: count)
            for object in list { sorted[object.layout.index].append(object) }
            return sorted
        }
    }

    /// The changed objects of an entity and of all its descendants.
    public func objects(_ kind: _ChangeKind, for entity: NSEntityDescription) -> [NSManagedObject] {
        let bucket = buckets[kind.rawValue]
        guard !bucket.isEmpty, let index = layout.indexByName[entity.name ?? ""] else { return [] }
        let filled = layout.family(of: index).filter { !bucket[$0].isEmpty }
        return filled.count == 1 ? bucket[filled[0]] : filled.flatMap { bucket[$0] }
    }

    /// Everybody has been told. What somebody keeps has to know from now on what the context will forget.
    func end() {
        var views = Array(views.values)
        self.views = [:]
        for index in views.indices where !isKnownUniquelyReferenced(&views[index]) { views[index].keep() }
        past.end()
    }
}

/// What the typed layer makes of a round for one class.
open class ChangeView {
    /// Makes a view; subclasses fill it.
    public init() {}

    /// Called when the round is over and somebody still has the view.
    open func keep() {}
}
