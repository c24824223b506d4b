import CSQLite
import DataModel
import Foundation
import Storage

/// Fills an empty database with the tables of a model.
struct StoreCreation {
    let connection: Connection
    let mapping: StoreMapping
    let statements: [String]
    let metadata: MetadataTable
    /// The model for the store to keep; nil for none.
    let modelCache: Data?

    func run() throws {
        try connection.execute("BEGIN IMMEDIATE", .opening)
        do {
            for statement in statements { try connection.execute(statement, .opening) }
            try insertEntityNumbers()
            try insertMetadata()
            try insertModel()
            try connection.execute("COMMIT", .opening)
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func insertEntityNumbers() throws {
        let statement = try connection.prepare(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)", .opening, isKept: false)
        for index in mapping.order {
            let entity = mapping.layout.entities[index]
            statement.bind(mapping.numbers[index], at: 1)
            statement.bind(entity.name, at: 2)
            statement.bind(entity.parent.map { mapping.numbers[$0] } ?? 0, at: 3)
            try statement.run(.opening)
        }
    }

    private func insertMetadata() throws {
        let list = try MetadataTable.encode(metadata.values, url: connection.url)
        let statement = try connection.prepare(
            "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)", .opening, isKept: false)
        statement.bind(metadata.identifier, at: 1)
        list.withUnsafeBytes { statement.bind(blob: $0, at: 2) }
        try statement.run(.opening)
    }

    private func insertModel() throws {
        guard let modelCache else { return }
        let statement = try connection.prepare("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", .opening, isKept: false)
        modelCache.withUnsafeBytes { statement.bind(blob: $0, at: 1) }
        try statement.run(.opening)
    }
}
