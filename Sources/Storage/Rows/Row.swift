import DataModel
import Foundation

/// The values of one object in one version, in one allocation.
///
///     header │ null bits │ slots │ cells (drafts) │ bytes of text and blobs
///                        ▲
///                        `slots`: slot i at slots[i], its null bit (1 = nil) at bit i & 63 of slots[-1 - i >> 6]
///
/// A row is made in one of two ways: by a storage engine, which fills it through `RowWriter`, or as a *draft*, the private,
/// mutable copy that an object makes before its first change. A draft has a 16-byte cell for each variable slot, so that
/// setting a string keeps the `String` instead of encoding it. Saving turns a draft into an ordinary row by never changing it
/// again.
///
/// Invariants:
/// - `layout` outlives the row: the owner of rows (a context's registry record, an engine) holds the layout.
/// - A binary slot that is nil has the word 0, or one that tells where a UUID is: the file of a value that could not be read.
/// - A variable slot that is not nil holds a `SlotWord`; boxed values are alive exactly while the word's boxed bit is set.
/// - The header's `hasCells` tells whether the area between slots and bytes exists. All offsets stay below `byteCount`.
///
/// A row that other threads can see is never changed; a draft belongs to one object and so to its context's queue. Boxed
/// objects of transformable attributes are the user's, as they are at Apple. So rows may cross threads, yet the compiler does
/// not know: `ManagedBuffer` rules `Sendable` out for its subclasses.
package final class Row: ManagedBuffer<Row.Header, UInt64> {
    package struct Header {
        package let layout: Unmanaged<EntityLayout>
        /// The version for optimistic locking (`Z_OPT`); 0 for a row that no store has.
        package var version: Int64
        /// From the first slot to the end.
        package let byteCount: UInt32
        package let hasCells: Bool
        /// Whether any word may have its boxed bit set.
        package var mayHaveBoxes: Bool
    }

    package typealias Slots = UnsafeMutablePointer<UInt64>

    deinit {
        guard head.pointee.mayHaveBoxes else { return }
        destroyBoxes()
    }

    /// `ManagedBuffer.header` checks for exclusive access each time; a row has one writer at most (see above).
    @inline(__always) var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

    @inline(__always) package var layout: EntityLayout { head.pointee.layout._withUnsafeGuaranteedRef { $0 } }

    package var version: Int64 {
        get { head.pointee.version }
        set { head.pointee.version = newValue }
    }

    /// Valid while the row is alive.
    @inline(__always) package var slots: Slots {
        withUnsafeMutablePointers { header, elements in
            elements + header.pointee.layout._withUnsafeGuaranteedRef { $0.maskWords }
        }
    }

    /// A row with room for `byteCount` bytes behind the first slot, nil everywhere.
    static func allocate(_ layout: EntityLayout, byteCount: Int, hasCells: Bool) -> Row {
        let row = allocateUninitialized(layout, byteCount: byteCount, hasCells: hasCells)
        row.withUnsafeMutablePointerToElements {
            $0.initialize(repeating: ~0, count: layout.maskWords)
            ($0 + layout.maskWords).initialize(repeating: 0, count: layout.slotCount)
        }
        return row
    }

    /// The same, for a caller that fills null bits and slots next.
    @inline(__always) static func allocateUninitialized(_ layout: EntityLayout, byteCount: Int, hasCells: Bool) -> Row {
        let words = layout.maskWords + (byteCount + 7) / 8
        let buffer = Row.create(minimumCapacity: words) { _ in
            Header(
                layout: .passUnretained(layout), version: 0, byteCount: UInt32(truncatingIfNeeded: byteCount), hasCells: hasCells,
                mayHaveBoxes: false)
        }
        return unsafeDowncast(buffer, to: Row.self)
    }

    @inline(__always) package func isNil(_ slot: Int) -> Bool { Row.isNil(slots, slot) }

    @inline(__always) package static func isNil(_ slots: Slots, _ slot: Int) -> Bool {
        slots[-1 - (slot >> 6)] >> UInt64(slot & 63) & 1 != 0
    }

    private func destroyBoxes() {
        let slots = slots
        let layout = layout
        for slot in layout.variableSlots where SlotWord.isBoxed(slots[slot]) {
            Row.destroyBox(slots, slot, layout.kind(slot))
        }
    }

    static func destroyBox(_ slots: Slots, _ slot: Int, _ kind: SlotKind) {
        let cell = UnsafeMutableRawPointer(slots) + SlotWord.offset(slots[slot])
        switch kind {
        case .string, .uri: cell.assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .binary: cell.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
        case .decimal, .transformable, .object: cell.assumingMemoryBound(to: ValueBox.self).deinitialize(count: 1)
        default: break
        }
    }
}
