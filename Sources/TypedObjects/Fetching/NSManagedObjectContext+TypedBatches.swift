import DataModel
public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    // MARK: Deleting

    /// Deletes the objects of a class, those of its subclasses included, in the store, without loading them, and has contexts
    /// hear of it.
    ///
    /// ```swift
    /// let ids = try context.batchDelete(
    ///     Movie.self, where: #Predicate { $0.userRating == nil }, mergingInto: [container.viewContext])
    /// ```
    ///
    /// An ``NSBatchDeleteRequest``, which says what the store does with delete rules, and what is left out: hooks and validation.
    /// Unlike it this call works with stores of every type, and tells: when it returns this context, its parents and the contexts
    /// that are given have merged everything that was deleted or changed by delete rules, so that notifications, typed observers
    /// and live queries have heard of it. Contexts that merge each save by themselves merge this one too. Unsaved changes are not
    /// seen, but those of deleted objects are dropped.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts: these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects; nil for all. A store has to be able to evaluate it.
    ///   - contexts: further contexts that are to hear of it at once.
    /// - Returns: the IDs of the objects that the predicate was true for.
    /// - Throws: 134060 for a predicate with a part that has no meaning in a store, or if the context's model has no entity for
    ///   the class, and what ``NSBatchDeleteRequest`` throws: then nothing was deleted.
    @discardableResult
    public func batchDelete<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchDelete(type, try predicate.map(batchForm), contexts)
    }

    /// Deletes the objects of a class that a condition made of keys is true for; see
    /// ``batchDelete(_:where:mergingInto:)-(_,Predicate<Object>?,_)``.
    @discardableResult
    public func batchDelete<Object: TypedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchDelete(type, predicate.predicate, contexts)
    }

    private func batchDelete<Object: TypedObject>(
        _ type: Object.Type, _ predicate: NSPredicate?, _ contexts: [NSManagedObjectContext]
    ) throws -> [ManagedObjectID<Object>] {
        let requests = try fetchRequests(for: type)
        requests[0].predicate = predicate
        let request = NSBatchDeleteRequest(fetchRequest: requests[0])
        request.otherEntities = requests.dropFirst().compactMap(\.entity)
        return try executeBatch(request, mergingInto: contexts).map(ManagedObjectID.init(unchecked:))
    }

    // MARK: Updating

    /// Gives the objects of a class, those of its subclasses included, new values in the store, without loading them, and has
    /// contexts hear of it.
    ///
    /// ```swift
    /// let ids = try context.batchUpdate(
    ///     Movie.self, where: Movie.keys.duration < 0, set: .init(\.duration, to: 0), .init(\.userRating, to: nil))
    /// ```
    ///
    /// An ``NSBatchUpdateRequest``, which says what is left out: hooks and validation. Unlike it this call works with stores of
    /// every type, and tells: when it returns this context, its parents and the contexts that are given have merged the new
    /// values, so that notifications, typed observers and live queries have heard of them. Contexts that merge each save by
    /// themselves merge this one too. Unsaved changes are not seen, and stay over the new values.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts: these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects; nil for all. A store has to be able to evaluate it.
    ///   - assignments: the properties and their values.
    ///   - contexts: further contexts that are to hear of it at once.
    /// - Returns: the IDs of the updated objects.
    /// - Throws: 134060 for a predicate with a part that has no meaning in a store, for a property that is none of the store's,
    ///   or if the context's model has no entity for the class, and what ``NSBatchUpdateRequest`` throws: then nothing was
    ///   updated.
    @discardableResult
    public func batchUpdate<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, set assignments: BatchAssignment<Object>...,
        mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchUpdate(type, try predicate.map(batchForm), assignments, contexts)
    }

    /// Gives the objects of a class that a condition made of keys is true for new values; see
    /// ``batchUpdate(_:where:set:mergingInto:)-(_,Predicate<Object>?,_,_)``.
    @discardableResult
    public func batchUpdate<Object: TypedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, set assignments: BatchAssignment<Object>...,
        mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchUpdate(type, predicate.predicate, assignments, contexts)
    }

    private func batchUpdate<Object: TypedObject>(
        _ type: Object.Type, _ predicate: NSPredicate?, _ assignments: [BatchAssignment<Object>],
        _ contexts: [NSManagedObjectContext]
    ) throws -> [ManagedObjectID<Object>] {
        let entities = try topEntities(of: type).required(for: type)
        let request = NSBatchUpdateRequest(entity: entities[0])
        request.otherEntities = Array(entities.dropFirst())
        request.predicate = predicate
        request.template = { object in
            guard let object = object as? Object else { return }
            for assignment in assignments { try assignment.apply(object) }
        }
        return try executeBatch(request, mergingInto: contexts).map(ManagedObjectID.init(unchecked:))
    }

    // MARK: Inserting

    /// Inserts an object of a class into the store for each element of a sequence, without keeping objects in memory, and has
    /// contexts hear of it.
    ///
    /// ```swift
    /// let ids = try context.batchInsert(Director.self, from: names) { director, name in director.name = name }
    /// ```
    ///
    /// An ``NSBatchInsertRequest``, which says what happens to values that must be unique, and what is left out: hooks and most
    /// of validation. Unlike it this call works with stores of every type, and tells: when it returns this context, its parents
    /// and the contexts that are given have merged the new objects, so that notifications, typed observers and live queries have
    /// heard of them. Contexts that merge each save by themselves merge this one too.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts: these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - elements: what to make objects of, in order; read as they are needed.
    ///   - contexts: further contexts that are to hear of it at once.
    ///   - fill: sets the properties of a new object. The object has its initial values, is no part of the context, and must not
    ///     be kept. Relationships can't be set.
    /// - Returns: the IDs of the new objects, and of those that the merge policy had updated, in the order of the elements.
    /// - Throws: 134060 if the context's model has no entity for the class or if a relationship was set, what `fill` throws, and
    ///   what ``NSBatchInsertRequest`` throws: then nothing was inserted.
    @discardableResult
    public func batchInsert<Object: TypedObject, Elements: Sequence>(
        _ type: Object.Type, from elements: Elements, mergingInto contexts: [NSManagedObjectContext] = [],
        _ fill: (_ object: Object, _ element: Elements.Element) throws -> Void
    ) throws -> [ManagedObjectID<Object>] {
        let entity = try topEntities(of: type).required(for: type)[0]
        var rest = elements.makeIterator()
        let ids = try withoutActuallyEscaping(fill) { fill in
            let request = NSBatchInsertRequest(
                entity: entity,
                throwingHandler: { object in
                    guard let element = rest.next(), let object = object as? Object else { return true }
                    try fill(object, element)
                    return false
                })
            return try executeBatch(request, mergingInto: contexts)
        }
        return ids.map(ManagedObjectID.init(unchecked:))
    }

    // MARK: Predicates

    private func batchForm<Object: TypedObject>(of predicate: Predicate<Object>) throws -> NSPredicate {
        if let stored = try storedForm(of: predicate) { return stored }
        throw NSError.coreData(
            NSCoreDataError,
            "A batch over \(Object.self) needs a predicate that a store can evaluate, and a part of this one has a meaning in memory only: fetch the objects, "
                + "then delete or change them one by one")
    }
}
