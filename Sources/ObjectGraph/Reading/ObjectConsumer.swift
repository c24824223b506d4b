import DataModel
import Storage

/// Turns the rows of a fetch into objects. Known objects come as they are, others as faults that have their row.
///
/// Objects are made when all rows have come and the store is free again, because initializers belong to the program and
/// may use the store.
final class ObjectConsumer: RowConsumer {
    private let context: NSManagedObjectContext
    private let registries: StoreRegistries
    /// Whether objects come with their values.
    let takesValues: Bool
    private let refreshes: Bool
    private let keepsNewer: Bool
    private let confinesFailures: Bool
    /// Whether known objects that could not be read get the values, too.
    private let readsAgain: Bool
    private let batchSize: Int
    private let monitor: FetchMonitor?
    /// The keys of the rows that came, if a row may come more than once.
    @exclusivity(unchecked) private var seen: Set<Int64>?
    // Unchecked exclusivity: made and used inside one fetch.
    @exclusivity(unchecked) private var keysWithoutValues: ContiguousArray<Int64> = []
    @exclusivity(unchecked) private var objects: [NSManagedObject] = []
    /// The rows whose objects are not known. In batches, because an array that grows would take three times its size, and
    /// because a batch is freed when its objects are made.
    @exclusivity(unchecked) private var batches: [ContiguousArray<Found>] = []
    /// The batch that is being filled.
    @exclusivity(unchecked) private var rows: ContiguousArray<Found> = []
    /// The known objects that come after the first such row, and their positions.
    @exclusivity(unchecked) private var knownBetween: [(position: Int, object: NSManagedObject)] = []
    /// The number of rows that came.
    @exclusivity(unchecked) private(set) var count = 0
    /// A known object without values, whose row comes next.
    @exclusivity(unchecked) private var waiting: NSManagedObject?
    @exclusivity(unchecked) private var lastEntity = -1
    @exclusivity(unchecked) private var lastRegistry: ObjectRegistry?
    @exclusivity(unchecked) private var knowsNone = false

    private struct Found {
        let registry: ObjectRegistry
        let key: Int64
        var row: Row?

        static let batchSize = 512
    }

    /// Loaded objects and the values that the store has now.
    @exclusivity(unchecked) private var outdated: [(object: NSManagedObject, row: Row)] = []

    /// The way in which objects are made from the rows.
    struct Options {
        /// Whether objects come with their values.
        var takesValues = true
        /// Whether objects that are loaded already get the values, too.
        var refreshes = false
        /// Whether they get only values that are not older than their own.
        var keepsNewer = false
        /// Whether an object with values that can't be read comes as a fault, which reports the failure when it is
        /// fired.
        var confinesFailures = false
        /// The number of objects without values that are loaded when the first value of one of them is read.
        var batchSize = FaultBatches.size
        /// Counts the rows.
        var monitor: FetchMonitor?
        /// Whether a row may come more than once.
        var mayRepeat = false
    }

    init(_ context: NSManagedObjectContext, _ registries: StoreRegistries, _ options: Options = Options()) {
        self.context = context
        self.registries = registries
        takesValues = options.takesValues
        refreshes = options.refreshes
        keepsNewer = options.keepsNewer
        confinesFailures = options.confinesFailures || context.readingFailurePolicy == .record
        readsAgain = !context.reading.isEmpty
        batchSize = options.batchSize
        monitor = options.monitor
        if options.mayRepeat { seen = [] }
    }

    /// Must be called when all rows have come and the store is free. Objects without values will load them together.
    /// - Returns: The objects in the order of the rows.
    func finish() -> [NSManagedObject] {
        context.uniquing.faultMaking.begin()
        defer { context.uniquing.faultMaking.end() }
        makeObjects()
        // This happens only now, because hooks of the objects may use the context.
        for (object, row) in outdated { context.refresh(object, with: row) }
        outdated = []
        guard let lastRegistry, !keysWithoutValues.isEmpty else { return objects }
        context.fetches.batches.add(keysWithoutValues, store: registries.store, root: lastRegistry.layout.root, size: batchSize)
        return objects
    }

