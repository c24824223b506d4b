import Foundation
import Storage

/// The format of the files of a built-in atomic store. What it throws is an `AtomicFailure`.
protocol AtomicFormat: Sendable {
    /// What a file of the format is called in messages, such as "an XML store".
    var name: String { get }

    /// Refuses a model whose names or types the format can't hold.
    func requireModel(_ model: ModelLayout, entities: [EntityLayout]) throws

    /// The metadata of a file, with its UUID and without its type.
    func metadata(in data: Data) throws -> [String: Any]

    /// A file with the same objects and other metadata.
    func replacingMetadata(_ metadata: [String: Any], in data: Data) throws -> Data

    /// Everything that is in a file.
    func content(of data: Data, model: ModelLayout) throws -> AtomicContent

    /// A file with some content.
    func data(of content: AtomicContent, model: ModelLayout) throws -> Data
}

/// What is wrong with a file of an atomic store, or with what is to be written into one.
struct AtomicFailure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    /// - Parameter line: Where in the file; nil if no line can be named.
    init(_ reason: String, line: Int?) { self.reason = line.map { "line \($0): \(reason)" } ?? reason }
}
