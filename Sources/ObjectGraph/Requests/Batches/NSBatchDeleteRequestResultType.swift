/// The kinds of result of a batch delete, with Apple's raw values.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// `true`.
    case resultTypeStatusOnly = 0
    /// The IDs of the rows: `[NSManagedObjectID]`.
    case resultTypeObjectIDs = 1
    /// The number of rows: `Int`.
    case resultTypeCount = 2
}
