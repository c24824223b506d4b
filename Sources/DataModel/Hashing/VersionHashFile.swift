import Foundation

/// The file `OpenCoreDataHashes.json` beside the versions of a model: version hashes of Apple's compiler, each with the hash of
/// this package for the entity that it belongs to. So a hash is never taken for an entity that has changed since.
///
/// ```json
/// {"Cinema 2": {"Movie": {"apple": "<64 hexadecimal digits>", "structure": "<64 hexadecimal digits>"}}}
/// ```
enum VersionHashFile {
    static let name = "OpenCoreDataHashes.json"
    private static let greatestSize = 16 << 20

    private struct Entry: Codable {
        let apple: String
        let structure: String
    }

    /// Apple's hashes by this package's. Empty if there is no such file, or one that can't be read.
    static func pairs(in folder: URL) -> [Data: Data] {
        let file = folder.appendingPathComponent(name)
        guard let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int, size <= greatestSize,
            let data = try? Data(contentsOf: file),
            let versions = try? JSONDecoder().decode([String: [String: Entry]].self, from: data)
        else { return [:] }
        var pairs: [Data: Data] = [:]
        for entry in versions.values.flatMap(\.values) {
            if let structure = bytes(entry.structure), let apple = bytes(entry.apple) { pairs[structure] = apple }
        }
        return pairs
    }

    /// The content of the file for versions of a model by their names. Entities whose Apple hash is not known are left out.
    static func data(for versions: [String: NSManagedObjectModel]) throws -> Data {
        let content = versions.mapValues { model in
            model.entitiesByName.compactMapValues { entity -> Entry? in
                let structure = entity.structuralHash
                return model.knownVersionHashes[structure].map { Entry(apple: text($0), structure: text(structure)) }
            }
        }.filter { !$0.value.isEmpty }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(content)
    }

    private static func text(_ hash: Data) -> String { hash.map { String(format: "%02x", $0) }.joined() }

    private static func bytes(_ text: String) -> Data? {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var data = Data()
        for place in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16) else { return nil }
            data.append(byte)
        }
        return data
    }
}
