/// A column of keys that point from member rows to their owner.
struct ForeignKey: Hashable {
    let table: SQLName
    let column: SQLName
    /// The number of the owner's concrete entity, where the owner's entity has subentities.
    var entityColumn: SQLName?
    /// The position among the rows of one owner.
    var orderColumn: SQLName?
}
