import DataModel
package import Foundation
import Predicates
package import Storage

/// A fetch request for one context: the part that the stores do, and the part that is left to memory.
package struct FetchPlan {
    let context: NSManagedObjectContext
    package let entity: EntityLayout
    let predicate: NSPredicate?
    package let sortDescriptors: [NSSortDescriptor]
    package let window: FetchWindow
    package let includesSubentities: Bool
    let includesPendingChanges: Bool
    let returnsObjectsAsFaults: Bool
    let options: FetchOptions
    /// What the request asks for beside what is here.
    var settings = FetchSettings()

    /// The whole request, for stores that execute it themselves.
    var wholeSettings: FetchSettings {
        var result = settings
        result.entity = entity.description
        result.predicate = predicate
        result.sortDescriptors = sortDescriptors.isEmpty ? nil : sortDescriptors
        return result
    }
}

extension FetchPlan {
    package init<T>(_ request: NSFetchRequest<T>, in context: NSManagedObjectContext) throws {
        guard let name = request.entityName else {
            throw NSError.coreData(NSCoreDataError, "A fetch request must have an entity")
        }
        guard context.persistentStoreCoordinator != nil else {
            throw NSError.coreData(NSCoreDataError, "\(context) can't fetch “\(name)”: it has no persistentStoreCoordinator")
        }
        guard let entity = context.runtime.layout.entity(named: name) else {
            throw NSError.coreData(NSCoreDataError, context.runtime.layout.missingEntity(name, for: "The fetch request"))
        }
        context.checkQueue()
        let window = try FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset, of: name)
        self.init(
            context: context, entity: entity, predicate: try request.predicate?.executingFetches(entity: entity.name),
            sortDescriptors: request.sortDescriptors ?? [],
            window: window, includesSubentities: request.includesSubentities,
            includesPendingChanges: request.includesPendingChanges, returnsObjectsAsFaults: request.returnsObjectsAsFaults,
            options: try FetchOptions(request, entity, context), settings: request.settings)
    }

    /// Whether objects of an entity are fetched.
    package func covers(_ layout: EntityLayout) -> Bool { layout.isKind(of: entity, orSubentity: includesSubentities) }

    // MARK: Unsaved changes

    /// The context's unsaved changes of the entity.
    private struct Pending {
        var inserted: [NSManagedObject] = []
        var updated: [NSManagedObject] = []
        var deletedCount = 0

        var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deletedCount == 0 }
    }

    private var pending: Pending {
        guard includesPendingChanges else { return Pending() }
        return Pending(
            inserted: context.changeLists.inserted.filter { $0.isPendingInsert && covers($0.layout) && options.includes($0) },
            updated: context.changeLists.updated.filter { $0.isUpdated && covers($0.layout) },
            deletedCount: context.changeLists.deleted.count { $0.isDeleted && covers($0.layout) })
    }

    /// Whether the answer of the stores is the whole answer.
    var isStoresAnswer: Bool { context.parent == nil && pending.isEmpty }

    var stores: [NSPersistentStore] {
        context.persistentStoreCoordinator?.persistentStores.filter { $0.holds(entity.name) && options.includes($0) } ?? []
    }

    // MARK: Running

    /// The objects, in order.
    ///
    /// The store (or parent) answers from what it has. Objects with unsaved changes are tested again in memory. Others
    /// are not, even if objects that they are related to have changed.
    package func objects() throws -> [NSManagedObject] {
        if includesPendingChanges { context.propagatePendingDeletes() }
        let pending = pending
        let result = try context.parent.map { try objects(ofParent: $0, pending) } ?? objects(ofStores: pending)
        if !returnsObjectsAsFaults { try context.loadValues(of: result) }
        return result
    }

    private func objects(ofStores pending: Pending) throws -> [NSManagedObject] {
        do {
            return try objects(ofStores: pending, leavesAll: false)
        } catch is QueryLimit {
            return try objects(ofStores: pending, leavesAll: true)
        }
    }

    /// - Parameter leavesAll: Whether the stores only read rows, so that predicate and order are left to memory.
    /// - Throws: `QueryLimit` if a store can't do its part.
    private func objects(ofStores pending: Pending, leavesAll: Bool) throws -> [NSManagedObject] {
        let stores = stores
        guard !stores.isEmpty else {
            _ = try StoreQuery(self, nil)
            return try complete(.none, pending)
        }
        let queries = try stores.map { try StoreQuery(self, $0, leavesAll: leavesAll) }
        let isFiltered = queries.allSatisfy(\.isFiltered)
        let isSorted = queries.allSatisfy(\.isSorted) && (queries.count == 1 || sortDescriptors.isEmpty)
        let isCut = isFiltered && isSorted && pending.isEmpty && queries.count == 1
        context.fetches.isRunning = true
        defer { context.fetches.isRunning = false }
        var answer = StoreAnswer(objects: [], isFiltered: isFiltered, isSorted: isSorted, isCut: isCut)
        for (store, query) in zip(stores, queries) {
            var request = query.request
            if isCut {
                request.limit = window.limit
                request.offset = window.offset
            } else if query.isFiltered, query.isSorted {
                request.limit = greatestCount(pending)
            }
            let consumer = options.consumer(context, context.registries(store.reference))
            request.takesValues = consumer.takesValues
            try store.fetch(request, into: consumer, in: context.generationToRead, for: context)
            let objects = consumer.finish()
            if answer.objects.isEmpty { answer.objects = objects } else { answer.objects += objects }
        }
        let result = try complete(answer, pending)
        try options.finish(result, in: context)
        return result
    }

    /// The number of rows that are needed from the beginning of a store's answer, since those with unsaved changes may
    /// drop out. 0 for all.
    private func greatestCount(_ pending: Pending) -> Int {
        guard window.limit > 0 else { return 0 }
        let (end, overflows) = window.limit.addingReportingOverflow(window.offset)
        let (count, overflowsNow) = end.addingReportingOverflow(pending.updated.count + pending.deletedCount)
        return overflows || overflowsNow ? 0 : count
    }

    /// Does the part in memory that the stores or the parent have not done.
    private func complete(_ answer: StoreAnswer, _ pending: Pending) throws -> [NSManagedObject] {
        var result = answer.objects
        if predicate != nil {
            let test = try test()
            if !pending.isEmpty { result.removeAll { $0.isDeleted || $0.isUpdated } }
            if !answer.isFiltered { result = try result.filter(test) }
            result += try pending.updated.filter(test)
            result += try pending.inserted.filter(test)
        } else if !pending.isEmpty {
            result.removeAll { $0.isDeleted }
            result += pending.inserted
        }
        if !answer.isSorted || !pending.updated.isEmpty || !pending.inserted.isEmpty {
            result = try context.throwingFailures { result.sorted(by: sortDescriptors) }
        }
        return answer.isCut ? result : window.part(of: result)
    }

    /// The predicate, ready to be evaluated in memory.
    package func test() throws -> (NSManagedObject) throws -> Bool {
        guard let predicate else { return { _ in true } }
        let name = entity.name
        func check<T>(_ body: () throws -> T) throws -> T {
            do { return try body() } catch let error as InvalidPredicateError {
                throw NSError.invalidPredicate(error, entity: name)
            }
        }
        let compiled = try check { try CompiledPredicate(PredicateNode(predicate), equatesDigits: true) }
        return { [context] object in
            try context.throwingFailures { try check { try compiled.evaluate(object: object) } }
        }
    }

    // MARK: Parent contexts

    /// The parent evaluates only predicates without closures: closures get objects of the context that fetches.
    private var isParentsPredicate: Bool { predicate.map { !PredicateNode($0).hasClosures } ?? true }
    private var isParentsOrder: Bool { sortDescriptors.allSatisfy { $0.selector != nil } }

    private func objects(ofParent parent: NSManagedObjectContext, _ pending: Pending) throws -> [NSManagedObject] {
        let (isFiltered, isSorted) = (isParentsPredicate, isParentsOrder)
        let isCut = isFiltered && isSorted && pending.isEmpty
        let plan = inParent(
            parent,
            isCut ? window : FetchWindow(limit: isFiltered && isSorted ? greatestCount(pending) : 0))
        let found = try context.rowsOfParent(parent, plan).map(context.object(for:))
        return try complete(
            StoreAnswer(objects: found, isFiltered: isFiltered, isSorted: isSorted, isCut: isCut), pending)
    }

    private func inParent(_ parent: NSManagedObjectContext, _ window: FetchWindow) -> FetchPlan {
        FetchPlan(
            context: parent, entity: entity, predicate: isParentsPredicate ? predicate : nil,
            sortDescriptors: isParentsOrder ? sortDescriptors : [], window: window,
            includesSubentities: includesSubentities, includesPendingChanges: true, returnsObjectsAsFaults: true,
            options: options.inParent, settings: settings)
    }

    // MARK: Counting

    func count() throws -> Int {
        if includesPendingChanges { context.propagatePendingDeletes() }
        guard context.parent == nil, pending.isEmpty else { return try objects().count }
        let stores = stores
        let queries = try stores.map { try StoreQuery(self, $0) }
        guard queries.allSatisfy(\.isFiltered) else { return try objects().count }
        let total: Int
        do {
            total = try zip(stores, queries).reduce(0) {
                try $0 + $1.0.count($1.1.request, in: context.generationToRead, for: context)
            }
        } catch is QueryLimit {
            return try objects().count
        }
        let rest = max(0, total - window.offset)
        return window.limit == 0 ? rest : min(rest, window.limit)
    }
}
