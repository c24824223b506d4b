import CSQLite

/// A statement that writes rows of one entity, and which slots go into which parameters.
final class PreparedWrite {
    let statement: Statement
    let columns: UnsafeMutableBufferPointer<ColumnWriter>

    init(_ statement: Statement, _ columns: [ColumnWriter]) {
        self.statement = statement
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(from: columns)
    }

    deinit { columns.deallocate() }

    @inline(__always) var handle: OpaquePointer { statement.handle }
}
