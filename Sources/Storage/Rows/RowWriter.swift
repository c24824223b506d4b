import DataModel
package import Foundation

/// Builds rows from decoded columns, in a buffer that has the form of a row: null bits, slots, bytes. `finish` allocates the
/// exact size once, and copies once.
///
/// An engine keeps one writer per statement and layout and uses it for row after row.
package final class RowWriter {
    package let layout: EntityLayout
    // Unchecked exclusivity: a writer belongs to one statement of one engine, which serves one caller at a time.
    @exclusivity(unchecked) private var slots: Row.Slots
    /// Both count bytes from the first slot.
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var largeValues: [(slot: Int, data: Data)] = []
    /// How many bytes fit behind the first slot, and behind the cells that a draft has before other bytes.
    private let greatestCount: Int
    @exclusivity(unchecked) private var isTooLarge = false

    /// Blobs longer than this get an allocation of their own, so that copying the row stays cheap.
    package static let largestInlineBlob = 4096

    /// A row whose texts, transformed values and small blobs have more bytes together than slots can tell apart: 4 GB.
    package struct RowTooLarge: Error {}

    package init(_ layout: EntityLayout, greatestByteCount: Int = SlotWord.greatestOffset) {
        self.layout = layout
        greatestCount = greatestByteCount - layout.cellCount * 16
        capacity = layout.slotCount * 8 + 512
        slots = Self.buffer(layout, capacity)
        reset()
    }

    deinit { (slots - layout.maskWords).deallocate() }

    private static func buffer(_ layout: EntityLayout, _ byteCount: Int) -> Row.Slots {
        .allocate(capacity: layout.maskWords + (byteCount + 7) / 8) + layout.maskWords
    }

    @inline(__always) private func reset() {
        (slots - layout.maskWords).update(repeating: ~0, count: layout.maskWords)
        slots.update(repeating: 0, count: layout.slotCount)
        used = layout.slotCount * 8
        isTooLarge = false
    }

    @inline(__always) package func setInteger(_ slot: Int, _ value: Int64) {
        Row.setScalar(slots, slot, UInt64(bitPattern: value))
    }

    @inline(__always) package func setDouble(_ slot: Int, _ value: Double) {
        Row.setScalar(slots, slot, value.bitPattern)
    }

    /// A decimal column's number.
    package func setDecimal(_ slot: Int, _ value: Double) {
        withUnsafeBytes(of: value) { setBytes(slot, $0) }
    }

    /// Text, blobs, the 16 bytes of a UUID.
    @inline(__always) package func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        if count > RowWriter.largestInlineBlob, setLarge(slot, bytes) { return }
        if used + count > capacity, !grow(used + count) { return }
        if let base = bytes.baseAddress { (UnsafeMutableRawPointer(slots) + used).copyMemory(from: base, byteCount: count) }
        Row.setScalar(slots, slot, SlotWord.bytes(offset: used, length: count))
        used += count
    }

    /// - Returns: false for what is not binary: all else stays in the row.
    @inline(never) private func setLarge(_ slot: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard layout.kind(slot) == .binary else { return false }
        largeValues.append((slot, Data(bytes)))
        return true
    }

    /// A binary value that the store keeps in a file.
    package func setData(_ slot: Int, _ data: Data) {
        guard data.count > RowWriter.largestInlineBlob else { return data.withUnsafeBytes { setBytes(slot, $0) } }
        largeValues.append((slot, data))
    }

    /// A binary value whose file can't be read: nil, with the file's name.
    package func setUnread(_ slot: Int, _ file: UUID) {
        withUnsafeBytes(of: file.uuid) { setBytes(slot, $0) }
        Row.setNilBit(slots, slot)
    }

    /// - Returns: False if there can't be so much room.
    @inline(never) private func grow(_ needed: Int) -> Bool {
        guard needed <= greatestCount, needed - used <= SlotWord.greatestLength else {
            isTooLarge = true
            return false
        }
        capacity = max(needed, capacity * 2)
        let larger = Self.buffer(layout, capacity)
        UnsafeMutableRawPointer(larger - layout.maskWords)
            .copyMemory(from: slots - layout.maskWords, byteCount: layout.maskWords * 8 + used)
        (slots - layout.maskWords).deallocate()
        slots = larger
        return true
    }

    /// The row of all that was set since the last call.
    ///
    /// - Throws: `RowTooLarge`. The writer starts anew then, too.
    package func finish(version: Int64) throws -> Row {
        guard !isTooLarge else {
            discard()
            throw RowTooLarge()
        }
        let masks = layout.maskWords
        let row = Row.allocateUninitialized(layout, byteCount: used, hasCells: false)
        row.version = version
        row.withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0).copyMemory(from: slots - masks, byteCount: masks * 8 + used)
        }
        reset()
        guard !largeValues.isEmpty else { return row }
        let draft = row.makeDraft()
        for (slot, data) in largeValues { draft.setData(slot, data) }
        largeValues.removeAll()
        return draft
    }

    /// Forgets all that was set since the last row.
    package func discard() {
        reset()
        largeValues.removeAll()
    }
}
