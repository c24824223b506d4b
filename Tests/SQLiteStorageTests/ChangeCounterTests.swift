import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Change counters: has anybody written to the store?")
struct ChangeCounterTests {
    @Test("NTF-171: the number changes with the engine's own writes and those of others, and with nothing else")
    func writes() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let counter = try #require(try store.engine.makeChangeCounter())
        var last = try counter()
        func hasChanged() throws -> Bool {
            let count = try counter()
            defer { last = count }
            return count != last
        }
        #expect(try !hasChanged())
        let key = try store.engine.insert(note, in: store.layout, ["aString": "x"]).key
        #expect(try hasChanged())
        #expect(try !hasChanged())
        try Database(store.url).execute("UPDATE ZNOTE SET ZASTRING = 'y'")
        #expect(try hasChanged())
        #expect(try store.engine.row(note, key) != nil)
        #expect(throws: CocoaError.self) {
            try store.engine.save { _ in throw CocoaError(.fileNoSuchFile) }
        }
        #expect(try !hasChanged())
    }

    @Test("NTF-171: a store in memory has no counter")
    func inMemory() throws {
        let store = try EngineStore()
        let engine = try SQLiteEngine(
            url: URL(fileURLWithPath: "/dev/null"), model: store.model, layout: store.layout, options: StoreSettings())
        #expect(try engine.makeChangeCounter() == nil)
    }
}
