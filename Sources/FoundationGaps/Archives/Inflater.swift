package import Foundation

/// Unpacks raw DEFLATE streams (RFC 1951) up to a given size.
package struct Inflater {
    /// Why a stream can't be unpacked.
    package enum Failure: Error {
        case damaged
        /// The content is larger than the limit.
        case tooLarge
    }

    private let input: [UInt8]
    private let limit: Int
    private var position = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// The content of a stream. Bytes after its end are left alone.
    ///
    /// - Parameter limit: How large the content may be.
    package static func inflate(_ data: Data, limit: Int) throws(Failure) -> Data {
        var inflater = Inflater(input: Array(data), limit: limit)
        try inflater.run()
        return Data(inflater.output)
    }

    private init(input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
        output.reserveCapacity(min(limit, input.count * 3))
    }

    private mutating func run() throws(Failure) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try decode(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try readCodes()
                try decode(lengths, distances)
            default: throw .damaged
            }
        }
    }

    // MARK: Bits

    private mutating func take(_ count: Int) throws(Failure) -> Int {
        while bitCount < count {
            guard position < input.count else { throw .damaged }
            bits |= UInt32(input[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func append(_ byte: UInt8) throws(Failure) {
        guard output.count < limit else { throw .tooLarge }
        output.append(byte)
    }

    // MARK: Blocks

    private mutating func copyStored() throws(Failure) {
        (bits, bitCount) = (0, 0)
        let length = try take(16)
        guard try take(16) == length ^ 0xffff, length <= input.count - position else { throw .damaged }
        guard length <= limit - output.count else { throw .tooLarge }
        output += input[position..<(position + length)]
        position += length
    }

    private mutating func readCodes() throws(Failure) -> (HuffmanCode, HuffmanCode) {
        let counts = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        var order = [Int](repeating: 0, count: 19)
        for place in 0..<counts.2 { order[Self.codeOrder[place]] = try take(3) }
        let codes = try HuffmanCode(order)
        var lengths: [Int] = []
        let total = counts.0 + counts.1
        while lengths.count < total {
            let symbol = try symbol(codes)
            let (value, times): (Int, Int)
            switch symbol {
            case 0...15: (value, times) = (symbol, 1)
            case 16:
                guard let last = lengths.last else { throw .damaged }
                (value, times) = (last, try take(2) + 3)
            case 17: (value, times) = (0, try take(3) + 3)
            default: (value, times) = (0, try take(7) + 11)
            }
            guard times <= total - lengths.count else { throw .damaged }
            for _ in 0..<times { lengths.append(value) }
        }
        return (try HuffmanCode(Array(lengths[..<counts.0])), try HuffmanCode(Array(lengths[counts.0...])))
    }

    private mutating func symbol(_ code: HuffmanCode) throws(Failure) -> Int {
        // Codes are compared length by length, as they are given out in order.
        var (value, first, index) = (0, 0, 0)
        for length in 1...HuffmanCode.greatestLength {
            value |= try take(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .damaged
    }

    private mutating func decode(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(Failure) {
        while true {
            let symbol = try symbol(lengths)
            if symbol < 256 {
                try append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < DeflateTables.lengthBases.count else { throw .damaged }
            let length = DeflateTables.lengthBases[symbol - 257] + (try take(DeflateTables.lengthBits[symbol - 257]))
            let code = try self.symbol(distances)
            guard code < DeflateTables.distanceBases.count else { throw .damaged }
            let distance = DeflateTables.distanceBases[code] + (try take(DeflateTables.distanceBits[code]))
            guard distance <= output.count else { throw .damaged }
            guard length <= limit - output.count else { throw .tooLarge }
            let start = output.count - distance
            for place in 0..<length { output.append(output[start + place]) }
        }
    }

    // MARK: Tables of the format

    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let fixedLengths = HuffmanCode(
        complete: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = HuffmanCode(complete: [Int](repeating: 5, count: 30))
}

/// A canonical prefix code: how many codes there are of each length, and the symbols in the order of their codes.
private struct HuffmanCode {
    static let greatestLength = 15
    let counts: [Int]
    let symbols: [Int]

    /// - Throws: `Inflater.Failure` if there are more codes than bits allow.
    init(_ lengths: [Int]) throws(Inflater.Failure) {
        self.init(complete: lengths)
        var left = 1
        for length in 1...Self.greatestLength {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw .damaged }
        }
    }

    /// - Parameter lengths: The length of each symbol's code, 0 for a symbol that has none.
    init(complete lengths: [Int]) {
        var counts = [Int](repeating: 0, count: Self.greatestLength + 1)
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        self.counts = counts
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
}
