import DataModel
import Foundation
import Predicates
import Storage

/// A fetch request for one context: what the stores do of it and what is left to do in memory.
struct FetchPlan {
    let context: NSManagedObjectContext
    let entity: EntityLayout
    let predicate: NSPredicate?
    let sortDescriptors: [NSSortDescriptor]
    let limit: Int
    let offset: Int
    let includesSubentities: Bool
    let includesPendingChanges: Bool
    let returnsObjectsAsFaults: Bool
    let includesPropertyValues: Bool
    var options = FetchOptions()
}

extension FetchPlan {
    init<T>(_ request: NSFetchRequest<T>, in context: NSManagedObjectContext) throws {
        guard let name = request.entityName else {
            throw NSError.coreData(NSCoreDataError, "A fetch request must have an entity")
        }
        guard context.persistentStoreCoordinator != nil else {
            throw NSError.coreData(NSCoreDataError, "\(context) can't fetch “\(name)”: it has no persistentStoreCoordinator")
        }
        guard let entity = context.runtime.layout.entity(named: name) else {
            throw NSError.coreData(NSCoreDataError, "The fetch request could not locate an entity named “\(name)” in the model")
        }
        context.checkQueue()
        guard request.fetchLimit >= 0, request.fetchOffset >= 0 else {
            throw NSError.coreData(NSCoreDataError, "fetchLimit and fetchOffset of a request for “\(name)” must not be negative")
        }
        self.init(
            context: context, entity: entity, predicate: request.predicate, sortDescriptors: request.sortDescriptors ?? [],
            limit: request.fetchLimit, offset: request.fetchOffset, includesSubentities: request.includesSubentities,
            includesPendingChanges: request.includesPendingChanges, returnsObjectsAsFaults: request.returnsObjectsAsFaults,
            includesPropertyValues: request.includesPropertyValues, options: try FetchOptions(request, entity, context))
    }

    private func covers(_ layout: EntityLayout) -> Bool {
        layout.index == entity.index || includesSubentities && layout.description.isKindOf(entity: entity.description)
    }

    /// Whether the store's answer is not the whole answer because the context has unsaved changes of the entity.
    private var hasPendingChanges: Bool {
        includesPendingChanges
            && (context.insertedList.contains { $0.isPendingInsert && covers($0.layout) }
                || context.updatedList.contains { $0.isUpdated && covers($0.layout) }
                || context.deletedList.contains { $0.isDeleted && covers($0.layout) })
    }

    /// The sort descriptors as the store's sort keys; nil if one of them is for memory only.
    private func sortKeys() throws -> [RowRequest.SortKey]? {
        var keys: [RowRequest.SortKey] = []
        for descriptor in sortDescriptors {
            guard let key = descriptor.key, !key.contains(".") else {
                if let path = descriptor.key { try check(path) }
                return nil
            }
            guard let slot = entity.slotByName[key] else {
                if entity.composites[key] != nil { return nil }
                throw unknownKey(key)
            }
            guard entity.kind(slot) != .toMany else {
                throw NSError.coreData(
                    NSCoreDataError, "A fetch of “\(entity.name)” can't be sorted by the to-many relationship “\(key)”")
            }
            guard descriptor.isPlainKeySort, entity.slots[slot].isPersistent, entity.slots[slot].relationship == nil,
                entity.kind(slot) != .transformable
            else { return nil }
            keys.append(RowRequest.SortKey(slot: slot, isAscending: descriptor.ascending))
        }
        return keys
    }

    private func check(_ path: String) throws {
        var current = entity
        for part in path.split(separator: ".").map(String.init) {
            guard current.slotByName[part] != nil || current.composites[part] != nil else { throw unknownKey(path) }
            guard let relationship = current.relationship(named: part) else { return }
            guard !relationship.isToMany else {
                throw NSError.coreData(
                    NSCoreDataError,
                    "A fetch of “\(entity.name)” can't be sorted by the to-many relationship “\(part)” of “\(path)”")
            }
            current = context.runtime.layout.entities[relationship.destination]
        }
    }

