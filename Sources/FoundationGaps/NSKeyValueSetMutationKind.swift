/// How a set is being changed; see `NSManagedObject.willChangeValue(forKey:withSetMutation:using:)`.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// The objects are added.
    case union = 1
    /// The objects are removed.
    case minus = 2
    /// All members except the objects are removed.
    case intersect = 3
    /// The objects become the members.
    case set = 4
}
