/// A sum over all values read, so that contenders can be seen to have read the same ones. It does not depend on the order.
package struct Checksum: Equatable, Sendable {
    @usableFromInline var sum: UInt64 = 0

    @inlinable
    package init() {}

    @inlinable
    package var value: UInt64 { sum }

    @inlinable
    package mutating func add(_ number: some FixedWidthInteger) {
        sum &+= UInt64(truncatingIfNeeded: number)
    }

    @inlinable
    package mutating func add(_ number: Double) {
        sum &+= number.bitPattern
    }

    @inlinable
    package mutating func add(_ number: Double?) {
        sum &+= number?.bitPattern ?? 1
    }

    @inlinable
    package mutating func add(_ flag: Bool) {
        sum &+= flag ? 1 : 0
    }

    /// Adds the length: enough to force the text to exist, and cheap beside making it.
    @inlinable
    package mutating func add(_ text: String) {
        sum &+= UInt64(text.utf8.count)
    }

    /// Adds a digest of the whole text, for checks outside the measured part.
    @inlinable
    package mutating func addContent(_ text: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        sum &+= hash
    }
}
