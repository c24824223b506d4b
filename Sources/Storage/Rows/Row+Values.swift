import DataModel
package import Foundation
import Predicates

/// Reading values out of a row. All of these expect a slot that is not nil.
extension Row {
    package func integer(_ slot: Int) -> Int64 { Int64(bitPattern: slots[slot]) }
    package func double(_ slot: Int) -> Double { Double(bitPattern: slots[slot]) }
    package func string(_ slot: Int) -> String { Row.string(slots, slot) }
    package func data(_ slot: Int) -> Data { Row.data(slots, slot) }
    package func uuid(_ slot: Int) -> UUID { Row.uuid(slots, slot) }

    package static func string(_ slots: Slots, _ slot: Int) -> String {
        let word = slots[slot]
        let base = UnsafeRawPointer(slots) + SlotWord.offset(word)
        if SlotWord.isBoxed(word) { return base.assumingMemoryBound(to: String.self).pointee }
        return String(decoding: UnsafeRawBufferPointer(start: base, count: SlotWord.length(word)), as: UTF8.self)
    }

    /// The bytes of a binary or a transformable value.
    package static func data(_ slots: Slots, _ slot: Int) -> Data {
        let word = slots[slot]
        let base = UnsafeRawPointer(slots) + SlotWord.offset(word)
        if SlotWord.isBoxed(word) { return base.assumingMemoryBound(to: Data.self).pointee }
        return Data(bytes: base, count: SlotWord.length(word))
    }

    package static func uuid(_ slots: Slots, _ slot: Int) -> UUID {
        let base = UnsafeRawPointer(slots) + SlotWord.offset(slots[slot])
        return UUID(uuid: base.loadUnaligned(as: uuid_t.self))
    }

    /// The file of a binary value that could not be read; nil for every other slot. Such a slot counts as nil.
    package static func unreadFile(_ slots: Slots, _ slot: Int) -> UUID? {
        isNil(slots, slot) && slots[slot] != 0 ? uuid(slots, slot) : nil
    }

    /// The decimal of a decimal slot: exact if it was set, the shortest one that gives the stored double if it was read from a
    /// store.
    package static func decimal(_ slots: Slots, _ slot: Int) -> Decimal {
        let word = slots[slot]
        let base = UnsafeRawPointer(slots) + SlotWord.offset(word)
        if SlotWord.isBoxed(word) {
            return base.assumingMemoryBound(to: ValueBox.self).pointee.value as? Decimal ?? .nan
        }
        return decimal(from: base.loadUnaligned(as: Double.self))
    }

    /// The decimal for a number of a store; NaN if no decimal is that number, which readers of stores refuse.
    package static func decimal(from double: Double) -> Decimal { Decimal(shortest: double) ?? .nan }

    /// Whether a decimal slot has a number. What was read from a store is one.
    @inline(__always) package static func isDecimal(_ slots: Slots, _ slot: Int) -> Bool {
        !SlotWord.isBoxed(slots[slot]) || !decimal(slots, slot).isNaN
    }

    /// A decimal as the number that a store's column holds.
    package static func storedDouble(_ slots: Slots, _ slot: Int) -> Double {
        let word = slots[slot]
        if SlotWord.isBoxed(word) { return decimal(slots, slot).nearestDouble }
        return (UnsafeRawPointer(slots) + SlotWord.offset(word)).loadUnaligned(as: Double.self)
    }

    /// The boxed value of a transformable or object slot; nil where the slot holds bytes.
    package static func boxedValue(_ slots: Slots, _ slot: Int) -> Any? { box(slots, slot)?.value }

    /// The bytes that a store keeps for a transformable slot.
    package static func transformedData(_ slots: Slots, _ slot: Int) -> Data? {
        guard let box = box(slots, slot) else { return data(slots, slot) }
        return (box.value as? StoredBytes)?.data ?? box.encoded
    }

    /// The box of a decimal, transformable or object slot; nil where the slot holds bytes.
    package static func box(_ slots: Slots, _ slot: Int) -> ValueBox? {
        let word = slots[slot]
        guard SlotWord.isBoxed(word) else { return nil }
        return (UnsafeRawPointer(slots) + SlotWord.offset(word)).assumingMemoryBound(to: ValueBox.self).pointee
    }

    /// The bytes of a slot that is not boxed.
    package static func bytes(_ slots: Slots, _ slot: Int) -> UnsafeRawBufferPointer {
        let word = slots[slot]
        return UnsafeRawBufferPointer(start: UnsafeRawPointer(slots) + SlotWord.offset(word), count: SlotWord.length(word))
    }

    /// Whether a slot has the same value in both rows, which have one layout.
    package static func isEqual(_ a: Slots, _ b: Slots, _ slot: Int, _ kind: SlotKind) -> Bool {
        let nilA = isNil(a, slot)
        guard nilA == isNil(b, slot) else { return false }
        if nilA { return kind != .binary || unreadFile(a, slot) == unreadFile(b, slot) }
        if a == b { return true }
        switch kind {
        case .integer, .toOne, .entityIndex, .toMany, .vacant:
            return a[slot] == b[slot]
        case .real:
            return Double(bitPattern: a[slot]) == Double(bitPattern: b[slot]) || a[slot] == b[slot]
        case .string, .uri:
            if SlotWord.isBoxed(a[slot]) || SlotWord.isBoxed(b[slot]) {
                // Byte for byte: canonically equivalent strings are different values to a store.
                return string(a, slot).utf8.elementsEqual(string(b, slot).utf8)
            }
            return bytes(a, slot).elementsEqual(bytes(b, slot))
        case .binary:
            return data(a, slot) == data(b, slot)
        case .uuid:
            return uuid(a, slot) == uuid(b, slot)
        case .decimal:
            return decimal(a, slot) == decimal(b, slot)
        case .transformable, .object:
            guard let boxA = boxedValue(a, slot), let boxB = boxedValue(b, slot) else {
                return !SlotWord.isBoxed(a[slot]) && !SlotWord.isBoxed(b[slot]) && bytes(a, slot).elementsEqual(bytes(b, slot))
            }
            guard let objectA = boxA as? NSObject, let objectB = boxB as? NSObject else { return false }
            return objectA.isEqual(objectB)
        }
    }
}
