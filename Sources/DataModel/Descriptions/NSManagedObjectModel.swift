public import Foundation
import Synchronization

/// A model: the entities of an application, their properties and relationships.
///
/// Make one in code, or read it from a model file. Build and change a model on one thread. Once a coordinator uses it, it is
/// immutable, can be read from every thread, and changing it stops the program, as with Apple's framework.
// @unchecked Sendable: the stored properties are written only while one thread builds the model (rule of the class, stated
// above); `freeze()` runs before a coordinator hands the model to others, and every setter refuses afterwards, so all later
// access is reading. The frozen state is one atomic reference, which is set last: a thread that finds it set finds everything in
// the model frozen.
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
    private let frozenLookup = AtomicLazyReference<ModelLookup>()
    private let attachedRuntime = AtomicLazyReference<ModelRuntimeBox>()
    private var storedEntities: [NSEntityDescription] = []
    private var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]

    /// What the fetch requests that the model keeps by name ask for.
    package final var fetchTemplates: [String: FetchSettings] = [:] { willSet { requireMutable() } }

    /// Harmless faults of the file that the model was read from, each with its place: a default value that does not fit the
    /// type, an inverse that does not lead back, a fetch request whose predicate can't be read. Empty for models made in code.
    ///
    /// What a fault is about is left out of the model. Faults that would change what a store holds, such as an attribute of
    /// an unknown type, are not issues: the model can't be read. Not in Apple's framework, which takes such files in silence.
    public package(set) final var loadingIssues: [String] = [] { willSet { requireMutable() } }

    /// What a model file says for the model editor alone, by its XML attributes.
    package final var editorValues: [String: String] = [:] { willSet { requireMutable() } }

    /// Predicates as a model file writes them, by the texts that they are printed as.
    package final var editorPredicates: [String: String] = [:] { willSet { requireMutable() } }

    /// The model editor's drawing: the attributes of each box. Nil if the file has none.
    package final var editorDiagram: [[String: String]]? { willSet { requireMutable() } }

    /// Whether `indexes` holds also the index that Core Data adds for an attribute marked as indexed. True for models cached in a
    /// store.
    package final var listsImplicitIndexes = false { willSet { requireMutable() } }

    /// Whether the model is as a compiler leaves it, so that compiling it again changes nothing.
    package final var isCompiled = false { willSet { requireMutable() } }

    /// Makes an empty model.
    public required override init() {
        super.init()
    }

    // MARK: Entities

    /// The entities in the order given. An entity can be in one model only.
    public final var entities: [NSEntityDescription] {
        get { storedEntities }
        set {
            requireMutable()
            for entity in storedEntities where entity.owningModel === self { entity.owningModel = nil }
            for entity in newValue {
                if let other = entity.owningModel, other !== self {
                    preconditionFailure("The entity “\(entity.name ?? "")” is in another model already: use a copy")
                }
                entity.owningModel = self
            }
            storedEntities = newValue
            let kept = Set(newValue.map(ObjectIdentifier.init))
            entitiesByConfiguration = entitiesByConfiguration.mapValues { $0.filter { kept.contains(ObjectIdentifier($0)) } }
        }
    }

    /// The entities by name.
    public final var entitiesByName: [String: NSEntityDescription] {
        frozenLookup.load()?.entitiesByName ?? namedEntities()
    }

    private func namedEntities() -> [String: NSEntityDescription] {
        Dictionary(storedEntities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first }
    }

    // MARK: Configurations

    /// The names of the configurations, sorted. The default configuration, which holds every entity, is not among them.
    public final var configurations: [String] {
        entitiesByConfiguration.keys.sorted()
    }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: The name of a configuration; nil or "PF_DEFAULT_CONFIGURATION_NAME" for all entities.
    /// - Returns: The entities, or nil if the model has no such configuration.
    public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return storedEntities }
        return entitiesByConfiguration[configuration]
    }

    /// Sets the entities of a configuration, and makes it if it is new.
    ///
    /// - Parameters:
    ///   - entities: Entities of this model; others are a programmer error and stop the program.
    ///   - configuration: The name of the configuration.
    public final func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireMutable()
        for entity in entities where entity.owningModel !== self {
            preconditionFailure("The entity “\(entity.name ?? "")” of configuration “\(configuration)” is not in the model")
        }
        entitiesByConfiguration[configuration] = entities
    }

    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// What the names in the model are in the user's language: keys such as "Entity/Movie" or "Property/title/Entity/Movie".
    ///
    /// Nil unless set. It is kept and copied, and has no effect here. Apple's framework also looks for a `.strings` file beside
    /// the model, and uses it in messages about values that are refused.
    public final var localizationDictionary: [String: String]? { willSet { requireMutable() } }

    // MARK: Versions

    /// The developer's names for this version of the model.
    public final var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    /// The version hash of each entity by its name.
    ///
    /// The values are those of Apple's compiler for models that came with them: from a `.momd`, from a folder with a
    /// `VersionInfo.plist` or an `OpenCoreDataHashes.json`, or from a store. Otherwise, and for entities that were changed since,
    /// they differ from Apple's, whose computation is not public.
    public final var entityVersionHashesByName: [String: Data] {
        frozenLookup.load()?.versionHashes ?? namedEntities().mapValues(\.versionHash)
    }

    /// Version hashes of Apple's compiler by the hashes that this package computes for the same entities.
    package final var knownVersionHashes: [Data: Data] = [:] { willSet { requireMutable() } }

    /// One text that stands for the version hashes of all entities.
    ///
    /// It is computed from the hashes as Apple's framework does it; where the hashes differ from Apple's, it differs as well.
    public final var versionChecksum: String {
        VersionHashes.checksum(of: entityVersionHashesByName)
    }

    /// Whether the version hashes in some metadata are those of a configuration's entities. Nil for metadata without hashes, or
    /// an unknown configuration.
    package final func hasVersionHashes(of metadata: [String: Any], configuration: String?) -> Bool? {
        guard let entities = entities(forConfigurationName: configuration),
            let hashes = metadata[VersionHashes.metadataKey] as? [String: Data]
        else { return nil }
        return matches(versionHashes: hashes, entities: entities)
    }

    // MARK: Copying

    /// A copy of the whole model, its entities and properties, which can be changed. Links lead to the copies.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        var propertyMap: [ObjectIdentifier: NSPropertyDescription] = [:]
        var entityMap: [ObjectIdentifier: NSEntityDescription] = [:]
        var copies: [NSEntityDescription] = []
        for entity in storedEntities {
            let entityCopy = type(of: entity).init()
            entity.copyValues(to: entityCopy, propertyMap: &propertyMap)
            entityMap[ObjectIdentifier(entity)] = entityCopy
            copies.append(entityCopy)
        }
        for (entity, entityCopy) in zip(storedEntities, copies) {
            entityCopy.subentities = entity.subentities.compactMap { entityMap[ObjectIdentifier($0)] }
            entity.copyIndexes(to: entityCopy, propertyMap: propertyMap)
            for case let property as NSFetchedPropertyDescription in entityCopy.ownProperties {
                property.fetchSettings = property.fetchSettings?.replacingEntity { entityMap[ObjectIdentifier($0)] }
            }
            for case let relationship as NSRelationshipDescription in entityCopy.ownProperties {
                relationship.destinationEntity = relationship.destinationEntity.flatMap { entityMap[ObjectIdentifier($0)] }
                relationship.inverseRelationship = relationship.inverseRelationship.flatMap {
                    propertyMap[ObjectIdentifier($0)] as? NSRelationshipDescription
                }
            }
        }
        copy.entities = copies
        for (name, entities) in entitiesByConfiguration {
            copy.setEntities(entities.compactMap { entityMap[ObjectIdentifier($0)] }, forConfigurationName: name)
        }
        copy.fetchTemplates = fetchTemplates.mapValues { $0.replacingEntity { entityMap[ObjectIdentifier($0)] } }
        copy.versionIdentifiers = versionIdentifiers
        copy.knownVersionHashes = knownVersionHashes
        copy.localizationDictionary = localizationDictionary
        copy.loadingIssues = loadingIssues
        copy.editorValues = editorValues
        copy.editorDiagram = editorDiagram
        copy.editorPredicates = editorPredicates
        copy.listsImplicitIndexes = listsImplicitIndexes
        copy.isCompiled = isCompiled
        return copy
    }

    // MARK: Freezing

    /// Whether the model is in use, so that it can't be changed.
    package final var isFrozen: Bool {
        frozenLookup.load() != nil
    }

    /// Makes the model with everything in it immutable. May be called from every thread, and again.
    package final func freeze() {
        guard !isFrozen else { return }
        for element in storedEntities { element.freeze() }
        _ = frozenLookup.storeIfNil(ModelLookup(entitiesByName: namedEntities()))
    }

    /// What a higher layer computes once for a frozen model. If two threads make one at the same time, the first that is stored
    /// serves both.
    package final func runtime<Runtime: ModelRuntimeProtocol>(make: () -> Runtime) -> Runtime {
        freeze()
        if let runtime = attachedRuntime.load()?.runtime as? Runtime { return runtime }
        let made = make()
        return attachedRuntime.storeIfNil(ModelRuntimeBox(made)).runtime as? Runtime ?? made
    }

    package final func requireMutable() {
        if isFrozen { preconditionFailure("Can't modify an immutable model: \(self)") }
    }

    // MARK: Equality

    /// Whether another model says the same: see ``differences(from:)``.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || differences(from: other).isEmpty
    }

    /// The same for models whose entities have the same names.
    open override var hash: Int { Set(storedEntities.map(\.name)).hashValue }

    /// The names of the entities, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(storedEntities.map { $0.name ?? "?" }.joined(separator: ", "))>"
    }
}
