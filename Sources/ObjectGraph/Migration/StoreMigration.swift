import DataModel
import Foundation
import Storage

/// Migrates a store that is not open to another model.
struct StoreMigration {
    let model: NSManagedObjectModel
    let kind: any StoreKind
    let files: any StoreFiles
    let url: URL
    let options: StoreOptions

    func moved(to url: URL) -> StoreMigration {
        StoreMigration(model: model, kind: kind, files: files, url: url, options: options)
    }

    func to(_ model: NSManagedObjectModel) -> StoreMigration {
        StoreMigration(model: model, kind: kind, files: files, url: url, options: options)
    }

    /// - Throws: 134130 if the store's model is not found, 134140 if nothing says how to migrate, 134110 or 134111 if its
    ///   data does not fit, or an error of the store. The store is as it was then.
    func run() throws {
        let source = try findSource()
        let folders = options.modelFolders + ModelSearch.folders(of: nil)
        if let mapping = NSMappingModel(in: folders, forSourceModel: source, destinationModel: model) {
            return try migrate(from: source, mapping)
        }
        guard options.infersMapping else {
            throw failure(
                NSMigrationMissingMappingModelError,
                "there is no mapping model for it, and NSInferMappingModelAutomaticallyOption is off")
        }
        try migrateInferred(from: source)
    }

    func findSource() throws -> NSManagedObjectModel {
        try SourceModelSearch(url: url, files: files, metadata: files.metadata(of: url), folders: options.modelFolders).find()
    }

    /// Whether the store's version hashes are those of the model.
    func isDone() throws -> Bool {
        guard let hashes = try files.metadata(of: url)[StoreMetadata.hashesKey] as? [String: Data] else { return false }
        return model.matches(versionHashes: hashes, entities: model.entities)
    }

    func plan(from source: NSManagedObjectModel) throws -> MigrationPlan {
        let request = try makeRequest(from: source)
        guard let migration = files.migration else { return MigrationPlan(changes: request.inference.changes) }
        return try migration.plan(request, of: url, settings: options.settings)
    }

    // MARK: Inferred

    /// - Parameter isTrial: Whether the store is a copy for a trial: then nothing is told, and no backup kept.
    /// - Returns: What was done.
    @discardableResult
    func migrateInferred(from source: NSManagedObjectModel, isTrial: Bool = false) throws -> MigrationPlan {
        let request = try makeRequest(from: source)
        let obstacles = request.inference.obstacles
        guard obstacles.isEmpty else { throw cannotInfer(obstacles) }
        guard let migration = files.migration else {
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model)
            try migrate(from: source, mapping)
            return MigrationPlan(changes: request.inference.changes)
        }
        return try keepingBackup(unless: isTrial) {
            let plan = try migration.migrate(url, request, settings: options.settings)
            if !isTrial { report(plan) }
            return plan
        }
    }

    private func makeRequest(from source: NSManagedObjectModel) throws -> InPlaceMigrationRequest {
        let runtime = ModelRuntime.of(model)
        var request = InPlaceMigrationRequest(
            inference: MigrationInference(from: source, to: model), source: ModelLayout(source), destination: runtime.layout,
            defaults: try runtime.layout.entities.map { try DefaultRow.make($0, runtime) })
        request.allowsLosingValues = options.allowsLosingValues
        return request
    }

    /// What is dropped is told, once for each property.
    private func report(_ plan: MigrationPlan) {
        for change in plan.losses {
            NSManagedObjectModel.report("“\(url.lastPathComponent)” was migrated: \(change.description)")
        }
    }

    private func keepingBackup<Result>(unless isTrial: Bool, _ body: () throws -> Result) throws -> Result {
        let backup = options.keepsBackup && !isTrial ? try keepBackup() : nil
        do { return try body() } catch {
            // What has not been migrated needs no copy.
            if let backup { try? files.removeFiles(at: backup, settings: options.settings) }
            throw error
        }
    }

    private func keepBackup() throws -> URL? {
        guard let file = try files.file(at: url) else { return nil }
        let place = unusedPlace(beside: file, "-before-migration")
        try files.replace(place, settings: options.settings, with: url, sourceSettings: options.settings)
        return place
    }

    private func unusedPlace(beside file: URL, _ ending: String) -> URL {
        let folder = file.deletingLastPathComponent()
        let name = file.deletingPathExtension().lastPathComponent + ending
        let suffix = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
        var place = folder.appendingPathComponent(name + suffix)
        var number = 2
        while FileManager.default.fileExists(atPath: place.path) {
            place = folder.appendingPathComponent("\(name)-\(number)\(suffix)")
            number += 1
        }
        return place
    }

    // MARK: With a mapping model

    /// Makes a new store beside the old one, and puts it in its place.
    private func migrate(from source: NSManagedObjectModel, _ mapping: NSMappingModel) throws {
        guard let file = try files.file(at: url), FileManager.default.fileExists(atPath: file.path) else {
            throw StoreKinds.unsupported("The store “\(url.lastPathComponent)” can't be migrated", type: kind.type)
        }
        let place = unusedPlace(beside: file, "-migrating")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
        manager.usesStoreSpecificMigrationManager = false
        defer {
            try? files.removeFiles(at: place, settings: options.settings)
            try? FileManager.default.removeItem(at: place)
        }
        let given: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: options.settings.timeout]
        try manager.migrateStore(
            from: url, sourceType: kind.type, options: given, with: mapping, toDestinationURL: place, destinationType: kind.type,
            destinationOptions: given)
        try keepingBackup(unless: false) {
            guard kind is RegisteredStoreKind else {
                return try files.replace(url, settings: options.settings, with: place, sourceSettings: options.settings)
            }
            guard rename(place.path, file.path) == 0 else {
                throw failure(CocoaError.fileWriteUnknown.rawValue, String(cString: strerror(errno)))
            }
        }
    }

    // MARK: Errors

    private func cannotInfer(_ obstacles: [MigrationPlan.Change]) -> NSError {
        let reason = obstacles.map(\.description).joined(separator: "; ")
        let underlying = NSError.coreData(
            NSInferredMappingModelError, "A mapping can't be inferred: \(reason)", ["reason": reason])
        return failure(
            NSMigrationMissingMappingModelError,
            "there is no mapping model for it, and one can't be inferred: \(reason)", [NSUnderlyingErrorKey: underlying])
    }

    func failure(_ code: Int, _ reason: String, _ userInfo: [String: Any] = [:]) -> NSError {
        let info = userInfo.merging(["reason": reason, NSFilePathErrorKey: url.path]) { given, _ in given }
        return .coreData(code, "“\(url.lastPathComponent)” can't be migrated: \(reason)", info)
    }
}
