/// A column of keys that point from member rows to their owner.
struct ForeignKey: Hashable {
    let table: String
    let column: String
    /// The number of the owner's concrete entity, where the owner's entity has subentities.
    var entityColumn: String?
    /// The place among the rows of one owner.
    var orderColumn: String?
}
