/// What a batch update tells of its work, with Apple's raw values.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnlyResultType = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case updatedObjectIDsResultType = 1
    /// How many rows there are: `Int`.
    case updatedObjectsCountResultType = 2
}
