/// A pattern of LIKE: `*` stands for any run of characters, `?` for one, a backslash takes the next character literally.
import Foundation

struct WildcardPattern: Sendable {
    private enum Part: Equatable, Sendable {
        case byte(UInt8)
        /// One code point.
        case one
        case run
    }

    private let parts: [Part]

    /// - Parameters:
    ///   - pattern: the pattern.
    ///   - fold: applied to the literal stretches, as the texts are folded before they are matched.
    init(_ pattern: String, fold: (String) -> String) {
        var parts: [Part] = []
        var literal = ""
        func flush() {
            parts += fold(literal).utf8.map(Part.byte)
            literal = ""
        }
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*":
                flush()
                if parts.last != .run { parts.append(.run) }
            case "?":
                flush()
                parts.append(.one)
            case "\\":
                guard let next = scalars.next() else {
                    literal.unicodeScalars.append(scalar)
                    break
                }
                literal.unicodeScalars.append(next)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        flush()
        self.parts = parts
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(matches)
    }

    /// Goes forward and, where it can't, lets the latest `*` take one code point more: quadratic at worst.
    private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        var part = 0
        var lastRun: (part: Int, position: Int)?
        while true {
            if part < parts.count, parts[part] == .run {
                part += 1
                lastRun = (part, position)
                continue
            }
            if part == parts.count, position == text.count { return true }
            if part < parts.count, position < text.count {
                switch parts[part] {
                case .one:
                    position = Self.next(position, text)
                    part += 1
                    continue
                case .byte(let byte) where byte == text[position]:
                    position += 1
                    part += 1
                    continue
                default: break
                }
            }
            guard let run = lastRun, run.position < text.count else { return false }
            let start = Self.next(run.position, text)
            lastRun = (run.part, start)
            part = run.part
            position = start
        }
    }

    /// The start of the next code point.
    private static func next(_ position: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var next = position + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}

extension WildcardPattern {
    /// A pattern whose only wildcards are `*` at its ends, as the plainer operator that means the same; nil for any other.
    static func plainer(_ pattern: String) -> (comparisonOperator: _NSComparisonPredicate.Operator, text: String)? {
        var text = Substring(pattern)
        let startsOpen = text.hasPrefix("*")
        if startsOpen { text = text.drop { $0 == "*" } }
        let endsOpen = text.hasSuffix("*")
        while text.hasSuffix("*") { text = text.dropLast() }
        guard !text.unicodeScalars.contains(where: { $0 == "*" || $0 == "?" || $0 == "\\" }) else { return nil }
        if text.isEmpty, startsOpen { return (.contains, "") }
        switch (startsOpen, endsOpen) {
        case (true, true): return (.contains, String(text))
        case (true, false): return (.endsWith, String(text))
        case (false, true): return (.beginsWith, String(text))
        case (false, false): return (.equalTo, String(text))
        }
    }
}
