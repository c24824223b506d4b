import DataModel
package import Foundation

/// Where rows are read: an engine, whose rows change with each save, or a snapshot of one, whose rows stay.
package protocol RowSource: AnyObject, Sendable {
    /// Finds rows and hands them to `consumer` in result order.
    func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws

    /// Finds the destinations of a to-many relationship for several owners, with one look into the store.
    func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws

    /// The number of rows that `fetch` would find.
    func count(_ request: RowRequest) throws -> Int

    /// The binary value that the store keeps in a file.
    ///
    /// - Throws: An error that names the file, if it can't be read.
    func externalValue(_ file: UUID) throws -> Data

    /// See `Capabilities.swift`.
    var columns: (any ColumnSource)? { get }
}

extension RowSource {
    package func externalValue(_ file: UUID) throws -> Data { throw CocoaError(.fileReadNoSuchFile) }
}
