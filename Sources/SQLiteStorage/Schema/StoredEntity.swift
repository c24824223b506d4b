import DataModel
import Storage

/// Where the rows of one concrete entity are.
struct StoredEntity {
    let layout: EntityLayout
    let number: Int
    let table: SQLName
    /// In slot order, inherited ones included; an entity number comes behind all foreign keys, as its slot does.
    var columns: [StoredColumn]

    func column(slot: Int) -> StoredColumn? { columns.first { $0.slot == slot } }
}
