import DataModel
import Foundation
import TestSupport

/// A store of the fixtures that Apple's framework wrote, with a model that belongs to it.
struct StoreFixture: CustomStringConvertible, Sendable {
    enum ModelSource: Sendable {
        case xml(URL)
        case cached
    }

    let name: String
    let store: URL
    let source: ModelSource

    var description: String {
        switch source {
        case .xml: "\(name) (xcdatamodel)"
        case .cached: "\(name) (model.json)"
        }
    }

    var folder: URL { store.deletingLastPathComponent() }
    /// The argument for the oracle, where the store has no cached model.
    var modelArguments: [String] {
        guard case .xml(let url) = source,
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent("model.json").path)
        else { return [] }
        return ["--model", url.path]
    }

    func model() throws -> NSManagedObjectModel {
        switch source {
        case .xml(let url): try NSManagedObjectModel(readingModelAt: url)
        case .cached: try ModelJSON.model(ofStore: name)
        }
    }

    func golden() throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appendingPathComponent("dump.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// Every store with each model that is at hand.
    static let all: [StoreFixture] = {
        guard Fixtures.isAvailable else { return [] }
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: Fixtures.stores.path))?.sorted() ?? []
        return names.flatMap { name -> [StoreFixture] in
            let folder = Fixtures.stores.appendingPathComponent(name)
            let files = ((try? manager.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
            guard let store = files.map(folder.appendingPathComponent).first(where: isSQLite) else { return [] }
            var result: [StoreFixture] = []
            if let xml = files.first(where: { $0.hasSuffix(".xcdatamodel") }) {
                result.append(StoreFixture(name: name, store: store, source: .xml(folder.appendingPathComponent(xml))))
            }
            if files.contains("model.json") { result.append(StoreFixture(name: name, store: store, source: .cached)) }
            // magicalrecord-recipes: its model is at hand only in Xcode 3's binary format, which nothing here reads yet.
            return result
        }
    }()

    static func named(_ name: String) throws -> StoreFixture {
        guard let fixture = all.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        return fixture
    }

    private static func isSQLite(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }
}
