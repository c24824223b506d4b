import DataModel
import Foundation
public import ObjectGraph
import Predicates

/// Changes to objects of one class, as references that may be used on every thread and in every context.
///
/// ```swift
/// let observation = container.changes(of: Movie.self).observe { ids in
///     Task { await index.update(ids) }
/// }
/// // elsewhere:
/// let movies = try ids.inserted.objects(in: context)
/// ```
public struct ManagedObjectChangeIDs<Object: NSManagedObject>: Sendable, Equatable {
    /// What caused the changes.
    public let origin: ManagedObjectChangeOrigin
    /// The `transactionAuthor` of the context that made the changes, if it is known.
    public let author: String?
    /// Objects that were inserted. Until they are saved, the references are valid in their own context only. After the save they
    /// are valid everywhere.
    public let inserted: Set<ManagedObjectID<Object>>
    /// Objects with changed properties.
    public let updated: Set<ManagedObjectID<Object>>
    /// Objects that match the observer's predicate because of a change. Without a predicate there are none.
    public let entered: Set<ManagedObjectID<Object>>
    /// Objects that no longer match the observer's predicate because of a change. Without a predicate there are none.
    public let left: Set<ManagedObjectID<Object>>
    /// Objects that were deleted.
    public let deleted: Set<ManagedObjectID<Object>>
    /// Objects whose values were read again, or will be read again when they are next needed.
    public let refreshed: Set<ManagedObjectID<Object>>
    /// Objects that are no longer valid, because the context was reset or their store was removed.
    public let invalidated: Set<ManagedObjectID<Object>>

    init(
        origin: ManagedObjectChangeOrigin, author: String?,
        _ ids: (ManagedObjectChangeKind) -> Set<ManagedObjectID<Object>>
    ) {
        self.origin = origin
        self.author = author
        inserted = ids(.inserted)
        updated = ids(.updated)
        entered = ids(.entered)
        left = ids(.left)
        deleted = ids(.deleted)
        refreshed = ids(.refreshed)
        invalidated = ids(.invalidated)
    }

    /// Whether there are no changes.
    public var isEmpty: Bool {
        [inserted, updated, entered, left, deleted, refreshed, invalidated].allSatisfy(\.isEmpty)
    }
}

extension Sequence {
    /// The objects of the references in a context, which are loaded together. Objects that no longer exist are left out.
    ///
    /// Call it on the context's queue.
    ///
    /// - Throws: The store's error.
    public func objects<Object: NSManagedObject>(in context: NSManagedObjectContext) throws -> [Object]
    where Element == ManagedObjectID<Object> {
        // The sequence is read only once, because some sequences can't be read twice.
        let ids = Array(self)
        let permanent = ids.filter { !$0.objectID.isTemporaryID }
        var found: [NSManagedObjectID: Object] = [:]
        if !permanent.isEmpty {
            for request in try context.fetchRequests(for: Object.self) {
                request.predicate = NSPredicate(format: "SELF IN %@", permanent.map(\.objectID))
                for object in try context.fetch(request) { found[object.objectID] = object }
            }
        }
        return try ids.compactMap { id in
            guard id.objectID.isTemporaryID else { return found[id.objectID] }
            do {
                let object = try context[id]
                return object.isDeleted ? nil : object
            } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
                return nil
            }
        }
    }
}
