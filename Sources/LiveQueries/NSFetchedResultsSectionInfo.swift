import ObjectGraph

/// A section of a fetched results controller at the time when it was read.
public protocol NSFetchedResultsSectionInfo {
    /// The value at `sectionNameKeyPath` as text. It is empty for nil, and if there is no `sectionNameKeyPath`.
    var name: String { get }
    /// The title of the section in an index, by default a letter.
    var indexTitle: String? { get }
    /// The number of objects.
    var numberOfObjects: Int { get }
    /// The objects, or their IDs, in order.
    var objects: [Any]? { get }
}

struct FetchedResultsSectionInfo: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    let members: ArraySlice<NSManagedObject>
    let givesIDs: Bool

    var numberOfObjects: Int { members.count }
    var objects: [Any]? { givesIDs ? members.map(\.objectID) : Array(members) }
}
