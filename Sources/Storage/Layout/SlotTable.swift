import Synchronization

/// The kinds and cell offsets of an entity's slots in plain memory: rows look into it once per slot they touch.
///
/// `@unchecked Sendable`: written in `init` only, freed in `deinit`.
final class SlotTable: @unchecked Sendable {
    let kinds: UnsafeMutablePointer<SlotKind>
    let cellOffsets: UnsafeMutablePointer<Int32>
    let relationships: UnsafeMutablePointer<Int32>

    init(_ slots: [SlotLayout]) {
        kinds = .allocate(capacity: max(1, slots.count))
        cellOffsets = .allocate(capacity: max(1, slots.count))
        relationships = .allocate(capacity: max(1, slots.count))
        var cells = 0
        for (index, slot) in slots.enumerated() {
            kinds[index] = slot.kind
            cellOffsets[index] = slot.kind.isVariable ? Int32(slots.count * 8 + cells * 16) : -1
            relationships[index] = Int32(slot.relationship ?? -1)
            if slot.kind.isVariable { cells += 1 }
        }
    }

    deinit {
        kinds.deallocate()
        cellOffsets.deallocate()
        relationships.deallocate()
    }
}

/// Hands out the numbers of layouts, unique in the process.
enum LayoutNumbers {
    private static let last = Atomic<UInt32>(0)

    static func next() -> UInt32 { last.add(1, ordering: .relaxed).newValue }
}
