import Foundation
import TestSupport
import Testing

@testable import SourcePorting

@Suite("Sources that are broken, or deep")
struct BrokenSourceTests {
    /// A source with some of its pieces doubled, taken away, swapped or replaced by others.
    private static func mutate(_ source: String, _ random: inout SeededGenerator) -> String {
        let pieces = [
            "{", "}", "(", ")", "\"", "#if X\n", "#endif", "@objc", "@objc(", "@NSManaged ", "#keyPath(", "#selector(", ",", ":",
            ".", "\n", "`",
            "/*", "*/", "override init(entity: E, insertInto c: C?)", "extension Movie {", "\u{0}", "é", "\r", "\\(", "?", "<",
            ">", "var ", "func ",
        ]
        var bytes = Array(source.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let length = min(bytes.count - at, Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeSubrange(at..<(at + length))
            case 1:
                bytes.insert(contentsOf: Array(bytes[at..<(at + length)]), at: Int.random(in: 0...bytes.count, using: &random))
            case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: at)
            default: if at < bytes.count { bytes[at] = UInt8.random(in: 0...127, using: &random) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("No mutation of a source stops the porter, moves a line, or needs a second porting")
    func mutations() {
        var parsed = 0
        let count = ProcessInfo.processInfo.environment["OPENCOREDATA_SEEDS"].flatMap(UInt64.init) ?? 300
        for seed in 1...max(1, count) {
            var random = SeededGenerator(seed: seed)
            let source = Self.mutate(SampleSource.text, &random)
            let ported = SourcePorter.port(source, style: .keepsLines)
            if !ported.parses {
                #expect(ported.text == source && !ported.messages.isEmpty, "seed \(seed)")
                continue
            }
            parsed += 1
            #expect(lineCount(ported.text) == lineCount(source), "seed \(seed)")
            let again = SourcePorter.port(ported.text, style: .keepsLines)
            #expect(again.parses && again.text == ported.text, "seed \(seed): \(source)")
        }
        #expect(parsed > count / 60)
    }

    @Test("The beginnings of a source are ported or refused")
    func beginnings() {
        let bytes = Array(SampleSource.text.utf8)
        for end in stride(from: 0, through: bytes.count, by: 7) {
            let source = String(decoding: bytes[..<end], as: UTF8.self)
            let ported = SourcePorter.port(source, style: .dropsEmptiedLines)
            #expect(ported.parses || ported.text == source)
        }
    }

    @Test(
        "Depth is bounded: what nests or goes on for ever is ported, or refused with a message",
        arguments: [
            ("(", "1", ")"), ("[", "1", "]"), ("{ ", "1", " }"), ("a.", "b", ""), ("!", "a", ""), ("-", "a", ""),
            ("a + ", "a", ""),
            ("f(", "a", ")"), ("if a { } else ", "{ }", ""), ("if a { ", "b", " }"), ("a ? b : ", "c", ""), ("try ", "a", ""),
            ("", "a", "?"), ("", "a", "()"), ("", "a", ".b()"), ("", "a", "[0]"), ("#keyPath(", "a", ")"), ("\"\\(", "a", ")\""),
            ("class A { ", "@objc var a: Int", " }"), ("#if os(Linux)\n", "@objc class A {}", "\n#endif"),
            ("@a ", "var b: Int", ""),
            ("#if !", "a\n#endif", ""), ("#if (", "a", ")\n#endif"), ("#if a && ", "b\n#endif", ""), ("let a: A<", "B", ">"),
            ("let a: [", "B", "]"), ("let a: ", "A", "?"), ("func f() -> () -> ", "A", ""), ("case ", "a", ""),
            ("#keyPath(a.", "b)", ""),
            ("await ", "a", ""), ("{ a in ", "a", " }"), ("@A(", "b", ") var c: Int"), ("A.", "B.self", ""), ("\\.", "a", ""),
            ("switch a { default: ", "b", " }"), ("do { ", "a", " }"), ("repeat { ", "a", " } while b"), ("a as ", "B", ""),
            ("some ", "a", ""),
            ("extension A { ", "override func f() {}", " }"), ("func f() { ", "a", " }"), ("/*", "a", "*/"), ("a = ", "b", ""),
            ("inout ", "A", ""),
        ])
    func depth(open: String, middle: String, close: String) {
        for count in [300, 5_000] {
            let source =
                "@objc class Z {}\n" + String(repeating: open, count: count) + middle + String(repeating: close, count: count)
                + "\n"
            let ported = SourcePorter.port(source, style: .keepsLines)
            #expect(ported.parses || !ported.messages.isEmpty)
            #expect(ported.parses ? ported.text.hasPrefix("class Z {}\n") : ported.text == source)
        }
    }

    @Test(
        "A source of the largest size, in which one construct goes on to the end, is ported or refused",
        arguments: [("", "repeat each "), ("let f: ", "() -> "), ("", "try "), ("", "if a {} else ")])
    func longest(start: String, piece: String) {
        let source = start + String(repeating: piece, count: (SourcePorter.limit - 100) / piece.utf8.count) + "{}"
        let ported = SourcePorter.port(source, style: .keepsLines)
        #expect(ported.parses || !ported.messages.isEmpty)
        #expect(ported.text == source)
    }
}
