import Foundation
import OpenCoreData

/// The file of one entity: its columns as properties, its rows as nodes.
struct CSVEntityTable {
    let entity: NSEntityDescription
    private let table: CSVTable
    private let columns: [String]
    /// The objects' ids with the lines in which they are.
    private(set) var ids: [(id: String, line: Int)] = []

    var file: String { table.file }

    static let idColumn = "objectID"
    static let separator: Character = ";"

    /// - Throws: `CSVError` for columns that are missing, unknown or there twice, for rows of another length, and for
    ///   ids that can't be one.
    init(_ entity: NSEntityDescription, _ table: CSVTable) throws {
        self.entity = entity
        self.table = table
        guard let header = table.rows.first else {
            throw CSVError(file: table.file, line: 1, reason: "the line that names the columns is missing")
        }
        columns = header.fields.map { $0 ?? "" }
        try checkColumns()
        for row in table.rows.dropFirst() {
            guard row.fields.count == columns.count else {
                throw failure(row, "there are \(row.fields.count) fields for \(columns.count) columns")
            }
            guard let id = columns.firstIndex(of: Self.idColumn).flatMap({ row.fields[$0] }), !id.isEmpty else {
                throw failure(row, "the id is missing")
            }
            guard !id.contains(Self.separator) else { throw failure(row, "the id “\(id)” has a “\(Self.separator)” in it") }
            ids.append((id, row.line))
        }
    }

    private func failure(_ row: CSVTable.Row, _ reason: String) -> CSVError {
        CSVError(file: file, line: row.line, reason: reason)
    }

    private func checkColumns() throws {
        func fail(_ reason: String) -> CSVError { CSVError(file: file, line: 1, reason: reason) }
        let properties = Self.properties(of: entity)
        let known = Set([Self.idColumn] + properties.map(\.name))
        var seen: Set<String> = []
        for column in columns {
            guard known.contains(column) else {
                throw fail(
                    "“\(column)” is not a column of “\(entity.name ?? "")”. The columns are: \(known.sorted().joined(separator: ", "))"
                )
            }
            guard seen.insert(column).inserted else { throw fail("the column “\(column)” is there twice") }
        }
        guard seen.contains(Self.idColumn) else { throw fail("the column “\(Self.idColumn)” is missing") }
        for property in properties where !property.isOptional && !seen.contains(property.name) {
            throw fail("the column “\(property.name)” is missing, which can't be nil")
        }
    }

    /// What has a column: attributes, and of each relationship the end that can say it.
    static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        entity.properties.filter { property in
            guard !property.isTransient, property.name != idColumn else { return false }
            guard let relationship = property as? NSRelationshipDescription else { return property is NSAttributeDescription }
            guard relationship.isToMany, !relationship.isOrdered, let inverse = relationship.inverseRelationship else {
                return true
            }
            return inverse.isToMany && (inverse.isOrdered ? false : relationship.name <= inverse.name)
        }.sorted { $0.name < $1.name }
    }

    // MARK: Reading

    /// Gives the nodes of all rows their values.
    ///
    /// - Parameter node: The node with an id, of the family of an entity.
    func fill(_ node: (NSEntityDescription, String) -> NSAtomicStoreCacheNode?) throws {
        for (row, id) in zip(table.rows.dropFirst(), ids) {
            guard let own = node(entity, id.id) else { continue }
            for (column, field) in zip(columns, row.fields) where column != Self.idColumn {
                switch entity.propertiesByName[column] {
                case let attribute as NSAttributeDescription:
                    own.setValue(try field.map { try value($0, attribute, row) }, forKey: column)
                case let relationship as NSRelationshipDescription:
                    own.setValue(try destinations(field ?? "", relationship, row, node), forKey: column)
                default: break
                }
            }
        }
    }

    private func value(_ text: String, _ attribute: NSAttributeDescription, _ row: CSVTable.Row) throws -> Any {
        guard let value = CSVValue.value(text, attribute.attributeType) else {
            throw failure(row, "“\(attribute.name)” is “\(text)”, which is not \(Self.name(of: attribute.attributeType))")
        }
        return value
    }

    private static func name(of type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "a whole number of the attribute's size"
        case .booleanAttributeType: "true or false"
        case .dateAttributeType: "a date, such as 1985-05-31T00:00:00Z"
        case .binaryDataAttributeType: "data in base 64"
        case .UUIDAttributeType: "a UUID"
        case .URIAttributeType: "a URL"
        default: "a number"
        }
    }

    /// The node of a to-one relationship, or the nodes of a to-many one.
    private func destinations(
        _ field: String, _ relationship: NSRelationshipDescription, _ row: CSVTable.Row,
        _ node: (NSEntityDescription, String) -> NSAtomicStoreCacheNode?
    ) throws -> Any? {
        let nodes = try field.split(separator: Self.separator).map { try destination(String($0), relationship, row, node) }
        if relationship.isToMany { return nodes }
        guard nodes.count < 2 else {
            throw failure(row, "“\(relationship.name)” has \(nodes.count) ids, and leads to one object")
        }
        return nodes.first
    }

    private func destination(
        _ id: String, _ relationship: NSRelationshipDescription, _ row: CSVTable.Row,
        _ node: (NSEntityDescription, String) -> NSAtomicStoreCacheNode?
    ) throws -> NSAtomicStoreCacheNode {
        guard let wanted = relationship.destinationEntity, let found = node(wanted, id),
            found.objectID.entity.isKindOf(entity: wanted)
        else {
            throw failure(
                row, "“\(relationship.name)” has the id “\(id)”, which no \(relationship.destinationEntity?.name ?? "object") has"
            )
        }
        return found
    }

    // MARK: Writing

    /// The file for some nodes, in the order of their ids.
    static func written(
        _ entity: NSEntityDescription, _ nodes: [NSAtomicStoreCacheNode], id: (NSAtomicStoreCacheNode) -> String
    ) throws -> CSVTable {
        let properties = properties(of: entity)
        var table = CSVTable(
            file: entity.columnFileName, rows: [CSVTable.Row(line: 1, fields: [idColumn] + properties.map(\.name))])
        let sorted = nodes.map { (id: id($0), node: $0) }.sorted { $0.id < $1.id }
        for (own, node) in sorted {
            let line = table.rows.count + 1
            let fields = try properties.map { property -> String? in
                guard let value = node.value(forKey: property.name) else { return nil }
                if let attribute = property as? NSAttributeDescription {
                    guard let text = CSVValue.text(value, attribute.attributeType) else {
                        throw CSVError(
                            file: table.file, line: line, reason: "“\(property.name)” has “\(value)”, which can't be written")
                    }
                    return text
                }
                if let one = value as? NSAtomicStoreCacheNode { return id(one) }
                let list = value as? [NSAtomicStoreCacheNode]
                let ids = list?.map(id) ?? (value as? Set<NSAtomicStoreCacheNode> ?? []).map(id).sorted()
                return ids.isEmpty ? nil : ids.joined(separator: String(separator))
            }
            table.rows.append(CSVTable.Row(line: line, fields: [own] + fields))
        }
        return table
    }
}
