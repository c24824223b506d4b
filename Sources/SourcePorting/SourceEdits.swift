/// The changes of a source, made all at once.
struct SourceEdits {
    private struct Edit {
        let range: Range<Int>
        let replacement: String
    }

    private let source: SourceText
    private let style: LineStyle
    private var edits: [Edit] = []
    /// How often each rule changed something.
    private(set) var counts: [PortingRule: Int] = [:]

    init(_ source: SourceText, style: LineStyle) {
        self.source = source
        self.style = style
    }

    /// Counts one change, which may be several edits.
    mutating func count(_ rule: PortingRule) { counts[rule, default: 0] += 1 }

    /// Replaces a range by a text. Line ends of the range that the text does not have are added after it, in
    /// parentheses, unless emptied lines are removed.
    mutating func replace(_ range: Range<Int>, with text: String) {
        let lineEnds = style == .keepsLines ? source.lineEnds(in: range) : ""
        edits.append(Edit(range: range, replacement: lineEnds.isEmpty ? text : "(\(text)\(lineEnds))"))
    }

    /// Removes a range and the blanks after it, but not its line ends.
    mutating func remove(_ range: Range<Int>) {
        let lineEnds = style == .keepsLines ? source.lineEnds(in: range) : ""
        edits.append(Edit(range: source.withBlanksBehind(range), replacement: lineEnds))
    }

    /// Removes exactly a range.
    mutating func removeExactly(_ range: Range<Int>) { edits.append(Edit(range: range, replacement: source.lineEnds(in: range))) }

    mutating func insert(_ text: String, at offset: Int) { edits.append(Edit(range: offset..<offset, replacement: text)) }

    /// The source with all changes.
    func result() -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.bytes.count + edits.count * 32)
        var emptied: [Int] = []
        var position = 0
        // Insertions at one place stay in their order, and come before the replacement of the text after them.
        let inOrder = edits.enumerated().sorted { first, second in
            let (a, b) = (first.element.range, second.element.range)
            return (a.lowerBound, a.upperBound, first.offset) < (b.lowerBound, b.upperBound, second.offset)
        }
        for (_, edit) in inOrder {
            guard edit.range.lowerBound >= position, edit.range.upperBound <= source.bytes.count else { continue }
            bytes += source.bytes[position..<edit.range.lowerBound]
            if edit.replacement.allSatisfy(\.isNewline) { emptied.append(bytes.count) }
            bytes += Array(edit.replacement.utf8)
            position = edit.range.upperBound
        }
        bytes += source.bytes[position...]
        clean(&bytes, around: emptied)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes the blanks from lines that have only blanks after a removal, and removes these lines if the style says
    /// so.
    private func clean(_ bytes: inout [UInt8], around offsets: [Int]) {
        func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        var lastStart = Int.max
        for offset in offsets.reversed() {
            var start = offset
            while start > 0, !isEnd(bytes[start - 1]) { start -= 1 }
            guard start < lastStart else { continue }
            lastStart = start
            var end = start
            while end < bytes.count, SourceText.isBlank(bytes[end]) { end += 1 }
            guard end == bytes.count || isEnd(bytes[end]) else { continue }
            if style == .dropsEmptiedLines, end < bytes.count {
                end += bytes[end] == UInt8(ascii: "\r") && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "\n") ? 2 : 1
            }
            bytes.removeSubrange(start..<end)
        }
    }
}
