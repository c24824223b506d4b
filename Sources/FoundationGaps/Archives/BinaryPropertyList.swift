import Foundation

/// The bytes of a binary property list, read element by element. Every offset, count and reference is checked: any
/// bytes that are not a property list give nil.
struct BinaryPropertyList {
    enum Element {
        case bool(Bool)
        case integer(Int64)
        /// A number that is too large for `integer`.
        case unsigned(UInt64)
        case real(Double)
        /// A date, in seconds since the reference date.
        case date(Double)
        case data(Range<Int>)
        case text(String)
        /// A reference of a keyed archive.
        case reference(Int)
        case array(Elements)
        case dictionary(keys: Elements, values: Elements)
    }

    /// The places of a collection's elements.
    struct Elements {
        let count: Int
        fileprivate let start: Int
    }

    static let header = Array("bplist00".utf8)
    private static let trailerSize = 32

    /// The element that holds all others.
    let top: Int
    private let bytes: [UInt8]
    private let count: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let offsets: Int

    init?(_ data: Data) {
        bytes = Array(data)
        let trailer = bytes.count - Self.trailerSize
        guard bytes.starts(with: Self.header), trailer > Self.header.count else { return nil }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes[(trailer + 8)..<(trailer + 16)]),
            let top = Self.number(bytes[(trailer + 16)..<(trailer + 24)]),
            let offsets = Self.number(bytes[(trailer + 24)..<(trailer + 32)]),
            (Self.header.count...trailer).contains(offsets), count <= (trailer - offsets) / offsetSize, top < count
        else { return nil }
        (self.count, self.top, self.offsets) = (count, top, offsets)
    }

    /// Nil if there is no such element, or if it can't be understood.
    func element(_ index: Int) -> Element? {
        guard index >= 0, index < count, let offset = number(offsets + index * offsetSize, offsetSize), offset < offsets else {
            return nil
        }
        let marker = bytes[offset]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x0 where low == 8 || low == 9: return .bool(low == 9)
        case 0x1: return integer(offset + 1, exponent: low)
        case 0x2: return real(offset + 1, exponent: low).map(Element.real)
        case 0x3 where low == 3: return real(offset + 1, exponent: 3).map(Element.date)
        case 0x4: return content(offset, low, width: 1).map { .data($0.range) }
        case 0x5: return content(offset, low, width: 1).map { .text(String(decoding: bytes[$0.range], as: UTF8.self)) }
        case 0x6: return content(offset, low, width: 2).map { .text(text($0.range)) }
        case 0x8: return low < 8 ? number(offset + 1, low + 1).map(Element.reference) : nil
        case 0xa:
            return content(offset, low, width: referenceSize).map {
                .array(Elements(count: $0.count, start: $0.range.lowerBound))
            }
        case 0xd:
            return content(offset, low, width: 2 * referenceSize).map { content in
                let keys = Elements(count: content.count, start: content.range.lowerBound)
                let values = Elements(count: content.count, start: keys.start + content.count * referenceSize)
                return .dictionary(keys: keys, values: values)
            }
        default: return nil
        }
    }

    /// The index of the element at a place of a collection, which must be below the collection's count.
    func index(_ elements: Elements, _ place: Int) -> Int? { number(elements.start + place * referenceSize, referenceSize) }

    func data(_ range: Range<Int>) -> Data { Data(bytes[range]) }

    /// The indices of a dictionary's values by key. Nil if a key is not a text or occurs twice, which two readers could
    /// understand differently.
    func dictionary(_ index: Int) -> [String: Int]? {
        guard case .dictionary(let keys, let values)? = element(index) else { return nil }
        var result: [String: Int] = [:]
        for place in 0..<keys.count {
            guard let key = self.index(keys, place), let value = self.index(values, place), case .text(let name)? = element(key),
                result.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return result
    }

    // MARK: Bytes

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// Nil if the bytes reach into the table of offsets, except for the table itself.
    private func number(_ start: Int, _ size: Int) -> Int? {
        guard start >= 0, start + size <= bytes.count - Self.trailerSize else { return nil }
        return Self.number(bytes[start..<(start + size)])
    }

    private func bits(_ start: Int, _ size: Int) -> UInt64? {
        guard start + size <= offsets else { return nil }
        return bytes[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func integer(_ start: Int, exponent: Int) -> Element? {
        switch exponent {
        case 0...2: bits(start, 1 << exponent).map { .integer(Int64($0)) }
        case 3: bits(start, 8).map { .integer(Int64(bitPattern: $0)) }
        case 4:
            bits(start, 8).flatMap { high in
                high == 0 ? bits(start + 8, 8).map { $0 <= UInt64(Int64.max) ? .integer(Int64($0)) : .unsigned($0) } : nil
            }
        default: nil
        }
    }

    private func real(_ start: Int, exponent: Int) -> Double? {
        switch exponent {
        case 2: bits(start, 4).map { Double(Float(bitPattern: UInt32($0))) }
        case 3: bits(start, 8).map(Double.init(bitPattern:))
        default: nil
        }
    }

    /// The content after a marker: the number of elements, and their places.
    private func content(_ offset: Int, _ low: Int, width: Int) -> (count: Int, range: Range<Int>)? {
        var (count, start) = (low, offset + 1)
        if low == 0x0f {
            guard start < offsets, bytes[start] >> 4 == 1, bytes[start] & 0x0f <= 3 else { return nil }
            let size = 1 << Int(bytes[start] & 0x0f)
            guard let long = number(start + 1, size) else { return nil }
            (count, start) = (long, start + 1 + size)
        }
        guard start <= offsets, count <= (offsets - start) / width else { return nil }
        return (count, start..<(start + count * width))
    }

    private func text(_ range: Range<Int>) -> String {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
