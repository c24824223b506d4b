import CSQLite
import DataModel
import Foundation
package import Storage

extension SQLiteEngine {
    package func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result {
        let store = try openStore(.saving)
        try requireWritable(store)
        try requireFile(store)
        if !store.hasSaved {
            store.hasSaved = true
            useWriteAheadLog(store)
        }
        try store.derivedValues?.install()
        let begin = try store.writes.statement("BEGIN IMMEDIATE")
        try begin.run(.saving)
        do {
            let transaction = SQLiteTransaction(store)
            let result = try body(transaction)
            try transaction.finish()
            if hasChangedMetadata { try writeMetadata(store) }
            try requireFile(store)
            try store.writes.statement("COMMIT").run(.saving)
            hasChangedMetadata = false
            removeOrphans(transaction.orphans, store)
            return result
        } catch {
            store.connection.rollBack()
            throw error
        }
    }

    /// Removes files of external data that no current row names. A snapshot may still have a row that does.
    private func removeOrphans(_ orphans: [UUID], _ store: OpenStore) {
        guard !orphans.isEmpty else { return }
        let externalData = store.externalData
        readers.afterSnapshots { orphans.forEach(externalData.remove) }
    }

    /// SQLite goes on writing to a file that has lost its name.
    private func requireFile(_ store: OpenStore) throws {
        guard store.connection.hasMoved else { return }
        throw StoreFailure.error(
            NSPersistentStoreSaveError,
            "“\(url.lastPathComponent)” can't be written: the file was moved, replaced or deleted while the store was open, so the saved data would be "
                + "lost. Put it back, or remove the store from the coordinator and add it again", url: url,
            resultCode: SQLITE_READONLY)
    }

    private func requireWritable(_ store: OpenStore) throws {
        func refuse(_ code: Int, _ reason: String, _ resultCode: Int32? = nil) -> NSError {
            StoreFailure.error(
                code, "“\(url.lastPathComponent)” can't be written: \(reason)", url: url, resultCode: resultCode)
        }
        if options.isReadOnly {
            throw refuse(CocoaError.fileWriteNoPermission.rawValue, "it was opened read-only", SQLITE_READONLY)
        }
        if store.connection.isReadOnly {
            throw refuse(CocoaError.fileWriteNoPermission.rawValue, "the file does not permit it", SQLITE_READONLY)
        }
        if let index = store.schema.spatialIndexes.first {
            throw refuse(
                NSPersistentStoreSaveError,
                "it has a spatial index (\(index)), which this version can't update when values change"
            )
        }
        if let trigger = store.schema.foreignTriggers.first, !options.allowsForeignTriggers {
            throw refuse(
                NSPersistentStoreSaveError,
                "it has the trigger “\(trigger)”, which Core Data did not make, and which could write something other than what is saved, or never end. Remove it with "
                    + "SQLite's DROP TRIGGER, or, if you know what it does, add the store with OpenCoreDataForeignTriggersOption")
        }
        if store.schema.hasMirroring, !store.schema.hasHistory {
            throw refuse(
                NSPersistentStoreSaveError,
                "it is mirrored with CloudKit (tables ANSCK…) but keeps no history, so mirroring would miss changes")
        }
        if store.schema.hasMirroring, !options.allowsMirroredStores {
            throw refuse(
                NSPersistentStoreSaveError,
                "it is mirrored with CloudKit (tables ANSCK…), so what is saved would be sent to the cloud and to other devices. Work on "
                    + "a copy, or, if that is what you want, add the store with OpenCoreDataMirroredStoresOption")
        }
    }

    /// Apple's framework writes stores in WAL mode unless told otherwise, and changes older files to it.
    private func useWriteAheadLog(_ store: OpenStore) {
        guard !store.location.isInMemory, !options.pragmas.keys.contains(where: { $0.lowercased() == "journal_mode" }) else {
            return
        }
        // While others use the file the mode can't change; the save works in either mode, so it is not worth waiting.
        store.connection.setTimeout(0)
        defer { store.connection.setTimeout(options.timeout) }
        try? store.connection.execute("PRAGMA journal_mode=WAL", .saving)
        readers.noteJournal(of: store)
    }

    private func writeMetadata(_ store: OpenStore) throws {
        var values = metadata
        values[StoreMetadata.identifierKey] = nil
        values[StoreMetadata.tablesKey] = nil
        let list = try MetadataTable.encode(values, url: url)
        let statement = try store.writes.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
        list.withUnsafeBytes { statement.bind(blob: $0, at: 1) }
        try statement.run(.saving)
    }
}
