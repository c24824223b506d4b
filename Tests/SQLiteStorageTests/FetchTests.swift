import DataModel
import Foundation
import MemoryStorage
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Fetching rows")
struct FetchTests {
    private let store: EngineStore
    private let animal: EntityLayout
    private let dog: EntityLayout
    private let puppy: EntityLayout
    private let cat: EntityLayout
    private let note: EntityLayout

    init() throws {
        store = try EngineStore()
        animal = try store.entity("Animal")
        dog = try store.entity("Dog")
        puppy = try store.entity("Puppy")
        cat = try store.entity("Cat")
        note = try store.entity("Note")
    }

    private func insertAnimals() throws {
        _ = try store.engine.insert(dog, in: store.layout, [["name": "b", "text": "dog"]])
        _ = try store.engine.insert(cat, in: store.layout, [["name": "a", "text": "cat", "lives": 7]])
        _ = try store.engine.insert(puppy, in: store.layout, [["name": "c", "text": "puppy", "weeks": 3]])
    }

    @Test("An entity's rows come with those of its subentities, or without; each decoded by its own layout")
    func families() throws {
        try insertAnimals()
        func names(_ entity: EntityLayout, _ includesSubentities: Bool) throws -> [String] {
            var request = RowRequest(entity)
            request.includesSubentities = includesSubentities
            #expect(try store.engine.count(request) == store.engine.rows(request).count)
            return try store.engine.rows(request).map { key, row in
                let layout = store.layout.entities[key.entityIndex]
                #expect(row.layout === layout)
                return layout.name + ":" + row.string(layout.slotByName["text"] ?? 0)
            }
        }
        #expect(try names(animal, true) == ["Dog:dog", "Cat:cat", "Puppy:puppy"])
        #expect(try names(animal, false) == [])
        #expect(try names(dog, true) == ["Dog:dog", "Puppy:puppy"])
        #expect(try names(dog, false) == ["Dog:dog"])
        #expect(try names(cat, true) == ["Cat:cat"])
    }

    @Test("Rows of entity numbers that the file does not know are passed over")
    func unknownNumbers() throws {
        try insertAnimals()
        try Database(store.url).execute("INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (50, 99, 1, 'x')")
        #expect(try store.engine.keys(RowRequest(animal)) == [1, 2, 3])
    }

    @Test("Keys: one, few, many, doubles, missing ones, and of another entity", arguments: [1, 2, 8, 9, 100, 101, 250, 1000])
    func keys(_ count: Int) throws {
        _ = try store.engine.insert(note, in: store.layout, (0..<count).map { ["anInt32": $0] })
        let wanted = (1...count).map(Int64.init)
        #expect(try store.engine.keys(RowRequest(note, selection: .keys(wanted))).sorted() == wanted)
        let shuffled = (wanted + wanted + [0, -1, 5000]).shuffled()
        #expect(try store.engine.keys(RowRequest(note, selection: .keys(shuffled))).sorted() == wanted)
        #expect(try store.engine.count(RowRequest(note, selection: .keys(shuffled))) == count)
        #expect(try store.engine.keys(RowRequest(note, selection: .keys([]))) == [])
        try insertAnimals()
        #expect(try store.engine.keys(RowRequest(cat, selection: .keys([1, 2, 3]))) == [2])
        #expect(try store.engine.keys(RowRequest(cat, selection: .keys([1]))) == [])
    }

    @Test("Many doubles of one key do not repeat the row")
    func manyDoubles() throws {
        _ = try store.engine.insert(note, in: store.layout, [[:], [:], [:]])
        let keys = [Int64](repeating: 1, count: 99) + [Int64](repeating: 2, count: 250) + [3]
        #expect(try store.engine.keys(RowRequest(note, selection: .keys(keys))) == [1, 2, 3])
    }

    @Test("Sort keys, limit and offset; nil sorts first, text by its bytes")
    func sorting() throws {
        let texts: [String?] = ["b", nil, "B", "ä", "", "a"]
        _ = try store.engine.insert(note, in: store.layout, texts.enumerated().map { ["aString": $1, "anInt16": $0 / 2] })
        let string = try #require(note.slotByName["aString"])
        let integer = try #require(note.slotByName["anInt16"])
        var request = RowRequest(note)
        request.sortKeys = [.init(slot: string, isAscending: true)]
        #expect(try store.engine.keys(request) == [2, 5, 3, 6, 1, 4])
        request.sortKeys = [.init(slot: integer, isAscending: false), .init(slot: string, isAscending: true)]
        #expect(try store.engine.keys(request) == [5, 6, 3, 4, 2, 1])
        request.limit = 2
        request.offset = 1
        #expect(try store.engine.keys(request) == [6, 3])
        #expect(try store.engine.count(request) == 2)
        request.limit = 0
        request.offset = 4
        #expect(try store.engine.keys(request) == [2, 1])
        #expect(try store.engine.count(request) == 2)
        request.offset = 10
        #expect(try store.engine.count(request) == 0)
        request.offset = 0
        request.limit = 3
        request.selection = .keys([1, 2, 3, 4, 4, 77])
        request.sortKeys = [.init(slot: string, isAscending: false)]
        #expect(try store.engine.keys(request) == [4, 1, 3])
        #expect(try store.engine.count(request) == 3)
    }

