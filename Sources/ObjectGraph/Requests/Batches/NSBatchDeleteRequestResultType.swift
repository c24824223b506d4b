/// What a batch delete tells of its work, with Apple's raw values.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// `true`.
    case resultTypeStatusOnly = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case resultTypeObjectIDs = 1
    /// How many rows there were: `Int`.
    case resultTypeCount = 2
}
