/// The kinds of result of a batch update, with Apple's raw values.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnlyResultType = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case updatedObjectIDsResultType = 1
    /// The number of rows: `Int`.
    case updatedObjectsCountResultType = 2
}
