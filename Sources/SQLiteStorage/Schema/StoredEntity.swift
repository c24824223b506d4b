import DataModel

/// The column of one slot.
struct StoredColumn {
    let name: String
    let sqlType: String
    let encoding: ColumnEncoding
    let slot: Int
    /// For a foreign key: the column that orders its rows among those of one owner.
    var orderColumn: String?
    /// For an entity number: the index of the relationship's declared destination, taken where the file has no number.
    var destination = 0
    /// Whether triggers of the store keep the value, so that it is read and never written.
    var isKeptByTriggers = false
}

/// Where the rows of one concrete entity are.
struct StoredEntity {
    let layout: EntityLayout
    let number: Int
    let table: String
    /// In slot order, inherited ones included; an entity number comes behind all foreign keys, as its slot does.
    var columns: [StoredColumn]

    func column(slot: Int) -> StoredColumn? { columns.first { $0.slot == slot } }
}

/// A column of keys that point from member rows to their owner.
struct ForeignKey: Hashable {
    let table: String
    let column: String
    /// The number of the owner's concrete entity, where the owner's entity has subentities.
    var entityColumn: String?
    /// The place among the rows of one owner.
    var orderColumn: String?
}

/// A join table as seen from one of its two sides.
struct JoinSide: Hashable {
    let table: String
    /// The column with the keys of this side's owners.
    let owner: String
    let member: String
    /// Orders the members of one owner.
    let order: String?
    /// Orders, for the other side, the owners of one member.
    let inverseOrder: String?
    /// Whether the relationship is its own inverse: then a pair counts in both directions.
    let isReflexive: Bool
}

/// Where a relationship's members are found.
enum RelationshipPlace {
    /// To-one: in the owner's row.
    case toOne(ForeignKey)
    /// To-many: in the members' rows.
    case members(ForeignKey, isHidden: Bool)
    case join(JoinSide)
}
