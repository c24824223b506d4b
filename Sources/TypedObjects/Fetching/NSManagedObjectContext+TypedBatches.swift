import DataModel
public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    // MARK: Deleting

    /// Deletes the objects of a class and its subclasses in the store without loading them, and merges the deletion into
    /// contexts.
    ///
    /// ```swift
    /// let ids = try context.batchDelete(
    ///     Movie.self, where: #Predicate { $0.userRating == nil }, mergingInto: [container.viewContext])
    /// ```
    ///
    /// The call executes an ``NSBatchDeleteRequest``. Its documentation tells how the store applies delete rules, and that hooks
    /// and validation are left out. Unlike the request, the call works with stores of every type.
    ///
    /// When the call returns, this context, its parents and the given contexts have merged all deleted objects, and all objects
    /// that delete rules changed. Notifications, typed observers and live queries have told of them. Contexts that merge saves
    /// automatically merge this one too. The predicate does not see unsaved changes. Unsaved changes of deleted objects are
    /// dropped.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts, so these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to use, or nil for all. The store must be able to evaluate it.
    ///   - contexts: Further contexts that merge the changes before the call returns.
    /// - Returns: The IDs of the objects for which the predicate was true.
    /// - Throws: 134060 if a part of the predicate has no meaning in a store, or if the context's model has no entity for the
    ///   class. Otherwise the error of the ``NSBatchDeleteRequest``. If the call throws, nothing was deleted.
    @discardableResult
    public func batchDelete<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchDelete(type, try predicate.map(batchForm), contexts)
    }

    /// Deletes the objects of a class for which a condition made of keys is true. See
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

    /// Sets properties of the objects of a class and its subclasses in the store without loading them, and merges the new values
    /// into contexts.
    ///
    /// ```swift
    /// let ids = try context.batchUpdate(
    ///     Movie.self, where: Movie.keys.duration < 0, set: .init(\.duration, to: 0), .init(\.userRating, to: nil))
    /// ```
    ///
    /// The call executes an ``NSBatchUpdateRequest``. Hooks and validation are left out. Unlike the request, the call works with
    /// stores of every type.
    ///
    /// When the call returns, this context, its parents and the given contexts have merged the new values. Notifications, typed
    /// observers and live queries have told of them. Contexts that merge saves automatically merge this one too. The predicate
    /// does not see unsaved changes, and unsaved values are kept in place of the new ones.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts, so these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to use, or nil for all. The store must be able to evaluate it.
    ///   - assignments: The properties and their new values.
    ///   - contexts: Further contexts that merge the changes before the call returns.
    /// - Returns: The IDs of the updated objects.
    /// - Throws: 134060 if a part of the predicate has no meaning in a store, if a property is not stored, or if the context's
    ///   model has no entity for the class. Otherwise the error of the ``NSBatchUpdateRequest``. If the call throws, nothing was
    ///   updated.
    @discardableResult
    public func batchUpdate<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, set assignments: BatchAssignment<Object>...,
        mergingInto contexts: [NSManagedObjectContext] = []
    ) throws -> [ManagedObjectID<Object>] {
        try batchUpdate(type, try predicate.map(batchForm), assignments, contexts)
    }

    /// Sets properties of the objects of a class for which a condition made of keys is true. See
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

    /// Inserts an object of a class into the store for each element of a sequence without keeping the objects in memory, and
    /// merges the new objects into contexts.
    ///
    /// ```swift
    /// let ids = try context.batchInsert(Director.self, from: names) { director, name in director.name = name }
    /// ```
    ///
    /// The call executes an ``NSBatchInsertRequest``. Its documentation tells what happens to values that must be unique, and
    /// that hooks and most of validation are left out. Unlike the request, the call works with stores of every type.
    ///
    /// When the call returns, this context, its parents and the given contexts have merged the new objects. Notifications, typed
    /// observers and live queries have told of them. Contexts that merge saves automatically merge this one too.
    ///
    /// Call it on the context's queue. It waits for the queues of the other contexts, so these must not wait for this one.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - elements: The elements. They are read in order, when they are needed.
    ///   - contexts: Further contexts that merge the changes before the call returns.
    ///   - fill: Sets the properties of a new object. The object has its initial values. It does not belong to the context, and
    ///     must not be kept. Relationships can't be set.
    /// - Returns: The IDs of the new objects, and of existing objects that were updated because of the merge policy, in the order
    ///   of the elements.
    /// - Throws: 134060 if the context's model has no entity for the class, or if a relationship was set. Otherwise the error of
    ///   `fill` or of the ``NSBatchInsertRequest``. If the call throws, nothing was inserted.
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
