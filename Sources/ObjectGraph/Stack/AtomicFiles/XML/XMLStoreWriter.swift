import DataModel
import Foundation
import Storage

/// Writes XML stores. The layout is that of Apple's framework; values that are nil have no element.
struct XMLStoreWriter {
    private let model: ModelLayout
    private var text = ""
    /// What each object of an entity has, by the index of the entity.
    private var parts: [Int: Parts] = [:]
    /// Readers of XML refuse longer attributes of a tag.
    private static let greatestAttribute = 9_000_000

    private struct Parts {
        /// Slots, with the start tags of their elements.
        var attributes: [(slot: Int, tag: String)] = []
        /// Relationships, with the start tags of their elements as far as they are the same for all objects.
        var relationships: [(relationship: RelationshipLayout, tag: String)] = []
    }

    init(_ model: ModelLayout) { self.model = model }

    mutating func data(of content: AtomicContent) throws -> Data {
        text = "<?xml version=\"1.0\" standalone=\"yes\"?>\n"
        text += "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n<database>\n    <databaseInfo>\n"
        text += "        <version>\(XMLStoreHead.version)</version>\n"
        let identifier = content.metadata[StoreMetadata.identifierKey] as? String ?? ""
        text += "        <UUID>\(XMLStoreText.escaped(identifier))</UUID>\n"
        text += "        <nextObjectID>\(content.highestNumber)</nextObjectID>\n        <metadata>"
        text += String(decoding: try Self.metadata(content.metadata), as: UTF8.self)
        text += "</metadata>\n    </databaseInfo>\n"
        for object in content.objects { try add(object) }
        text += "</database>"
        return Data(text.utf8)
    }

    private mutating func add(_ object: AtomicObject) throws {
        let entity = object.entity
        let parts = parts(of: entity)
        text += "    <object type=\(XMLStoreText.quoted(XMLNames.of(entity))) id=\"z\(object.number)\">\n"
        for (slot, tag) in parts.attributes {
            guard let value = object.values[slot] else { continue }
            let layout = entity.slots[slot]
            guard let written = Self.text(of: value, layout.attributeType) else {
                throw AtomicFailure("“\(layout.name)” of \(object.name) is a \(type(of: value)), which can't be written")
            }
            text += tag + written + "</attribute>\n"
        }
        for (relationship, tag) in parts.relationships {
            text += tag
            let links = object.links[relationship.index]
            if !links.isEmpty {
                let idrefs = links.map { "z\($0)" }.joined(separator: " ")
                guard idrefs.utf8.count <= Self.greatestAttribute else {
                    throw AtomicFailure(
                        "“\(relationship.name)” of \(object.name) has \(links.count) members, which are too many for an XML store"
                    )
                }
                text += " idrefs=\"\(idrefs)\""
            }
            text += "></relationship>\n"
        }
        text += "    </object>\n"
    }

    private mutating func parts(of entity: EntityLayout) -> Parts {
        if let known = parts[entity.index] { return known }
        var result = Parts()
        for slot in entity.fileSlots.sorted(by: { entity.slots[$0].name > entity.slots[$1].name }) {
            let layout = entity.slots[slot]
            let name = XMLStoreText.quoted(XMLNames.of(property: layout.name))
            let type = XMLAttributeType.name(layout.attributeType)
            result.attributes.append((slot, "        <attribute name=\(name) type=\"\(type)\">"))
        }
        for relationship in entity.storedRelationships.sorted(by: { $0.name < $1.name }) {
            let name = XMLStoreText.quoted(XMLNames.of(property: relationship.name))
            let destination = XMLStoreText.quoted(XMLNames.of(model.entities[relationship.destination]))
            let counts = "\(relationship.description.minCount)/\(relationship.description.maxCount)"
            result.relationships.append(
                (relationship, "        <relationship name=\(name) type=\"\(counts)\" destination=\(destination)"))
        }
        parts[entity.index] = result
        return result
    }

    // MARK: Values

    private static func text(of value: Any, _ type: NSAttributeType) -> String? {
        switch (value, type) {
        case (let text as String, _): return XMLStoreText.escaped(text)
        case (let date as Date, _): return seconds(date.timeIntervalSinceReferenceDate)
        case (let data as Data, _): return base64(data)
        case (let bytes as StoredBytes, _): return base64(bytes.data)
        case (let uuid as UUID, _): return uuid.uuidString
        case (let url as URL, _): return XMLStoreText.escaped(url.absoluteString)
        case (let number as NSDecimalNumber, _): return number.decimalValue.description
        case (let number as NSNumber, .booleanAttributeType): return number.boolValue ? "1" : "0"
        case (let number as NSNumber, .floatAttributeType) where !ValueDomain.isBeyondFloat(number.doubleValue):
            return "\(number.floatValue)"
        case (let number as NSNumber, .doubleAttributeType), (let number as NSNumber, .floatAttributeType):
            return "\(number.doubleValue)"
        case (let number as NSNumber, _): return "\(number.int64Value)"
        default: return nil
        }
    }

    /// With twenty digits after the point, as Apple's framework writes it, unless these are too few.
    private static func seconds(_ value: Double) -> String {
        let text = String(format: "%.20f", value)
        return Double(text) == value ? text : "\(value)"
    }

    /// One line of 76 characters, and one with the rest.
    private static func base64(_ data: Data) -> String {
        let text = data.base64EncodedString()
        guard !text.isEmpty else { return "" }
        let first = text.prefix(76)
        let rest = text.dropFirst(76)
        return first + "\n" + (rest.isEmpty ? "" : rest + "\n")
    }

    // MARK: Metadata

    /// The content of `<metadata>`: a property list without what the file says elsewhere.
    static func metadata(_ metadata: [String: Any]) throws -> Data {
        let left: Set = [StoreMetadata.identifierKey, StoreMetadata.typeKey, StoreMetadata.tablesKey]
        let values = metadata.filter { !left.contains($0.key) }
        for (key, value) in values where !PropertyListSerialization.propertyList([key: value], isValidFor: .xml) {
            throw AtomicFailure("the value for “\(key)” in the metadata is not a property list")
        }
        let list = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        // A reader takes a plain one for the end of a line.
        let text = String(decoding: list, as: UTF8.self).replacingOccurrences(of: "\r", with: "&#13;", options: .literal)
        // Without the lines before the list itself.
        guard let start = text.range(of: "<plist"), case let body = text[start.lowerBound...], XMLStoreText.canHold(String(body))
        else { throw AtomicFailure("the metadata have a character that XML does not have") }
        return Data(("\n" + body.trimmingCharacters(in: .newlines) + "\n        ").utf8)
    }
}
