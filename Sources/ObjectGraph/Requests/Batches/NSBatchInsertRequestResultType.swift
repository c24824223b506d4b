/// What a batch insert tells of its work, with Apple's raw values.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnly = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case objectIDs = 1
    /// How many rows there are: `Int`.
    case count = 2
}
