import DataModel
package import Foundation

/// Drafts: rows that one object may change. Only the object that made a draft calls these, on its context's queue.
extension Row {
    /// A draft with nil everywhere.
    package static func emptyDraft(_ layout: EntityLayout) -> Row {
        allocate(layout, byteCount: (layout.slotCount + 2 * layout.cellCount) * 8, hasCells: true)
    }

    /// A draft with this row's values and version.
    package func makeDraft() -> Row {
        let layout = layout
        let source = slots
        let cells = layout.cellCount * 16
        let shift = head.pointee.hasCells ? 0 : cells
        let draft = Row.allocateUninitialized(layout, byteCount: Int(head.pointee.byteCount) + shift, hasCells: true)
        draft.version = version
        let target = draft.slots
        let masks = layout.maskWords
        (target - masks).initialize(from: source - masks, count: masks + layout.slotCount)
        let tail = layout.slotCount * 8 + (head.pointee.hasCells ? cells : 0)
        let rest = Int(head.pointee.byteCount) - tail
        if rest > 0 {
            UnsafeMutableRawPointer(target).advanced(by: tail + shift)
                .copyMemory(from: UnsafeRawPointer(source).advanced(by: tail), byteCount: rest)
        }
        // The word of a nil slot is 0, unless its value lies in a file that could not be read.
        for slot in layout.variableSlots where !Row.isNil(source, slot) || source[slot] != 0 {
            let word = source[slot]
            let from = UnsafeMutableRawPointer(source) + SlotWord.offset(word)
            let cell = UnsafeMutableRawPointer(target) + layout.cellOffset(slot)
            if SlotWord.isBoxed(word) {
                draft.head.pointee.mayHaveBoxes = true
                target[slot] = SlotWord.boxed(offset: layout.cellOffset(slot))
                switch layout.kind(slot) {
                case .string, .uri:
                    cell.initializeMemory(as: String.self, to: from.assumingMemoryBound(to: String.self).pointee)
                case .binary:
                    cell.initializeMemory(as: Data.self, to: from.assumingMemoryBound(to: Data.self).pointee)
                default:
                    cell.initializeMemory(as: ValueBox.self, to: from.assumingMemoryBound(to: ValueBox.self).pointee)
                }
            } else if SlotWord.offset(word) < tail {
                // Bytes that live in the cell itself: a UUID that was set.
                cell.copyMemory(from: from, byteCount: SlotWord.length(word))
            } else {
                target[slot] = SlotWord.bytes(offset: SlotWord.offset(word) + shift, length: SlotWord.length(word))
            }
        }
        return draft
    }

    @inline(__always) package static func clearNil(_ slots: Slots, _ slot: Int) {
        slots[-1 - (slot >> 6)] &= ~(1 << UInt64(slot & 63))
    }

    @inline(__always) static func setNilBit(_ slots: Slots, _ slot: Int) {
        slots[-1 - (slot >> 6)] |= 1 << UInt64(slot & 63)
    }

    package func setNil(_ slot: Int) {
        let slots = slots
        if SlotWord.isBoxed(slots[slot]), layout.kind(slot).isVariable { Row.destroyBox(slots, slot, layout.kind(slot)) }
        slots[slot] = 0
        Row.setNilBit(slots, slot)
    }

    /// Sets a scalar slot: an integer, a double's bits, a key.
    @inline(__always) package static func setScalar(_ slots: Slots, _ slot: Int, _ bits: UInt64) {
        slots[slot] = bits
        clearNil(slots, slot)
    }

    package func setString(_ slot: Int, _ value: String) { setBox(slot, value) }
    package func setData(_ slot: Int, _ value: Data) { setBox(slot, value) }
    package func setBoxed(_ slot: Int, _ value: Any) { setBox(slot, ValueBox(value)) }

    package func setUUID(_ slot: Int, _ value: UUID) {
        let slots = slots
        let offset = layout.cellOffset(slot)
        withUnsafeBytes(of: value.uuid) {
            (UnsafeMutableRawPointer(slots) + offset).copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: 16)
        }
        slots[slot] = SlotWord.bytes(offset: offset, length: 16)
        Row.clearNil(slots, slot)
    }

    /// - Precondition: `T` is the type that the slot's kind boxes.
    @inline(__always) private func setBox<T>(_ slot: Int, _ value: T) {
        let slots = slots
        let offset = layout.cellOffset(slot)
        let cell = (UnsafeMutableRawPointer(slots) + offset).assumingMemoryBound(to: T.self)
        if SlotWord.isBoxed(slots[slot]) {
            cell.pointee = value
        } else {
            cell.initialize(to: value)
            slots[slot] = SlotWord.boxed(offset: offset)
            head.pointee.mayHaveBoxes = true
        }
        Row.clearNil(slots, slot)
    }

    /// Copies one slot from another row of the same layout.
    package func copySlot(_ slot: Int, from source: Slots) {
        guard !Row.isNil(source, slot) else {
            setNil(slot)
            if layout.kind(slot) == .binary, let file = Row.unreadFile(source, slot) {
                setUUID(slot, file)
                Row.setNilBit(slots, slot)
            }
            return
        }
        switch layout.kind(slot) {
        case .integer, .real, .toOne, .entityIndex, .toMany, .vacant: Row.setScalar(slots, slot, source[slot])
        case .string, .uri: setString(slot, Row.string(source, slot))
        case .uuid: setUUID(slot, Row.uuid(source, slot))
        case .binary: setData(slot, Row.data(source, slot))
        case .decimal: setBoxed(slot, Row.decimal(source, slot))
        case .transformable, .object:
            setBoxed(slot, Row.boxedValue(source, slot) ?? StoredBytes(data: Row.data(source, slot)))
        }
    }
}

/// The bytes of a transformable attribute that have not been decoded yet.
package struct StoredBytes: Hashable, Sendable {
    package let data: Data

    package init(data: Data) { self.data = data }
}
