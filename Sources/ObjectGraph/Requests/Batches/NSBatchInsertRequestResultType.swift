/// The kinds of result of a batch insert, with Apple's raw values.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnly = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case objectIDs = 1
    /// The number of rows: `Int`.
    case count = 2
}
