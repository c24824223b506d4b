import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import MemoryStorage

@Suite("The in-memory engine")
struct InMemoryEngineTests {
    private final class Collector: RowConsumer {
        var rows: [(key: RowKey, row: Row)] = []
        var unwanted: Set<Int64> = []

        func wantsValues(of key: RowKey) -> Bool { !unwanted.contains(key.key) }
        func take(_ row: Row, for key: RowKey) { rows.append((key, row)) }
    }

    private let model = StorageModel()
    private let engine: InMemoryEngine

    init() { engine = InMemoryEngine(model: model.model, layout: model.layout) }

    private func keys(_ request: RowRequest) throws -> [Int64] {
        let collector = Collector()
        try engine.fetch(request, into: collector)
        #expect(try engine.count(request) == collector.rows.count)
        return collector.rows.map(\.key.key)
    }

    private func insert(_ entity: EntityLayout, _ count: Int) throws -> [Int64] {
        try engine.save { transaction in
            let first = try transaction.reserveKeys(count, root: model.layout.entities[entity.root])
            let keys = (0..<Int64(count)).map { first + $0 }
            try transaction.insert(keys.map { RowChange(key: $0, row: .emptyDraft(entity)) }, entity: entity)
            return keys
        }
    }

    private func apply(_ name: String, _ owner: Int64, added: [Int64] = [], removed: [Int64] = [], order: [Int64]? = nil) throws {
        let relationship = try #require(model.owner.relationship(named: name))
        try engine.save {
            try $0.apply([
                MembershipChange(relationship: relationship, owner: owner, added: added, removed: removed, order: order)
            ])
        }
    }

    private func members(_ name: String, _ owner: Int64) throws -> [Int64] {
        let relationship = try #require(model.owner.relationship(named: name))
        return try keys(
            RowRequest(model.layout.entities[relationship.destination], selection: .members(of: relationship, owner: owner)))
    }

    @Test("STO-24: two in-memory stores are independent, with type, UUID and hashes in their metadata")
    func metadata() {
        let other = InMemoryEngine(model: model.model, layout: model.layout)
        #expect(engine.identifier != other.identifier)
        #expect(engine.metadata[StoreMetadata.typeKey] as? String == "InMemory")
        #expect(engine.metadata[StoreMetadata.identifierKey] as? String == engine.identifier)
        #expect(engine.metadata[StoreMetadata.hashesKey] as? [String: Data] == model.model.entityVersionHashesByName)
    }

    @Test("Rows come by key, with or without subentities, cut by offset and limit")
    func fetching() throws {
        let things = try insert(model.thing, 3)
        let parts = try insert(model.part, 2)
        #expect(parts == [4, 5])
        #expect(try keys(RowRequest(model.thing)) == things + parts)
        #expect(try keys(RowRequest(model.part)) == parts)
        var request = RowRequest(model.thing)
        request.includesSubentities = false
        #expect(try keys(request) == things)
        request.includesSubentities = true
        request.offset = 1
        request.limit = 2
        #expect(try keys(request) == [2, 3])
        request.offset = 9
        #expect(try keys(request) == [])
        #expect(try keys(RowRequest(model.thing, selection: .keys([5, 77, 1]))) == [5, 1])
        let collector = Collector()
        collector.unwanted = [1, 4]
        try engine.fetch(RowRequest(model.thing), into: collector)
        #expect(collector.rows.map(\.key.key) == [2, 3, 5])
    }

    @Test("Updates and deletes check the version")
    func versions() throws {
        let key = try insert(model.thing, 1)[0]
        func change(_ version: Int64) -> RowChange {
            RowChange(key: key, row: .emptyDraft(model.thing), expectedVersion: version)
        }
        #expect(try engine.save { try $0.update([change(2)], entity: model.thing) } == [key])
        #expect(try engine.save { try $0.update([change(1)], entity: model.thing) } == [])
        #expect(try engine.save { try $0.update([change(1)], entity: model.thing) } == [key])
        #expect(try engine.save { try $0.delete([change(1)], entity: model.thing) } == [key])
        #expect(try engine.save { try $0.delete([change(2)], entity: model.thing) } == [])
        #expect(try engine.save { try $0.delete([change(2)], entity: model.thing) } == [key])
        #expect(try insert(model.part, 1) == [2])
    }

