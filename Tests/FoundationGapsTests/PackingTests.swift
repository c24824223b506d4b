import Foundation
import FoundationGaps
import TestSupport
import Testing

@Suite("Packed streams and written archives")
struct PackingTests {
    @Test("A stream unpacks to what was packed, in all three ways of the format")
    func inflating() throws {
        #expect(try Inflater.inflate(Data([1, 3, 0, 0xfc, 0xff, 97, 98, 99]), limit: 3) == Data("abc".utf8))
        #expect(throws: Inflater.Failure.tooLarge) { try Inflater.inflate(Data([1, 3, 0, 0xfc, 0xff, 97, 98, 99]), limit: 2) }
        // "aaaaaaaaaa" as zlib packs it.
        #expect(try Inflater.inflate(Data([0x4b, 0x4c, 0x84, 0x01, 0x00]), limit: 100) == Data("aaaaaaaaaa".utf8))
    }

    @Test("What was packed unpacks to the same, whatever it is")
    func packing() throws {
        var random = SeededGenerator(seed: 14)
        var samples = [
            Data(), Data("a".utf8), Data(count: 100_000), Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }),
        ]
        for _ in 0..<200 {
            let alphabet = Int.random(in: 1...256, using: &random)
            let count = Int.random(in: 0...3000, using: &random)
            samples.append(Data((0..<count).map { _ in UInt8.random(in: 0..<UInt8(clamping: alphabet), using: &random) }))
        }
        for sample in samples {
            let packed = Deflater.deflate(sample)
            #expect(try Inflater.inflate(packed, limit: sample.count) == sample)
        }
        #expect(Deflater.deflate(Data(count: 100_000)).count < 1000)
    }

    @Test("Streams packed by zlib in the ways of the format unpack: fixed codes, own codes, far references")
    func foreignStreams() throws {
        // zlib's packing of "0123456789" repeated 30 times, and of the texts "1" to "300" in a row.
        let repeated = try #require(Data(base64Encoded: "MzA0MjYxNTO3sDQYZRFgAQA="))
        #expect(try Inflater.inflate(repeated, limit: 300) == Data(String(repeating: "0123456789", count: 30).utf8))
        #expect(throws: Inflater.Failure.tooLarge) { try Inflater.inflate(repeated, limit: 299) }
        let counted = try #require(
            Data(
                base64Encoded: [
                    "HZLJAQAxCAJbEjzQ/htbsu9E5Rgwq0d7CABEotAYCItjECSTxeZQXF5GIpmZlZ2Tys2rKBQrq6prSrV1HY1mZ1d3T6u3b2IwnJya",
                    "nhnNzikEUalSayStbmOx3Nza3lnt7l2cBZ2PnRedP501x5NtlRZlDT7pC17oeX//LT1TdmVb9mVjdmZrODDeC+0wwQIbHFDggoeM",
                    "N5QOxHYL2chBCrnIQ8XbV0Q5L3tv1KCEWtSh451qohPtOB3EoIVe9GHiqRhiElMYp+1UhFnMQfEEilBCBTXkMhzRQoeNp32JTWxh",
                    "GztYd+W8HE/YlkPCJa5wjRuccK7SXcZzHGQkoxjNGIYYy/BMvDBeHPZsY1ZvidbhY8c39kh4LBgG02AczIOB4DHjReiXNBjFbOYw",
                    "xVzmseKl66EyR6akWcMSa1nHjhe893WyjZmRGbbYyz5OvE58apJTHFNofsRZzlHx6rIKJVVUU4bUMC113HhNWuAmt7jNHa4ZNlkG",
                    "KVyytZsoXvGaNzzxjLgZjw8=",
                ].joined()))
        let numbers = Data((1...300).map(String.init).joined().utf8)
        #expect(try Inflater.inflate(counted, limit: numbers.count) == numbers)
        for end in 0..<repeated.count {
            #expect(throws: Inflater.Failure.self) { try Inflater.inflate(repeated.prefix(end), limit: 300) }
        }
    }

    @Test("Decimal numbers are in archives what they were")
    func decimals() throws {
        let texts = [
            "0", "1", "-0.5", "65535", "65536", "-3.1415926535897932384626433832795028841", "1e100", "-1e-120",
            "99999999999999999999999999999999999999",
        ]
        for text in texts {
            let decimal = try #require(Decimal(string: text))
            #expect(ArchivedDecimal(decimal).value == decimal, "\(text)")
        }
        #expect(ArchivedDecimal(.nan).value?.isNaN == true)
    }

    @Test("An archive that was written is read object by object, circles included")
    func graph() throws {
        var writer = KeyedArchiveWriter()
        let first = writer.reserve()
        let name = writer.add("Ä")
        let second = writer.add(["B", "A"], [("back", .object(first)), ("flag", .bool(true)), ("number", .integer(-7))])
        writer.fill(
            first, ["A"], [("name", .object(name)), ("other", .object(second)), ("none", .object(KeyedArchiveWriter.null))])
        let graph = try ArchiveGraph(writer.data(root: first))
        guard case .object(let root) = try graph.root(), case .object(let other)? = try graph.member("other", of: root),
            case .object(let back)? = try graph.member("back", of: other)
        else {
            Issue.record("an object is missing")
            return
        }
        #expect(root.className == "A" && other.className == "B" && back.number == root.number)
        #expect(try graph.text("name", of: root) == "Ä")
        #expect(try graph.flag("flag", of: other) && graph.integer("number", of: other) == -7)
        if case .null? = try graph.member("none", of: root) {} else { Issue.record("nil is not nil") }
        #expect(!root.keys.contains("missing"))
    }
}
