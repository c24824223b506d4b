import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Numbers that no Core Data store would have")
struct DamagedNumberTests {
    private static let huge = [
        "9223372036854775807", "9223372036854775806", "9.3e18", "1.5", "'text'", "x'00'", "-9223372036854775808",
    ]

    private func stack() throws -> EngineStore {
        let store = try EngineStore()
        let (person, animal) = (try store.entity("Person"), try store.entity("Cat"))
        _ = try store.engine.insert(person, in: store.layout, [["name": "a"], ["name": "b"]])
        _ = try store.engine.insert(animal, in: store.layout, [["name": "x"], ["name": "y"]])
        try store.engine.change(person, "favorites", of: 1, added: [1, 2])
        try store.engine.change(person, "pupils", of: 1, added: [2])
        return store
    }

    /// Everything that counts: new keys, versions, places. An error says that the file is damaged; nothing stops the program.
    private func use(_ store: EngineStore, _ what: String) throws -> [String] {
        var messages: [String] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain, "\(what)")
                #expect(
                    [CocoaError.fileReadCorruptFile.rawValue, NSManagedObjectConstraintMergeError].contains(error.code),
                    "\(what): \(error.code) \(error.localizedDescription)")
                messages.append(error.localizedDescription)
            }
        }
        let (person, cat) = (try store.entity("Person"), try store.entity("Cat"))
        for entity in [person, cat] {
            let collector = RowCollector()
            attempt { try store.engine.fetch(RowRequest(entity), into: collector) }
            for (key, row) in collector.rows {
                attempt { try store.engine.update(entity, key.key, version: row.version, ["name": "z"]) }
            }
            attempt { _ = try store.engine.insert(entity, in: store.layout, [["name": "c"], ["name": "d"]]) }
            attempt {
                try store.engine.save { transaction in
                    guard let batch = transaction as? any BatchTransaction else { return }
                    let row = Row.draft(entity, ["name": "w"])
                    try batch.update([1, 2], entity: entity, assignments: BatchAssignments(row: row, mask: entity.mask("name")))
                }
            }
            attempt { try store.engine.delete(entity, 2, version: 1) }
        }
        attempt { try store.engine.change(person, "favorites", of: 1, added: [1, 2], order: [2, 1]) }
        attempt { try store.engine.change(cat, "fans", of: 1, added: [1, 2]) }
        attempt { try store.engine.change(person, "pets", of: 1, order: [2, 1]) }
        attempt {
            _ = try store.engine.insert(cat, in: store.layout, ["name": "e", "owner": RowKey(entity: person.index, key: 1)])
        }
        return messages
    }

    @Test(
        "R93: Z_MAX, Z_PK, Z_OPT, Z_ENT, keys and places near 2^63, of other types, and below zero: an error that says what is damaged"
    )
    func numbers() throws {
        let mapping = try stack().engine.openStore(.reading).mapping
        let joins = mapping.joins.flatMap { join in
            [join.firstOrder, join.secondOrder].compactMap { $0.map { (join.table, $0) } }
        }
        .map { (table: $0, order: $1) }
        #expect(joins.count >= 3)
        for value in Self.huge {
            let damages: [(sql: String, isTold: Bool)] =
                [
                    ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_NAME = 'Person'", !value.hasPrefix("-")),
                    ("UPDATE ZPERSON SET Z_OPT = \(value)", !value.hasPrefix("-") && !value.hasSuffix("6")),
                    ("UPDATE ZPERSON SET Z_ENT = \(value)", false),
                    ("UPDATE ZANIMAL SET ZOWNER = \(value), Z_FOK_OWNER = \(value)", value.hasPrefix("-")),
                    ("UPDATE ZANIMAL SET ZOWNER = 1, Z_FOK_OWNER = \(value)", false),
                ] + joins.map { ("UPDATE \($0.table) SET \($0.order) = \(value)", false) }
            for (sql, isTold) in damages {
                var store = try stack()
                store.engine.close()
                do { try Database(store.url).execute(sql) } catch { Issue.record("\(sql): \(error)") }
                try store.reopen()
                let messages = try use(store, sql)
                if isTold { #expect(messages.contains { $0.contains("damaged") }, "\(sql): \(messages)") }
            }
            guard value.hasPrefix("9223") || value.hasPrefix("-") else { continue }
            var store = try stack()
            store.engine.close()
            try Database(store.url).execute("UPDATE ZPERSON SET Z_PK = \(value) WHERE Z_PK = 2")
            try store.reopen()
            let messages = try use(store, "Z_PK = \(value)")
            #expect(messages.contains { $0.contains("damaged") && $0.contains("key") }, "Z_PK = \(value): \(messages)")
        }
    }

    @Test("R93: numbers of the history's tables, too")
    func history() throws {
        for value in Self.huge {
            for number in [16001, 16002] {
                var store = try EngineStore()
                store.engine.close()
                try Database(store.url).execute(
                    """
                    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
                    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR);
                    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5), (16002, 'TRANSACTION', 0, 5);
                    UPDATE Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_ENT = \(number);
                    """)
                try store.reopen()
                let person = try store.entity("Person")
                do {
                    _ = try store.engine.insert(person, in: store.layout, [["name": "a"], ["name": "b"]])
                    #expect(value.hasPrefix("-") || value.hasSuffix("6"), "\(value)")
                } catch let error as NSError {
                    #expect(
                        error.code == CocoaError.fileReadCorruptFile.rawValue && error.localizedDescription.contains("damaged"))
                    #expect(try store.text("SELECT count(*) FROM ZPERSON") == "0")
                }
            }
        }
    }
}
