import Foundation
import Storage

/// Reads rows by a connection: the engine's own, or that of a snapshot.
protocol SQLiteReader: ColumnSource {
    /// - Throws: If the store was closed.
    func openStore(_ phase: StorePhase) throws -> OpenStore
}

extension SQLiteReader {
    package var columns: (any ColumnSource)? { self }
    package func evaluates(_ column: RowExpression) -> Bool { true }

    package func externalValue(_ file: UUID) throws -> Data { try openStore(.reading).externalData.contents(file) }
}
