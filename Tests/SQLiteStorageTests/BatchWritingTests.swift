import DataModel
import Foundation
import Predicates
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Batch writing")
struct BatchWritingTests {
    private static func batch(_ transaction: any SaveTransaction) throws -> any BatchTransaction {
        try #require(transaction as? any BatchTransaction)
    }

    private static func update(
        _ engine: SQLiteEngine, _ entity: EntityLayout, _ keys: [Int64], _ values: [String: Any?]
    ) throws {
        var mask = SlotMask()
        for name in values.keys { mask.insert(try #require(entity.slotByName[name])) }
        try engine.save { transaction in
            try batch(transaction).update(
                keys, entity: entity, assignments: BatchAssignments(row: .draft(entity, values), mask: mask))
        }
    }

    @Test(
        "FET-195, FET-232: batches are recorded with author, changed properties and one change for each row",
        .enabled(if: Fixtures.isAvailable && Fixtures.hasOracles))
    func history() throws {
        let copy = try FixtureCopy("cdp-samplemodel2-v2")
        let (folder, url, layout, engine) = (copy.folder, copy.url, copy.layout, copy.engine)
        let feedback = try #require(layout.entity(named: "Feedback"))
        let keys = try engine.keys(RowRequest(feedback))
        try #require(keys.count >= 2)
        let version = try #require(try engine.row(feedback, keys[0])).version
        try engine.save { transaction in
            transaction.describe(author: "Ann", contextName: "main")
            let batch = try Self.batch(transaction)
            try batch.update(
                [keys[0], keys[1], 999_999], entity: feedback,
                assignments: BatchAssignments(row: .draft(feedback, ["rating": 1.5]), mask: feedback.mask("rating")))
            try batch.delete([keys[1], 999_999], entity: feedback)
        }
        #expect(try engine.row(feedback, keys[0])?.version == version + 1)
        engine.close()
        let dump = folder.file("dump.json")
        #expect(try Oracle.run("dump", [url.path, "--history", "--output", dump.path]) == "")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: dump)) as? [String: Any]
        let transactions = try #require(json?["history"] as? [[String: Any]])
        let last = try #require(transactions.last)
        #expect(last["author"] as? String == "Ann" && last["contextName"] as? String == "main")
        let changes = try #require(last["changes"] as? [[String: Any]])
        #expect(changes.map { $0["type"] as? String } == ["update", "update", "delete"])
        #expect(changes[0]["properties"] as? [String] == ["rating"])
        let verify = try Oracle.run("verify", [url.path])
        #expect(verify.contains("0 problems"), "\(verify)")
    }

    @Test("FET-217: files of external data go with the last row that names them", arguments: [true, false])
    func externalFiles(byDeleting: Bool) throws {
        var store = try EngineStore()
        let note = try store.entity("Note")
        let keys = try store.engine.insert(note, in: store.layout, [["aString": "x"], ["aString": "y"]]).map(\.key)
        store.engine.close()
        let name = UUID().uuidString
        let file = store.folder.file(".Store_SUPPORT/_EXTERNAL_DATA/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(repeating: 5, count: 200_000).write(to: file)
        let hex = ([2] + Array(name.utf8) + [0]).map { String(format: "%02X", $0) }.joined()
        try Database(store.url).execute("UPDATE ZNOTE SET ZALARGEBLOB = x'\(hex)' WHERE Z_PK = \(keys[0])")
        try store.reopen()
        try Self.update(store.engine, note, keys, ["aString": "z"])
        #expect(FileManager.default.fileExists(atPath: file.path))
        if byDeleting {
            try store.engine.save { try Self.batch($0).delete(keys, entity: note) }
        } else {
            try Self.update(store.engine, note, keys, ["aLargeBlob": Data([9])])
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try store.verify().contains("0 problems"))
    }

    @Test("FET-180: derived counts follow batches")
    func derivedCounts() throws {
        let store = try EngineStore()
        let (house, room) = (try store.entity("House"), try store.entity("Room"))
        let home = try store.engine.insert(house, in: store.layout, [:])
        let rooms = try store.engine.insert(room, in: store.layout, [["house": home], ["house": home], ["house": home]]).map(
            \.key)
        func count() throws -> Int64? {
            try store.engine.row(house, home.key).map { $0.integer(house.slotByName["roomsCount"] ?? 0) }
        }
        try Self.update(store.engine, room, [rooms[0]], ["house": nil])
        #expect(try count() == 2)
        try store.engine.save { try Self.batch($0).delete([rooms[1]], entity: room) }
        #expect(try count() == 1)
    }

    @Test("FET-178: what fails undoes the whole batch, and the next one works")
    func failure() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let keys = try store.engine.insert(note, in: store.layout, [["aString": "x"], ["aString": "y"]]).map(\.key)
        #expect(throws: CocoaError.self) {
            try store.engine.save { transaction in
                try Self.batch(transaction).delete(keys, entity: note)
                throw CocoaError(.userCancelled)
            }
        }
        #expect(try store.engine.keys(RowRequest(note)) == keys)
        try store.engine.save { try Self.batch($0).delete(keys, entity: note) }
        #expect(try store.engine.keys(RowRequest(note)).isEmpty)
    }
}
