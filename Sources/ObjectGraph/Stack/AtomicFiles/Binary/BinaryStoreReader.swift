import DataModel
import Foundation
import Storage

/// Reads what follows the metadata in a binary store; see `BinaryStoreFormat`. Whatever the model does not have is an error: a
/// save would lose it.
struct BinaryStoreReader {
    private struct Entity {
        let layout: EntityLayout
        var slots: [Int] = []
        var relationships: [RelationshipLayout] = []
    }

    private var bytes: BinaryBytes
    private let model: ModelLayout

    init(_ bytes: BinaryBytes, _ model: ModelLayout) {
        self.bytes = bytes
        self.model = model
    }

    mutating func content(_ metadata: [String: Any]) throws -> AtomicContent {
        var content = AtomicContent(metadata: metadata, highestNumber: try bytes.objectNumber())
        let entities = try (0..<bytes.count()).map { _ in try entity() }
        let count = try bytes.count()
        content.objects.reserveCapacity(count)
        for _ in 0..<count {
            let object = try object(entities)
            content.highestNumber = max(content.highestNumber, object.number)
            content.objects.append(object)
        }
        guard bytes.isAtEnd else { throw AtomicFailure("it is damaged: something follows its end") }
        return content
    }

    private mutating func entity() throws -> Entity {
        let name = try bytes.text()
        guard let layout = model.entity(named: name) else {
            throw AtomicFailure("it has the entity “\(name)”, which the model does not have")
        }
        var entity = Entity(layout: layout)
        for _ in 0..<(try bytes.count()) {
            let property = try bytes.text()
            let type = UInt(truncatingIfNeeded: try bytes.number())
            guard let slot = layout.fileSlots.first(where: { layout.slots[$0].name == property }), !entity.slots.contains(slot)
            else { throw AtomicFailure("“\(name)” has an attribute “\(property)”, which the model does not have") }
            let wanted = layout.slots[slot].attributeType
            guard let written = NSAttributeType(rawValue: type), BinaryValue.fits(written, wanted) else {
                throw AtomicFailure(
                    "“\(property)” of “\(name)” is of the type \(NSAttributeDescription.AttributeType(rawValue: type)), but in the model of the type \(NSAttributeDescription.AttributeType(wanted))"
                )
            }
            entity.slots.append(slot)
        }
        for _ in 0..<(try bytes.count()) {
            let property = try bytes.text()
            guard let relationship = layout.storedRelationships.first(where: { $0.name == property }),
                !entity.relationships.contains(where: { $0 === relationship })
            else { throw AtomicFailure("“\(name)” has a relationship “\(property)”, which the model does not have") }
            entity.relationships.append(relationship)
        }
        return entity
    }

    private mutating func object(_ entities: [Entity]) throws -> AtomicObject {
        let place = try bytes.number()
        guard place < UInt64(entities.count), case let entity = entities[Int(place)] else {
            throw AtomicFailure("it is damaged: an object is of no entity")
        }
        var object = AtomicObject(number: try bytes.objectNumber(), entity: entity.layout)
        for slot in entity.slots {
            let layout = entity.layout.slots[slot]
            switch try bytes.byte() {
            case 0: break
            case 1:
                guard let value = try BinaryValue.read(layout.attributeType, &bytes) else {
                    throw AtomicFailure("“\(layout.name)” of \(object.name) has a value that its type does not have")
                }
                object.values[slot] = value
            case let byte: throw AtomicFailure("it is damaged: “\(layout.name)” of \(object.name) begins with \(byte)")
            }
        }
        for relationship in entity.relationships {
            object.links[relationship.index] = try (0..<bytes.count()).map { _ in try bytes.objectNumber() }
        }
        return object
    }
}
