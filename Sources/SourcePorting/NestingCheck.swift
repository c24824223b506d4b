/// Finds out how deep a source nests before it is parsed: SwiftParser's time doubles with each `[` in `[`, and grows
/// with the square of other depths.
struct NestingCheck {
    private enum Opening: Equatable {
        case parenthesis, bracket, brace
        case text(hashes: Int, isLong: Bool)
    }

    /// The greatest depth of all kinds together, and of `#if`.
    static let limit = 200
    /// The greatest depth of `[` without a brace between them.
    static let bracketLimit = 14

    /// The greatest number of `->` without a brace between them. Types of functions that return functions nest, too.
    static let arrowLimit = 5_000

    private let bytes: [UInt8]
    private var position = 0
    private var open: [Opening] = []
    private var conditions = 0
    private var arrows = 0
    /// The numbers of open `[` after each open brace.
    private var brackets = [0]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: The offset of the first place that is too deep; nil if there is none.
    static func firstExcess(in bytes: [UInt8]) -> Int? {
        var check = NestingCheck(bytes)
        return check.run()
    }

    private mutating func run() -> Int? {
        while position < bytes.count {
            if case .text(let hashes, let isLong)? = open.last {
                readText(hashes, isLong)
            } else {
                readCode()
            }
            let isDeep = open.count > Self.limit || conditions > Self.limit || arrows > Self.arrowLimit
            if isDeep || (brackets.last ?? 0) > Self.bracketLimit { return position - 1 }
        }
        return nil
    }

    private func starts(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { buffer in
            for (offset, byte) in buffer.enumerated() where bytes[position + offset] != byte { return false }
            return true
        }
    }

    private mutating func readCode() {
        switch bytes[position] {
        case UInt8(ascii: "("): push(.parenthesis)
        case UInt8(ascii: "["): push(.bracket)
        case UInt8(ascii: "{"): push(.brace)
        case UInt8(ascii: ")"): pop(.parenthesis)
        case UInt8(ascii: "]"): pop(.bracket)
        case UInt8(ascii: "}"): pop(.brace)
        case UInt8(ascii: "-") where starts("->"): arrows += 1
        case UInt8(ascii: "/") where starts("//"): skipLine()
        case UInt8(ascii: "/") where starts("/*"): skipComment()
        case UInt8(ascii: "#") where starts("#if"): conditions += 1
        case UInt8(ascii: "#") where starts("#endif"): conditions = max(0, conditions - 1)
        case UInt8(ascii: "\""), UInt8(ascii: "#"): beginText()
        default: break
        }
        position += 1
    }

    private mutating func push(_ opening: Opening) {
        open.append(opening)
        if opening == .bracket { brackets[brackets.count - 1] += 1 }
        if opening == .brace {
            brackets.append(0)
            arrows = 0
        }
    }

    private mutating func pop(_ opening: Opening) {
        guard open.last == opening else { return }
        open.removeLast()
        if opening == .bracket { brackets[brackets.count - 1] -= 1 }
        if opening == .brace { brackets.removeLast() }
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), bytes[position] != UInt8(ascii: "\r") {
            position += 1
        }
    }

    private mutating func skipComment() {
        var depth = 0
        while position < bytes.count {
            if starts("/*") {
                depth += 1
                position += 2
            } else if starts("*/") {
                depth -= 1
                position += 2
                if depth == 0 { break }
            } else {
                position += 1
            }
        }
        position -= 1
    }

    /// A string literal, with `#` before the quotes or without.
    private mutating func beginText() {
        var end = position
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            position = max(position, end - 1)
            return
        }
        let hashes = end - position
        position = end
        let isLong = starts("\"\"\"")
        if isLong { position += 2 }
        open.append(.text(hashes: hashes, isLong: isLong))
    }

    private func hasHashes(_ count: Int, at start: Int) -> Bool {
        start + count <= bytes.count && bytes[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func readText(_ hashes: Int, _ isLong: Bool) {
        switch bytes[position] {
        case UInt8(ascii: "\\") where hasHashes(hashes, at: position + 1):
            let next = position + 1 + hashes
            position = next
            if next < bytes.count, bytes[next] == UInt8(ascii: "(") { push(.parenthesis) }
        case UInt8(ascii: "\n") where !isLong, UInt8(ascii: "\r") where !isLong:
            // It has no end. The parser will report that.
            open.removeLast()
        case UInt8(ascii: "\"") where isLong ? starts("\"\"\"") : true:
            let end = position + (isLong ? 3 : 1)
            if hasHashes(hashes, at: end) {
                open.removeLast()
                position = end + hashes - 1
            }
        default: break
        }
        position += 1
    }
}
