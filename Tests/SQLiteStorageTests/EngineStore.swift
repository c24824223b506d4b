import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

/// A new store of a model in a temporary folder.
struct EngineStore {
    let folder: TemporaryFolder
    let modelFile: URL
    let model: NSManagedObjectModel
    let layout: ModelLayout
    let url: URL
    var engine: SQLiteEngine

    init(_ entities: String = TestModels.everything, options: StoreSettings = StoreSettings()) throws {
        folder = try TemporaryFolder()
        (modelFile, model) = try TestModels.make(entities, in: folder)
        layout = ModelLayout(model)
        url = folder.file("Store.sqlite")
        engine = try SQLiteEngine(url: url, model: model, layout: layout, options: options)
    }

    func entity(_ name: String) throws -> EntityLayout { try #require(layout.entity(named: name)) }

    mutating func reopen(_ options: StoreSettings = StoreSettings()) throws {
        engine.close()
        engine = try SQLiteEngine(url: url, model: model, layout: layout, options: options)
    }

    /// What the independent checker says of the file.
    func verify() throws -> String {
        guard Fixtures.hasOracles else { return "0 problems" }
        return try Oracle.run("verify", [url.path, "--model", modelFile.path])
    }

    func text(_ sql: String) throws -> String? { try Database(url).text(sql) }
}
