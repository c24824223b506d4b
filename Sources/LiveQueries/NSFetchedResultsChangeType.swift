import ObjectGraph

/// What happened to an object or a section of a fetched results controller. The raw values are Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The object or section is new in the results.
    case insert = 1
    /// The object or section is no longer in the results.
    case delete = 2
    /// A changed object has another position among the others.
    case move = 3
    /// A changed object has the same position among the others.
    case update = 4
}