    @Test("Sorting agrees with the in-memory engine", arguments: [true, false])
    func sortingAgrees(_ isAscending: Bool) throws {
        var random = SeededGenerator(seed: 7)
        let memory = InMemoryEngine(model: store.model, layout: store.layout)
        let rows = (0..<60).map { _ -> [String: Any?] in
            let text = (0..<Int.random(in: 0..<3, using: &random)).map { _ in "aÀ🦊zZ".randomElement(using: &random) ?? "x" }
            return [
                "aString": Bool.random(using: &random) ? nil : String(text),
                "aDouble": Double(Int.random(in: -3..<3, using: &random)) / 2,
                "aDecimal": Bool.random(using: &random) ? nil : Decimal(Int.random(in: -3..<3, using: &random)),
                "aBlob": Data((0..<Int.random(in: 0..<3, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }),
                "aBool": Bool.random(using: &random),
            ]
        }
        _ = try store.engine.insert(note, in: store.layout, rows)
        _ = try memory.insert(note, in: store.layout, rows)
        for name in ["aString", "aDouble", "aDecimal", "aBlob", "aBool"] {
            var request = RowRequest(note)
            request.sortKeys = try [
                .init(slot: #require(note.slotByName[name]), isAscending: isAscending),
                .init(slot: #require(note.slotByName["aString"]), isAscending: true),
                .init(slot: #require(note.slotByName["aDouble"]), isAscending: true),
                .init(slot: #require(note.slotByName["aDecimal"]), isAscending: true),
                .init(slot: #require(note.slotByName["aBlob"]), isAscending: true),
                .init(slot: #require(note.slotByName["aBool"]), isAscending: true),
            ]
            #expect(try store.engine.keys(request) == memory.keys(request), "\(name)")
        }
    }

    @Test("A consumer that has a row already is not given its values")
    func unwantedValues() throws {
        _ = try store.engine.insert(note, in: store.layout, [["aString": "a"], ["aString": "b"], ["aString": "c"]])
        let collector = RowCollector { $0.key != 2 }
        try store.engine.fetch(RowRequest(note), into: collector)
        #expect(collector.asked.map(\.key) == [1, 2, 3])
        #expect(collector.keys == [1, 3])
        #expect(collector.rows.map { $0.row.string(note.slotByName["aString"] ?? 0) } == ["a", "c"])
    }

    @Test("A consumer may fetch while it takes rows")
    func nestedFetches() throws {
        final class Nested: RowConsumer {
            let engine: SQLiteEngine
            let request: RowRequest
            var inner: [[Int64]] = []

            init(_ engine: SQLiteEngine, _ request: RowRequest) {
                self.engine = engine
                self.request = request
            }

            func wantsValues(of key: RowKey) -> Bool { true }
            func take(_ row: Row, for key: RowKey) { inner.append((try? engine.keys(request)) ?? []) }
        }
        _ = try store.engine.insert(note, in: store.layout, [["aString": "a"], ["aString": "b"]])
        let nested = Nested(store.engine, RowRequest(note))
        try store.engine.fetch(RowRequest(note), into: nested)
        #expect(nested.inner == [[1, 2], [1, 2]])
        #expect(try store.engine.keys(RowRequest(note)) == [1, 2])
    }

    @Test("A UUID column with other bytes is a damaged file, named with entity, attribute and row")
    func damagedUUID() throws {
        _ = try store.engine.insert(note, in: store.layout, ["aUUID": UUID()])
        try Database(store.url).execute("UPDATE ZNOTE SET ZAUUID = x'0102'")
        let error = try #require(throws: NSError.self) { try store.engine.rows(RowRequest(note)) }
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("Note.aUUID"))
        try Database(store.url).execute("UPDATE ZNOTE SET ZAUUID = NULL")
        #expect(try store.engine.keys(RowRequest(note)) == [1])
    }

    @Test("Columns are found by name, whatever their order and with others between")
    func columnOrder() throws {
        var store = store
        _ = try store.engine.insert(note, in: store.layout, ["aString": "a", "anInt64": 5])
        store.engine.close()
        try Database(store.url).execute(
            """
            ALTER TABLE ZNOTE DROP COLUMN ZANINT64; ALTER TABLE ZNOTE ADD COLUMN APP_EXTRA VARCHAR;
            ALTER TABLE ZNOTE ADD COLUMN ZANINT64 INTEGER; UPDATE ZNOTE SET ZANINT64 = 6;
            """)
        try store.reopen()
        let row = try #require(try store.engine.row(note, 1))
        #expect(try row.string(#require(note.slotByName["aString"])) == "a")
        #expect(try row.integer(#require(note.slotByName["anInt64"])) == 6)
        _ = try store.engine.insert(note, in: store.layout, ["anInt64": 7])
        #expect(try store.text("SELECT group_concat(ZANINT64) FROM ZNOTE") == "6,7")
    }
}
