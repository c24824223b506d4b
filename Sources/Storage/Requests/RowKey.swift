/// Names a row: the index of its concrete entity in the model, and its primary key. Keys below zero are temporary.
package struct RowKey: Hashable, Sendable {
    package let entity: Int32
    package let key: Int64

    @inlinable package init(entity: Int, key: Int64) {
        self.entity = Int32(truncatingIfNeeded: entity)
        self.key = key
    }

    @inlinable package var entityIndex: Int { Int(entity) }
    @inlinable package var isTemporary: Bool { key < 0 }
}
