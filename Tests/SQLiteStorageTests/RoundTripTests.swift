import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Changing stores that Apple's framework wrote", .enabled(if: Fixtures.hasOracles))
struct RoundTripTests {
    /// A new text that fits a slot's column, different for each call.
    private static func setSomething(_ row: Row, _ entity: EntityLayout, _ number: Int) -> SlotMask {
        var mask = SlotMask()
        for (slot, layout) in entity.slots.enumerated()
        where layout.isPersistent && !(layout.attribute is NSDerivedAttributeDescription) {
            switch layout.kind {
            case .integer:
                Row.setScalar(
                    row.slots, slot, layout.attributeType == .booleanAttributeType ? UInt64(number & 1) : UInt64(number % 30_000))
            case .real: Row.setScalar(row.slots, slot, (Double(number) + 0.25).bitPattern)
            case .decimal: row.setBoxed(slot, Decimal(number))
            case .string, .uri: row.setString(slot, "changed \(number)")
            case .uuid: row.setUUID(slot, UUID())
            case .binary: row.setData(slot, Data("data \(number)".utf8))
            case .transformable: row.setBoxed(slot, StoredBytes(data: Data("object \(number)".utf8)))
            case .object, .toOne, .entityIndex, .toMany, .vacant: continue
            }
            mask.insert(slot)
        }
        return mask
    }

