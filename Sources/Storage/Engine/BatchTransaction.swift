import DataModel

/// A transaction that writes many rows at once, whatever their versions are and without their objects.
package protocol BatchTransaction: SaveTransaction {
    /// Gives rows of one concrete entity new values. The version of each goes up by one. Keys without a row are
    /// skipped.
    func update(_ keys: [Int64], entity: EntityLayout, assignments: BatchAssignments) throws

    /// Deletes rows of one concrete entity, their pairs in join tables, and the hidden foreign keys that lead to them.
    /// Keys without a row are skipped.
    func delete(_ keys: [Int64], entity: EntityLayout) throws

    /// The current versions of rows of one concrete entity, by key. Keys without a row are missing.
    func versions(of keys: [Int64], entity: EntityLayout) throws -> [Int64: Int64]
}

/// What a batch update gives each of its rows.
package struct BatchAssignments {
    /// Has the values for `mask`; a nil there takes the value away.
    package let row: Row
    package let mask: SlotMask
    /// Slots whose value depends on the row; none of them is in the mask.
    package var computed: [(slot: Int, value: RowExpression)] = []
    /// The constants of `computed`, by their index.
    package var constants: [RowValue] = []

    package init(row: Row, mask: SlotMask) {
        self.row = row
        self.mask = mask
    }
}
