import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// A store file that is made with one model, filled, and then opened with others.
final class MigratedStore {
    let folder: TemporaryFolder
    var url: URL { folder.file("store.sqlite") }
    static var automatic: [String: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreTimeoutOption: 1,
        ]
    }

    /// - Parameter options: Those the store is made with.
    init(
        _ model: NSManagedObjectModel, options: [String: Any]? = nil, at location: SourceLocation = #_sourceLocation,
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        try open(model, options: options, at: location) { context in
            try fill(context)
            try context.save()
        }
    }

    /// Opens the store, runs `body` in a context, and closes the store.
    @discardableResult
    func open<Result>(
        _ model: NSManagedObjectModel, options: [String: Any]? = automatic, at location: SourceLocation = #_sourceLocation,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        defer { try? coordinator.remove(store) }
        return try context.run(at: location, body)
    }

    /// Migrates the store, compares its tables, columns and indexes with those of a new store, and has the independent
    /// checker look at it.
    @discardableResult
    func migrate<Result>(
        to model: NSManagedObjectModel, options: [String: Any] = automatic, at location: SourceLocation = #_sourceLocation,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let result = try open(model, options: options, at: location, body)
        guard let copy = model.copy() as? NSManagedObjectModel else { throw CocoaError(.featureUnsupported) }
        let fresh = try MigratedStore(copy)
        let (own, expected) = (try Self.schema(url), try Self.schema(fresh.url))
        #expect(own == expected, sourceLocation: location)
        try verify(at: location)
        return result
    }

    func verify(at location: SourceLocation = #_sourceLocation) throws {
        guard Fixtures.hasOracles else { return }
        let tool = Fixtures.tools.appendingPathComponent("store_oracle.py").path
        let outcome = try runProcess("python3", [tool, "verify", url.path], environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errorText)", sourceLocation: location)
    }

    /// Tables with the types of their columns by name, and what indexes do, whatever their names are.
    static func schema(_ url: URL) throws -> [String: [String]] {
        let database = try Database(url)
        var result: [String: [String]] = [:]
        for table in try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first) {
            guard let table, !table.hasPrefix("sqlite_") else { continue }
            var parts = try database.rows("SELECT name || ' ' || type FROM pragma_table_info('\(table)')").compactMap { $0[0] }
            let indexes = try database.rows("SELECT name, \"unique\" FROM pragma_index_list('\(table)')")
            for index in indexes {
                let columns = try database.rows(
                    "SELECT name || ' ' || \"desc\" FROM pragma_index_xinfo('\(index[0] ?? "")') WHERE key ORDER BY seqno")
                parts.append("index \(index[1] ?? "") \(columns.compactMap { $0[0] }.joined(separator: ","))")
            }
            result[table] = parts.sorted()
        }
        let triggers = try database.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'").compactMap { $0[0] }
        result["triggers"] = triggers.sorted()
        return result
    }

    func error(
        migratingTo model: NSManagedObjectModel, options: [String: Any] = automatic,
        at location: SourceLocation = #_sourceLocation
    ) throws -> NSError {
        let before = try Data(contentsOf: url)
        let error = #expect(throws: NSError.self, sourceLocation: location) { try open(model, options: options) { _ in } }
        let after = try Data(contentsOf: url)
        #expect(after == before, "The file has changed", sourceLocation: location)
        return try #require(error, sourceLocation: location)
    }
}
