/// A sum over all values read, so that contenders can be seen to have read the same ones. It does not depend on the order.
struct Checksum: Equatable {
    private(set) var value: UInt64 = 0

    mutating func add(_ number: some FixedWidthInteger) {
        value &+= UInt64(truncatingIfNeeded: number)
    }

    mutating func add(_ number: Double) {
        value &+= number.bitPattern
    }

    mutating func add(_ number: Double?) {
        value &+= number?.bitPattern ?? 1
    }

    mutating func add(_ flag: Bool) {
        value &+= flag ? 1 : 0
    }

    /// Adds the length: enough to force the text to exist, and cheap beside making it.
    mutating func add(_ text: String) {
        value &+= UInt64(text.utf8.count)
    }

    /// Adds a digest of the whole text, for checks outside the measured part.
    mutating func addContent(_ text: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        value &+= hash
    }
}
