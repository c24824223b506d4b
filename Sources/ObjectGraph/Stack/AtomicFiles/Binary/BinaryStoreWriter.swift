import DataModel
import Foundation
import Storage

/// Writes binary stores; see `BinaryStoreFormat`.
struct BinaryStoreWriter {
    var data = Data()

    mutating func write(_ content: AtomicContent) throws {
        try start(content.metadata)
        add(UInt64(content.highestNumber))
        var entities: [EntityLayout] = []
        var places: [Int: Int] = [:]
        for object in content.objects where places[object.entity.index] == nil {
            places[object.entity.index] = entities.count
            entities.append(object.entity)
        }
        add(UInt64(entities.count))
        for entity in entities { add(entity) }
        add(UInt64(content.objects.count))
        for object in content.objects {
            add(UInt64(places[object.entity.index] ?? 0))
            try add(object)
        }
    }

    /// Header, version and metadata.
    mutating func start(_ metadata: [String: Any]) throws {
        let values = metadata.filter { $0.key != StoreMetadata.tablesKey && $0.key != StoreMetadata.typeKey }
        for (key, value) in values where !PropertyListSerialization.propertyList([key: value], isValidFor: .binary) {
            throw AtomicFailure("the value for “\(key)” in the metadata is not a property list")
        }
        data += BinaryStoreFormat.header
        data.append(BinaryStoreFormat.version)
        add(try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
    }

    private mutating func add(_ entity: EntityLayout) {
        add(entity.name)
        let slots = entity.fileSlots
        add(UInt64(slots.count))
        for slot in slots {
            add(entity.slots[slot].name)
            add(UInt64(entity.slots[slot].attributeType.rawValue))
        }
        add(UInt64(entity.storedRelationships.count))
        for relationship in entity.storedRelationships { add(relationship.name) }
    }

    private mutating func add(_ object: AtomicObject) throws {
        let entity = object.entity
        add(UInt64(object.number))
        for slot in entity.fileSlots {
            guard let value = object.values[slot] else {
                data.append(0)
                continue
            }
            data.append(1)
            let layout = entity.slots[slot]
            guard BinaryValue.write(value, layout.attributeType, to: &self) else {
                throw AtomicFailure("“\(layout.name)” of \(object.name) is a \(type(of: value)), which can't be written")
            }
        }
        for relationship in entity.storedRelationships {
            let links = object.links[relationship.index]
            add(UInt64(links.count))
            for link in links { add(UInt64(link)) }
        }
    }

    // MARK: Parts

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    mutating func add(_ bytes: Data) {
        add(UInt64(bytes.count))
        data += bytes
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        data.append(contentsOf: text.utf8)
    }

    mutating func add(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
}
