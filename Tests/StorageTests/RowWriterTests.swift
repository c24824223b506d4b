import DataModel
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Building rows from columns")
struct RowWriterTests {
    private let model = StorageModel()
    private var thing: EntityLayout { model.thing }

    private func bytes(_ writer: RowWriter, _ name: String, _ data: Data) {
        data.withUnsafeBytes { writer.setBytes(model.slot(name), $0) }
    }

    @Test("A writer starts anew after each row")
    func reuse() throws {
        let writer = RowWriter(thing)
        writer.setInteger(model.slot("anInt"), 1)
        bytes(writer, "aString", Data("one".utf8))
        let first = try writer.finish(version: 1)
        bytes(writer, "aURI", Data("x:y".utf8))
        let second = try writer.finish(version: 2)
        let third = try writer.finish(version: 3)
        #expect(first.string(model.slot("aString")) == "one")
        #expect(first.isNil(model.slot("aURI")))
        #expect(second.isNil(model.slot("anInt")) && second.isNil(model.slot("aString")))
        #expect(second.string(model.slot("aURI")) == "x:y")
        for slot in 0..<thing.slotCount { #expect(third.isNil(slot)) }
        #expect([first.version, second.version, third.version] == [1, 2, 3])
    }

    @Test("Texts and blobs of every size, empty ones too", arguments: [0, 1, 511, 512, 513, 4095, 4096, 4097, 100_000])
    func sizes(_ count: Int) throws {
        let writer = RowWriter(thing)
        let blob = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let text = String(repeating: "ä", count: count / 2)
        bytes(writer, "aString", Data(text.utf8))
        bytes(writer, "aBlob", blob)
        bytes(writer, "aTransformable", blob)
        bytes(writer, "aURI", Data("after".utf8))
        let row = try writer.finish(version: 1)
        #expect(row.string(model.slot("aString")) == text)
        #expect(row.data(model.slot("aBlob")) == blob)
        #expect(Row.transformedData(row.slots, model.slot("aTransformable")) == blob)
        #expect(row.string(model.slot("aURI")) == "after")
        #expect(!row.isNil(model.slot("aBlob")))
        // The next row has none of it.
        #expect(try writer.finish(version: 2).isNil(model.slot("aBlob")))
    }

    @Test("A large blob has an allocation of its own, which copies of the row share")
    func largeBlobsAreShared() throws {
        let writer = RowWriter(thing)
        bytes(writer, "aBlob", Data(count: RowWriter.largestInlineBlob + 1))
        let row = try writer.finish(version: 1)
        #expect(SlotWord.isBoxed(row.slots[model.slot("aBlob")]))
        let copy = row.makeDraft()
        let first = row.data(model.slot("aBlob")).withUnsafeBytes { $0.baseAddress }
        let second = copy.data(model.slot("aBlob")).withUnsafeBytes { $0.baseAddress }
        #expect(first == second)
    }

    @Test("Text that is no UTF-8 is repaired, not trapped on")
    func brokenText() throws {
        let writer = RowWriter(thing)
        bytes(writer, "aString", Data([0x61, 0xff, 0xc3]))
        #expect(try writer.finish(version: 1).string(model.slot("aString")).hasPrefix("a\u{fffd}"))
    }

    @Test("A row with more bytes than slots can tell apart is an error, and the next row has none of it")
    func tooLarge() throws {
        #expect(SlotWord.offset(SlotWord.bytes(offset: SlotWord.greatestOffset, length: 1)) == SlotWord.greatestOffset)
        #expect(SlotWord.length(SlotWord.bytes(offset: 1, length: SlotWord.greatestLength)) == SlotWord.greatestLength)
        let own = thing.slotCount * 8 + thing.cellCount * 16
        for (limit, fits) in [(own + 2_000, true), (own + 1_999, false), (own, false)] {
            let writer = RowWriter(thing, greatestByteCount: limit)
            for version in 1...3 {
                bytes(writer, "aString", Data(repeating: 0x61, count: 1_000))
                bytes(writer, "aURI", Data(repeating: 0x62, count: 1_000))
                // Has an allocation of its own.
                bytes(writer, "aBlob", Data(count: RowWriter.largestInlineBlob + 1))
                guard fits else {
                    #expect(throws: RowWriter.RowTooLarge.self) { try writer.finish(version: 1) }
                    bytes(writer, "aString", Data("a".utf8))
                    let next = try writer.finish(version: 2)
                    #expect(next.string(model.slot("aString")) == "a")
                    #expect(next.isNil(model.slot("aURI")) && next.isNil(model.slot("aBlob")))
                    continue
                }
                let row = try writer.finish(version: Int64(version))
                #expect(row.string(model.slot("aURI")) == String(repeating: "b", count: 1_000))
                #expect(row.makeDraft().string(model.slot("aURI")) == String(repeating: "b", count: 1_000))
            }
        }
    }
}
