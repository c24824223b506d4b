import CSQLite
import DataModel
import Foundation
import Storage

/// Opens or creates the file of a store.
struct StoreOpening {
    let location: StoreLocation
    let model: NSManagedObjectModel
    let layout: ModelLayout
    let options: StoreSettings

    private var fileName: String { location.url.lastPathComponent }

    static func metadata(_ location: StoreLocation) throws -> (MetadataTable, FileSchema) {
        let (connection, schema) = try connect(location)
        return (try MetadataTable(connection), schema)
    }

    /// A connection for looking at the file of a store that need not be open.
    static func connect(_ location: StoreLocation) throws -> (Connection, FileSchema) {
        try requireFile(location)
        try location.requireOwnJournal()
        try location.requireWholePages()
        let timeout = StoreSettings().timeout
        // A connection that may write cleans up the files that SQLite keeps beside a store in WAL mode.
        let connection: Connection
        if FileManager.default.isWritableFile(atPath: location.url.path),
            let writable = try? Connection.open(location, .existing, timeout: timeout)
        {
            connection = writable
        } else {
            connection = try Connection.open(location, .readOnly, timeout: timeout)
        }
        let schema = try FileSchema(connection)
        try requireStore(schema, location)
        return (connection, schema)
    }

    func open() throws -> (store: OpenStore, metadata: MetadataTable) {
        if options.isReadOnly, !location.isInMemory { try Self.requireFile(location) }
        if !location.isInMemory { try Self.requireFolder(location) }
        if !location.isInMemory, !location.exists { try requireWritableFolder() }
        try location.requireOwnJournal()
        try location.requireWholePages()
        // A model without a schema is refused before there is a file.
        var isNew = !location.exists && !location.isInMemory
        let fresh = isNew ? try makeSchema() : nil
        let hasLog = (location.writeAheadSize ?? 0) > 0
        do {
            let connection = try Connection.open(location, options.isReadOnly ? .readOnly : .create, timeout: options.timeout)
            // A refused store stays as it is, file by file.
            if hasLog { connection.setCheckpointsOnClose(false) }
            try setPragmas(connection)
            var schema = try FileSchema(connection)
            if schema.isEmpty, !options.isReadOnly, !connection.isReadOnly {
                try create(connection, fresh ?? makeSchema())
                schema = try FileSchema(connection)
            }
            isNew = false
            try Self.requireStore(schema, location)
            let metadata = try MetadataTable(connection)
            let mapping = try fit(schema, metadata)
            if options.tracksHistory, !schema.hasHistory, !options.isReadOnly, !connection.isReadOnly {
                try HistoryTables(layout).add(to: connection)
                schema = try FileSchema(connection)
            }
            if hasLog { connection.setCheckpointsOnClose(true) }
            let derivedValues = try problemAsError { try DerivedValues(connection, mapping) }
            let externalData = ExternalData(store: location.file, followsLinks: options.followsExternalLinks)
            return (OpenStore(location, connection, mapping, schema, externalData, derivedValues), metadata)
        } catch {
            if isNew { location.files.forEach { try? FileManager.default.removeItem(atPath: $0) } }
            throw error
        }
    }

    // MARK: Making a store

    private func makeSchema() throws -> (mapping: StoreMapping, statements: [String]) {
        try problemAsError {
            var builder = MappingBuilder(layout, numbers: StoreMapping.freshNumbers(layout))
            let mapping = try builder.build()
            try DerivedValues.check(mapping)
            try mapping.requireColumnLimit()
            let statements = SchemaStatements(mapping: mapping, listsImplicitIndexes: model.listsImplicitIndexes)
            return (mapping, try statements.all())
        }
    }

    private func create(_ connection: Connection, _ schema: (mapping: StoreMapping, statements: [String])) throws {
        let creation = StoreCreation(
            connection: connection, mapping: schema.mapping, statements: schema.statements,
            metadata: MetadataTable(model: model),
            // A model with something that compiled models can't hold makes a store that keeps none.
            modelCache: location.isInMemory ? nil : try? model.cacheData())
        do {
            try creation.run()
        } catch {
            // Another process may have been faster. Then its store is used.
            guard try !isEmpty(connection) else { throw error }
        }
    }

    // MARK: Checks

    static func requireFile(_ location: StoreLocation) throws {
        guard !location.exists else { return }
        throw StoreFailure.error(
            CocoaError.fileReadNoSuchFile.rawValue, "“\(location.url.lastPathComponent)” can't be opened: there is no such file",
            url: location.url, resultCode: SQLITE_CANTOPEN)
    }

