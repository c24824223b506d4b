import DataModel
import Foundation
import Storage

/// The two stores of a migration, open, each with a context.
final class MigrationStack {
    struct Place {
        let model: NSManagedObjectModel
        let type: String
        let url: URL
        let options: [AnyHashable: Any]?
    }

    let sourceContext: NSManagedObjectContext
    let destinationContext: NSManagedObjectContext
    private let stores: [(coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore)]

    init(source: Place, destination: Place) throws {
        var place = source
        let options = (source.options ?? [:]).merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
        place = Place(model: source.model, type: source.type, url: source.url, options: options)
        let older = try Self.open(place, NSMigrationManagerSourceStoreError)
        do {
            let newer = try Self.open(destination, NSMigrationManagerDestinationStoreError)
            stores = [older, newer]
            sourceContext = NSManagedObjectContext(.privateQueue)
            sourceContext.persistentStoreCoordinator = older.coordinator
            destinationContext = NSManagedObjectContext(.privateQueue)
            destinationContext.persistentStoreCoordinator = newer.coordinator
            destinationContext.undoManager = nil
            // The application's metadata go along.
            let given = (older.store.metadata ?? [:]).filter { !StoreMetadata.reservedKeys.contains($0.key) }
            newer.store.metadata = (newer.store.metadata ?? [:]).merging(given) { own, _ in own }
        } catch {
            try? older.coordinator.remove(older.store)
            throw error
        }
    }

    private static func open(
        _ place: Place, _ code: Int
    ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: place.model)
        do {
            let store = try coordinator.addPersistentStore(
                ofType: place.type, configurationName: nil, at: place.url, options: place.options)
            return (coordinator, store)
        } catch {
            throw NSError.coreData(
                code, "The store can't be used for a migration: \(error.localizedDescription)",
                [NSUnderlyingErrorKey: error, NSFilePathErrorKey: place.url.path])
        }
    }

    /// Closes both stores. Done twice it does nothing more.
    func close() {
        for (coordinator, store) in stores where coordinator.persistentStores.contains(store) { try? coordinator.remove(store) }
    }
}

/// Which older objects have become which newer ones, by mapping.
struct MigrationAssociations {
    private struct Pairs {
        var sources: [ObjectIdentifier: [NSManagedObject]] = [:]
        var destinations: [ObjectIdentifier: [NSManagedObject]] = [:]
        var allSources: [NSManagedObject] = []
        var allDestinations: [NSManagedObject] = []
    }

    private var pairs: [String: Pairs] = [:]

    mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, mapping: String) {
        var known = pairs.removeValue(forKey: mapping) ?? Pairs()
        if known.destinations[ObjectIdentifier(source)] == nil { known.allSources.append(source) }
        if known.sources[ObjectIdentifier(destination)] == nil { known.allDestinations.append(destination) }
        known.destinations[ObjectIdentifier(source), default: []].append(destination)
        known.sources[ObjectIdentifier(destination), default: []].append(source)
        pairs[mapping] = known
    }

    /// - Parameter mapping: Nil for all.
    func destinations(of sources: [NSManagedObject]?, mapping: String?) -> [NSManagedObject] {
        guard let mapping else {
            return (sources ?? []).flatMap { source in
                pairs.sorted { $0.key < $1.key }.flatMap { $0.value.destinations[ObjectIdentifier(source)] ?? [] }
            }
        }
        guard let known = pairs[mapping] else { return [] }
        guard let sources else { return known.allDestinations }
        return sources.flatMap { known.destinations[ObjectIdentifier($0)] ?? [] }
    }

    func sources(of destinations: [NSManagedObject]?, mapping: String) -> [NSManagedObject] {
        guard let known = pairs[mapping] else { return [] }
        guard let destinations else { return known.allSources }
        return destinations.flatMap { known.sources[ObjectIdentifier($0)] ?? [] }
    }
}

/// Counts the steps of a migration.
struct MigrationSteps {
    let count: Int
    let report: (Float) -> Void
    private var finished = 0

    init(count: Int, report: @escaping (Float) -> Void) {
        self.count = count
        self.report = report
    }

    mutating func finish() {
        finished += 1
        report(Float(finished) / Float(max(1, count)))
    }

    /// Tells of every hundredth part of a step.
    func advance(_ index: Int, of total: Int) {
        let part = max(1, total / 100)
        guard index % part == 0 else { return }
        report((Float(finished) + Float(index) / Float(max(1, total))) / Float(max(1, count)))
    }
}

/// Finds the policies of entity mappings, and what in a mapping contradicts the models.
enum MigrationPolicies {
    static func policy(of mapping: NSEntityMapping, in manager: NSMigrationManager) throws -> NSEntityMigrationPolicy {
        try check(mapping, manager)
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
        let simple = name.hasPrefix(".") ? String(name.dropFirst()) : name
        var found = NSClassFromString(simple)
        if found == nil, !simple.contains(".") {
            found = LoadedModules.names.lazy.compactMap { NSClassFromString("\($0).\(simple)") }.first
        }
        guard let policyClass = found as? NSEntityMigrationPolicy.Type else {
            throw failure(
                found == nil
                    ? "there is no class “\(name)” in the program. Write its name with its module, as in “App.\(simple)”"
                    : "the class “\(name)” is not a subclass of NSEntityMigrationPolicy", mapping)
        }
        return policyClass.init()
    }

    private static func check(_ mapping: NSEntityMapping, _ manager: NSMigrationManager) throws {
        if let name = mapping.sourceEntityName, manager.sourceEntity(for: mapping) == nil {
            throw failure("the older model has no entity “\(name)”", mapping)
        }
        guard let name = mapping.destinationEntityName else { return }
        guard let entity = manager.destinationEntity(for: mapping) else {
            throw failure("the newer model has no entity “\(name)”", mapping)
        }
        for property in mapping.attributeMappings ?? [] where entity.attributesByName[property.name ?? ""] == nil {
            throw failure("“\(name)” has no attribute “\(property.name ?? "")” in the newer model", mapping)
        }
        for property in mapping.relationshipMappings ?? [] where entity.relationshipsByName[property.name ?? ""] == nil {
            throw failure("“\(name)” has no relationship “\(property.name ?? "")” in the newer model", mapping)
        }
        guard mapping.mappingType == .copyEntityMappingType, let source = manager.sourceEntity(for: mapping),
            source.structuralHash != entity.structuralHash
        else { return }
        throw failure("it copies objects, but “\(name)” has changed: its version hashes differ", mapping)
    }

    private static func failure(_ reason: String, _ mapping: NSEntityMapping) -> NSError {
        .coreData(
            NSMigrationError, "The entity mapping “\(mapping.name ?? "")” can't be carried out: \(reason)", ["reason": reason])
    }
}
