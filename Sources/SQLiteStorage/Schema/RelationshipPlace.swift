/// Where a relationship's members are found.
enum RelationshipPlace {
    /// To-one: in the owner's row.
    case toOne(ForeignKey)
    /// To-many: in the members' rows.
    case members(ForeignKey, isHidden: Bool)
    case join(JoinSide)
}
