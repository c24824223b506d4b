package import DataModel
import Foundation
import ObjectGraph

/// Writes everything in a store as text: entities by name, objects by their keys, one object a line. The same contents give the
/// same text, whatever the file's history.
@MainActor package struct StoreExport {
    package static let format = "coredata-export 1"

    private let opened: OpenedStore
    private let keys: StoreKeys
    /// Relationships to objects that are not there.
    package private(set) var danglingCount = 0

    package init(_ opened: OpenedStore) throws {
        self.opened = opened
        keys = try StoreKeys(opened)
    }

    package var count: Int { keys.count }

    /// Writes JSON from which `StoreImport` makes the same store.
    package mutating func writeJSON(_ write: (String) throws -> Void, progress: (Int) -> Void) throws {
        try write("{\"format\": \(JSONValue.string(Self.format).line),\n\"model\": \(try modelText().line),\n\"entities\": {")
        var done = 0
        var isFirstEntity = true
        for entity in opened.entities where !entity.isAbstract {
            try write((isFirstEntity ? "\n" : ",\n") + JSONValue.string(entity.name ?? "").line + ": [")
            isFirstEntity = false
            let properties = Self.properties(entity)
            var isFirst = true
            var dangling = 0
            try keys.forEach(entity, in: opened) { object in
                let row = JSONValue.object(members(object, properties, &dangling))
                try write((isFirst ? "\n" : ",\n") + row.line)
                isFirst = false
                done += 1
                progress(done)
            }
            danglingCount += dangling
            try write(isFirst ? "]" : "\n]")
        }
        try write("\n}}\n")
    }

    /// The model as source, or compiled where it says what a source can't.
    private func modelText() throws -> JSONValue {
        if let source = try? opened.model.sourceData() { return .string(String(decoding: source, as: UTF8.self)) }
        return .string(try opened.model.compiledData().base64EncodedString())
    }

    /// Writes the objects of an entity as comma-separated values (RFC 4180), with a line of names.
    package mutating func writeCSV(_ entity: NSEntityDescription, _ write: (String) throws -> Void) throws {
        let properties = Self.properties(entity)
        try write((["$id"] + properties.map(\.name)).map(Self.field).joined(separator: ",") + "\r\n")
        var dangling = 0
        try keys.forEach(entity, in: opened) { object in
            let values = members(object, properties, &dangling)
            let cells = (["$id"] + properties.map(\.name)).map { Self.field(values[$0] ?? .null) }
            try write(cells.joined(separator: ",") + "\r\n")
        }
        danglingCount += dangling
    }

    private static func properties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
        entity.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
            .sorted { $0.name < $1.name }
    }

    private func members(
        _ object: NSManagedObject, _ properties: [NSPropertyDescription], _ dangling: inout Int
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["$id"] = JSONValue(keys.number(of: object.objectID))
        for property in properties {
            guard let relationship = property as? NSRelationshipDescription else {
                let type = (property as? NSAttributeDescription)?.type
                members[property.name] = StoredValue.json(object.value(forKey: property.name), type)
                continue
            }
            let ids = opened.related(object, relationship).map { keys.number(of: $0.objectID) }
            dangling += ids.count { $0 == nil }
            let found = ids.compactMap { $0 }.map(JSONValue.string)
            members[property.name] = relationship.isToMany ? .array(found) : found.first ?? .null
        }
        return members
    }

    private static func field(_ value: JSONValue) -> String {
        switch value {
        case .null, .array([]): ""
        case .string(let text): field(text)
        case .array(let values):
            field(values.map { if case .string(let text) = $0 { text } else { $0.line } }.joined(separator: " "))
        default: field(value.line)
        }
    }

    /// An empty text is quoted, so that it is not taken for a missing value.
    private static func field(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && !text.utf8.contains { "\",\r\n".utf8.contains($0) } && text.first != " " && text.last != " "
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