    private func unknownKey(_ key: String) -> NSError {
        let names = entity.slotByName.keys.sorted().joined(separator: ", ")
        return .coreData(
            NSCoreDataError, "A fetch of “\(entity.name)” can't be sorted by “\(key)”, which it does not have. It has: \(names)")
    }

    // MARK: Running

    /// The same request for the context's parent, which evaluates what the child leaves to it.
    func inParent(_ parent: NSManagedObjectContext) throws -> FetchPlan {
        let isParentsWork = predicate == nil && !hasPendingChanges
        return FetchPlan(
            context: parent, entity: entity, predicate: nil, sortDescriptors: isParentsWork ? sortDescriptors : [],
            limit: isParentsWork ? limit : 0, offset: isParentsWork ? offset : 0, includesSubentities: includesSubentities,
            includesPendingChanges: true, returnsObjectsAsFaults: true, includesPropertyValues: includesPropertyValues,
            options: options.inParent)
    }

    private func objectsOfChild(_ parent: NSManagedObjectContext) throws -> [NSManagedObject] {
        let hasPending = hasPendingChanges
        var result = try context.rowsOfParent(parent, self).map(context.object(for:))
        if predicate != nil || hasPending { result = finish(result, hasPending: hasPending) }
        if !returnsObjectsAsFaults { for object in result where object.isFault { _ = object._loadedSlots } }
        return result
    }

    func objects() throws -> [NSManagedObject] {
        if includesPendingChanges { context.processPendingChanges() }
        if let parent = context.parent { return try objectsOfChild(parent) }
        guard let coordinator = context.persistentStoreCoordinator else { return [] }
        let stores = coordinator.persistentStores.filter { $0.holds(entity.name) && options.includes($0) }
        let hasPending = hasPendingChanges
        let sortKeys = try sortKeys()
        let isStoreWork = predicate == nil && !hasPending && stores.count == 1 && sortKeys != nil
        var request = RowRequest(entity)
        request.includesSubentities = includesSubentities
        if isStoreWork, let sortKeys {
            request.sortKeys = sortKeys
            request.limit = limit
            request.offset = offset
        }
        context.merging.isFetching = true
        defer { context.merging.isFetching = false }
        var result: [NSManagedObject] = []
        for store in stores {
            let consumer = options.consumer(context, context.registries(store.reference), takesValues: includesPropertyValues)
            try store.fetch(request, into: consumer)
            consumer.finish()
            if result.isEmpty { result = consumer.objects } else { result += consumer.objects }
        }
        if !isStoreWork { result = finish(result, hasPending: hasPending) }
        try options.finish(result, in: context)
        if !returnsObjectsAsFaults { for object in result where object.isFault { _ = object._loadedSlots } }
        return result
    }

    private func finish(_ found: [NSManagedObject], hasPending: Bool) -> [NSManagedObject] {
        var result = found
        if hasPending {
            result.removeAll { $0.isDeleted }
            result += context.insertedList.filter { $0.isPendingInsert && covers($0.layout) && options.includes($0) }
        }
        if let predicate { result = result.filter { predicate.evaluate(with: $0) } }
        if !sortDescriptors.isEmpty { result = result.sorted(by: sortDescriptors) }
        guard limit > 0 || offset > 0 else { return result }
        let start = min(offset, result.count)
        return Array(result[start..<(limit == 0 ? result.count : min(result.count, start + limit))])
    }

    func count() throws -> Int {
        if includesPendingChanges { context.processPendingChanges() }
        if context.parent != nil { return try objects().count }
        guard let coordinator = context.persistentStoreCoordinator else { return 0 }
        let stores = coordinator.persistentStores.filter { $0.holds(entity.name) && options.includes($0) }
        guard predicate == nil, !hasPendingChanges, stores.count == 1 else { return try objects().count }
        var request = RowRequest(entity)
        request.includesSubentities = includesSubentities
        request.limit = limit
        request.offset = offset
        return try stores[0].count(request)
    }
}
