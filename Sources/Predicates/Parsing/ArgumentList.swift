import CSwiftRuntime
import Foundation

/// The arguments in a C list, read as the percent signs of a format string say.
enum ArgumentList {
    private enum Kind: CChar {
        case pointer = 0x70
        case int = 0x69
        case long = 0x6C
        case double = 0x64
    }

    static func values(_ format: String, _ list: CVaListPointer) throws -> [Any?] {
        let places = try placeholders(in: format)
        var words = [UInt64](repeating: 0, count: places.count)
        CSwiftReadArguments(list, places.map(\.kind.rawValue), places.count, &words)
        return zip(places, words).map { place, word in
            switch place.kind {
            case .pointer:
                guard let pointer = UnsafeRawPointer(bitPattern: UInt(word)) else { return nil }
                if place.isText { return String(cString: pointer.assumingMemoryBound(to: CChar.self)) }
                return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            case .double: return Double(bitPattern: word)
            case .int, .long:
                return place.isSigned
                    ? Int64(bitPattern: word) : place.kind == .int ? UInt64(UInt32(truncatingIfNeeded: word)) : word
            }
        }
    }

    private struct Place {
        let kind: Kind
        var isText = false
        var isSigned = true
    }

    private static func placeholders(in format: String) throws -> [Place] {
        let bytes = Array(format.utf8)
        return try PredicateParser.tokens(format).compactMap { token in
            switch token.kind {
            case .objectArgument, .keyArgument: return Place(kind: .pointer)
            case .valueArgument(let type):
                let isLong = bytes[token.range].contains { "lqLzjt".utf8.contains($0) }
                switch type {
                case UInt8(ascii: "s"), UInt8(ascii: "S"): return Place(kind: .pointer, isText: true)
                case _ where "fFeEgGaA".utf8.contains(type): return Place(kind: .double)
                default:
                    return Place(kind: isLong ? .long : .int, isSigned: !"uUxXoO".utf8.contains(type))
                }
            default: return nil
            }
        }
    }
}
