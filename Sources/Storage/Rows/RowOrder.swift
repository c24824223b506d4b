import DataModel
import Foundation

/// Compares rows of one family by the sort keys of a request, as SQLite's BINARY collation does.
package struct RowOrder {
    private let keys: [(name: String, slot: Int, isAscending: Bool)]
    private let entity: EntityLayout

    package init(_ sortKeys: [RowRequest.SortKey], entity: EntityLayout) {
        self.entity = entity
        keys = sortKeys.map { (entity.slots[$0.slot].name, $0.slot, $0.isAscending) }
    }

    /// Below zero if `a` comes first.
    package func compare(_ a: Row, _ b: Row) -> Int {
        for key in keys {
            // A subentity may keep an inherited property in another slot.
            guard let slotA = a.layout === entity ? key.slot : a.layout.slotByName[key.name],
                let slotB = b.layout === entity ? key.slot : b.layout.slotByName[key.name]
            else { continue }
            let order = RowOrder.compare(a.slots, slotA, b.slots, slotB, entity.kind(key.slot))
            if order != 0 { return key.isAscending ? order : -order }
        }
        return 0
    }

    package static func compare(_ a: Row.Slots, _ slotA: Int, _ b: Row.Slots, _ slotB: Int, _ kind: SlotKind) -> Int {
        switch (Row.isNil(a, slotA), Row.isNil(b, slotB)) {
        case (true, true): return 0
        case (true, false): return -1
        case (false, true): return 1
        case (false, false): break
        }
        func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (b < a ? 1 : 0) }
        func order(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
            a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
        }
        switch kind {
        case .integer, .toOne, .entityIndex: return order(Int64(bitPattern: a[slotA]), Int64(bitPattern: b[slotB]))
        case .real: return order(Double(bitPattern: a[slotA]), Double(bitPattern: b[slotB]))
        case .decimal: return order(Row.decimal(a, slotA), Row.decimal(b, slotB))
        case .string, .uri: return order(Row.string(a, slotA).utf8, Row.string(b, slotB).utf8)
        case .binary: return order(Row.data(a, slotA), Row.data(b, slotB))
        case .uuid:
            return withUnsafeBytes(of: Row.uuid(a, slotA).uuid) { x in
                withUnsafeBytes(of: Row.uuid(b, slotB).uuid) { order(x, $0) }
            }
        case .transformable, .object, .toMany, .vacant: return 0
        }
    }
}
