import Storage

/// Gives rows to the faults that wait for them.
final class FaultConsumer: RowConsumer {
    private let registries: StoreRegistries
    private let wanted: Int64?
    /// The row of the fault that is being fired.
    private(set) var row: Row?
    private var waiting: NSManagedObject?

    /// - Parameter wanted: The key of the fault that is being fired; nil if no fault is fired.
    init(_ registries: StoreRegistries, wanted: Int64?) {
        self.registries = registries
        self.wanted = wanted
    }

    func wantsValues(of key: RowKey) -> Bool {
        if key.key == wanted { return true }
        waiting = registries.registry(key.entityIndex).object(key.key)
        return waiting.map { $0.isFault && $0.row == nil } ?? false
    }

    func takeFailure(_ error: any Error, for key: RowKey) throws {
        waiting = nil
        if key.key == wanted { throw error }
    }

    func take(_ row: Row, for key: RowKey) {
        if key.key == wanted {
            self.row = row
        } else {
            waiting?.takeRow(row)
        }
        waiting = nil
    }
}
