/// The eight bytes that a slot of a variable kind holds: where, counted in bytes from the first slot, its bytes or its boxed
/// value are.
///
/// Bit 63 tells that a boxed value (a `String`, a `Data` or a `ValueBox`) is there; then come 31 bits of length and 32 bits of
/// offset.
package enum SlotWord {
    package static let boxedBit: UInt64 = 1 << 63
    /// Writers of rows stay below both.
    package static let greatestOffset = Int(UInt32.max)
    package static let greatestLength = Int(Int32.max)

    @inline(__always) package static func bytes(offset: Int, length: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: length) << 32 | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always) package static func boxed(offset: Int) -> UInt64 { boxedBit | UInt64(truncatingIfNeeded: offset) }

    @inline(__always) package static func isBoxed(_ word: UInt64) -> Bool { word & boxedBit != 0 }
    @inline(__always) package static func offset(_ word: UInt64) -> Int { Int(word & 0xFFFF_FFFF) }
    @inline(__always) package static func length(_ word: UInt64) -> Int { Int(word >> 32 & 0x7FFF_FFFF) }
}
