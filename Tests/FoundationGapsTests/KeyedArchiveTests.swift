import Foundation
import FoundationGaps
import TestSupport
import Testing

@Suite("Keyed archives are read without trusting them")
struct KeyedArchiveTests {
    private func object(_ data: Data, _ classes: [AnyClass] = KeyedArchive.plainClasses) throws -> Any {
        try KeyedArchive.object(in: data, classes: classes)
    }

    private func archive(_ make: (inout ArchiveWriter) -> Int) -> Data {
        var writer = ArchiveWriter()
        let root = make(&writer)
        return writer.data(root: root)
    }

    private static var samples: [Any] {
        [
            "text", "größer \u{1F642}", "", 5, -5, Int64.min, UInt64.max, 1.5, true, Date(timeIntervalSinceReferenceDate: 5.25),
            Data([1, 2, 3]), Data(), UUID(),
            NSURL(string: "b?x", relativeTo: URL(string: "http://a/c")) as Any, URL(fileURLWithPath: "/x y"), NSNull(), [Any](),
            ["a", 1, ["b": [2.5]]] as [Any],
            ["k": [1, 2], "l": ["m": Data([7])]] as [String: Any], Set(["a", "b"]), [1: "one", 2: "two"],
            NSOrderedSet(array: ["z", "a"]),
            NSMutableArray(array: [1]), NSMutableDictionary(dictionary: ["a": 1]), NSMutableSet(array: [1, 2]),
            NSMutableString(string: "m"),
        ]
    }

    @Test("What was archived comes back equal, and in the class that Foundation's unarchiver gives", arguments: 0..<25)
    func roundTrip(index: Int) throws {
        let sample = Self.samples[index]
        let classes = KeyedArchive.plainClasses + [NSOrderedSet.self]
        let found = try #require(try object(try KeyedArchive.data(of: sample, classes: classes), classes) as? NSObject)
        let foundation = try NSKeyedUnarchiver(forReadingFrom: KeyedArchive.data(of: sample, classes: classes))
        let expected = try #require(foundation.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSObject)
        #expect(found.isEqual(expected))
        #expect(type(of: found) == type(of: expected))
    }

