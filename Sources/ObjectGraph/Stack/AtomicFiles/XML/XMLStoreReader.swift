import DataModel
import Foundation
import Storage

/// Makes content of the elements of an XML store. Whatever is not known there is an error: a save would lose it.
final class XMLStoreReader: XMLEventReader {
    private enum Place {
        case file, database, info
        case infoValue(String)
        case metadata(depth: Int)
        case object
        case attribute(slot: Int, line: Int)
        case relationship(RelationshipLayout, idrefs: String, line: Int)
    }

    private let names: XMLNames
    private var place = Place.file
    private var hasInfo = false
    private var text = ""
    private var highest: Int64?

    private var objects: [(object: AtomicObject, line: Int)] = []
    private var object: (object: AtomicObject, line: Int)?
    /// What the open object has by now.
    private var seen: Set<String> = []
    /// The relationships of the objects, with IDs as in the file.
    private var links: [(object: Int, relationship: RelationshipLayout, idrefs: String, line: Int)] = []
    /// The places of the objects, by the IDs in the file.
    private var places: [String: Int] = [:]
    private var ids: [String] = []

    init(_ model: ModelLayout) throws { names = try XMLNames(model.entities) }

    // MARK: Elements

    func begin(_ element: String, _ attributes: [String: String], line: Int) throws {
        text = ""
        switch (place, element) {
        case (.file, "database"): place = .database
        case (.file, _): throw AtomicFailure("the root element is <\(element)>, and must be <database>", line: line)
        case (.database, "databaseInfo") where !hasInfo:
            hasInfo = true
            place = .info
        case (.database, "object"): try beginObject(attributes, line)
        case (.info, "metadata"): place = .metadata(depth: 0)
        case (.info, "version"), (.info, "UUID"), (.info, "nextObjectID"): place = .infoValue(element)
        case (.metadata(let depth), _): place = .metadata(depth: depth + 1)
        case (.object, "attribute"): try beginAttribute(attributes, line)
        case (.object, "relationship"): try beginRelationship(attributes, line)
        default: throw AtomicFailure("an element <\(element)> is not expected here", line: line)
        }
    }

    func text(_ part: String) { text += part }

