import Storage

/// Takes the first row of a look-up.
final class SingleRow: RowConsumer {
    private(set) var found: (key: RowKey, row: Row)?

    func wantsValues(of key: RowKey) -> Bool { found == nil }
    func take(_ row: Row, for key: RowKey) { found = (key, row) }
}
