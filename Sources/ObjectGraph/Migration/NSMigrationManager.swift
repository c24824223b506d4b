public import DataModel
public import Foundation
public import Predicates
import Storage
import Synchronization

/// Makes a store of a newer model out of one of an older model, as a mapping model says.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: older, destinationModel: newer)
/// try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: newURL, type: .sqlite)
/// ```
///
/// The source stays as it is. A manager is for one thread at a time; ``migrationProgress`` and ``cancelMigrationWithError(_:)``
/// may be used on every thread.
// @unchecked Sendable: what other threads may use is in a mutex; everything else belongs to the thread that migrates, by
// the rule of the class.
open class NSMigrationManager: NSObject, KeyValueCoding, ExpressionFunctionTarget, @unchecked Sendable {
    private struct Shared {
        var progress: Float = 0
        var cancellation: (any Error)?
    }

    /// The older model.
    public final let sourceModel: NSManagedObjectModel
    /// The newer model.
    public final let destinationModel: NSManagedObjectModel
    /// The mapping model that is carried out.
    public final private(set) var mappingModel: NSMappingModel
    /// Whether a store that can be migrated in place is, if the mapping was inferred: then no policy is asked. True by default.
    public final var usesStoreSpecificMigrationManager = true
    /// What the program wants to have at hand in policies.
    public final var userInfo: [AnyHashable: Any]?
    /// The closures that complete objects; see `migrate(_:to:_:)`.
    final var completions: [ObjectCompletion] = []

