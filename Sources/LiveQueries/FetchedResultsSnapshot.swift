import Foundation
public import ObjectGraph

/// The sections of results and the IDs in them at one time. May be used on every thread.
///
/// Apple's API has `NSDiffableDataSourceSnapshot` instead, which belongs to the user interface frameworks.
public struct FetchedResultsSnapshot: Sendable, Equatable {
    /// A section's name and the IDs of its objects.
    public struct Section: Sendable, Equatable {
        /// The name. It is empty if there is no section key path.
        public let name: String
        /// The IDs in order.
        public let objectIDs: [NSManagedObjectID]
    }

    /// The sections in order. Without a section key path there is one section, even if there are no objects.
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

    /// The IDs of a section in order. The array is empty if there is no such section.
    ///
    /// - Parameter identifier: The section's name.
    public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
        sections.first { $0.name == identifier }?.objectIDs ?? []
    }

    /// The number of IDs.
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.objectIDs.count } }

    /// The number of sections.
    public var numberOfSections: Int { sections.count }
}
