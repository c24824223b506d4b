import DataModel
import Foundation
import OpenCoreData
import SeededRandom

/// Random values of attributes, within the limits that the model sets.
enum RandomValue {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -'éßñ乱🎬")

    /// Nil for types that are not known.
    static func make(_ attribute: NSAttributeDescription, _ generator: inout SeededGenerator) -> Any? {
        let limits = Limits(attribute.validationPredicates)
        switch attribute.type {
        case .boolean: return Bool.random(using: &generator)
        case .integer16: return Int16(clamping: integer(limits, Int64(Int16.min)...Int64(Int16.max), &generator))
        case .integer32: return Int32(clamping: integer(limits, Int64(Int32.min)...Int64(Int32.max), &generator))
        case .integer64: return integer(limits, Int64.min...Int64.max, &generator)
        case .double: return number(limits, &generator)
        case .float: return Float(number(limits, &generator))
        case .decimal: return NSDecimalNumber(decimal: Decimal((number(limits, &generator) * 100).rounded()) / 100)
        case .string: return text(limits, &generator)
        case .date:
            let range = range(limits.least ?? -1.5e9, limits.greatest ?? 1.5e9)
            return Date(
                timeIntervalSinceReferenceDate: min(Double.random(in: range, using: &generator).rounded(.up), range.upperBound))
        case .binaryData:
            return Data((0..<Int.random(in: 0...32, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case .uuid: return uuid(&generator)
        case .uri: return URL(string: "https://example.org/\(UInt32.random(in: 0...UInt32.max, using: &generator))")
        default: return nil
        }
    }

    /// The limits in validation predicates of the model's own kind.
    private struct Limits {
        var least: Double?
        var greatest: Double?
        var shortest = 0
        var longest: Int?

        init(_ predicates: [NSPredicate]) {
            for case let predicate as LimitPredicate in predicates {
                switch predicate.limit {
                case .minimumNumber(let number): least = NSDecimalNumber(decimal: number).doubleValue
                case .maximumNumber(let number): greatest = NSDecimalNumber(decimal: number).doubleValue
                case .earliest(let seconds): least = seconds
                case .latest(let seconds): greatest = seconds
                case .minimumLength(let length): shortest = max(0, min(length, 10_000))
                case .maximumLength(let length): longest = max(0, length)
                case .pattern: break
                }
            }
        }
    }

    private static func range(_ least: Double, _ greatest: Double) -> ClosedRange<Double> { least...max(least, greatest) }

    /// In most cases a small number, and sometimes an extreme one.
    private static func integer(_ limits: Limits, _ all: ClosedRange<Int64>, _ generator: inout SeededGenerator) -> Int64 {
        let least = limits.least.map { Int64(exactly: $0.rounded(.up)) ?? all.lowerBound } ?? all.lowerBound
        let greatest = limits.greatest.map { Int64(exactly: $0.rounded(.down)) ?? all.upperBound } ?? all.upperBound
        let (low, high) = (max(least, all.lowerBound), min(greatest, all.upperBound))
        guard low < high else { return low }
        if let extreme = [low, high, 0, 1].randomElement(using: &generator), low...high ~= extreme,
            Int.random(in: 0..<10, using: &generator) == 0
        {
            return extreme
        }
        let (near, far) = (max(low, -10_000), min(high, 10_000))
        return Int64.random(in: near <= far ? near...far : low...high, using: &generator)
    }

    /// A number with few digits, which every type stores exactly.
    private static func number(_ limits: Limits, _ generator: inout SeededGenerator) -> Double {
        let least = limits.least ?? min(-10_000, limits.greatest ?? 0)
        let range = range(least, limits.greatest ?? max(10_000, least))
        let number = (Double.random(in: range, using: &generator) * 4).rounded() / 4
        return min(max(number, range.lowerBound), range.upperBound)
    }

    private static func text(_ limits: Limits, _ generator: inout SeededGenerator) -> String {
        let longest = max(limits.shortest, min(limits.longest ?? Int.max, limits.shortest + 16))
        let wanted = Int.random(in: limits.shortest...longest, using: &generator)
        var text = ""
        // The length is in units of UTF-16, as in limits.
        while text.utf16.count < wanted {
            guard let letter = letters.randomElement(using: &generator) else { break }
            if text.utf16.count + letter.utf16.count <= wanted { text.append(letter) }
        }
        return text
    }

    private static func uuid(_ generator: inout SeededGenerator) -> UUID {
        let bytes = (generator.next(), generator.next())
        return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
