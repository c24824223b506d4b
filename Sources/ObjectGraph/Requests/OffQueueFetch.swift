import DataModel
import Foundation
import Storage

/// A fetch that reads its rows on another thread while the context's queue is free.
///
/// It is made and finished on the context's queue; `read()` in between is called on any other thread.
// @unchecked Sendable: what was read is set only by `read()`, before `results()` is called; the rest is constant and
// used on the context's queue.
final class OffQueueFetch<ResultType>: @unchecked Sendable {
    /// The part that one store can answer by itself.
    private enum Work {
        case objects(FetchPlan, RowRequest)
        case count(FetchPlan, RowRequest)
        case dictionaries(DictionaryFetch, StoreColumns)
    }

    private let context: NSManagedObjectContext
    private let request: NSFetchRequest<ResultType>
    private let store: NSPersistentStore
    private let generation: QueryGeneration?
    /// How often the context had got newer rows before the store was read.
    private var newerRows = 0
    private let work: Work
    private var rows: [(key: RowKey, row: Row?)] = []
    private var count = 0
    private var columns: [[RowValue?]] = []
    /// The number of the coordinator's saves that the read rows contain.
    private var outcome: Result<Int, any Error> = .success(0)

    /// Makes nil if one store can't answer alone: because of unsaved changes, a parent, several stores, or a query that
    /// needs objects.
    init?(_ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) throws {
        self.context = context
        self.request = request
        generation = context.generationToRead
        if request.resultType == .dictionaryResultType {
            context.checkQueue()
            let fetch = try DictionaryFetch(request, in: context)
            guard let (store, columns) = try fetch.storeColumns() else { return nil }
            self.store = store
            work = .dictionaries(fetch, columns)
            return
        }
        if request.includesPendingChanges { context.propagatePendingDeletes() }
        let plan = try FetchPlan(request, in: context)
        guard let (store, rows) = try plan.wholeRequest() else { return nil }
        self.store = store
        work = request.resultType == .countResultType ? .count(plan, rows) : .objects(plan, rows)
    }

    /// Reads the store.
    func read() {
        let monitor = request.monitor
        newerRows = context.shared.newerRows.now
        outcome = Result {
            try store.readAside(in: generation) { source in
                switch work {
                case .objects(_, let rows):
                    let collector = RowCollector(takesValues: rows.takesValues, monitor)
                    try source.fetch(rows, into: collector)
                    self.rows = collector.rows
                case .count(_, let rows): count = try source.count(rows)
                case .dictionaries(_, let columns):
                    try source.columns?.fetchColumns(columns.request) { self.columns.append($0) }
                }
            }
        }
    }

    /// The result. It fetches again if the context has meanwhile changed, saved or merged something that may count, or
    /// reads another query generation.
    func results() throws -> [ResultType] {
        try request.monitor?.check()
        let moment: Int
        do {
            moment = try outcome.get()
        } catch is QueryLimit {
            return try context.typedResults(of: request)
        }
        guard moment >= context.moment.ofOwnWrite, isStillWhole else {
            request.monitor?.restart()
            return try context.typedResults(of: request)
        }
        switch work {
        case .objects(let plan, _):
            let objects = try plan.objects(of: rows, from: store, moment: moment, keepsNewer: generation == nil)
            guard request.resultType == .managedObjectIDResultType else { return try context.typed(objects, request) }
            return try context.typed(objects.map(\.objectID), request)
        case .count: return try context.typed([NSNumber(value: count)], request)
        case .dictionaries(let fetch, let columns):
            return try context.typed(
                fetch.results(self.columns.map { columns.row($0, store.reference) }) as [NSObject], request)
        }
    }

    private var isStillWhole: Bool {
        guard context.generationToRead === generation, context.shared.newerRows.now == newerRows else {
            return false
        }
        guard store.reference.store === store, context.persistentStoreCoordinator === store.persistentStoreCoordinator else {
            return false
        }
        return switch work {
        case .objects(let plan, _), .count(let plan, _): plan.isStoresAnswer
        case .dictionaries: true
        }
    }
}

/// Keeps rows, so that objects can be made from them later.
private final class RowCollector: RowConsumer {
    private let takesValues: Bool
    private let monitor: FetchMonitor?
    private(set) var rows: [(key: RowKey, row: Row?)] = []

    init(takesValues: Bool, _ monitor: FetchMonitor?) {
        self.takesValues = takesValues
        self.monitor = monitor
    }

    func wantsValues(of key: RowKey) -> Bool {
        if let monitor, !monitor.goOn() { return false }
        if !takesValues { rows.append((key, nil)) }
        return takesValues
    }

    func take(_ row: Row, for key: RowKey) { rows.append((key, row)) }
}

extension FetchPlan {
    /// The whole fetch as a request to one store; nil if one store can't do it.
    fileprivate func wholeRequest() throws -> (store: NSPersistentStore, request: RowRequest)? {
        // With a store in memory there is nothing to wait for. A program's store is asked on the context's queue.
        guard isStoresAnswer, stores.count == 1, let store = stores.first, store.kind.files != nil,
            !store.engine.executesRequests
        else { return nil }
        let query = try StoreQuery(self, store)
        guard query.isFiltered, query.isSorted else { return nil }
        var request = query.request
        request.limit = window.limit
        request.offset = window.offset
        request.takesValues = options.takesValues
        return (store, request)
    }

    /// Makes objects from rows that were read on another thread.
    ///
    /// - Parameter keepsNewer: Whether loaded objects with newer values, which were read since, keep them.
    fileprivate func objects(
        of rows: [(key: RowKey, row: Row?)], from store: NSPersistentStore, moment: Int, keepsNewer: Bool
    ) throws -> [NSManagedObject] {
        context.fetches.isRunning = true
        defer { context.fetches.isRunning = false }
        let consumer = options.consumerOfEarlierRows(
            context, context.registries(store.reference), keepsNewer: keepsNewer)
        for (key, row) in rows { if consumer.wantsValues(of: key), let row { consumer.take(row, for: key) } }
        let objects = consumer.finish()
        context.moment.noteRows(of: moment)
        try options.finish(objects, in: context)
        if !returnsObjectsAsFaults { try context.loadValues(of: objects) }
        return objects
    }
}