    /// SQLite's own message, "unable to open database file", does not say why.
    static func requireFolder(_ location: StoreLocation) throws {
        let folder = location.url.deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue else { return }
        throw StoreFailure.error(
            CocoaError.fileReadUnknown.rawValue,
            "“\(location.url.lastPathComponent)” can't be opened: there is no folder “\(folder)”", url: location.url,
            resultCode: SQLITE_CANTOPEN)
    }

    private func requireWritableFolder() throws {
        let folder = location.file.deletingLastPathComponent().path
        guard !FileManager.default.isWritableFile(atPath: folder) else { return }
        throw StoreFailure.error(
            CocoaError.fileReadUnknown.rawValue,
            "“\(fileName)” can't be opened: there is no such file, and it can't be made because there is no permission to write to the folder “\(folder)”",
            url: location.url, resultCode: SQLITE_CANTOPEN)
    }

    static func requireStore(_ schema: FileSchema, _ location: StoreLocation) throws {
        guard !schema.isStore else { return }
        let reason = schema.isEmpty ? "it is empty" : "it is an SQLite database without the tables Z_METADATA and Z_PRIMARYKEY"
        throw StoreFailure.error(
            CocoaError.fileReadCorruptFile.rawValue,
            "“\(location.url.lastPathComponent)” can't be opened: \(reason), so it is not a Core Data store", url: location.url)
    }

    private func problemAsError<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let problem as MappingBuilder.Problem {
            throw StoreFailure.error(
                NSPersistentStoreIncompatibleSchemaError,
                "“\(fileName)” can't be opened: the model does not fit an SQLite store: "
                    + problem.text, url: location.url)
        }
    }

    private func setPragmas(_ connection: Connection) throws {
        let given = Dictionary(options.pragmas.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
        var pragmas = ["cache_size": "-16384", "synchronous": "NORMAL"].merging(given) { $1 }
        let isNew = try !connection.isReadOnly && isEmpty(connection)
        // What shapes the file comes before everything that writes to it. A file of an older framework gets its WAL with the
        // first save.
        var first = isNew ? ["page_size", "auto_vacuum"] : []
        for (name, value) in ["page_size": "4096", "auto_vacuum": "2"] where isNew && pragmas[name] == nil {
            pragmas[name] = value
        }
        if isNew, !location.isInMemory, pragmas["journal_mode"] == nil { pragmas["journal_mode"] = "WAL" }
        if options.isReadOnly { pragmas["journal_mode"] = nil }
        first += pragmas.keys.filter { !first.contains($0) }.sorted()
        for name in first {
            let value = pragmas[name] ?? ""
            let isPlain =
                !value.isEmpty
                && value.unicodeScalars.allSatisfy { "+-.".unicodeScalars.contains($0) || SQLName.isPlain(String($0)) }
            guard SQLName.isPlain(name), isPlain else {
                throw StoreFailure.error(
                    NSPersistentStoreOpenError,
                    "“\(fileName)” can't be opened: the pragma “\(name) = \(value)” is not understood",
                    url: location.url)
            }
            try connection.execute("PRAGMA \(name)=\(value)", .opening)
        }
    }

    private func isEmpty(_ connection: Connection) throws -> Bool {
        var isEmpty = true
        try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1", .opening) { _ in isEmpty = false }
        return isEmpty
    }

    // MARK: Model

    /// The mapping for the entity numbers of the file.
    private func fit(_ schema: FileSchema, _ metadata: MetadataTable) throws -> StoreMapping {
        let fitted = try problemAsError { try StoreCompatibility(layout, schema) }
        let hashes = metadata.values[StoreMetadata.hashesKey] as? [String: Data]
        let isSame = hashes.map { model.matches(versionHashes: $0, entities: model.entities) } ?? false
        let ignores = options.ignoresVersioning || isSame
        // Hashes of two ways to compute them don't tell whether models differ.
        let isComparable =
            metadata.values[StoreMetadata.ownHashesKey] != nil || model.hasKnownVersionHashes && !schema.wasMadeHere
        let isOther = options.wantsMigration && !isSame && hashes != nil && isComparable
        if let mapping = fitted.mapping, ignores || fitted.differences.isEmpty && !isOther { return mapping }
        var differences = ignores ? fitted.obstacles : fitted.differences
        if differences.isEmpty { differences = ["the version hashes of its entities are not those of the model's"] }
        let message =
            "“\(fileName)” can't be opened: the model is not the one that the store was made with: "
            + differences.joined(separator: "; ")
        throw StoreFailure.error(
            NSPersistentStoreIncompatibleVersionHashError, message, url: location.url,
            userInfo: [
                "metadata": metadata.forAPI(schema),
                "reason": "The model used to open the store is incompatible with the one used to create the store",
                "entities": fitted.entityNames.sorted(),
            ])
    }
}
