import Foundation
import FoundationGaps
import TestSupport
import Testing

@Suite("Property lists of strangers")
struct PropertyListBytesTests {
    @Test("Binary and XML lists are read as Foundation reads them")
    func reading() throws {
        let value: [String: Any] = [
            "a": ["x", 1, 1.5, true, Date(timeIntervalSinceReferenceDate: 3), Data([1])] as [Any],
            "größe": ["b": ["c": Int64.min]],
        ]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            #expect(PropertyListBytes.value(data) as? NSDictionary == NSDictionary(dictionary: value))
        }
    }

    @Test("R95: lists that contain themselves, unfold to very many values or are nested deeply are refused, in every form")
    func bounds() {
        func text(_ open: String, _ close: String, _ count: Int) -> Data {
            Data((String(repeating: open, count: count) + "x" + String(repeating: close, count: count)).utf8)
        }
        var itself = PropertyListWriter()
        let loop = itself.add(.array([0]))
        var unfolding = PropertyListWriter()
        let many = (0..<40).reduce(unfolding.add(.text("x"))) { inner, _ in unfolding.add(.array([inner, inner])) }
        var deep = PropertyListWriter()
        let bottom = (0..<50_000).reduce(deep.add(.text("x"))) { inner, _ in deep.add(.array([inner])) }
        let xml = Data("<?xml version=\"1.0\"?><plist>".utf8)
        for data in [
            itself.data(top: loop), unfolding.data(top: many), deep.data(top: bottom), text("(", ")", 100_000),
            text("{a=", ";}", 100_000), xml + text("<array>", "</array>", 100_000),
            xml + text("<dict><key>a</key>", "</dict>", 100_000), Data(), Data("bplist00".utf8), Data("x".utf8),
        ] {
            #expect(PropertyListBytes.value(data) == nil)
        }
    }

    @Test("Random damage never stops the program")
    func randomDamage() throws {
        var random = Fuzz.random("Damaged property lists")
        let value: [String: Any] = [
            "a": ["x", 1, 1.5, true, Date(timeIntervalSinceReferenceDate: 3), Data([1])] as [Any], "b": ["c": "größer"],
        ]
        let originals = try [PropertyListSerialization.PropertyListFormat.binary, .xml].map {
            try PropertyListSerialization.data(fromPropertyList: value, format: $0, options: 0)
        }
        var readable = 0
        for _ in 0..<Fuzz.count(3000) {
            var data = originals[Int.random(in: 0..<2, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let value = PropertyListBytes.value(
                data.prefix(Int.random(in: 0..<2, using: &random) == 0 ? data.count : data.count - 1))
            {
                readable += 1
                _ = "\(value)"
            }
        }
        #expect(readable > 0)
    }
}
