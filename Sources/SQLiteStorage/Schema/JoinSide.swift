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
