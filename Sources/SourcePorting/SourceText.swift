/// The bytes of a source, with places by line and column.
struct SourceText {
    let bytes: [UInt8]
    /// The offset at which each line begins.
    private let lineStarts: [Int]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var starts = [0]
        for (index, byte) in bytes.enumerated() {
            let isReturnAlone = byte == UInt8(ascii: "\r") && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
            if byte == UInt8(ascii: "\n") || isReturnAlone { starts.append(index + 1) }
        }
        lineStarts = starts
    }

    /// The text of a range; an empty one if it is not in the source.
    subscript(_ range: Range<Int>) -> String {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return "" }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Line and column of an offset, both from 1.
    func place(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - lineStarts[low] + 1)
    }

    /// Only the line ends of a range.
    func lineEnds(in range: Range<Int>) -> String {
        String(decoding: bytes[range].filter { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// A range with the blanks after it.
    func withBlanksBehind(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
        return range.lowerBound..<end
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
