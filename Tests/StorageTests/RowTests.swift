import DataModel
import Foundation
import MemoryStorage
import TestSupport
import Testing

@testable import Storage

@Suite("Rows and drafts")
struct RowTests {
    private let model = StorageModel()
    private var thing: EntityLayout { model.thing }
    private let uuid = UUID()

    private func set(_ row: Row, _ name: String, to value: Any) {
        let slot = model.slot(name)
        switch (thing.kind(slot), value) {
        case (.integer, let value as Int): Row.setScalar(row.slots, slot, UInt64(bitPattern: Int64(value)))
        case (.real, let value as Double): Row.setScalar(row.slots, slot, value.bitPattern)
        case (.string, let value as String), (.uri, let value as String): row.setString(slot, value)
        case (.binary, let value as Data): row.setData(slot, value)
        case (.uuid, let value as UUID): row.setUUID(slot, value)
        default: row.setBoxed(slot, value)
        }
    }

    private func value(_ row: Row, _ name: String) -> Any? {
        let slot = model.slot(name)
        guard !row.isNil(slot) else { return nil }
        switch thing.kind(slot) {
        case .integer: return Int(row.integer(slot))
        case .real: return row.double(slot)
        case .string, .uri: return row.string(slot)
        case .binary: return row.data(slot)
        case .uuid: return row.uuid(slot)
        case .decimal: return Row.decimal(row.slots, slot)
        default: return Row.boxedValue(row.slots, slot) ?? Row.transformedData(row.slots, slot)
        }
    }

    private var samples: [(name: String, value: AnyHashable)] {
        [
            ("anInt", -5), ("aBool", 1), ("aDate", 1.5), ("aDouble", -0.0), ("aString", "a string of more than fifteen bytes 🦊"),
            ("aURI", "x:y"),
            ("aBlob", Data([1, 2])), ("aUUID", uuid), ("aDecimal", Decimal(string: "123456789012345678901234567890.5") ?? 0),
            ("aTransformable", StoredBytes(data: Data([7]))), ("aTransient", "object"),
        ]
    }

