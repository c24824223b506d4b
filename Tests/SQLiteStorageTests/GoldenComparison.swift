import DataModel
import Foundation
import Storage

@testable import SQLiteStorage

/// Compares what an engine reads with the dump that an independent reader made of the same file.
struct GoldenComparison {
    let engine: SQLiteEngine
    let layout: ModelLayout
    private(set) var differences: [String] = []
    private(set) var objects = 0

    init(_ engine: SQLiteEngine, _ layout: ModelLayout) {
        self.engine = engine
        self.layout = layout
    }

    mutating func compare(_ golden: [String: Any]) throws {
        let entities = golden["entities"] as? [String: [String: Any]] ?? [:]
        if Set(entities.keys) != Set(layout.entities.map(\.name)) { differences.append("other entities") }
        for entity in layout.entities {
            let expected = entities[entity.name]?["objects"] as? [[String: Any]] ?? []
            var request = RowRequest(entity)
            request.includesSubentities = false
            let rows = try engine.rows(request)
            let count = try engine.count(request)
            if rows.count != expected.count || count != expected.count {
                differences.append("\(entity.name): \(rows.count) rows, count \(count), expected \(expected.count)")
                continue
            }
            for ((key, row), object) in zip(rows, expected) { try compare(key, row, entity, object) }
        }
    }

    private mutating func compare(_ key: RowKey, _ row: Row, _ entity: EntityLayout, _ object: [String: Any]) throws {
        objects += 1
        let name = "\(entity.name)/p\(key.key)"
        if object["id"] as? String != "x-coredata://\(engine.identifier)/\(name)" {
            differences.append("\(name): not \(object["id"] ?? "")")
        }
        if object["version"] as? Int64 != row.version { differences.append("\(name): version \(row.version)") }
        for (attribute, expected) in object["attributes"] as? [String: Any] ?? [:] {
            guard let slot = entity.slotByName[attribute] else {
                differences.append("\(name): no slot for \(attribute)")
                continue
            }
            let value = text(row, slot, entity)
            if !isEqual(value, expected, entity.slots[slot].attributeType) {
                differences.append("\(name).\(attribute): \(value ?? "nil") instead of \(expected)")
            }
        }
        for (relationship, expected) in object["relationships"] as? [String: Any] ?? [:] {
            guard let found = entity.relationship(named: relationship) else {
                differences.append("\(name): no relationship \(relationship)")
                continue
            }
            let ids = try destinations(row, key, found)
            let wanted = (expected as? [String]) ?? (expected as? String).map { [$0] } ?? []
            if (found.isOrdered ? ids : ids.sorted()) != wanted {
                differences.append("\(name).\(relationship): \(ids) instead of \(wanted)")
            }
        }
    }

    private func destinations(_ row: Row, _ key: RowKey, _ relationship: RelationshipLayout) throws -> [String] {
        func id(_ entity: Int, _ key: Int64) -> String {
            "x-coredata://\(engine.identifier)/\(layout.entities[entity].name)/p\(key)"
        }
        if relationship.isToMany {
            let request = RowRequest(
                layout.entities[relationship.destination], selection: .members(of: relationship, owner: key.key))
            return try engine.rows(request).map { id($0.key.entityIndex, $0.key.key) }
        }
        guard !row.isNil(relationship.slot) else { return [] }
        let entity = relationship.entitySlot.map { Int(row.integer($0)) } ?? relationship.destination
        return [id(entity, row.integer(relationship.slot))]
    }

    private func text(_ row: Row, _ slot: Int, _ entity: EntityLayout) -> String? {
        guard !row.isNil(slot) else { return nil }
        switch entity.kind(slot) {
        case .integer: return String(row.integer(slot))
        case .real: return String(row.double(slot))
        case .decimal: return Row.decimal(row.slots, slot).description
        case .string, .uri: return row.string(slot)
        case .uuid: return row.uuid(slot).uuidString
        case .binary, .transformable: return hash(row.data(slot))
        case .object, .toOne, .entityIndex, .toMany, .vacant: return "?"
        }
    }

    private func hash(_ data: Data) -> String {
        SHA256.hash(data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func isEqual(_ value: String?, _ expected: Any, _ type: NSAttributeType) -> Bool {
        guard let value else { return expected is NSNull }
        switch expected {
        case let binary as [String: Any]: return binary["sha256"] as? String == value
        case let text as String where type == .dateAttributeType: return Double(value).map { isDate($0, text) } ?? false
        case let text as String: return text == value || (Double(text).map { $0 == Double(value) } ?? false)
        case let number as NSNumber where type == .booleanAttributeType: return number.boolValue == (value == "1")
        case let number as NSNumber where type == .doubleAttributeType || type == .floatAttributeType:
            // The JSON reader keeps long numbers as decimals; their `doubleValue` is a few bits off.
            return number.doubleValue == Double(value) || Double("\(number)") == Double(value)
        case let number as NSNumber: return number.int64Value == Int64(value)
        default: return false
        }
    }

    /// Whether seconds since 2001 are a date of the dump, to a microsecond.
    private func isDate(_ seconds: Double, _ text: String) -> Bool {
        let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
        guard parts.count == 7 else { return false }
        // Days of the proleptic Gregorian calendar since 2001-01-01.
        let year = parts[1] <= 2 ? parts[0] - 1 : parts[0]
        let month = (parts[1] + 9) % 12
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2] - 1 - 730_791
        let whole = days * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
        return abs((seconds - Double(whole)) * 1_000_000 - Double(parts[6])) < 2
    }
}