    @Test("Decimal numbers of Apple's archiver are read; a decimal to be archived is an error, not a stop")
    func decimals() throws {
        func decimal(_ words: [UInt8], exponent: Int64, isNegative: Bool, length: Int64, order: Int64 = 1) -> Data {
            archive {
                $0.add(
                    "NSDecimalNumber",
                    [
                        ("NS.mantissa", .plain(.data(Data(words + [UInt8](repeating: 0, count: 16 - words.count))))),
                        ("NS.exponent", .plain(.integer(exponent))), ("NS.negative", .plain(.bool(isNegative))),
                        ("NS.length", .plain(.integer(length))), ("NS.compact", .plain(.bool(true))),
                        ("NS.mantissa.bo", .plain(.integer(order))),
                    ])
            }
        }
        #expect(
            try object(decimal([0x39, 0x30], exponent: -3, isNegative: true, length: 1)) as? NSDecimalNumber
                == NSDecimalNumber(string: "-12.345"))
        #expect(
            try object(decimal([1, 0, 1, 0], exponent: 0, isNegative: false, length: 2)) as? NSDecimalNumber
                == NSDecimalNumber(string: "65537"))
        #expect(
            try object(decimal([0x30, 0x39], exponent: 0, isNegative: false, length: 1, order: 2)) as? NSDecimalNumber
                == NSDecimalNumber(string: "12345"))
        for (length, exponent) in [(9, 0), (-1, 0), (1, 128), (1, -129), (Int64.max, Int64.min)] {
            #expect(throws: KeyedArchive.Failure.self) {
                try object(decimal([1], exponent: exponent, isNegative: false, length: length))
            }
        }
        for value in [Decimal(1.5) as Any, [NSDecimalNumber(string: "2")]] {
            #expect(throws: KeyedArchive.Failure.self) { try KeyedArchive.data(of: value, classes: KeyedArchive.plainClasses) }
        }
        // A hash of one would never come back.
        let member = archive { writer in
            let number = writer.add(
                "NSDecimalNumber",
                [
                    ("NS.mantissa", .plain(.data(Data(count: 16)))), ("NS.exponent", .plain(.integer(0))),
                    ("NS.negative", .plain(.bool(false))),
                    ("NS.length", .plain(.integer(0))), ("NS.mantissa.bo", .plain(.integer(1))),
                ])
            return writer.add("NSSet", [("NS.objects", .objects([number]))])
        }
        #expect(throws: KeyedArchive.Failure.self) { try object(member) }
    }

    @Test("The writer of the tests writes what can be read, by Foundation too")
    func writer() throws {
        let data = archive { writer in
            let text = writer.add(.text("a"))
            return writer.add(
                "NSDictionary",
                [
                    ("NS.keys", .objects([text])),
                    ("NS.objects", .objects([writer.add("NSArray", [("NS.objects", .objects([text, text]))])])),
                ])
        }
        let expected = NSDictionary(dictionary: ["a": ["a", "a"]])
        #expect(try object(data) as? NSDictionary == expected)
        #expect(
            try NSKeyedUnarchiver(forReadingFrom: data).decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSDictionary
                == expected)
    }

    @Test("R92: what contains itself, lacks something, refers to nothing or is nested too deeply is an error")
    func damage() {
        let damaged: [(String, Data)] = [
            ("array in itself", archive { $0.add("NSArray", [("NS.objects", .objects([1]))]) }),
            (
                "two in each other",
                archive { writer in
                    _ = writer.add("NSArray", [("NS.objects", .objects([2]))])
                    return writer.add("NSSet", [("NS.objects", .objects([1]))])
                }
            ),
            (
                "fewer values",
                archive { $0.add("NSDictionary", [("NS.keys", .objects([$0.add(.text("a"))])), ("NS.objects", .objects([]))]) }
            ),
            (
                "more values",
                archive { $0.add("NSDictionary", [("NS.keys", .objects([])), ("NS.objects", .objects([$0.add(.text("a"))]))]) }
            ),
            ("no values", archive { $0.add("NSDictionary", [("NS.keys", .objects([]))]) }),
            ("no objects", archive { $0.add("NSArray", []) }),
            ("objects are a text", archive { $0.add("NSArray", [("NS.objects", .plain(.text("x")))]) }),
            ("member out of range", archive { $0.add("NSArray", [("NS.objects", .objects([4_000_000]))]) }),
            ("nil member", archive { $0.add("NSSet", [("NS.objects", .objects([0]))]) }),
            ("root out of range", ArchiveWriter().data(root: 17)),
            ("nil root", ArchiveWriter().data(root: 0)),
            ("date without time", archive { $0.add("NSDate", [("NS.time", .plain(.text("now")))]) }),
            ("short UUID", archive { $0.add("NSUUID", [("NS.uuidbytes", .plain(.data(Data([1]))))]) }),
            ("URL of a number", archive { $0.add("NSURL", [("NS.relative", .plain(.integer(1)))]) }),
            (
                "URL upon a text",
                archive { $0.add("NSURL", [("NS.relative", .plain(.text("a"))), ("NS.base", .plain(.text("b")))]) }
            ),
            ("text without text", archive { $0.add("NSMutableString", []) }),
            ("data of a number", archive { $0.add("NSMutableData", [("NS.data", .plain(.integer(5)))]) }),
            (
                "array as key",
                archive {
                    let key = $0.add("NSArray", [("NS.objects", .objects([]))])
                    return $0.add("NSDictionary", [("NS.keys", .objects([key])), ("NS.objects", .objects([key]))])
                }
            ),
            ("unknown class", archive { $0.add("No.Such", []) }),
            ("a name to take apart", archive { $0.add("$s10Predicates0A4NodeO", []) }),
            ("a long name", archive { $0.add(String(repeating: "x.", count: 100_000), []) }),
        ]
        for (name, data) in damaged { #expect(throws: KeyedArchive.Failure.self, "\(name)") { try object(data) } }
    }

    @Test("R92: nesting has a bound, which the calling thread's stack has room for")
    func depth() {
        let archives = [1, 90, 101, 20_000].map { count in
            archive { writer in
                (0..<count).reduce(writer.add(.text("x"))) { inner, _ in
                    writer.add("NSArray", [("NS.objects", .objects([inner]))])
                }
            }
        }
        let outcome = OutcomeOfThread()
        let limited = Thread {
            outcome.set(archives.map { (try? object($0)) != nil })
        }
        limited.stackSize = 1024 * 1024
        limited.start()
        #expect(outcome.wait() == [true, true, false, false])
    }

    @Test("R92: shared members that would unfold to very many, and members of sets with equal hashes, have a bound")
    func bombs() {
        let unfolding = archive { writer in
            (0..<100).reduce(writer.add(.text("x"))) { inner, _ in
                writer.add("NSArray", [("NS.objects", .objects([inner, inner]))])
            }
        }
        #expect(throws: KeyedArchive.Failure.self) { try object(unfolding) }
        let colliding = archive { writer in
            let arrays = (0..<20_000).map { number in
                writer.add("NSArray", [("NS.objects", .objects([writer.add(.integer(Int64(number)))]))])
            }
            return writer.add("NSSet", [("NS.objects", .objects(arrays))])
        }
        #expect(throws: KeyedArchive.Failure.self) { try object(colliding) }
        // What a program may really have is far from the bound.
        let pairs = Set((0..<300).map { [$0, $0 + 1] })
        #expect(throws: Never.self) { try object(try KeyedArchive.data(of: pairs, classes: KeyedArchive.plainClasses)) }
    }

    @Test("R91: a class is made only if it is allowed, wherever it stands")
    func classes() throws {
        let node = ArchivedNode(name: "a", size: 7, next: ArchivedNode(name: "b", size: Int.max, next: nil))
        let classes: [AnyClass] = [ArchivedNode.self]
        let found = try #require(try object(try KeyedArchive.data(of: node, classes: classes), classes) as? ArchivedNode)
        #expect(
            found.name == "a" && found.size == 7 && found.next?.name == "b" && found.next?.size == Int.max
                && found.next?.next == nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: [node, "a"] as NSArray, requiringSecureCoding: true)
        #expect(throws: KeyedArchive.Failure.self) { try object(data) }
        #expect(throws: KeyedArchive.Failure.self) { try object(data, classes) }
        #expect(try object(data, classes + [NSArray.self]) as? NSArray != nil)
        #expect(throws: KeyedArchive.Failure.self) { try KeyedArchive.data(of: [node], classes: KeyedArchive.plainClasses) }
        #expect(throws: KeyedArchive.Failure.self) { try KeyedArchive.data(of: node, classes: [NSArray.self]) }
        // A subclass is as good as its superclass.
        let child = ArchivedChild(name: "c", size: 1, next: nil)
        let childData = try NSKeyedArchiver.archivedData(withRootObject: child, requiringSecureCoding: true)
        #expect(try object(childData, classes) is ArchivedChild)
        #expect(throws: KeyedArchive.Failure.self) {
            try object(try KeyedArchive.data(of: node, classes: classes), [ArchivedChild.self])
        }
        // A wrong member of an allowed class is an error, and so is one that the class does not take.
        for member: (String, ArchiveWriter.Member) in [
            ("name", .object(1)), ("name", .plain(.integer(1))), ("next", .object(1)), ("next", .object(2)),
        ] {
            let bad = archive { writer in
                _ = writer.add("NSArray", [("NS.objects", .objects([]))])
                return writer.add("PredicatesTests.ArchivedNode", [member])
            }
            #expect(throws: (any Error).self) { try object(bad, classes) }
        }
    }

    @Test("A class that is declared inside of another has no name in archives: an error, not a stop")
    func innerClasses() {
        #expect(throws: KeyedArchive.Failure.self) { try KeyedArchive.data(of: Inner(), classes: [Inner.self]) }
        let data = archive { $0.add("PredicatesTests.Inner", []) }
        #expect(throws: KeyedArchive.Failure.self) { try object(data, [Inner.self]) }
    }

    final class Inner: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        override init() {}
        init?(coder: NSCoder) {}
        func encode(with coder: NSCoder) {}
    }

    @Test("A transformer's subclass reads and writes the classes that it allows")
    func transformer() throws {
        let transformer = NodeTransformer()
        let data = try #require(transformer.reverseTransformedValue(ArchivedNode(name: "a", size: 1, next: nil)) as? Data)
        #expect((transformer.transformedValue(data) as? ArchivedNode)?.name == "a")
        #expect(transformer.reverseTransformedValue("text") == nil)
        #expect(transformer.transformedValue(Data([1, 2])) == nil)
        #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(data) == nil)
        let plain = try #require(NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(["a"]) as? Data)
        #expect(try object(plain) as? [String] == ["a"])
    }

    private final class NodeTransformer: NSSecureUnarchiveFromDataTransformer, @unchecked Sendable {
        // @unchecked Sendable: it has no state.
        override class var allowedTopLevelClasses: [AnyClass] { [ArchivedNode.self] }
    }

    @Test("R92: random damage gives an error or a value, and never stops the program")
    func randomDamage() throws {
        var random = Fuzz.random("Damaged archives")
        let classes = KeyedArchive.plainClasses + [NSOrderedSet.self, ArchivedNode.self]
        let node = ArchivedNode(name: "a", size: 7, next: ArchivedNode(name: "b", size: 3, next: nil))
        let mixed = NSArray(array: Self.samples.map { $0 as AnyObject } + [node])
        let originals = try [KeyedArchive.data(of: mixed, classes: classes), KeyedArchive.data(of: node, classes: classes)]
        var readable = 0
        for _ in 0..<Fuzz.count(3000) {
            var data = originals[Int.random(in: 0..<2, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard !data.isEmpty else { break }
                let place = Int.random(in: 0..<data.count, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: data = data.prefix(place + 1)
                case 1: data.remove(at: place)
                case 2: data[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 3: data.swapAt(place, Int.random(in: 0..<data.count, using: &random))
                default: data[place] = UInt8.random(in: 0...255, using: &random)
                }
                data = Data(data)
            }
            if let value = try? object(data, classes) {
                readable += 1
                _ = (value as? NSObject)?.isEqual(mixed)
                _ = "\(value)"
            }
        }
        #expect(readable > 0)
    }
}

private final class OutcomeOfThread: @unchecked Sendable {
    // @unchecked Sendable: the semaphore orders the write before the read.
    private let done = DispatchSemaphore(value: 0)
    private var outcome: [Bool] = []

    func set(_ outcome: [Bool]) {
        self.outcome = outcome
        done.signal()
    }

    func wait() -> [Bool] {
        done.wait()
        return outcome
    }
}

class ArchivedNode: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }
    let name: String
    let size: Int
    let next: ArchivedNode?

    init(name: String, size: Int, next: ArchivedNode?) { (self.name, self.size, self.next) = (name, size, next) }

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        size = coder.decodeInteger(forKey: "size")
        next = coder.decodeObject(of: ArchivedNode.self, forKey: "next")
    }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: name), forKey: "name")
        coder.encode(size, forKey: "size")
        coder.encode(next, forKey: "next")
    }
}

final class ArchivedChild: ArchivedNode {}