    private func expectSamples(_ row: Row, except: String = "") {
        for (name, value) in samples where name != except { #expect(self.value(row, name) as? AnyHashable == value, "\(name)") }
    }

    private func sampleDraft() -> Row {
        let row = Row.emptyDraft(thing)
        for (name, value) in samples { set(row, name, to: value.base) }
        return row
    }

    private func sampleRow() -> Row {
        let writer = RowWriter(thing)
        writer.setInteger(model.slot("anInt"), -5)
        writer.setDouble(model.slot("aDouble"), 2.5)
        Array("text from a store, longer".utf8).withUnsafeBytes { writer.setBytes(model.slot("aString"), $0) }
        Data([1, 2, 3]).withUnsafeBytes { writer.setBytes(model.slot("aBlob"), $0) }
        withUnsafeBytes(of: uuid.uuid) { writer.setBytes(model.slot("aUUID"), $0) }
        writer.setDecimal(model.slot("aDecimal"), 10.11)
        Data([9]).withUnsafeBytes { writer.setBytes(model.slot("aTransformable"), $0) }
        return try! writer.finish(version: 3)
    }

    @Test("An empty draft is nil everywhere and has version 0")
    func emptyDraft() {
        let row = Row.emptyDraft(thing)
        for slot in 0..<thing.slotCount { #expect(row.isNil(slot)) }
        #expect(row.version == 0)
        #expect(row.layout === thing)
    }

    @Test("What is set comes back, can be replaced and made nil, in any order")
    func setting() {
        let row = sampleDraft()
        expectSamples(row)
        for (name, value) in samples { set(row, name, to: value.base) }
        expectSamples(row)
        for (name, _) in samples {
            row.setNil(model.slot(name))
            row.setNil(model.slot(name))
            #expect(value(row, name) == nil)
        }
        for (name, value) in samples.reversed() { set(row, name, to: value.base) }
        expectSamples(row)
    }

    @Test("A draft of a row has its values and version; changing it leaves the row alone")
    func draftOfARow() throws {
        let row = sampleRow()
        let draft = row.makeDraft()
        #expect(draft.version == 3)
        for slot in 0..<thing.slotCount {
            #expect(Row.isEqual(row.slots, draft.slots, slot, thing.kind(slot)), "\(thing.slots[slot].name)")
        }
        for (name, value) in samples { set(draft, name, to: value.base) }
        expectSamples(draft)
        #expect(value(row, "aString") as? String == "text from a store, longer")
        #expect(value(row, "aDecimal") as? Decimal == Decimal(string: "10.11"))
        #expect(Row.storedDouble(row.slots, model.slot("aDecimal")) == 10.11)
        #expect(value(row, "aUUID") as? UUID == uuid)
        #expect(Row.transformedData(row.slots, model.slot("aTransformable")) == Data([9]))
        #expect(value(row, "aURI") == nil)
    }

    @Test("A draft of a draft is independent of it, whatever kind of word its slots hold")
    func draftOfADraft() {
        let first = sampleRow().makeDraft()
        set(first, "aString", to: "boxed string with more than fifteen bytes")
        let other = UUID()
        set(first, "aUUID", to: other)
        let second = first.makeDraft()
        for slot in 0..<thing.slotCount { #expect(Row.isEqual(first.slots, second.slots, slot, thing.kind(slot))) }
        set(first, "aString", to: "changed")
        set(first, "aUUID", to: UUID())
        #expect(value(second, "aString") as? String == "boxed string with more than fifteen bytes")
        #expect(value(second, "aUUID") as? UUID == other)
        // Bytes of the row behind the draft came along.
        #expect(value(second, "aBlob") as? Data == Data([1, 2, 3]))
        let third = second.makeDraft().makeDraft()
        #expect(value(third, "aBlob") as? Data == Data([1, 2, 3]))
        #expect(value(third, "aUUID") as? UUID == other)
    }

    @Test("Slots can be copied one by one between rows")
    func copyingSlots() {
        for source in [sampleRow(), sampleDraft()] {
            let target = Row.emptyDraft(thing)
            for slot in 0..<thing.slotCount { target.copySlot(slot, from: source.slots) }
            for slot in 0..<thing.slotCount where thing.kind(slot) != .transformable {
                #expect(Row.isEqual(source.slots, target.slots, slot, thing.kind(slot)), "\(thing.slots[slot].name)")
            }
            #expect(
                Row.transformedData(source.slots, model.slot("aTransformable"))
                    == Row.transformedData(target.slots, model.slot("aTransformable")))
        }
    }

    @Test("Equality: nil, zero and empty differ; texts are compared byte for byte")
    func equality() {
        let a = Row.emptyDraft(thing)
        let b = Row.emptyDraft(thing)
        func isEqual(_ name: String) -> Bool { Row.isEqual(a.slots, b.slots, model.slot(name), thing.kind(model.slot(name))) }
        for (name, value) in samples {
            #expect(isEqual(name))
            set(a, name, to: value.base)
            #expect(!isEqual(name))
            set(b, name, to: value.base)
            #expect(isEqual(name) || name == "aTransformable" || name == "aTransient")
        }
        set(a, "aString", to: "e\u{301}")
        set(b, "aString", to: "\u{e9}")
        #expect(!isEqual("aString"))
        set(a, "aDouble", to: 0.0)
        #expect(isEqual("aDouble"))
        set(a, "aDouble", to: Double.nan)
        set(b, "aDouble", to: Double.nan)
        #expect(isEqual("aDouble"))
    }

    @Test("Boxed objects live exactly as long as the rows that hold them")
    func boxesAreReleased() {
        // One test alone counts.
        let slot = model.slot("aTransformable")
        let transient = model.slot("aTransient")
        do {
            let row = Row.emptyDraft(thing)
            row.setBoxed(slot, Counted(1))
            row.setBoxed(transient, Counted(2))
            #expect(Counted.alive == 2)
            row.setBoxed(slot, Counted(3))
            #expect(Counted.alive == 2)
            let copy = row.makeDraft()
            row.setNil(slot)
            row.setNil(transient)
            #expect(Counted.alive == 2)
            copy.setNil(transient)
            #expect(Counted.alive == 1)
            let third = Row.emptyDraft(thing)
            third.copySlot(slot, from: copy.slots)
            copy.setNil(slot)
            #expect((Row.boxedValue(third.slots, slot) as? Counted)?.number == 3)
            #expect(Counted.alive == 1)
        }
        #expect(Counted.alive == 0)
        do {
            // Rows with boxes, dropped from an engine and from arrays.
            let engine = InMemoryEngine(model: model.model, layout: model.layout)
            try? engine.save { transaction in
                let changes = try (0..<50).map { number -> RowChange in
                    let row = sampleRow().makeDraft()
                    row.setBoxed(slot, Counted(number))
                    row.setString(model.slot("aString"), String(repeating: "x", count: 100))
                    return RowChange(key: try transaction.reserveKeys(1, root: thing), row: row)
                }
                try transaction.insert(changes, entity: thing)
            }
            #expect(Counted.alive == 50)
            _ = try? engine.save {
                try $0.delete([RowChange(key: 1, row: .emptyDraft(thing), expectedVersion: 1)], entity: thing)
            }
            #expect(Counted.alive == 49)
        }
        #expect(Counted.alive == 0)
    }

    @Test("Entities with more than 64 slots have more words of nil bits")
    func manySlots() {
        let model = StorageModel(extraAttributes: 150)
        let thing = model.thing
        #expect(thing.maskWords == 3)
        let row = Row.emptyDraft(thing)
        for slot in 0..<thing.slotCount where thing.slots[slot].name.hasPrefix("x") {
            #expect(row.isNil(slot))
            if thing.kind(slot) == .string {
                row.setString(slot, "value of \(slot)")
            } else {
                Row.setScalar(row.slots, slot, UInt64(slot))
            }
        }
        let copy = row.makeDraft()
        for slot in 0..<thing.slotCount {
            let isSet = thing.slots[slot].name.hasPrefix("x")
            #expect(copy.isNil(slot) == !isSet)
            guard isSet else { continue }
            if thing.kind(slot) == .string {
                #expect(copy.string(slot) == "value of \(slot)")
            } else {
                #expect(copy.integer(slot) == Int64(slot))
            }
        }
    }

    @Test("Decimals read from a store are the shortest that give the stored double")
    func decimals() {
        for (double, text) in [
            (10.11, "10.11"), (3.3, "3.3"), (1e-7, "0.0000001"), (-250.0, "-250"), (1e20, "100000000000000000000"),
        ] {
            #expect(Row.decimal(from: double) == Decimal(string: text))
        }
    }
}
