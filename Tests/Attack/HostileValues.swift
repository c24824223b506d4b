import Foundation
import TestSupport

/// Values that no program that means well would put into a store, as SQL.
enum HostileValues {
    private static let plain = [
        "NULL", "''", "'text'", "'nan'", "x''", "x'00'", "x'00ff80'", "x'01'", "x'02'", "9e999", "-9e999", "1e300", "5e-324",
        "0.5", "-1", "0", "1", "2", "4",
        "9223372036854775807", "-9223372036854775808", "9223372036854775806", "4294967296", "2147483648", "32768", "-32769",
        "'9223372036854775807'", "'1e400'",
        "zeroblob(100000)", "replace(hex(zeroblob(5000)), '0', 'x')", "'\u{e9}\u{301}\u{202e}\u{0}'", "char(0)", "x'ff' || x'fe'",
        "16001", "16002",
        "'../../../outside/secret.txt'", "'/etc/passwd'", "'; DROP TABLE Z_METADATA; --'", "'2001-01-01'",
        "CAST('\u{fffd}' AS BLOB)",
    ]

    static func sql(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: blob(archive(&random))
        case 1: externalName(fileName(&random))
        case 2: blob(Data((0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case 3: "\(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63, using: &random))"
        default: plain[Int.random(in: 0..<plain.count, using: &random)]
        }
    }

    static func blob(_ data: Data) -> String { "x'\(data.map { String(format: "%02x", $0) }.joined())'" }

    /// What the column of an external value has.
    static func externalName(_ name: String) -> String { blob(Data([2]) + Data(name.utf8) + Data([0])) }

    static func fileName(_ random: inout SeededGenerator) -> String {
        let names = [
            AttackFolder.canary, AttackFolder.canary.lowercased(), "../../../outside/\(AttackFolder.canary)",
            "../../../../outside/secret.txt", "..", ".", "/etc/passwd",
            "../" + String(AttackFolder.canary.dropFirst(3)), String(repeating: "../", count: 12),
            String(repeating: "x", count: 36), String(repeating: "A", count: 5000),
            "\(AttackFolder.canary)/../x", "\u{0}\u{0}", "link", UUID().uuidString,
        ]
        return names[Int.random(in: 0..<names.count, using: &random)]
    }

    /// A keyed archive, damaged or made to do harm.
    static func archive(_ random: inout SeededGenerator) -> Data {
        var writer = ArchiveWriter()
        let classes = [
            "NSArray", "NSMutableArray", "NSDictionary", "NSSet", "NSOrderedSet", "NSString", "NSData", "NSDate", "NSURL",
            "NSUUID", "NSNull", "NSDecimalNumber",
            "NSAttributedString", "NSKeyedUnarchiver", "Foundation.Process", "NSObject", "attack.Subject", "$s6attack7SubjectV",
            "", "\u{0}",
        ]
        let keys = [
            "NS.objects", "NS.keys", "NS.string", "NS.data", "NS.time", "NS.relative", "NS.base", "NS.uuidbytes", "NS.object.0",
            "NS.mantissa", "NS.length",
        ]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            func number() -> Int { Int.random(in: 0..<writer.count + 2, using: &random) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = writer.add(element(&random))
            default:
                var members: [(String, ArchiveWriter.Member)] = []
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let key = keys[Int.random(in: 0..<keys.count, using: &random)]
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: members.append((key, .object(number())))
                    case 1: members.append((key, .objects((0..<Int.random(in: 0...4, using: &random)).map { _ in number() })))
                    default: members.append((key, .plain(element(&random))))
                    }
                }
                _ = writer.add(classes[Int.random(in: 0..<classes.count, using: &random)], members)
            }
        }
        var data = writer.data(root: Int.random(in: 0..<writer.count + 1, using: &random))
        while Int.random(in: 0..<3, using: &random) == 0 {
            data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return data
    }

    private static func element(_ random: inout SeededGenerator) -> PropertyListWriter.Element {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: .bool(true)
        case 1: .integer(Int64(bitPattern: random.next()))
        case 2: .real(Double(bitPattern: random.next()))
        case 3: .data(Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case 4: .uid(Int.random(in: 0..<5, using: &random))
        case 5: .raw([UInt8.random(in: 0...255, using: &random)])
        default: .text(["a", "http://a/b", "$null", "", "\u{e9}"][Int.random(in: 0..<5, using: &random)])
        }
    }

    /// A property list, damaged or made to do harm.
    static func propertyList(_ random: inout SeededGenerator) -> Data {
        var writer = PropertyListWriter()
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let loop = writer.add(.array([0]))
            return writer.data(top: loop)
        case 1:
            var top = writer.add(.text("x"))
            for _ in 0..<50 { top = writer.add(.array([top, top])) }
            return writer.data(top: top)
        case 2:
            var top = writer.add(.text("x"))
            for _ in 0..<20_000 { top = writer.add(.array([top])) }
            return writer.data(top: top)
        case 3: return Data(String(repeating: "(", count: 100_000).utf8)
        default:
            let names = [
                "NSStoreModelVersionHashes", "NSStoreType", "NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers",
                "NSStoreModelVersionHashesVersion",
                "_NSAutoVacuumLevel", "NSStoreUUID",
            ]
            let members = names.map { name in (name, element(&random)) }
            let top = writer.dictionary(members)
            return writer.data(top: top)
        }
    }
}
