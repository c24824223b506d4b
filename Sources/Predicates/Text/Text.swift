import Foundation

/// Operations on the UTF-8 bytes of texts: what predicates mean by "the same text" when no option is given, and what a store does
/// too.
package enum Text {
    /// Whether both have the same code points; unlike Swift's `==`, a composed and a decomposed é differ.
    package static func areEqual(_ a: String, _ b: String) -> Bool {
        withBytes(a, b) { $0.count == $1.count && isPrefix($1, of: $0, at: 0) }
    }

    package static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        withBytes(text, prefix) { $0.count >= $1.count && isPrefix($1, of: $0, at: 0) }
    }

    package static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        withBytes(text, suffix) { $0.count >= $1.count && isPrefix($1, of: $0, at: $0.count - $1.count) }
    }

    package static func contains(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { text, part in
            guard let first = part.first else { return true }
            guard let start = text.baseAddress, text.count >= part.count else { return false }
            let end = text.count - part.count
            var offset = 0
            while offset <= end {
                guard let found = memchr(start + offset, Int32(first), end - offset + 1) else { return false }
                offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
                if isPrefix(part, of: text, at: offset) { return true }
                offset += 1
            }
            return false
        }
    }

    /// The length as Apple's systems count it: in UTF-16 units.
    static func length(_ text: String) -> Int { text.utf16.count }

    private static func isPrefix(_ part: UnsafeBufferPointer<UInt8>, of text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool
    {
        guard let a = part.baseAddress, let b = text.baseAddress else { return part.isEmpty }
        return memcmp(a, b + offset, part.count) == 0
    }

    private static func withBytes(
        _ a: String, _ b: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var a = a
        var b = b
        return a.withUTF8 { left in b.withUTF8 { right in body(left, right) } }
    }
}
