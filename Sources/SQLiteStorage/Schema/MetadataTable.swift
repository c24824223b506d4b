import CSQLite
import DataModel
import Foundation
import FoundationGaps
import Predicates
import Storage

/// The row of Z_METADATA: the store's UUID and a property list.
struct MetadataTable {
    let identifier: String
    /// What the property list holds.
    let values: [String: Any]

    /// The metadata of a new store.
    init(model: NSManagedObjectModel) {
        let identifier = UUID().uuidString
        var values = StoreMetadata.forNewStore(type: "SQLite", identifier: identifier, model: model)
        values[StoreMetadata.identifierKey] = nil
        values[StoreMetadata.autoVacuumKey] = "2"
        let hashes = model.entityVersionHashesByName
        values[StoreMetadata.digestKey] = VersionHashes.digest(of: hashes)
        values[StoreMetadata.checksumKey] = VersionHashes.checksum(of: hashes)
        self.identifier = identifier
        self.values = values
    }

    /// Reads the metadata of an open file that has the table.
    init(_ connection: Connection) throws {
        var found: (identifier: String, values: [String: Any])?
        var reason = "Z_METADATA has no row"
        try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1", .opening) { row in
            let list = PropertyListBytes.value(Data(row.blob(1)))
            guard let identifier = row.text(0), !identifier.isEmpty else {
                reason = "Z_METADATA has no UUID"
                return
            }
            guard let values = list as? [String: Any] else {
                reason = "the property list in Z_METADATA can't be read"
                return
            }
            found = (identifier, values)
        }
        guard let found else {
            throw StoreFailure.error(
                CocoaError.fileReadCorruptFile.rawValue,
                "“\(connection.url.lastPathComponent)” is a damaged Core Data store: \(reason)",
                url: connection.url)
        }
        identifier = found.identifier
        values = found.values
    }

    private init(identifier: String, values: [String: Any]) {
        self.identifier = identifier
        self.values = values
    }

    /// The same for another store.
    var copy: MetadataTable { MetadataTable(identifier: UUID().uuidString, values: values) }

    /// The same with another property list.
    func with(_ values: [String: Any]) -> MetadataTable { MetadataTable(identifier: identifier, values: values) }

    /// The same with other values in all places that an application may change.
    func replacing(_ metadata: [String: Any]) -> MetadataTable {
        let reserved = values.filter { StoreMetadata.reservedKeys.contains($0.key) }
        let given = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }
        return MetadataTable(identifier: identifier, values: given.merging(reserved) { $1 })
    }

    /// Writes everything into an open file that has the table.
    func write(to connection: Connection) throws {
        let list = try Self.encode(values, url: connection.url)
        let statement = try connection.prepare("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", .saving, isKept: false)
        statement.bind(identifier, at: 1)
        list.withUnsafeBytes { statement.bind(blob: $0, at: 2) }
        try statement.run(.saving)
    }

    /// The metadata as Core Data's API gives it, with what tells which models fit the file.
    func forAPI(_ schema: FileSchema) -> [String: Any] {
        var result = values
        result[StoreMetadata.identifierKey] = identifier
        result[StoreMetadata.tablesKey] = schema.fingerprint
        return result
    }

    static func encode(_ values: [String: Any], url: URL) throws -> Data {
        for (key, value) in values where !PropertyListSerialization.propertyList([key: value], isValidFor: .binary) {
            throw StoreFailure.error(
                NSPersistentStoreSaveError,
                "The metadata of “\(url.lastPathComponent)” can't be written: the value for “\(key)” is not a property list",
                url: url)
        }
        return try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    }
}
