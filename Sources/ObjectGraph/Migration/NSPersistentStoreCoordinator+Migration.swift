import DataModel
import Foundation
import Storage

extension NSPersistentStoreCoordinator {
    /// Opens a store, and migrates it before if it is of another model and if its options say so.
    ///
    /// - Parameters:
    ///   - given: The options as they were given.
    ///   - open: Opens the store with some settings.
    final func migrating<Opened>(
        _ url: URL?, _ kind: any StoreKind, _ options: StoreOptions, _ given: [AnyHashable: Any]?,
        _ open: (StoreSettings) throws -> Opened
    ) throws -> Opened {
        let staged = try stagedManager(given)
        var settings = options.settings
        settings.wantsMigration = options.wantsMigration || staged != nil
        do {
            return try open(settings)
        } catch let error as NSError
            where settings.wantsMigration && !options.isReadOnly && error.domain == NSCocoaErrorDomain
            && error.code == NSPersistentStoreIncompatibleVersionHashError
        {
            guard let url, let files = kind.files, try files.file(at: url) != nil, (try? files.metadata(of: url)) != nil else {
                throw error
            }
            let migration = StoreMigration(model: managedObjectModel, kind: kind, files: files, url: url, options: options)
            do {
                if let staged {
                    try StagedMigration(manager: staged, migration: migration).run()
                } else {
                    try migration.run()
                }
            } catch let missing as NSError where missing.code == NSMigrationMissingSourceModelError {
                // The tables may be those of the model all the same.
                settings.wantsMigration = false
                guard let opened = try? open(settings) else { throw missing }
                return opened
            }
            return try open(settings)
        }
    }

    private final func stagedManager(_ options: [AnyHashable: Any]?) throws -> NSStagedMigrationManager? {
        guard let value = options?[NSPersistentStoreStagedMigrationManagerOptionKey] else { return nil }
        guard let manager = value as? NSStagedMigrationManager else {
            throw NSError.coreData(
                NSCoreDataError,
                "The option \(NSPersistentStoreStagedMigrationManagerOptionKey) needs an NSStagedMigrationManager, and has a "
                    + "\(type(of: value))")
        }
        return manager
    }
}
