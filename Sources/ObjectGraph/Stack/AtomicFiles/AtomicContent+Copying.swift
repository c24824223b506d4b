import DataModel
import Foundation
import Storage

extension AtomicContent {
    /// Everything in a store of any type, to be written into a file.
    ///
    /// Objects keep their numbers. In other stores only those of one family differ: where objects of two families have the same
    /// number, the later one gets another, which is in `newNumbers`.
    ///
    /// - Parameters:
    ///   - source: The store's engine.
    ///   - metadata: Those of the new store.
    ///   - newNumbers: Gets the numbers that are not the keys of the rows.
    init(
        copying source: any StorageEngine, _ model: ModelLayout, metadata: [String: Any], newNumbers: inout [RowKey: Int64]
    ) throws {
        self.metadata = metadata
        highestNumber = Self.firstNumber
        var rows: [(entity: EntityLayout, rows: [RowChange])] = []
        for entity in model.entities where !entity.isAbstract {
            rows.append((entity, try RowCopy.rows(of: entity, in: source)))
        }
        let numbers = try Numbers(rows.flatMap { entity, rows in rows.map { (entity, $0.key) } }, model)
        highestNumber = max(highestNumber, numbers.highest)
        newNumbers = numbers.changed
        for (entity, rows) in rows {
            var places: [Int64: Int] = [:]
            for change in rows {
                let row = change.row
                var object = AtomicObject(number: numbers[entity.root, change.key], entity: entity)
                for slot in entity.fileSlots { object.values[slot] = try object.copy(slot, of: row) }
                for relationship in entity.relationships where relationship.storage == .toOne && !row.isNil(relationship.slot) {
                    let root = model.entities[relationship.destination].root
                    object.links[relationship.index] = [numbers[root, row.integer(relationship.slot)]]
                }
                places[change.key] = objects.count
                objects.append(object)
            }
            for relationship in entity.storedRelationships where relationship.isToMany {
                let members = CopiedMembers()
                try source.fetchMembers(of: relationship, owners: rows.map(\.key), into: members)
                let root = model.entities[relationship.destination].root
                for (owner, keys) in members.members {
                    guard let place = places[owner] else { continue }
                    objects[place].links[relationship.index] = keys.map { numbers[root, $0] }
                }
            }
        }
        objects.sort { $0.number < $1.number }
    }

    /// A number for each row, unique among all.
    private struct Numbers {
        private var byKey: [Int: [Int64: Int64]] = [:]
        private(set) var changed: [RowKey: Int64] = [:]
        private(set) var highest: Int64

        init(_ rows: [(entity: EntityLayout, key: Int64)], _ model: ModelLayout) throws {
            highest = rows.map(\.key).max() ?? 0
            guard highest <= AtomicContent.greatestNumber - Int64(rows.count) else {
                throw AtomicFailure("an object has the number \(highest), which is too great")
            }
            var taken: Set<Int64> = []
            for (entity, key) in rows {
                var number = key
                if !taken.insert(key).inserted {
                    highest += 1
                    number = highest
                    changed[RowKey(entity: entity.index, key: key)] = number
                }
                byKey[entity.root, default: [:]][key] = number
            }
        }

        /// A row that is not there keeps its key, so that the destination is missed when the content is checked.
        subscript(root: Int, key: Int64) -> Int64 { byKey[root]?[key] ?? -key }
    }
}

extension AtomicObject {
    fileprivate func copy(_ slot: Int, of row: Row) throws -> Any? {
        let value = row.fileValue(slot)
        guard entity.kind(slot) == .uri, let text = value as? String else { return value }
        throw AtomicFailure("“\(entity.slots[slot].name)” of \(name) is “\(text)”, which is not a URL")
    }
}
