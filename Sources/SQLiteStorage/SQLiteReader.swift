import Storage

/// Reads rows by a connection: the engine's own, or that of a snapshot.
protocol SQLiteReader: ColumnSource {
    /// - Throws: If the store was closed.
    func openStore(_ phase: StorePhase) throws -> OpenStore
}
