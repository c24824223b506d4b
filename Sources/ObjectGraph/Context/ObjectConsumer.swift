import DataModel
import Storage

/// Turns the rows of a fetch into objects: known ones as they are, others as faults that have their row.
final class ObjectConsumer: RowConsumer {
    private let context: NSManagedObjectContext
    private let registries: StoreRegistries
    /// Whether objects come with their values.
    let takesValues: Bool
    private let refreshes: Bool
    private let keepsNewer: Bool
    private let batchSize: Int
    private let monitor: FetchMonitor?
    // Unchecked exclusivity: made and used inside one fetch.
    @exclusivity(unchecked) private var keysWithoutValues: ContiguousArray<Int64> = []
    @exclusivity(unchecked) private(set) var objects: [NSManagedObject] = []
    /// A known object without values, whose row comes next.
    @exclusivity(unchecked) private var waiting: NSManagedObject?
    @exclusivity(unchecked) private var lastEntity = -1
    @exclusivity(unchecked) private var lastRegistry: ObjectRegistry?

    /// Loaded objects and the values that the store has now.
    @exclusivity(unchecked) private var outdated: [(object: NSManagedObject, row: Row)] = []

    /// - Parameters:
    ///   - takesValues: Whether objects come with their values.
    ///   - refreshes: Whether objects that are loaded already get the values, too.
    ///   - keepsNewer: Whether they do so only if the values are not older than theirs.
    ///   - batchSize: How many of the objects without values are loaded when the first of them is asked for one.
    init(
        _ context: NSManagedObjectContext, _ registries: StoreRegistries, takesValues: Bool = true, refreshes: Bool = false,
        keepsNewer: Bool = false, batchSize: Int = FaultBatches.size, monitor: FetchMonitor? = nil
    ) {
        self.context = context
        self.registries = registries
        self.takesValues = takesValues || refreshes
        self.refreshes = refreshes
        self.keepsNewer = keepsNewer
        self.batchSize = batchSize
        self.monitor = monitor
    }

    /// To be called when all rows came: objects without values will load them together.
    func finish() {
        // Not before: hooks of the objects may use the context.
        for (object, row) in outdated { context.refresh(object, with: row) }
        outdated = []
        guard let lastRegistry, !keysWithoutValues.isEmpty else { return }
        context.faultBatches.add(keysWithoutValues, store: registries.store, root: lastRegistry.layout.root, size: batchSize)
    }

    @inline(__always) private func registry(_ key: RowKey) -> ObjectRegistry {
        if key.entityIndex == lastEntity, let lastRegistry { return lastRegistry }
        let registry = registries.registry(key.entityIndex)
        lastEntity = key.entityIndex
        lastRegistry = registry
        return registry
    }

    func wantsValues(of key: RowKey) -> Bool {
        if let monitor, !monitor.goOn() { return false }
        guard takesValues else {
            objects.append(registry(key).object(key.key) ?? context.makeFault(registry(key), key: key.key, row: nil))
            keysWithoutValues.append(key.key)
            return false
        }
        guard let known = registry(key).object(key.key) else { return true }
        // A fault that has a row already gets the newer one: its values are to be those of the latest fetch.
        if known.isFault, known.row == nil || !known.hasChanges {
            waiting = known
            return true
        }
        if refreshes, !known.isFault {
            waiting = known
            return true
        }
        objects.append(known)
        return false
    }

    func take(_ row: Row, for key: RowKey) {
        if let known = waiting {
            waiting = nil
            if known.isFault {
                known.takeRow(row)
            } else if !keepsNewer || row.version >= known.savedVersion {
                outdated.append((known, row))
            }
            objects.append(known)
            return
        }
        objects.append(context.makeFault(registry(key), key: key.key, row: row))
    }
}
