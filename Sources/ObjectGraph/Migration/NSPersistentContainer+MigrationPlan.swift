public import DataModel
public import Foundation
import Storage

extension NSPersistentContainer {
    /// What a migration of a store to the container's model would do, and what would be lost, before anything is touched.
    ///
    /// The differences of both models are listed, each with what will be done to the store or why it can't be done and what
    /// would help. Rows and values are counted. The store need not be open, and is only read.
    ///
    /// ```swift
    /// let plan = try container.migrationPlan(forStoreAt: url)
    /// guard plan.canBeInferred, plan.losses.isEmpty else { return print(plan) }
    /// ```
    ///
    /// Not in Apple's framework. May be called on every thread.
    ///
    /// - Parameter url: The store. Options are those of the description with this URL, if there is one.
    /// - Throws: 134130 if the model that the store was made with is not found; 260 for a missing file, 259 for a file that
    ///   is not a store, 134150 if the store's tables are not those of its model.
    public final func migrationPlan(forStoreAt url: URL) throws -> MigrationPlan {
        let migration = try makeMigration(of: url)
        guard try !migration.isDone() else { return MigrationPlan(changes: [], isNeeded: false) }
        return try migration.plan(from: migration.findSource())
    }

    /// Migrates a copy of a store, to see whether it can be done. The store stays as it is.
    ///
    /// The copy is in a folder of its own beside the temporary files, and is removed at the end. Not in Apple's framework.
    /// May be called on every thread.
    ///
    /// - Parameter url: The store. Options are those of the description with this URL, if there is one.
    /// - Returns: What was done to the copy.
    /// - Throws: What keeps the store from being migrated, as loading it would throw it; or an error of copying.
    public final func tryMigration(ofStoreAt url: URL) throws -> MigrationPlan {
        let migration = try makeMigration(of: url)
        guard try !migration.isDone() else { return MigrationPlan(changes: [], isNeeded: false) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataMigration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        let settings = migration.options.settings
        try migration.files.replace(copy, settings: settings, with: url, sourceSettings: settings)
        let (trial, source) = (migration.moved(to: copy), try migration.findSource())
        let plan = try trial.plan(from: source)
        try trial.migrateInferred(from: source, isTrial: true)
        return plan
    }

    private final func makeMigration(of url: URL) throws -> StoreMigration {
        let place = url.standardizedFileURL
        let description =
            persistentStoreDescriptions.first { $0.url?.standardizedFileURL == place } ?? NSPersistentStoreDescription(url: url)
        let kind = try StoreKinds.kind(description.type)
        return StoreMigration(
            model: managedObjectModel, kind: kind, files: try StoreKinds.files(description.type), url: url,
            options: try StoreOptions(description.options))
    }
}
