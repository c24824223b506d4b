import DataModel
import Storage

/// The properties of an entity in the order of the bits that say which of them an update changed: attributes by name, then
/// to-one, then to-many relationships. The most significant bit of a byte comes first.
struct HistoryColumns {
    let names: [String]
    private let slots: [[Int]]

    init(_ layout: EntityLayout) {
        let attributes = layout.description.attributesByName.keys.sorted(by: SQLName.precedes).map { name -> (String, [Int]) in
            if let slot = layout.slotByName[name] { return (name, [slot]) }
            return (name, layout.composites[name].map(Self.slots) ?? [])
        }
        let relationships = layout.relationships.sorted { SQLName.precedes($0.name, $1.name) }
        let all =
            attributes + relationships.filter { !$0.isToMany }.map { ($0.name, [$0.slot]) }
            + relationships.filter(\.isToMany).map { ($0.name, [$0.slot]) }
        names = all.map(\.0)
        slots = all.map(\.1)
    }

    private static func slots(_ composite: CompositeLayout) -> [Int] {
        composite.elements.flatMap { _, element -> [Int] in
            switch element {
            case .slot(let slot): [slot]
            case .composite(let nested): slots(nested)
            }
        }
    }

    func bits(of mask: SlotMask) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: (slots.count + 7) / 8)
        for (index, slots) in slots.enumerated() where slots.contains(where: mask.contains) {
            result[index / 8] |= 0x80 >> UInt8(index % 8)
        }
        return result
    }

    /// The properties whose bits are set. Bits beyond the last property mean nothing.
    func names(of bits: UnsafeRawBufferPointer) -> [String] {
        names.indices.compactMap { index in
            index / 8 < bits.count && bits[index / 8] & (0x80 >> UInt8(index % 8)) != 0 ? names[index] : nil
        }
    }
}
