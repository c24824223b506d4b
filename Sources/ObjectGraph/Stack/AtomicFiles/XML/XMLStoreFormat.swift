import DataModel
import Foundation
import FoundationGaps
import Storage

/// The format of Apple's XML stores, as files show it: `<database>` has a `<databaseInfo>` and one `<object>` for each object.
struct XMLStoreFormat: AtomicFormat {
    let name = "an XML store"

    func requireModel(_ model: ModelLayout, entities: [EntityLayout]) throws { _ = try XMLNames(entities) }

    func content(of data: Data, model: ModelLayout) throws -> AtomicContent {
        let reader = try XMLStoreReader(model)
        try Self.read(data, into: reader)
        var content = try reader.content()
        content.metadata = try metadata(in: data)
        return content
    }

    func data(of content: AtomicContent, model: ModelLayout) throws -> Data {
        var writer = XMLStoreWriter(model)
        return try writer.data(of: content)
    }

    static func read(_ data: Data, into reader: any XMLEventReader) throws {
        do { try XMLEvents.read(data, into: reader, greatestDepth: 80) } catch let problem as XMLProblem {
            let column = problem.column.map { ", column \($0)" } ?? ""
            throw AtomicFailure(problem.line.map { "line \($0)\(column): \(problem.text)" } ?? problem.text)
        }
    }

    // MARK: Metadata

    func metadata(in data: Data) throws -> [String: Any] {
        let head = try XMLStoreHead(data)
        var values: [String: Any] = [:]
        if let range = head.metadata, !data[range].allSatisfy(Self.isSpace) {
            guard let list = PropertyListBytes.value(Data(data[range].drop(while: Self.isSpace))) as? [String: Any] else {
                throw AtomicFailure("its metadata are not a property list")
            }
            values = list
        }
        values[StoreMetadata.identifierKey] = head.identifier
        return values
    }

    func replacingMetadata(_ metadata: [String: Any], in data: Data) throws -> Data {
        let head = try XMLStoreHead(data)
        guard let range = head.metadata else { throw AtomicFailure("it has no element <metadata> that could hold metadata") }
        return try data[data.startIndex..<range.lowerBound] + XMLStoreWriter.metadata(metadata) + data[range.upperBound...]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x9...0xd).contains(byte) }
}
