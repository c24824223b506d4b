package import Foundation

/// Reads property lists from files that can't be trusted.
///
/// Foundation's reader uses recursion for nesting, so lists that are nested very deeply, or contain themselves, stop
/// the program. Here they are checked first.
package enum PropertyListBytes {
    private static let greatestDepth = 64
    /// The greatest number of values in a list. A value at several places counts several times.
    private static let greatestCount = 1_000_000

    /// The content of a binary or XML property list; nil if the bytes are not one, or if it is nested too deeply.
    package static func value(_ data: Data) -> Any? {
        guard data.starts(with: BinaryPropertyList.header) ? isSound(binary: data) : isSound(text: data) else { return nil }
        return try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    }

    private static func isSound(binary data: Data) -> Bool {
        guard let list = BinaryPropertyList(data) else { return false }
        var count = 0
        func isSound(_ index: Int, depth: Int) -> Bool {
            count += 1
            guard depth <= greatestDepth, count <= greatestCount else { return false }
            switch list.element(index) {
            case .array(let elements)?:
                return (0..<elements.count).allSatisfy { place in
                    list.index(elements, place).map { isSound($0, depth: depth + 1) } ?? false
                }
            case .dictionary?:
                return list.dictionary(index)?.values.allSatisfy { isSound($0, depth: depth + 1) } ?? false
            case .reference?, nil: return false
            default: return true
            }
        }
        return isSound(list.top, depth: 0)
    }

    /// Foundation's reader also accepts forms older than XML. Stores and models don't have them.
    private static func isSound(text data: Data) -> Bool {
        let open = UInt8(ascii: "<")
        let start = data.prefix(64).drop { $0 != open }
        guard
            start.starts(with: Data("<?xml".utf8)) || start.starts(with: Data("<!DOCTYPE".utf8))
                || start.starts(with: Data("<plist".utf8))
        else { return false }
        // Every tag that does not close an element may open one.
        var depth = 0
        var previous: (UInt8, UInt8) = (0, 0)
        for byte in data {
            if previous.1 == open {
                if byte == UInt8(ascii: "/") {
                    depth -= 1
                } else if byte != UInt8(ascii: "!"), byte != UInt8(ascii: "?") {
                    depth += 1
                }
            } else if byte == UInt8(ascii: ">"), previous.1 == UInt8(ascii: "/") {
                depth -= 1
            }
            guard depth <= greatestDepth else { return false }
            previous = (previous.1, byte)
        }
        return true
    }
}
