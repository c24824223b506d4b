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
    func reuse() {
        let writer = RowWriter(thing)
        writer.setInteger(model.slot("anInt"), 1)
        bytes(writer, "aString", Data("one".utf8))
        let first = writer.finish(version: 1)
        bytes(writer, "aURI", Data("x:y".utf8))
        let second = writer.finish(version: 2)
        let third = writer.finish(version: 3)
        #expect(first.string(model.slot("aString")) == "one")
        #expect(first.isNil(model.slot("aURI")))
        #expect(second.isNil(model.slot("anInt")) && second.isNil(model.slot("aString")))
        #expect(second.string(model.slot("aURI")) == "x:y")
        for slot in 0..<thing.slotCount { #expect(third.isNil(slot)) }
        #expect([first.version, second.version, third.version] == [1, 2, 3])
    }

    @Test("Texts and blobs of every size, empty ones too", arguments: [0, 1, 511, 512, 513, 4095, 4096, 4097, 100_000])
    func sizes(_ count: Int) {
        let writer = RowWriter(thing)
        let blob = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let text = String(repeating: "ä", count: count / 2)
        bytes(writer, "aString", Data(text.utf8))
        bytes(writer, "aBlob", blob)
        bytes(writer, "aTransformable", blob)
        bytes(writer, "aURI", Data("after".utf8))
        let row = writer.finish(version: 1)
        #expect(row.string(model.slot("aString")) == text)
        #expect(row.data(model.slot("aBlob")) == blob)
        #expect(Row.transformedData(row.slots, model.slot("aTransformable")) == blob)
        #expect(row.string(model.slot("aURI")) == "after")
        #expect(!row.isNil(model.slot("aBlob")))
        // The next row has none of it.
        #expect(writer.finish(version: 2).isNil(model.slot("aBlob")))
    }

    @Test("A large blob has an allocation of its own, which copies of the row share")
    func largeBlobsAreShared() {
        let writer = RowWriter(thing)
        bytes(writer, "aBlob", Data(count: RowWriter.largestInlineBlob + 1))
        let row = writer.finish(version: 1)
        #expect(SlotWord.isBoxed(row.slots[model.slot("aBlob")]))
        let copy = row.makeDraft()
        let first = row.data(model.slot("aBlob")).withUnsafeBytes { $0.baseAddress }
        let second = copy.data(model.slot("aBlob")).withUnsafeBytes { $0.baseAddress }
        #expect(first == second)
    }

    @Test("Text that is no UTF-8 is repaired, not trapped on")
    func brokenText() {
        let writer = RowWriter(thing)
        bytes(writer, "aString", Data([0x61, 0xff, 0xc3]))
        #expect(writer.finish(version: 1).string(model.slot("aString")).hasPrefix("a\u{fffd}"))
    }
}
