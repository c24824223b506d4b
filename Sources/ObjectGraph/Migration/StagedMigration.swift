import DataModel
import Foundation
import Storage

/// Carries out the stages of a manager that a store needs.
struct StagedMigration {
    let manager: NSStagedMigrationManager
    let migration: StoreMigration
    /// The metadata that a store has while a custom stage is not finished: the checksum of its newer model.
    private static let pendingKey = "_OpenCoreDataPendingStage"

    func run() throws {
        try checkDuplicates()
        var source = try migration.findSource()
        let (start, end) = try range(from: checksum())
        for index in start...max(start, end) {
            guard let stage = manager.stages[index] as? NSCustomMigrationStage else { continue }
            source = try carryOut(stage, from: source)
        }
        guard try !migration.isDone() else { return }
        try migration.migrateInferred(from: source)
    }

    /// - Returns: The model that the store has now.
    private func carryOut(_ stage: NSCustomMigrationStage, from source: NSManagedObjectModel) throws -> NSManagedObjectModel {
        let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
        if try migration.to(next).isDone() {
            // It was done before, or it was not finished.
            if try isPending(stage) { try finish(stage, next) }
            return next
        }
        if try !migration.to(current).isDone() { try migration.to(current).migrateInferred(from: source) }
        if let handler = stage.willMigrateHandler { try with(current) { try handler(manager, stage) } }
        try setPending(stage.didMigrateHandler == nil ? nil : stage.nextModel.versionChecksum)
        try migration.to(next).migrateInferred(from: current)
        try finish(stage, next)
        return next
    }

    private func finish(_ stage: NSCustomMigrationStage, _ model: NSManagedObjectModel) throws {
        guard let handler = stage.didMigrateHandler else { return }
        try with(model) { try handler(manager, stage) }
        try setPending(nil)
    }

    /// Runs a handler while the manager's container has the store open.
    private func with(_ model: NSManagedObjectModel, _ body: () throws -> Void) throws {
        let container = NSPersistentContainer(
            name: migration.url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: migration.url)
        description.type = migration.kind.type
        description.shouldMigrateStoreAutomatically = false
        description.timeout = migration.options.settings.timeout
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        manager.container = container
        defer {
            manager.container = nil
            for store in container.persistentStoreCoordinator.persistentStores {
                try? container.persistentStoreCoordinator.remove(store)
            }
        }
        try body()
    }

    // MARK: Metadata

    private func metadata() throws -> [String: Any] { try migration.files.metadata(of: migration.url) }

    /// That of the version hashes: what is written in the file may be older.
    private func checksum() throws -> String {
        VersionHashes.checksum(of: try metadata()[StoreMetadata.hashesKey] as? [String: Data] ?? [:])
    }

    private func isPending(_ stage: NSCustomMigrationStage) throws -> Bool {
        try metadata()[Self.pendingKey] as? String == stage.nextModel.versionChecksum
    }

    private func setPending(_ checksum: String?) throws {
        var given = try metadata().filter { !StoreMetadata.reservedKeys.contains($0.key) }
        guard given[Self.pendingKey] as? String != checksum else { return }
        given[Self.pendingKey] = checksum
        try migration.files.setMetadata(given, of: migration.url, settings: migration.options.settings)
    }

    // MARK: Order

    /// A version may stand in two stages only as the newer one of a custom stage and the older one of the next.
    private func checkDuplicates() throws {
        var seen: Set<String> = []
        var last: String?
        for stage in manager.stages {
            for (index, checksum) in stage.checksums.enumerated() {
                if index == 0, stage is NSCustomMigrationStage, checksum == last { continue }
                guard seen.insert(checksum).inserted else {
                    throw migration.failure(
                        NSMigrationError,
                        "Duplicate version checksums across stages detected: \(checksum) is in two of them"
                            + (stage.label.map { ", one is “\($0)”" } ?? ""))
                }
            }
            last = (stage as? NSCustomMigrationStage)?.nextModel.versionChecksum
        }
    }

    /// The stages of the store's version and of the coordinator's.
    private func range(from checksum: String) throws -> (start: Int, end: Int) {
        let stages = manager.stages
        guard let start = stages.firstIndex(where: { fits($0, checksum) }) else {
            throw migration.failure(
                NSManagedObjectModelReferenceNotFoundError,
                "no stage names the version that it was made with, \(checksum). Add a lightweight stage with this checksum")
        }
        let target = migration.model.versionChecksum
        guard let end = stages.lastIndex(where: { $0.checksums.contains(target) }) else { return (start, stages.count - 1) }
        guard end >= start else {
            throw migration.failure(
                NSStagedMigrationBackwardMigrationError,
                "it can't be migrated backwards: the stage of its version comes behind that of the model")
        }
        return (start, end)
    }

    /// Checksums of hashes that this package computes are known by comparing with the model.
    private func fits(_ stage: NSMigrationStage, _ checksum: String) -> Bool {
        if stage.checksums.contains(checksum) { return true }
        guard let stage = stage as? NSCustomMigrationStage else { return false }
        return [stage.currentModel, stage.nextModel].contains { reference in
            guard let model = try? reference.resolve() else { return false }
            return (try? migration.to(model).isDone()) == true
        }
    }
}