    private let shared = Mutex(Shared())
    private final var stack: MigrationStack?
    private final var associations = MigrationAssociations()
    private final var current: NSEntityMapping?

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - sourceModel: The older model.
    ///   - destinationModel: The newer model.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        mappingModel = NSMappingModel()
        super.init()
    }

    // MARK: Contexts

    /// The context of the older objects. It is there while a store is migrated; before and after, using it stops the program.
    public final var sourceContext: NSManagedObjectContext {
        guard let stack else { preconditionFailure("A migration manager has contexts only while it migrates a store") }
        return stack.sourceContext
    }

    /// The context of the newer objects; see ``sourceContext``.
    public final var destinationContext: NSManagedObjectContext {
        guard let stack else { preconditionFailure("A migration manager has contexts only while it migrates a store") }
        return stack.destinationContext
    }

    /// The entity mapping that is carried out. Using it at another time stops the program.
    public final var currentEntityMapping: NSEntityMapping {
        guard let current else { preconditionFailure("A migration manager has a current mapping only while it migrates a store") }
        return current
    }

    /// How much is done, from 0 to 1; 0 before and after.
    public final var migrationProgress: Float { shared.withLock { $0.progress } }

    /// Stops the migration before the next object. `migrateStore` throws this error.
    public final func cancelMigrationWithError(_ error: any Error) { shared.withLock { $0.cancellation = error } }

    /// Forgets what a migration has left, so that the manager may be used again.
    public final func reset() {
        stack = nil
        current = nil
        associations = MigrationAssociations()
        shared.withLock { $0 = Shared() }
    }

    // MARK: Entities and instances

    /// The older entity of a mapping; nil for a new one.
    public final func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }

    /// The newer entity of a mapping; nil for one that is gone.
    public final func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }

    /// Notes that an older object becomes a newer one.
    public final func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations.add(sourceInstance, destinationInstance, mapping: entityMapping.name)
    }

    /// The newer objects that a mapping has made.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - sourceInstances: The older objects; nil for all.
    public final func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.destinations(of: sourceInstances, mapping: mappingName)
    }

    /// The older objects from which a mapping has made newer ones.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - destinationInstances: The newer objects; nil for all.
    public final func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.sources(of: destinationInstances, mapping: mappingName)
    }

    // MARK: Expressions

    /// `$manager.sourceContext` and `$manager.destinationContext`; nil for other keys.
    public final func value(forKey key: String) -> Any? {
        switch key {
        case "sourceContext": stack?.sourceContext
        case "destinationContext": stack?.destinationContext
        case "sourceModel": sourceModel
        case "destinationModel": destinationModel
        case "userInfo": userInfo
        default: nil
        }
    }

    /// What the expressions of mapping models call.
    public final func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        switch (name, arguments.first ?? nil) {
        case ("fetchRequestForSourceEntityNamed:predicateString:", let entity as String) where arguments.count == 2:
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.includesSubentities = false
            if let format = arguments[1] as? String, format != "TRUEPREDICATE" {
                request.predicate = try NSPredicate(validating: format)
            }
            return request
        case ("destinationInstancesForEntityMappingNamed:sourceInstances:", let mapping as String) where arguments.count == 2:
            return destinationInstances(forEntityMappingName: mapping, sourceInstances: MigratedObjects.list(arguments[1]))
        case ("destinationInstancesForSourceRelationshipNamed:sourceInstances:", _) where arguments.count == 2:
            return associations.destinations(of: MigratedObjects.list(arguments[1]), mapping: nil)
        default:
            throw NSError.coreData(
                NSMigrationError, "NSMigrationManager has no function “\(name)” with \(arguments.count) arguments like these")
        }
    }

    final func value(
        of expression: _NSExpression, _ property: NSPropertyMapping?, _ mapping: NSEntityMapping,
        _ policy: NSEntityMigrationPolicy, source: NSManagedObject?, destination: NSManagedObject?
    ) throws -> Any? {
        let variables: [String: Any?] = [
            NSMigrationManagerKey: self, NSMigrationSourceObjectKey: source, NSMigrationDestinationObjectKey: destination,
            NSMigrationEntityMappingKey: mapping, NSMigrationPropertyMappingKey: property, NSMigrationEntityPolicyKey: policy,
        ]
        let context = NSMutableDictionary()
        for (name, value) in variables { context[name] = value ?? NSNull() }
        do {
            return try expression.value(validating: source, context: context)
        } catch {
            let place = [mapping.name, property?.name].compactMap { $0 }.joined(separator: ".")
            throw NSError.coreData(
                NSMigrationError, "The value of “\(place)” can't be computed: \(error.localizedDescription)",
                ["reason": "\(error)", NSUnderlyingErrorKey: error])
        }
    }

    // MARK: Migrating

    /// Makes a store of the newer model at another place.
    ///
    /// - Parameters:
    ///   - sourceURL: The older store, which stays as it is.
    ///   - sStoreType: Its type.
    ///   - sOptions: Options to open it with. It is only read.
    ///   - mappings: How objects are made; nil to infer it, as far as closures given to `migrate(_:to:_:)` don't say it.
    ///   - dURL: Where the newer store goes. Nothing may be there.
    ///   - dStoreType: Its type.
    ///   - dOptions: Options to make it with.
    /// - Throws: The error given to ``cancelMigrationWithError(_:)``, or that of a policy; 134190 if a mapping can't be
    ///   inferred; 134110 for a mapping that contradicts the models, and for objects that can't be saved; 134150 and 134160
    ///   if a store can't be opened. Nothing of the newer store is left then.
    public final func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        guard sourceURL.standardizedFileURL.resolvingSymlinksInPath() != dURL.standardizedFileURL.resolvingSymlinksInPath() else {
            throw NSError.coreData(
                NSMigrationError, "A store can't be migrated to its own place, \(sourceURL.path): give another URL")
        }
        mappingModel = try mappings ?? inferMapping()
        let files = try StoreKinds.kind(dStoreType).files
        let settings = try StoreOptions(dOptions).settings
        let isFile = try files?.file(at: dURL) != nil
        if isFile { try requireNothing(at: dURL, files, settings) }
        defer { finish() }
        do {
            if try migrateInPlace(sourceURL, sStoreType, sOptions, dURL, dStoreType, dOptions) { return }
            stack = try MigrationStack(
                source: .init(model: sourceModel, type: sStoreType, url: sourceURL, options: sOptions),
                destination: .init(model: destinationModel, type: dStoreType, url: dURL, options: dOptions))
            try run()
        } catch {
            stack?.close()
            if isFile { try? files?.removeFiles(at: dURL, settings: settings) }
            throw error
        }
    }

    /// Makes a store of the newer model at another place; see
    /// ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)``.
    public final func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel?, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue, destinationOptions: destinationOptions)
    }

    private func requireNothing(at url: URL, _ files: (any StoreFiles)?, _ settings: StoreSettings) throws {
        guard files is RegisteredStoreFiles else { return try files?.requireNothing(at: url, settings: settings) ?? () }
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        throw NSError.coreData(
            CocoaError.fileWriteFileExists.rawValue, "A store can't be migrated to \(url.path): something is there",
            [NSFilePathErrorKey: url.path])
    }

    private func finish() {
        stack?.close()
        stack = nil
        current = nil
        associations = MigrationAssociations()
        shared.withLock { $0 = Shared() }
    }

    private func inferMapping() throws -> NSMappingModel {
        guard !completions.isEmpty else {
            return try NSMappingModel.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel)
        }
        let inference = MigrationInference(from: sourceModel, to: destinationModel)
        let own = Set(completions.map(\.destination))
        let obstacles = inference.obstacles.filter { !own.contains($0.entity) || $0.property == nil }
        guard obstacles.isEmpty else {
            let reason = obstacles.map(\.description).joined(separator: "; ")
            throw NSError.coreData(NSInferredMappingModelError, "A mapping can't be inferred: \(reason)", ["reason": reason])
        }
        let model = NSMappingModel.inferred(inference)
        model.inferredText = nil
        return model
    }

    /// A copy that is migrated by SQL, where the store can do that and no code is to be asked.
    private func migrateInPlace(
        _ sourceURL: URL, _ sourceType: String, _ sourceOptions: [AnyHashable: Any]?, _ url: URL, _ type: String,
        _ options: [AnyHashable: Any]?
    ) throws -> Bool {
        let kind = try StoreKinds.kind(type)
        guard usesStoreSpecificMigrationManager, mappingModel.isInferred, sourceType == type, let files = kind.files,
            files.migration != nil, try files.file(at: url) != nil, try files.file(at: sourceURL) != nil
        else { return false }
        let storeOptions = try StoreOptions(options)
        try files.replace(
            url, settings: storeOptions.settings, with: sourceURL, sourceSettings: try StoreOptions(sourceOptions).settings)
        try StoreMigration(model: destinationModel, kind: kind, files: files, url: url, options: storeOptions)
            .migrateInferred(from: sourceModel)
        return true
    }

    private func run() throws {
        guard let stack else { return }
        let mappings = mappingModel.entityMappings ?? []
        let policies = try mappings.map { (mapping: $0, policy: try MigrationPolicies.policy(of: $0, in: self)) }
        // This thread waits for both queues, so that what is captured is used by one thread at a time.
        nonisolated(unsafe) let work = { try self.carryOut(policies) }
        nonisolated(unsafe) let (source, destination) = (stack.sourceContext, stack.destinationContext)
        try source.performAndWait { try destination.performAndWait { try work() } }
    }

    private func carryOut(_ policies: [(mapping: NSEntityMapping, policy: NSEntityMigrationPolicy)]) throws {
        var steps = MigrationSteps(count: policies.count * 2) { progress in self.shared.withLock { $0.progress = progress } }
        for (mapping, policy) in policies {
            current = mapping
            try policy.begin(mapping, with: self)
            let sources = try sources(of: mapping, policy)
            for (index, source) in sources.enumerated() {
                try checkCancellation()
                try policy.createDestinationInstances(forSource: source, in: mapping, manager: self)
                steps.advance(index, of: sources.count)
            }
            try policy.endInstanceCreation(forMapping: mapping, manager: self)
            steps.finish()
        }
        for (mapping, policy) in policies {
            current = mapping
            let made = destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
            for (index, instance) in made.enumerated() {
                try checkCancellation()
                try policy.createRelationships(forDestination: instance, in: mapping, manager: self)
                steps.advance(index, of: made.count)
            }
            try complete(mapping, made)
            try policy.endRelationshipCreation(forMapping: mapping, manager: self)
            steps.finish()
        }
        for (mapping, policy) in policies {
            current = mapping
            try checkCancellation()
            try policy.performCustomValidation(forMapping: mapping, manager: self)
        }
        for (mapping, policy) in policies {
            current = mapping
            try policy.end(mapping, manager: self)
        }
        try checkCancellation()
        try save()
    }

    private func complete(_ mapping: NSEntityMapping, _ instances: [NSManagedObject]) throws {
        for completion in completions
        where completion.source == mapping.sourceEntityName && completion.destination == mapping.destinationEntityName {
            for instance in instances {
                try checkCancellation()
                let sources = sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [instance])
                guard let source = sources.first else { continue }
                try completion.body(source, instance, destinationContext)
            }
        }
    }

    private func sources(of mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> [NSManagedObject] {
        guard let entity = sourceEntity(for: mapping), let name = entity.name, mapping.mappingType != .removeEntityMappingType,
            mapping.mappingType != .addEntityMappingType
        else { return [] }
        guard let expression = mapping.sourceExpression else {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            return try sourceContext.fetch(request)
        }
        return MigratedObjects.list(try value(of: expression, nil, mapping, policy, source: nil, destination: nil))
    }

    private func checkCancellation() throws {
        if let error = shared.withLock({ $0.cancellation }) { throw error }
    }

    private func save() throws {
        do { try destinationContext.save() } catch {
            throw NSError.coreData(
                NSMigrationError, "The migrated objects can't be saved: \(error.localizedDescription)",
                ["reason": error.localizedDescription, NSUnderlyingErrorKey: error])
        }
    }
}