    private func makeObjects() {
        endBatch()
        guard !batches.isEmpty else { return }
        let (between, end) = (knownBetween, count)
        var (batches, objects): ([ContiguousArray<Found>], [NSManagedObject]) = ([], [])
        swap(&batches, &self.batches)
        swap(&objects, &self.objects)
        objects.reserveCapacity(end)
        // An initializer may fire faults, which drops old rows. The rows of the others are not newer than this moment.
        let moment = context.moment.ofRows
        var next = 0
        func addKnown() {
            while next < between.count, between[next].position == objects.count {
                objects.append(between[next].object)
                next += 1
            }
        }
        for index in batches.indices {
            var rows: ContiguousArray<Found> = []
            swap(&rows, &batches[index])
            for index in rows.indices {
                if next < between.count { addKnown() }
                // The row is moved to the object, and is not kept here.
                var row: Row?
                swap(&row, &rows[index].row)
                let (registry, key) = (rows[index].registry, rows[index].key)
                if seen != nil, let known = registry.object(key) {
                    objects.append(known)
                } else {
                    objects.append(context.makeFault(registry, key: key, row: row))
                }
            }
        }
        addKnown()
        knownBetween = []
        context.moment.noteRows(of: moment)
        swap(&objects, &self.objects)
    }

    @inline(__always) private func add(_ known: NSManagedObject) {
        if rows.isEmpty, batches.isEmpty { objects.append(known) } else { knownBetween.append((count, known)) }
        count += 1
    }

    @inline(__always) private func addNew(_ key: RowKey, _ row: Row?) {
        if rows.count == Found.batchSize {
            endBatch()
            rows.reserveCapacity(Found.batchSize)
        }
        rows.append(Found(registry: registry(key), key: key.key, row: row))
        count += 1
    }

    @inline(never) private func endBatch() {
        guard !rows.isEmpty else { return }
        batches.append(rows)
        rows = []
    }

    @inline(__always) private func registry(_ key: RowKey) -> ObjectRegistry {
        if key.entityIndex == lastEntity, let lastRegistry { return lastRegistry }
        let registry = registries.registry(key.entityIndex)
        lastEntity = key.entityIndex
        lastRegistry = registry
        knowsNone = !registry.record.pointee.tellsStore && registry.isEmpty
        return registry
    }

    /// The registered object for a row. Nothing is locked and searched for if the context has no object of the entity: it gets
    /// none while rows come, unless a program's store makes some.
    @inline(__always) private func known(_ key: RowKey) -> NSManagedObject? {
        let registry = registry(key)
        return knowsNone ? nil : registry.object(key.key)
    }

    func wantsValues(of key: RowKey) -> Bool {
        if let monitor, !monitor.goOn() { return false }
        guard takesValues else {
            if let known = known(key) { add(known) } else { addNew(key, nil) }
            keysWithoutValues.append(key.key)
            return false
        }
        guard let known = known(key) else { return isFirst(key) }
        // A fault that has a row already gets the newer one, because its values must be those of the latest fetch.
        if known.isFault, known.row == nil || !known.hasChanges {
            waiting = known
            return true
        }
        if refreshes && !known.isFault || readsAgain && known._state.contains(.unread) {
            waiting = known
            return true
        }
        add(known)
        return false
    }

    /// Whether the row comes for the first time. If not, its object will exist when objects are made.
    @inline(__always) private func isFirst(_ key: RowKey) -> Bool {
        guard seen != nil, seen?.insert(key.key).inserted == false else { return true }
        addNew(key, nil)
        return false
    }

    func takeFault(_ key: RowKey) {
        if let monitor, !monitor.goOn() { return }
        if let known = known(key) { return add(known) }
        if isFirst(key) { addNew(key, nil) }
    }

    func takeFailure(_ error: any Error, for key: RowKey) throws {
        guard confinesFailures else { throw error }
        let known = waiting
        waiting = nil
        // The row that the fault had is older than the one that can't be read.
        if let known, known.isFault, !known.hasChanges { known.row = nil }
        if let known { add(known) } else { addNew(key, nil) }
    }

    func take(_ row: Row, for key: RowKey) {
        if let known = waiting {
            waiting = nil
            if known.isFault {
                known.takeRow(row)
            } else if !keepsNewer || row.version >= known.savedVersion {
                outdated.append((known, row))
            }
            add(known)
            return
        }
        addNew(key, row)
    }
}