    @Test(
        "A row changed, one inserted and one deleted of every entity; everything else is as it was", arguments: ModeledFixture.all
    )
    func changes(_ fixture: ModeledFixture) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(fixture.store)
        let model = try fixture.model()
        let layout = ModelLayout(model)
        let engine = try SQLiteEngine(url: url, model: model, layout: layout, options: StoreSettings())
        var inserted: [RowKey] = []
        try engine.save { transaction in
            transaction.describe(author: "Tester", contextName: nil)
            for entity in layout.entities where !entity.isAbstract {
                var request = RowRequest(entity)
                request.includesSubentities = false
                let rows = try engine.rows(request)
                // Not a row that was inserted here as the first row of its table.
                if let (key, row) = rows.first {
                    let draft = row.makeDraft()
                    let mask = Self.setSomething(draft, entity, Int(key.key))
                    let conflicts = try transaction.update(
                        [RowChange(key: key.key, row: draft, expectedVersion: row.version, mask: mask)], entity: entity)
                    #expect(conflicts.isEmpty)
                }
                if rows.count > 1, let (key, row) = rows.last, try !isReferenced(key, engine, layout) {
                    let conflicts = try transaction.delete(
                        [RowChange(key: key.key, row: row, expectedVersion: row.version)], entity: entity)
                    #expect(conflicts.isEmpty)
                }
                let key = try transaction.reserveKeys(1, root: layout.entities[entity.root])
                let draft = Row.emptyDraft(entity)
                _ = Self.setSomething(draft, entity, 100_000 + Int(key) + entity.index)
                try transaction.insert([RowChange(key: key, row: draft)], entity: entity)
                inserted.append(RowKey(entity: entity.index, key: key))
            }
        }
        for key in inserted { #expect(try engine.row(layout.entities[key.entityIndex], key.key)?.version == 1) }
        engine.close()
        let outcome = try Oracle.run("expect-roundtrip", [fixture.store.path, url.path] + fixture.modelArguments)
        #expect(!outcome.hasPrefix("exit"), "\(outcome)")
        #expect(outcome.contains("inserted") && outcome.contains(" 0 problems"))
        let again = try SQLiteEngine(url: url, model: model, layout: layout, options: StoreSettings())
        for key in inserted { #expect(try again.row(layout.entities[key.entityIndex], key.key) != nil) }
        again.close()
    }

    /// Whether another row's to-one relationship names the row: deleting it would leave that dangling, which is the object
    /// graph's care.
    private func isReferenced(_ key: RowKey, _ engine: SQLiteEngine, _ layout: ModelLayout) throws -> Bool {
        for entity in layout.entities {
            for relationship in entity.relationships where relationship.storage == .toOne {
                guard layout.entities[relationship.destination].root == layout.entities[key.entityIndex].root else { continue }
                var request = RowRequest(entity)
                request.includesSubentities = false
                let rows = try engine.rows(request)
                if rows.contains(where: { !$0.row.isNil(relationship.slot) && $0.row.integer(relationship.slot) == key.key }) {
                    return true
                }
            }
        }
        return false
    }

    @Test("Ordered relationships of a store are changed without touching rows that keep their place")
    func orderedRelationships() throws {
        let copy = try FixtureCopy("ddg-bookmarks-v5")
        let (fixture, url, layout, engine) = (copy.fixture, copy.url, copy.layout, copy.engine)
        let entity = try #require(layout.entity(named: "BookmarkEntity"))
        var changed = 0
        for relationship in entity.relationships where relationship.isOrdered {
            for (key, _) in try engine.rows(RowRequest(entity)) {
                let members = try engine.members(entity, relationship.name, of: key.key, in: layout)
                guard members.count > 1 else { continue }
                try engine.change(entity, relationship.name, of: key.key, order: members.reversed())
                #expect(try engine.members(entity, relationship.name, of: key.key, in: layout) == members.reversed())
                changed += 1
            }
        }
        #expect(changed > 1)
        engine.close()
        let outcome = try Oracle.run("expect-roundtrip", [fixture.store.path, url.path, "--saves", String(changed)])
        #expect(outcome.contains(" 0 problems"), "\(outcome)")
    }

    @Test("A save of a store with history is recorded with author, process and changed properties")
    func history() throws {
        let copy = try FixtureCopy("cdp-samplemodel2-v2")
        let (folder, url, layout, engine) = (copy.folder, copy.url, copy.layout, copy.engine)
        let feedback = try #require(layout.entity(named: "Feedback"))
        let row = try #require(try engine.row(feedback, 1))
        let new: Int64 = try engine.save { transaction in
            transaction.describe(author: "Ann", contextName: "main")
            _ = try transaction.update(
                [
                    RowChange(
                        key: 1, row: .draft(feedback, ["rating": 1.5]), expectedVersion: row.version,
                        mask: feedback.mask("rating"))
                ],
                entity: feedback)
            _ = try transaction.delete(
                [RowChange(key: 2, row: row, expectedVersion: try #require(try engine.row(feedback, 2)).version)],
                entity: feedback)
            let key = try transaction.reserveKeys(1, root: feedback)
            try transaction.insert([RowChange(key: key, row: .draft(feedback, ["comment": "new"]))], entity: feedback)
            return key
        }
        // A save that changes no rows leaves no transaction.
        try engine.save { _ in }
        engine.close()
        let dump = folder.file("dump.json")
        #expect(try Oracle.run("dump", [url.path, "--history", "--output", dump.path]) == "")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: dump)) as? [String: Any]
        let transactions = try #require(json?["history"] as? [[String: Any]])
        #expect(transactions.count == 2)
        #expect(transactions[1]["author"] as? String == "Ann")
        #expect(transactions[1]["contextName"] as? String == "main")
        #expect(transactions[1]["processID"] as? String == ProcessInfo.processInfo.processName)
        let changes = try #require(transactions[1]["changes"] as? [[String: Any]])
        #expect(changes.map { $0["type"] as? String } == ["update", "delete", "insert"])
        #expect(changes[0]["properties"] as? [String] == ["rating"])
        #expect((changes[2]["id"] as? String)?.hasSuffix("/Feedback/p\(new)") == true)
        let verify = try Oracle.run("verify", [url.path])
        #expect(verify.contains("0 problems"), "\(verify)")
    }

    @Test("The early form of history keeps its strings in the transaction, and tombstones of deleted rows")
    func earlyHistory() throws {
        let copy = try FixtureCopy("plaso-knowledgec-10.13")
        let (url, layout, engine) = (copy.url, copy.layout, copy.engine)
        let event = try #require(layout.entity(named: "Event"))
        let row = try #require(try engine.rows(RowRequest(event)).last)
        let uuid = try row.row.string(#require(event.slotByName["uuid"]))
        try engine.save { transaction in
            transaction.describe(author: "Ann", contextName: nil)
            _ = try transaction.delete(
                [RowChange(key: row.key.key, row: row.row, expectedVersion: row.row.version)], entity: event)
        }
        engine.close()
        let database = try Database(url)
        #expect(try database.text("SELECT ZAUTHOR FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1") == "Ann")
        #expect(try database.text("SELECT ZTOMBSTONE0 FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1") == uuid)
        #expect(try database.text("SELECT typeof(ZTOMBSTONE1) FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1") == "integer")
        let verify = try Oracle.run("verify", [url.path])
        #expect(verify.contains("0 problems"), "\(verify)")
    }
}
