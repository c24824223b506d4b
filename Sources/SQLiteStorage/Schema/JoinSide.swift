/// A join table as seen from one of its two sides.
struct JoinSide: Hashable {
    let table: SQLName
    /// The column with the keys of this side's owners.
    let owner: SQLName
    let member: SQLName
    /// Orders the members of one owner.
    let order: SQLName?
    /// Orders, for the other side, the owners of one member.
    let inverseOrder: SQLName?
    /// Whether the relationship is its own inverse: then a pair counts in both directions.
    let isReflexive: Bool
}
