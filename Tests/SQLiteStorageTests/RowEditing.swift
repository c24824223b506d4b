import DataModel
import Foundation
import Storage

/// Filling drafts by property name, for tests.
extension Row {
    /// Sets a slot from a Swift value; nil makes it nil. Composite elements by path.
    func set(_ name: String, _ value: Any?) {
        guard let slot = layout.slotByName[name] else { fatalError("\(layout.name) has no \(name)") }
        switch value {
        case nil: setNil(slot)
        case let value as String: setString(slot, value)
        case let value as Int: Row.setScalar(slots, slot, UInt64(bitPattern: Int64(value)))
        case let value as Int64: Row.setScalar(slots, slot, UInt64(bitPattern: value))
        case let value as Bool: Row.setScalar(slots, slot, value ? 1 : 0)
        case let value as Double: Row.setScalar(slots, slot, value.bitPattern)
        case let value as Date: Row.setScalar(slots, slot, value.timeIntervalSinceReferenceDate.bitPattern)
        case let value as UUID: setUUID(slot, value)
        case let value as Decimal: setBoxed(slot, value)
        case let value as StoredBytes: setBoxed(slot, value)
        case let value as Data: setData(slot, value)
        case let value as RowKey:
            Row.setScalar(slots, slot, UInt64(bitPattern: value.key))
            if let entitySlot = layout.relationship(slot: slot)?.entitySlot {
                Row.setScalar(slots, entitySlot, UInt64(value.entity))
            }
        default: fatalError("can't set \(name)")
        }
    }

    static func draft(_ entity: EntityLayout, _ values: [String: Any?]) -> Row {
        let row = Row.emptyDraft(entity)
        for (name, value) in values { row.set(name, value) }
        return row
    }
}

extension EntityLayout {
    func mask(_ names: String...) -> SlotMask {
        var mask = SlotMask()
        for name in names { if let slot = slotByName[name] { mask.insert(slot) } }
        return mask
    }
}

extension StorageEngine {
    /// Inserts one row in a save of its own and gives its key.
    func insert(_ entity: EntityLayout, in layout: ModelLayout, _ values: [String: Any?]) throws -> RowKey {
        try insert(entity, in: layout, [values])[0]
    }

    func insert(_ entity: EntityLayout, in layout: ModelLayout, _ rows: [[String: Any?]]) throws -> [RowKey] {
        try save { transaction in
            let first = try transaction.reserveKeys(rows.count, root: layout.entities[entity.root])
            let changes = rows.enumerated().map { RowChange(key: first + Int64($0), row: .draft(entity, $1)) }
            try transaction.insert(changes, entity: entity)
            return changes.map { RowKey(entity: entity.index, key: $0.key) }
        }
    }

    /// Changes values of one row; answers the keys in conflict.
    @discardableResult
    func update(_ entity: EntityLayout, _ key: Int64, version: Int64, _ values: [String: Any?]) throws -> [Int64] {
        let row = Row.draft(entity, values)
        var mask = SlotMask()
        for name in values.keys { if let slot = entity.slotByName[name] { mask.insert(slot) } }
        return try save { try $0.update([RowChange(key: key, row: row, expectedVersion: version, mask: mask)], entity: entity) }
    }

    @discardableResult
    func delete(_ entity: EntityLayout, _ key: Int64, version: Int64) throws -> [Int64] {
        try save {
            try $0.delete([RowChange(key: key, row: .emptyDraft(entity), expectedVersion: version)], entity: entity)
        }
    }

    func change(
        _ entity: EntityLayout, _ relationship: String, of owner: Int64, added: [Int64] = [], removed: [Int64] = [],
        order: [Int64]? = nil
    ) throws {
        guard let relationship = entity.relationship(named: relationship) else { fatalError("no \(relationship)") }
        try save {
            try $0.apply([
                MembershipChange(relationship: relationship, owner: owner, added: added, removed: removed, order: order)
            ])
        }
    }
}
