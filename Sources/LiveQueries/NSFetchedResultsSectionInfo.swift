import ObjectGraph

/// A section of a fetched results controller, as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
    /// What the objects of the section have in common: the value at `sectionNameKeyPath` as text, empty for nil and without
    /// sections.
    var name: String { get }
    /// What stands for the section in an index, mostly a letter.
    var indexTitle: String? { get }
    /// How many objects there are.
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
