import CSQLite
import DataModel
import Foundation
import Storage

/// Migrates SQLite files in place: in one transaction, so that a file has the old model or the new one at every moment.
struct SQLiteMigration: InPlaceMigration {
    func plan(_ request: InPlaceMigrationRequest, of url: URL, settings: StoreSettings) throws -> MigrationPlan {
        let location = try StoreLocation(url)
        let connection = try StoreOpening.connect(location).0
        let (mapping, _) = try map(connection, request)
        return try plan(request, mapping, connection, location, countsAll: true)
    }

    func migrate(_ url: URL, _ request: InPlaceMigrationRequest, settings: StoreSettings) throws -> MigrationPlan {
        let location = try StoreLocation(url)
        if !location.isInMemory { try StoreFile(url, settings).requireFile() }
        try location.requireOwnJournal()
        try location.requireWholePages()
        let connection = try Connection.open(location, location.isInMemory ? .create : .existing, timeout: settings.timeout)
        try beginAlone(connection, location)
        let externalData = ExternalData(store: location.file, followsLinks: settings.followsExternalLinks)
        do {
            // Another process may have been faster.
            let hashes = try MetadataTable(connection).values[StoreMetadata.hashesKey] as? [String: Data] ?? [:]
            let newer = request.inference.match.destination
            if newer.matches(versionHashes: hashes, entities: newer.entities) {
                connection.rollBack()
                return MigrationPlan(changes: [], isNeeded: false)
            }
            let (mapping, file) = try map(connection, request)
            try requireWritable(file, mapping, settings, url)
            let plan = try plan(request, mapping, connection, location)
            try require(plan, request, url)
            var run = MigrationRun(connection, mapping, request, file, externalData)
            try problemAsError(url) { try run.run() }
            try requireFit(connection, request, url)
            try connection.execute("COMMIT", .saving)
            run.orphans.forEach(externalData.remove)
            return plan
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// No other connection may have the file open: it would go on with the tables that it knows.
    private func beginAlone(_ connection: Connection, _ location: StoreLocation) throws {
        do {
            if !location.isInMemory { try connection.execute("PRAGMA locking_mode=EXCLUSIVE", .saving) }
            try connection.execute("PRAGMA synchronous=FULL", .saving)
            try connection.execute("BEGIN EXCLUSIVE", .saving)
        } catch let error as NSError where error.code == NSPersistentStoreTimeoutError {
            throw StoreFailure.error(
                NSPersistentStoreTimeoutError,
                "“\(location.url.lastPathComponent)” can't be migrated while it is in use: remove the store from every coordinator "
                    + "that has it open, in this program and in others, and try again",
                url: location.url, resultCode: SQLITE_BUSY, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    // MARK: What is to be done

    private func map(
        _ connection: Connection, _ request: InPlaceMigrationRequest
    ) throws -> (mapping: MigrationMapping, file: FileSchema) {
        let file = try FileSchema(connection)
        try StoreOpening.requireStore(file, StoreLocation(connection.url))
        return try problemAsError(connection.url) {
            let fitted = try StoreCompatibility(request.source, file)
            guard let old = fitted.mapping else {
                throw MigrationFailure.error(
                    NSMigrationManagerSourceStoreError,
                    "its tables are not those of the older model: " + fitted.obstacles.joined(separator: "; "),
                    url: connection.url)
            }
            return (try MigrationMapping(request.inference.match, old: old, new: request.destination), file)
        }
    }

    private func plan(
        _ request: InPlaceMigrationRequest, _ mapping: MigrationMapping, _ connection: Connection, _ location: StoreLocation,
        countsAll: Bool = false
    ) throws -> MigrationPlan {
        let counts = MigrationCounts(
            mapping: mapping, defaults: request.defaults, connection: connection, countsAll: countsAll)
        var changes = request.inference.changes
        // Where families are mixed there are no tables to count in.
        if request.inference.obstacles.isEmpty { changes = try counts.counted(changes) }
        var plan = MigrationPlan(changes: changes)
        if !location.isInMemory {
            plan.storeSize = location.files.reduce(0) { sum, file in
                let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? NSNumber
                return sum + (size?.int64Value ?? 0)
            }
        }
        return plan
    }

    private func require(_ plan: MigrationPlan, _ request: InPlaceMigrationRequest, _ url: URL) throws {
        if let first = plan.obstacles.first {
            var info: [String: Any] = ["entity": first.entity]
            if let property = first.property { info["attribute"] = property }
            let isUniqueness = first.property == nil && first.difference.hasPrefix("is unique")
            throw MigrationFailure.error(
                isUniqueness ? NSMigrationConstraintViolationError : NSMigrationError,
                plan.obstacles.map(\.description).joined(separator: "; "), url: url, userInfo: info)
        }
        guard !request.allowsLosingValues, !plan.losses.isEmpty else { return }
        throw MigrationFailure.error(
            NSMigrationError,
            "values would be lost, and the store's description does not allow that (allowsLosingValues): "
                + plan.losses.map(\.description).joined(separator: "; "), url: url)
    }

    private func requireWritable(
        _ file: FileSchema, _ mapping: MigrationMapping, _ settings: StoreSettings, _ url: URL
    ) throws {
        if let index = file.spatialIndexes.first {
            throw MigrationFailure.error(
                NSMigrationError, "it has a spatial index (\(index)), which this version can't keep", url: url)
        }
        if let trigger = file.foreignTriggers.first, !settings.allowsForeignTriggers {
            throw MigrationFailure.error(
                NSMigrationError,
                "it has the trigger “\(trigger)”, which Core Data has not made. Remove it with SQLite's DROP TRIGGER, or, if you know "
                    + "what it does, add the store with OpenCoreDataForeignTriggersOption", url: url)
        }
        if file.hasMirroring, mapping.changesNumbers {
            throw MigrationFailure.error(
                NSMigrationError,
                "it is mirrored with CloudKit, whose tables (ANSCK…) know entities by numbers that would change", url: url)
        }
    }

    /// What was made is compared with what the newer model needs, before it becomes the file.
    private func requireFit(_ connection: Connection, _ request: InPlaceMigrationRequest, _ url: URL) throws {
        let fitted = try problemAsError(url) { try StoreCompatibility(request.destination, FileSchema(connection)) }
        guard fitted.mapping == nil || !fitted.differences.isEmpty else { return }
        throw MigrationFailure.error(
            NSMigrationError,
            "the tables that were made don't fit the newer model: " + fitted.differences.joined(separator: "; "),
            url: url)
    }

    private func problemAsError<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let problem as MappingBuilder.Problem {
            throw MigrationFailure.error(
                NSPersistentStoreIncompatibleSchemaError, "the newer model does not fit an SQLite store: \(problem.text)",
                url: url)
        }
    }
}