    func end(_ element: String) throws {
        switch place {
        case .file, .database: place = .file
        case .info: place = .database
        case .infoValue(let name):
            if name == "nextObjectID" { highest = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
            place = .info
        case .metadata(let depth): place = depth == 0 ? .info : .metadata(depth: depth - 1)
        case .object:
            if let object { objects.append(object) }
            object = nil
            place = .database
        case .attribute(let slot, let line):
            let value = try object?.object.xmlValue(text, slot, line)
            object?.object.values[slot] = value
            place = .object
        case .relationship(let relationship, let idrefs, let line):
            if !idrefs.isEmpty { links.append((objects.count, relationship, idrefs, line)) }
            place = .object
        }
        text = ""
    }

    private func beginObject(_ attributes: [String: String], _ line: Int) throws {
        guard let type = attributes["type"] else { throw AtomicFailure("an object without type", line: line) }
        guard let id = attributes["id"], !id.isEmpty, !id.contains(where: \.isWhitespace) else {
            throw AtomicFailure("an object of the type “\(type)” without an ID", line: line)
        }
        guard let entity = names.entity(type) else {
            throw AtomicFailure("the type “\(type)” of the object “\(id)” is not the name of an entity of the model", line: line)
        }
        guard places.updateValue(objects.count, forKey: id) == nil else {
            throw AtomicFailure("the ID “\(id)” of a “\(entity.name)” is that of another object, too", line: line)
        }
        ids.append(id)
        seen = []
        object = (AtomicObject(number: Self.number(id) ?? 0, entity: entity), line)
        place = .object
    }

    private func beginAttribute(_ attributes: [String: String], _ line: Int) throws {
        let (name, property, entity) = try property(attributes, line)
        guard case .attribute(let slot) = property else {
            throw AtomicFailure("“\(name)” of “\(entity.name)” is a relationship, not an attribute", line: line)
        }
        let layout = entity.slots[slot]
        guard XMLAttributeType.fits(attributes["type"], layout.attributeType) else {
            throw AtomicFailure(
                "“\(layout.name)” of “\(entity.name)” \(ids.last ?? "") is of the type “\(attributes["type"] ?? "")”, but in the model of the type “\(XMLAttributeType.name(layout.attributeType))”",
                line: line)
        }
        place = .attribute(slot: slot, line: line)
    }

    private func beginRelationship(_ attributes: [String: String], _ line: Int) throws {
        let (name, property, entity) = try property(attributes, line)
        guard case .relationship(let relationship) = property else {
            throw AtomicFailure("“\(name)” of “\(entity.name)” is an attribute, not a relationship", line: line)
        }
        place = .relationship(relationship, idrefs: attributes["idrefs"] ?? "", line: line)
    }

    private func property(
        _ attributes: [String: String], _ line: Int
    ) throws -> (name: String, property: XMLNames.Property, entity: EntityLayout) {
        guard let entity = object?.object.entity, let name = attributes["name"] else {
            throw AtomicFailure("a property without a name", line: line)
        }
        guard let property = names.property(name, of: entity) else {
            throw AtomicFailure("“\(entity.name)” \(ids.last ?? "") has “\(name)”, which the model does not have", line: line)
        }
        guard seen.insert(name).inserted else {
            throw AtomicFailure("“\(entity.name)” \(ids.last ?? "") has “\(name)” twice", line: line)
        }
        return (name, property, entity)
    }

    // MARK: The whole

    /// The number in an ID as Apple's framework writes it; nil for the IDs of other programs.
    private static func number(_ id: String) -> Int64? {
        guard id.hasPrefix("z"), let number = Int64(id.dropFirst()), number > 0, number <= AtomicContent.greatestNumber,
            "z\(number)" == id
        else { return nil }
        return number
    }

    /// To be called after the end of the file.
    func content() throws -> AtomicContent {
        let numbers = ids.map(Self.number)
        var highest = max(AtomicContent.firstNumber, numbers.compactMap { $0 }.max() ?? 0)
        if let known = self.highest, known <= AtomicContent.greatestNumber { highest = max(highest, known) }
        var content = AtomicContent(highestNumber: highest)
        content.objects = objects.map(\.object)
        for (place, number) in numbers.enumerated() where number == nil {
            content.highestNumber += 1
            content.objects[place] = content.objects[place].withNumber(content.highestNumber)
        }
        for (place, relationship, idrefs, line) in links {
            content.objects[place].links[relationship.index] = try idrefs.split(whereSeparator: \.isWhitespace).map { id in
                guard let destination = places[String(id)] else {
                    let owner = "“\(content.objects[place].entity.name)” \(ids[place])"
                    throw AtomicFailure(
                        "“\(relationship.name)” of \(owner) leads to “\(id)”, which is not the ID of an object", line: line)
                }
                return content.objects[destination].number
            }
        }
        return content
    }
}

extension AtomicObject {
    fileprivate func withNumber(_ number: Int64) -> AtomicObject {
        var copy = AtomicObject(number: number, entity: entity)
        copy.values = values
        return copy
    }

    /// The value that a text stands for.
    fileprivate func xmlValue(_ text: String, _ slot: Int, _ line: Int) throws -> Any {
        let layout = entity.slots[slot]
        func failure(_ reason: String) -> AtomicFailure {
            let shown = text.count > 60 ? text.prefix(60) + "…" : text
            return AtomicFailure("“\(layout.name)” of \(name) is “\(shown)”, which \(reason)", line: line)
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch layout.attributeType {
        case .stringAttributeType: return XMLStoreText.plain(text)
        case .binaryDataAttributeType, .transformableAttributeType:
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { throw failure("is not base64") }
            return layout.attributeType == .transformableAttributeType ? StoredBytes(data: data) : data
        case .dateAttributeType:
            guard let seconds = ModelText.double(trimmed), seconds.isFinite else { throw failure("is not a valid date") }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case .booleanAttributeType:
            guard let number = ModelText.double(trimmed), number == 0 || number == 1 else { throw failure("is neither 0 nor 1") }
            return NSNumber(value: number == 1)
        case .doubleAttributeType, .floatAttributeType:
            guard let number = ModelText.double(trimmed), !number.isNaN else { throw failure("is not a number") }
            guard layout.attributeType == .floatAttributeType else { return NSNumber(value: number) }
            guard !ValueDomain.isBeyondFloat(number) else { throw failure("is beyond the greatest Float") }
            return NSNumber(value: Float(number))
        case .URIAttributeType:
            guard let url = URL(string: XMLStoreText.plain(text)) else { throw failure("is not a URL") }
            return url
        default:
            guard let value = ModelText.value(trimmed, of: .init(layout.attributeType)) else {
                throw failure("is not of the type “\(XMLAttributeType.name(layout.attributeType))”, or too great for it")
            }
            return value
        }
    }
}
