public import DataModel
public import Foundation

/// A step of a staged migration. Use a subclass.
///
/// Set stages up on one thread, before a store is loaded with them.
// @unchecked Sendable: the properties are set by one thread before the store is loaded, by the rule above.
open class NSMigrationStage: NSObject, @unchecked Sendable {
    /// A name for messages.
    public final var label: String?

    /// The versions that the stage names.
    var checksums: [String] { [] }
}

/// Versions of a model between which a store can be migrated by inference.
// @unchecked Sendable: the versions are constant; for the rest see the superclass.
open class NSLightweightMigrationStage: NSMigrationStage, @unchecked Sendable {
    /// The checksums of the versions.
    public final let versionChecksums: [String]

    /// Makes a stage.
    ///
    /// - Parameter versionChecksums: The checksums of the versions, the oldest first.
    public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }

    override var checksums: [String] { versionChecksums }
}

/// A migration from one version of a model to the next, with code before and after it.
// @unchecked Sendable: the models are constant; for the rest see the superclass.
open class NSCustomMigrationStage: NSMigrationStage, @unchecked Sendable {
    /// The older model.
    public final let currentModel: NSManagedObjectModelReference
    /// The newer model.
    public final let nextModel: NSManagedObjectModelReference

    /// What is done with the older model, before the store is migrated. Changes must be saved. An error ends the loading of
    /// the store, which throws it.
    public final var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// What is done with the newer model, after the store was migrated. Changes must be saved. An error ends the loading of
    /// the store, which throws it. If the program ends in between, it is called when the store is loaded again, so that it
    /// may find work half done.
    public final var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - currentModel: The older model.
    ///   - nextModel: The newer model, to which the older one must lead by inference.
    public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) {
        (self.currentModel, self.nextModel) = (currentModel, nextModel)
    }

    override var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }
}

/// Migrates stores of any older version step by step. Give it as the option
/// ``NSPersistentStoreStagedMigrationManagerOptionKey``.
///
/// ```swift
/// let stage = NSCustomMigrationStage(migratingFrom: first, to: second)
/// stage.didMigrateHandler = { manager, stage in
///     guard let context = manager.container?.newBackgroundContext() else { return }
///     try context.performAndWait { …; try context.save() }
/// }
/// let manager = NSStagedMigrationManager([stage, NSLightweightMigrationStage([third])])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// Loading begins with the first stage that names the version of the store. Every custom stage from there on is carried
/// out, with an inferred migration to its older model before it where needed, and an inferred migration to the model of the
/// coordinator ends it. Each of these migrations is all or nothing, and a program that was stopped goes on from where it
/// was.
///
/// For one store at a time, on the thread that loads it.
// @unchecked Sendable: the stages are constant, and the container is set by the thread that loads the store, by the rule above.
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
    /// The stages in their order.
    public final let stages: [NSMigrationStage]

    /// While a handler is called: a container with the store that is migrated, and with the model of that moment. Nil at other
    /// times.
    public final internal(set) var container: NSPersistentContainer?

    /// Makes a manager.
    ///
    /// - Parameter stages: The stages, those for the oldest versions first.
    public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}
