package import DataModel
package import Foundation

/// One of the stores that Apple's framework wrote, with what lies beside it. Copy a store before opening it.
package struct StoreFixture: Sendable, CustomStringConvertible {
    package let name: String
    package let folder: URL
    /// The SQLite file.
    package let store: URL
    /// The `.xcdatamodel` folder, where there is one.
    package let sourceModel: URL?
    /// The rendering of the model that Core Data cached in the store, where there is one.
    package let cachedModel: URL?
    /// What an independent reader got out of the store.
    package let dump: URL

    /// All stores by name; empty where the fixtures are absent.
    package static let all: [StoreFixture] = {
        guard Fixtures.isAvailable else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.stores.path)) ?? []
        return names.sorted().compactMap { StoreFixture(Fixtures.stores.appendingPathComponent($0)) }
    }()

    private init?(_ folder: URL) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        func file(_ fits: (String) -> Bool) -> URL? { names.first(where: fits).map(folder.appendingPathComponent) }
        let signature = Data("SQLite format 3\0".utf8)
        let store = names.map(folder.appendingPathComponent).first { url in
            guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: signature.count)) == signature
        }
        guard let store, let dump = file({ $0 == "dump.json" }) else { return nil }
        name = folder.lastPathComponent
        self.folder = folder
        self.store = store
        self.dump = dump
        sourceModel = file { $0.hasSuffix(".xcdatamodel") }
        cachedModel = file { $0 == "model.json" }
    }

    /// The model: the cached one if there is one, else the source model.
    package func model() throws -> NSManagedObjectModel {
        if let cachedModel { return try ModelJSON.model(at: cachedModel) }
        guard let sourceModel else { throw CocoaError(.fileNoSuchFile) }
        return try NSManagedObjectModel(readingModelAt: sourceModel)
    }

    /// The parsed dump.
    package func readDump() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: dump))
        guard let json = json as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
        return json
    }

    /// The packed model that the store keeps, where it has one.
    package func readCache() throws -> Data? {
        let folder = try TemporaryFolder()
        let database = try Database(folder.copyStore(store))
        guard try !database.records("SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'").isEmpty else { return nil }
        let text = try database.records("SELECT Z_CONTENT AS c FROM Z_MODELCACHE").first?["c"]
        return text.flatMap { Data(base64Encoded: String($0.dropFirst())) }
    }

    /// The version hashes in the store's metadata.
    package func readVersionHashes() throws -> [String: Data] {
        let plist = (try readDump()["metadata"] as? [String: Any])?["plist"] as? [String: Any]
        return (plist?["NSStoreModelVersionHashes"] as? [String: String] ?? [:]).mapValues { text in
            Data(stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) })
        }
    }

    package var description: String { name }
}
