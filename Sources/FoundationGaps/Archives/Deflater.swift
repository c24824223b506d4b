package import Foundation

/// Packs bytes as a raw DEFLATE stream (RFC 1951): repeated parts by reference, everything in the format's fixed codes.
package struct Deflater {
    private static let window = 32 * 1024
    private static let shortestMatch = 4
    private static let longestMatch = 258

    private var output: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// The stream, which `Inflater` and every other reader of the format unpacks.
    package static func deflate(_ data: Data) -> Data {
        var deflater = Deflater()
        deflater.run(Array(data))
        return Data(deflater.output)
    }

    private mutating func run(_ input: [UInt8]) {
        // One block, the last, with fixed codes.
        put(1, 1)
        put(1, 2)
        // Where four bytes of each hash were last.
        var latest = [Int](repeating: -1, count: 1 << Self.hashBits)
        var place = 0
        while place < input.count {
            var length = 0
            var distance = 0
            if place + Self.shortestMatch <= input.count {
                let hash = Self.hash(input, place)
                let earlier = latest[hash]
                if earlier >= 0, place - earlier <= Self.window {
                    let limit = min(Self.longestMatch, input.count - place)
                    while length < limit, input[earlier + length] == input[place + length] { length += 1 }
                    distance = place - earlier
                }
                latest[hash] = place
            }
            if length >= Self.shortestMatch {
                putMatch(length, distance)
                place += length
            } else {
                putSymbol(Int(input[place]))
                place += 1
            }
        }
        putSymbol(256)
        if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
    }

    private static let hashBits = 15

    private static func hash(_ input: [UInt8], _ place: Int) -> Int {
        let high = UInt32(input[place]) << 24 | UInt32(input[place + 1]) << 16
        let value = high | UInt32(input[place + 2]) << 8 | UInt32(input[place + 3])
        return Int((value &* 2_654_435_761) >> UInt32(32 - hashBits))
    }

    private mutating func put(_ value: Int, _ count: Int) {
        bits |= UInt32(value) << UInt32(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Codes start with their highest bit, unlike all other numbers.
    private mutating func putCode(_ code: Int, _ count: Int) {
        for place in (0..<count).reversed() { put(code >> place & 1, 1) }
    }

    private mutating func putSymbol(_ symbol: Int) {
        switch symbol {
        case ..<144: putCode(0x30 + symbol, 8)
        case ..<256: putCode(0x190 + symbol - 144, 9)
        case ..<280: putCode(symbol - 256, 7)
        default: putCode(0xc0 + symbol - 280, 8)
        }
    }

    private mutating func putMatch(_ length: Int, _ distance: Int) {
        let lengthCode = DeflateTables.code(of: length, DeflateTables.lengthBases)
        putSymbol(257 + lengthCode)
        put(length - DeflateTables.lengthBases[lengthCode], DeflateTables.lengthBits[lengthCode])
        let distanceCode = DeflateTables.code(of: distance, DeflateTables.distanceBases)
        putCode(distanceCode, 5)
        put(distance - DeflateTables.distanceBases[distanceCode], DeflateTables.distanceBits[distanceCode])
    }
}
