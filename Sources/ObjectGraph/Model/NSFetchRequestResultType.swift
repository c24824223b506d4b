/// What a fetch gives, with Apple's raw values.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// Apple's value.
    public let rawValue: UInt

    /// Makes a type from Apple's value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType: NSFetchRequestResultType = []
    /// IDs of managed objects.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries with values of some properties, or with values computed from many rows.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// One number, the count.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
