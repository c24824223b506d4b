public import ObjectGraph

/// A section of fetched results at the time when it was read. It has a name and its objects in order.
public struct FetchedResultsSection<Object: NSManagedObject>: RandomAccessCollection {
    /// The value at the section key path as text. It is empty for nil, and if there is no section key path.
    public let name: String
    private let objects: ArraySlice<NSManagedObject>

    init(_ section: ResultsMembers.Section, _ members: ResultsMembers) {
        name = section.name
        objects = members.objects[section.start..<section.end]
    }

    /// The position of the first object, which is 0.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { objects.count }
    /// The object at a position in the section.
    public subscript(position: Int) -> Object { checked(objects[objects.startIndex + position]) }
}
