public import ObjectGraph

/// A section of fetched results, as it was when it was asked for: its name and its objects in order.
public struct FetchedResultsSection<Object: NSManagedObject>: RandomAccessCollection {
    /// What the objects have in common: the value at the section's key path as text, empty for nil and without sections.
    public let name: String
    private let objects: ArraySlice<NSManagedObject>

    init(_ section: ResultsMembers.Section, _ members: ResultsMembers) {
        name = section.name
        objects = members.objects[section.start..<section.end]
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { objects.count }
    /// The object at a position in the section.
    public subscript(position: Int) -> Object { checked(objects[objects.startIndex + position]) }
}
