import Storage

/// What the SQL text of a fetch depends on. Prepared statements are kept by shape, so no text is made for a shape that was seen
/// before.
struct FetchShape: Hashable {
    enum Selection: Hashable {
        case all
        /// A fixed number of keys; fewer are filled up by repeating one.
        case keys(Int)
        /// Any number of keys in one statement, for results that are sorted or cut.
        case anyKeys
        /// The members of a relationship, by its id.
        case members(Int)
        /// Rows with given values in the columns of an entity's slots.
        case matching(entity: Int, slots: [Int])
    }

    let entity: Int
    let includesSubentities: Bool
    let selection: Selection
    var predicate: RowPredicate?
    /// How many constants the predicate may use. Their values don't matter.
    var constantCount = 0
    let sortKeys: [RowRequest.SortKey]
    let isCut: Bool
    var takesValues = true
    let isCount: Bool

    /// How many parameters come before those of the constants.
    var parameterCount: Int {
        switch selection {
        case .all: 0
        case .keys(let count): count
        case .anyKeys, .members: 1
        case .matching(_, let slots): slots.count
        }
    }

    /// How many keys the statements for keys take.
    static let keyCounts = [1, 8, 100]
}
