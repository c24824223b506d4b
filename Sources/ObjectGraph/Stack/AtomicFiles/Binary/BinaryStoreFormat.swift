import Foundation
import FoundationGaps
import Storage

/// The format of binary stores, which is this library's own. That of Apple's framework is not public.
///
/// A file has, one after the other:
/// 1. `header`, and a byte with the version of the format, 1;
/// 2. the metadata: a binary property list, after its length;
/// 3. the highest number that an object ever had;
/// 4. the entities that have objects: their count, and for each its name, the count of its attributes with the name and the
///    number of the type of each, and the count of its relationships with their names;
/// 5. the objects: their count, and for each the place of its entity among the entities, its number, its values in the order
///    of the attributes, and for each relationship the count and the numbers of its destinations.
///
/// A value is a byte that is 0 for nil and 1 else, and then what `BinaryValue` says. Counts, lengths and numbers are written in
/// groups of seven bits, the lowest first; all but the last group have the highest bit set. A text is its length in UTF-8 and
/// its bytes.
struct BinaryStoreFormat: AtomicFormat {
    let name = "a binary store"

    static let header = Data("OpenCoreData binary store\n".utf8)
    static let version: UInt8 = 1

    func requireModel(_ model: ModelLayout, entities: [EntityLayout]) throws {}

    func metadata(in data: Data) throws -> [String: Any] {
        var bytes = try Self.start(of: data)
        return try Self.metadata(&bytes)
    }

    func replacingMetadata(_ metadata: [String: Any], in data: Data) throws -> Data {
        var bytes = try Self.start(of: data)
        _ = try bytes.data()
        var writer = BinaryStoreWriter()
        try writer.start(metadata)
        return writer.data + bytes.rest
    }

    func content(of data: Data, model: ModelLayout) throws -> AtomicContent {
        var bytes = try Self.start(of: data)
        let metadata = try Self.metadata(&bytes)
        var reader = BinaryStoreReader(bytes, model)
        return try reader.content(metadata)
    }

    func data(of content: AtomicContent, model: ModelLayout) throws -> Data {
        var writer = BinaryStoreWriter()
        try writer.write(content)
        return writer.data
    }

    /// What follows header and version.
    private static func start(of data: Data) throws -> BinaryBytes {
        guard data.starts(with: header) else {
            throw AtomicFailure(
                "it is not a binary store of this library. The format of Apple's binary stores is not public: on an Apple system, migrate such a store to an SQLite store, which can be read here"
            )
        }
        var bytes = BinaryBytes(data.dropFirst(header.count))
        let version = try bytes.byte()
        guard version == Self.version else { throw AtomicFailure("its version \(version) is not known, only \(Self.version) is") }
        return bytes
    }

    private static func metadata(_ bytes: inout BinaryBytes) throws -> [String: Any] {
        guard let values = PropertyListBytes.value(try bytes.data()) as? [String: Any],
            let identifier = values[StoreMetadata.identifierKey] as? String, !identifier.isEmpty
        else { throw AtomicFailure("its metadata are not a property list with a UUID") }
        return values
    }
}