    @Test("A failed save leaves everything as it was")
    func rollback() throws {
        struct Stop: Error {}
        let owners = try insert(model.owner, 2)
        let things = try insert(model.thing, 3)
        try apply("likes", owners[0], added: things)
        try apply("hidden", owners[0], added: [things[0]])
        let likes = try #require(model.owner.relationship(named: "likes"))
        let hidden = try #require(model.owner.relationship(named: "hidden"))
        #expect(throws: Stop.self) {
            try engine.save { transaction in
                _ = try transaction.delete(
                    [RowChange(key: things[0], row: .emptyDraft(model.thing), expectedVersion: 1)], entity: model.thing)
                _ = try transaction.update(
                    [RowChange(key: things[1], row: .emptyDraft(model.thing), expectedVersion: 1)], entity: model.thing)
                try transaction.insert([RowChange(key: 50, row: .emptyDraft(model.thing))], entity: model.thing)
                try transaction.apply([
                    MembershipChange(relationship: likes, owner: owners[0], added: [], removed: [things[1]], order: nil),
                    MembershipChange(relationship: likes, owner: owners[1], added: [things[2]], removed: [], order: nil),
                    MembershipChange(relationship: hidden, owner: owners[1], added: [things[0]], removed: [], order: nil),
                ])
                throw Stop()
            }
        }
        #expect(try keys(RowRequest(model.thing)) == things)
        #expect(try members("likes", owners[0]) == things)
        #expect(try members("likes", owners[1]) == [])
        #expect(try members("hidden", owners[0]) == [things[0]])
        #expect(try members("hidden", owners[1]) == [])
        #expect(
            try engine.save {
                try $0.update([RowChange(key: things[1], row: .emptyDraft(model.thing), expectedVersion: 1)], entity: model.thing)
            } == [])
    }

    @Test("One-to-many members are the rows that name the owner, in the order given")
    func oneToMany() throws {
        let owners = try insert(model.owner, 2)
        let things: [Int64] = try engine.save { transaction in
            let first = try transaction.reserveKeys(3, root: model.thing)
            let slot = model.slot("owner")
            try transaction.insert(
                (0..<3).map {
                    let row = Row.emptyDraft(model.thing)
                    Row.setScalar(row.slots, slot, UInt64(owners[$0 == 2 ? 1 : 0]))
                    return RowChange(key: first + Int64($0), row: row)
                }, entity: model.thing)
            return [first, first + 1, first + 2]
        }
        #expect(try members("things", owners[0]) == [things[0], things[1]])
        try apply("things", owners[0], order: [things[1], things[0], things[2]])
        #expect(try members("things", owners[0]) == [things[1], things[0]])
        #expect(try members("things", owners[1]) == [things[2]])
    }

    @Test("Many-to-many pairs are seen from both sides; deleting a row removes its pairs")
    func manyToMany() throws {
        let owners = try insert(model.owner, 2)
        let things = try insert(model.thing, 2)
        let fans = try #require(model.thing.relationship(named: "fans"))
        try apply("likes", owners[0], added: things)
        try apply("likes", owners[1], added: [things[0]])
        #expect(try keys(RowRequest(model.owner, selection: .members(of: fans, owner: things[0]))) == owners)
        _ = try engine.save {
            try $0.delete([RowChange(key: owners[0], row: .emptyDraft(model.owner), expectedVersion: 1)], entity: model.owner)
        }
        #expect(try keys(RowRequest(model.owner, selection: .members(of: fans, owner: things[0]))) == [owners[1]])
        #expect(try keys(RowRequest(model.owner, selection: .members(of: fans, owner: things[1]))) == [])
    }

    @Test("A relationship that is its own inverse counts in both directions")
    func reflexive() throws {
        let owners = try insert(model.owner, 2)
        try apply("friends", owners[0], added: [owners[1]])
        #expect(try members("friends", owners[1]) == [owners[0]])
        try apply("friends", owners[1], removed: [owners[0]])
        #expect(try members("friends", owners[0]) == [])
    }

    @Test("An object is in one collection without inverse at a time")
    func hidden() throws {
        let owners = try insert(model.owner, 2)
        let things = try insert(model.thing, 2)
        try apply("hidden", owners[0], added: things)
        try apply("hidden", owners[1], added: [things[0]])
        #expect(try members("hidden", owners[0]) == [things[1]])
        #expect(try members("hidden", owners[1]) == [things[0]])
        try apply("hidden", owners[0], removed: [things[0]])
        #expect(try members("hidden", owners[1]) == [things[0]])
    }

    @Test("Members by foreign key are those that a look at every row finds, also after saves that failed")
    func foreignKeys() throws {
        struct Failure: Error {}
        var random = SeededGenerator(seed: 3)
        let slot = try #require(model.thing.relationship(named: "owner")?.slot)
        let partSlot = try #require(model.part.relationship(named: "owner")?.slot)
        let owners = try insert(model.owner, 5)
        var expected: [Int64: Int64?] = [:]
        var versions: [Int64: Int64] = [:]
        var parts: Set<Int64> = []
        for round in 0..<120 {
            var (next, nextVersions, nextParts) = (expected, versions, parts)
            let fails = round % 3 == 1
            do {
                try engine.save { transaction in
                    for _ in 0..<Int.random(in: 1...5, using: &random) {
                        let owner = Int.random(in: 0..<4, using: &random) == 0 ? nil : owners.randomElement(using: &random)
                        let known = next.keys.sorted().randomElement(using: &random)
                        let key =
                            try known.flatMap { Bool.random(using: &random) ? $0 : nil }
                            ?? transaction.reserveKeys(1, root: model.layout.entities[model.thing.root])
                        let isPart = nextParts.contains(key) || next[key] == nil && Bool.random(using: &random)
                        let (entity, ownSlot) = isPart ? (model.part, partSlot) : (model.thing, slot)
                        let row = Row.emptyDraft(entity)
                        if let owner { Row.setScalar(row.slots, ownSlot, UInt64(bitPattern: owner)) }
                        var mask = SlotMask()
                        mask.insert(ownSlot)
                        let version = nextVersions[key] ?? 0
                        let change = RowChange(key: key, row: row, expectedVersion: version, mask: mask)
                        if next[key] == nil {
                            try transaction.insert([change], entity: entity)
                            if isPart { nextParts.insert(key) }
                            (next[key], nextVersions[key]) = (.some(owner), 1)
                        } else if Int.random(in: 0..<3, using: &random) == 0 {
                            #expect(try transaction.delete([change], entity: entity) == [])
                            (next[key], nextVersions[key]) = (nil, nil)
                            nextParts.remove(key)
                        } else {
                            #expect(try transaction.update([change], entity: entity) == [])
                            (next[key], nextVersions[key]) = (.some(owner), version + 1)
                        }
                    }
                    if fails { throw Failure() }
                }
            } catch is Failure {}
            if !fails { (expected, versions, parts) = (next, nextVersions, nextParts) }
            for owner in owners {
                let wanted = expected.filter { $0.value == owner }.keys.sorted()
                #expect(try members("things", owner) == wanted)
            }
        }
        #expect(expected.count > 5 && !parts.isEmpty)
    }
}
