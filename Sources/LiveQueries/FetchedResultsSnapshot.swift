import Foundation
public import ObjectGraph

/// The sections of some results and the IDs in them, at one moment. May be used on every thread.
///
/// It stands where Apple's API has `NSDiffableDataSourceSnapshot`, which belongs to the user interface frameworks.
public struct FetchedResultsSnapshot: Sendable, Equatable {
    /// A section's name and the IDs of its objects.
    public struct Section: Sendable, Equatable {
        /// The name; empty without sections.
        public let name: String
        /// The IDs in order.
        public let objectIDs: [NSManagedObjectID]
    }

    /// The sections in order. Without sections one, which is there also when there are no objects.
    public let sections: [Section]

    init(_ members: ResultsMembers) {
        sections = members.sections.map { section in
            Section(name: section.name, objectIDs: members.objects[section.start..<section.end].map(\.objectID))
        }
    }

    /// The names of the sections in order.
    public var sectionIdentifiers: [String] { sections.map(\.name) }

    /// All IDs in order.
    public var itemIdentifiers: [NSManagedObjectID] { sections.flatMap(\.objectIDs) }

    /// The IDs of a section in order; none if there is no such section.
    ///
    /// - Parameter identifier: The section's name.
    public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
        sections.first { $0.name == identifier }?.objectIDs ?? []
    }

    /// How many IDs there are.
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.objectIDs.count } }

    /// How many sections there are.
    public var numberOfSections: Int { sections.count }
}
