import Foundation

/// Bytes of a binary store that are read one after the other. What is not there is an `AtomicFailure`.
struct BinaryBytes {
    private(set) var rest: Data

    init(_ data: Data) { rest = Data(data) }

    var isAtEnd: Bool { position == rest.endIndex }
    private var position: Data.Index { rest.startIndex }

    mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw tooShort }
        return byte
    }

    mutating func bytes(_ count: Int) throws -> Data {
        guard count >= 0, count <= rest.count else { throw tooShort }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A whole number of 64 bits without sign.
    mutating func number() throws -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            let group = UInt64(byte & 0x7f)
            guard shift < 63 || group <= 1 else { break }
            result |= group << UInt64(shift)
            if byte < 0x80 { return result }
        }
        throw AtomicFailure("it is damaged: a number has more than 64 bits")
    }

    /// A number that is not greater than that of the bytes that follow: each thing that is counted has one at least.
    mutating func count() throws -> Int {
        let number = try number()
        guard number <= UInt64(rest.count) else { throw tooShort }
        return Int(number)
    }

    /// The number of an object.
    mutating func objectNumber() throws -> Int64 {
        let number = try number()
        guard number > 0, number <= UInt64(AtomicContent.greatestNumber) else {
            throw AtomicFailure("it is damaged: \(number) can't be the number of an object")
        }
        return Int64(number)
    }

    mutating func data() throws -> Data { Data(try bytes(count())) }

    mutating func text() throws -> String {
        guard let text = String(validating: try bytes(count()), as: UTF8.self) else {
            throw AtomicFailure("it is damaged: a text is not UTF-8")
        }
        return text
    }

    mutating func double() throws -> Double {
        Double(bitPattern: try bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    private var tooShort: AtomicFailure { AtomicFailure("it is damaged: it ends too early") }
}
