import DataModel

/// One row that a save writes.
package struct RowChange {
    package let key: Int64
    /// The values to write: all of them for an insert, those in `mask` for an update; unused for a delete.
    package let row: Row
    /// The version that the store must still have; for an insert, the one that the row had before it was deleted, or 0
    /// for a new row.
    package let expectedVersion: Int64
    /// The slots to write in an update.
    package let mask: SlotMask

    package init(key: Int64, row: Row, expectedVersion: Int64 = 0, mask: SlotMask = SlotMask()) {
        self.key = key
        self.row = row
        self.expectedVersion = expectedVersion
        self.mask = mask
    }
}
