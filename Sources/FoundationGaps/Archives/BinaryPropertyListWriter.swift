package import Foundation

/// Writes binary property lists with references of keyed archives, which Foundation's writer does not offer.
package struct BinaryPropertyListWriter {
    package enum Scalar: Hashable {
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case data(Data)
        /// A reference of a keyed archive.
        case reference(Int)
    }

    private enum Element {
        case scalar(Scalar)
        case array([Int])
        case dictionary([(Int, Int)])
    }

    private var elements: [Element] = []
    private var known: [Scalar: Int] = [:]

    package init() {}

    /// The number of a value; equal ones are written once.
    package mutating func add(_ scalar: Scalar) -> Int {
        if let number = known[scalar] { return number }
        elements.append(.scalar(scalar))
        known[scalar] = elements.count - 1
        return elements.count - 1
    }

    package mutating func array(_ items: [Int]) -> Int {
        elements.append(.array(items))
        return elements.count - 1
    }

    package mutating func dictionary(_ pairs: [(Int, Int)]) -> Int {
        elements.append(.dictionary(pairs))
        return elements.count - 1
    }

    /// A place for a dictionary that is filled later.
    mutating func reserve() -> Int { dictionary([]) }

    mutating func fillDictionary(_ number: Int, _ pairs: [(Int, Int)]) { elements[number] = .dictionary(pairs) }

    /// The property list.
    package func data(top: Int) -> Data {
        var bytes = BinaryPropertyList.header
        var offsets: [Int] = []
        let referenceSize = Self.size(elements.count)
        for element in elements {
            offsets.append(bytes.count)
            switch element {
            case .scalar(let scalar): Self.append(scalar, to: &bytes)
            case .array(let items):
                Self.append(marker: 0xa0, items.count, to: &bytes)
                for item in items { Self.append(item, referenceSize, to: &bytes) }
            case .dictionary(let pairs):
                Self.append(marker: 0xd0, pairs.count, to: &bytes)
                for pair in pairs { Self.append(pair.0, referenceSize, to: &bytes) }
                for pair in pairs { Self.append(pair.1, referenceSize, to: &bytes) }
            }
        }
        let table = bytes.count
        let offsetSize = Self.size(table)
        for offset in offsets { Self.append(offset, offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [elements.count, top, table] { Self.append(number, 8, to: &bytes) }
        return Data(bytes)
    }

    private static func append(_ scalar: Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case .bool(let value): bytes.append(value ? 9 : 8)
        case .integer(let value): append(integer: value, to: &bytes)
        case .real(let value):
            bytes.append(0x23)
            append(Int(bitPattern: UInt(value.bitPattern)), 8, to: &bytes)
        case .data(let data):
            append(marker: 0x40, data.count, to: &bytes)
            bytes += data
        case .text(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                append(marker: 0x50, text.utf8.count, to: &bytes)
                bytes += text.utf8
            } else {
                append(marker: 0x60, text.utf16.count, to: &bytes)
                for unit in text.utf16 { append(Int(unit), 2, to: &bytes) }
            }
        case .reference(let number):
            let size = size(number)
            bytes.append(0x80 | UInt8(size - 1))
            append(number, size, to: &bytes)
        }
    }

    private static func append(integer value: Int64, to bytes: inout [UInt8]) {
        // Only the largest form has a sign.
        let size = value < 0 ? 8 : size(Int(value))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(Int(value), size, to: &bytes)
    }

    private static func append(marker: UInt8, _ count: Int, to bytes: inout [UInt8]) {
        if count < 15 { return bytes.append(marker | UInt8(count)) }
        bytes.append(marker | 15)
        append(integer: Int64(count), to: &bytes)
    }

    private static func append(_ value: Int, _ size: Int, to bytes: inout [UInt8]) {
        for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// How many bytes a number needs: 1, 2, 4 or 8.
    private static func size(_ number: Int) -> Int { number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8 }
}
