import DataModel
import Storage

/// The tables in which a store keeps the history of its saves.
struct HistoryTables {
    let tombstones: Int

    init(_ layout: ModelLayout) {
        tombstones = layout.entities.map(\.attributesPreservedOnDeletion.count).max() ?? 0
    }

    /// Adds the tables to a store without them.
    func add(to connection: Connection) throws {
        try connection.execute("BEGIN IMMEDIATE", .opening)
        defer { connection.rollBack() }
        // Another process may have been faster.
        guard try !FileSchema(connection).hasHistory else { return }
        for statement in statements { try connection.execute(statement, .opening) }
        try connection.execute("COMMIT", .opening)
    }

    private var statements: [String] {
        let values = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
        return [
            "CREATE TABLE IF NOT EXISTS ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, "
                + "ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(values) )",
            "CREATE TABLE IF NOT EXISTS ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
                + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, "
                + "ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
            "CREATE TABLE IF NOT EXISTS ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
            "CREATE INDEX IF NOT EXISTS ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
            "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
            "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
            "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
            "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
            "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
            "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX IF NOT EXISTS Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
        ]
            + [(16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING")].map { number, name in
                "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(number), '\(name)', 0, 0)"
            }
    }
}

extension EntityLayout {
    /// The attributes whose values the history keeps when an object is deleted: the ancestors' first, each entity's by name.
    var attributesPreservedOnDeletion: [String] {
        var chain = [description]
        while let parent = chain[0].superentity { chain.insert(parent, at: 0) }
        return chain.flatMap { description in
            description.ownProperties.compactMap { $0 as? NSAttributeDescription }
                .filter { $0.preservesValueInHistoryOnDeletion && !$0.isTransient }
                .sorted { SQLName.precedes($0.name, $1.name) }
                .map(\.name)
        }
    }
}
