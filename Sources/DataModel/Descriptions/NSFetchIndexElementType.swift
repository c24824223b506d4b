/// How a part of a fetch index is stored.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordinary ordered index.
    case binary = 0
    /// A spatial index over a range of numbers.
    case rTree = 1
}
