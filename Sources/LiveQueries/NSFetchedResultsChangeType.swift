import ObjectGraph

/// What happened to an object or a section of a fetched results controller, with Apple's raw values.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It is new among the results.
    case insert = 1
    /// It is no longer among the results.
    case delete = 2
    /// An object was changed and has another place.
    case move = 3
    /// An object was changed and has the same place among the others.
    case update = 4
}
