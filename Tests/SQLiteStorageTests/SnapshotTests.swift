import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Snapshots: the rows of one moment, while others save")
struct SnapshotTests {
    @Test("CTX-194: a snapshot has the rows of its moment, and the files of external data that they name stay as long as it does")
    func externalFiles() throws {
        let (store, key, file, data) = try EngineStore.withExternalFile()
        let note = try store.entity("Note")
        let slot = try #require(note.slotByName["aLargeBlob"])
        var first = try store.engine.makeSnapshot()
        try #require(first != nil)
        try store.engine.delete(note, key, version: 1)
        var second = try store.engine.makeSnapshot()
        #expect(try store.engine.row(note, key) == nil)
        #expect(try second?.row(note, key) == nil)
        #expect(try first?.row(note, key)?.data(slot) == data)
        #expect(try first?.count(RowRequest(note)) == 1)
        #expect(FileManager.default.fileExists(atPath: file.path))
        // The one that never had the row does not matter.
        first = nil
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try second?.count(RowRequest(note)) == 0)
        second = nil
    }

    @Test("Closing the engine ends its snapshots: they refuse every call, the log is emptied, and postponed files go")
    func closing() throws {
        let (store, key, file, _) = try EngineStore.withExternalFile()
        let note = try store.entity("Note")
        let snapshot = try #require(try store.engine.makeSnapshot())
        try store.engine.delete(note, key, version: 1)
        #expect(FileManager.default.fileExists(atPath: file.path))
        store.engine.close()
        let error = try #require(throws: NSError.self) { try snapshot.rows(RowRequest(note)) }
        #expect(error.code == NSPersistentStoreOperationError)
        #expect(error.localizedDescription == "“Store.sqlite” can't be read: the store is closed")
        #expect(!FileManager.default.fileExists(atPath: store.url.path + "-wal"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(throws: NSError.self) { try store.engine.makeSnapshot() }
        #expect(!store.engine.hasSnapshots)
    }

    @Test("Stores in memory and those without a write-ahead log have none", arguments: ["/dev/null", "/dev/null/shared", ""])
    func withoutLog(path: String) throws {
        let store = try EngineStore()
        var options = StoreSettings()
        options.pragmas = ["journal_mode": "TRUNCATE"]
        let url = path.isEmpty ? store.folder.file("Other.sqlite") : URL(fileURLWithPath: path)
        let engine = try SQLiteEngine(url: url, model: store.model, layout: store.layout, options: options)
        #expect(!engine.hasSnapshots)
        #expect(try engine.makeSnapshot() == nil)
        engine.close()
    }

    @Test("A store opened read-only has snapshots, of what others saved up to their moment")
    func readOnly() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        var options = StoreSettings()
        options.isReadOnly = true
        let reader = try SQLiteEngine(url: store.url, model: store.model, layout: store.layout, options: options)
        _ = try store.engine.insert(note, in: store.layout, ["aString": "x"])
        let snapshot = try #require(try reader.makeSnapshot())
        _ = try store.engine.insert(note, in: store.layout, ["aString": "y"])
        #expect(try snapshot.count(RowRequest(note)) == 1)
        #expect(try reader.count(RowRequest(note)) == 2)
        reader.close()
    }

    @Test("Snapshots that end on many threads, while the engine is closed, end once each")
    func threads() async throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        _ = try store.engine.insert(note, in: store.layout, ["aString": "x"])
        var snapshots: [any RowSource] = []
        for _ in 0..<16 { snapshots.append(try #require(try store.engine.makeSnapshot())) }
        let engine = store.engine
        await withTaskGroup(of: Void.self) { group in
            while let snapshot = snapshots.popLast() {
                let holder = Holder(snapshot)
                group.addTask { holder.release() }
                if snapshots.count == 8 { group.addTask { engine.close() } }
            }
        }
        #expect(throws: NSError.self) { try engine.makeSnapshot() }
        #expect(try Database(store.url).text("PRAGMA wal_checkpoint(TRUNCATE)") == "0")
    }

    // @unchecked Sendable: one task touches it.
    private final class Holder: @unchecked Sendable {
        private var snapshot: (any RowSource)?

        init(_ snapshot: any RowSource) { self.snapshot = snapshot }

        func release() { snapshot = nil }
    }
}
