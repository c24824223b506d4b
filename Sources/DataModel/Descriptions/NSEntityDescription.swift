public import Foundation
import Synchronization

/// What a model says about one kind of object: its name, class, properties and place in the inheritance tree.
///
/// Build and change descriptions on one thread. Once a coordinator uses the model they are immutable, can be read from every
/// thread, and changing one stops the program, as with Apple's framework.
// @unchecked Sendable: the stored properties are written only while one thread builds the model (rule of the class, stated
// above); `freeze()` runs before a coordinator hands the model to others, and every setter refuses afterwards, so all later
// access is reading. The frozen state is one atomic reference, because two coordinators on two threads may freeze the same model.
open class NSEntityDescription: NSObject, NSCopying, @unchecked Sendable {
    package weak var owningModel: NSManagedObjectModel?
    /// The properties that the entity declares itself, in the order given.
    package final private(set) var ownProperties: [NSPropertyDescription] = []
    private var storedSubentities: [NSEntityDescription] = []
    private weak var storedSuperentity: NSEntityDescription?
    private var storedIndexes: [NSFetchIndexDescription] = []
    private var explicitRenamingIdentifier: String?
    /// How many levels of inheritance there may be: layouts grow with each.
    package static let greatestDepth = 200
    /// Filled when the entity is frozen.
    private let frozenLookup = AtomicLazyReference<EntityLookup>()

    /// Makes an entity without name and properties, for objects of class `NSManagedObject`.
    public required override init() {
        super.init()
    }

    deinit {
        // One after the other: releasing a long chain would need a level of the stack for each.
        var rest = storedSubentities
        storedSubentities = []
        while var last = rest.popLast() {
            guard isKnownUniquelyReferenced(&last) else { continue }
            rest += last.storedSubentities
            last.storedSubentities = []
        }
    }

    // MARK: Names

    /// The model that holds the entity.
    ///
    /// Reading it before the entity is in a model, or after that model is gone, is a programmer error and stops the program.
    public final var managedObjectModel: NSManagedObjectModel {
        guard let owningModel else {
            preconditionFailure("The entity “\(name ?? "")” does not belong to a model: put it into a model's entities first")
        }
        return owningModel
    }

    /// The name of the entity, unique within the model.
    public final var name: String? { willSet { requireMutable() } }

    /// The name of the objects' class, exactly as the model says it, perhaps with a module ("Module.Class", ".Class").
    public final var managedObjectClassName: String! = "NSManagedObject" { willSet { requireMutable() } }

    /// The class of the objects where it is known as a type and not only by name.
    package final var boundClass: AnyClass? { willSet { requireMutable() } }

    /// The modules in whose resources the entity's model was, as far as the place of its file tells, the likeliest first.
    package final var resourceModules: [String] = [] { willSet { requireMutable() } }

    /// What a model file says for the model editor alone, by its XML attributes.
    package final var editorValues: [String: String]? { willSet { requireMutable() } }

    /// The XML attributes that mean nothing to a running program.
    package static let editorKeys: Set<String> = [
        "codeGenerationType", "syncable", "coreSpotlightDisplayNameExpression", "representedClassName",
    ]

    /// Whether only subentities have objects.
    public final var isAbstract = false { willSet { requireMutable() } }

    /// What the developer noted about the entity. Empty unless set.
    public final var userInfo: [AnyHashable: Any]? = [:] { willSet { requireMutable() } }

    /// The name under which migration looks for the entity in an older model. The entity's own name unless set.
    public final var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set {
            requireMutable()
            explicitRenamingIdentifier = newValue
        }
    }

    // MARK: Properties

    /// All properties: inherited ones first, then the entity's own in the order given.
    ///
    /// Setting it sets the entity's own properties; inherited ones in the new value are left out. A property can be in one entity
    /// only.
    public final var properties: [NSPropertyDescription] {
        get { lookup?.properties ?? allProperties() }
        set {
            requireMutable()
            let inherited = Set((storedSuperentity?.properties ?? []).map(ObjectIdentifier.init))
            let own = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
            for property in ownProperties where property.owningEntity === self { property.owningEntity = nil }
            for property in own {
                if let other = property.owningEntity, other !== self {
                    preconditionFailure("The property “\(property.qualifiedName)” can't be in “\(name ?? "")” too: use a copy")
                }
                property.owningEntity = self
            }
            ownProperties = own
        }
    }

    /// All properties by name, inherited ones included.
    public final var propertiesByName: [String: NSPropertyDescription] {
        lookup?.propertiesByName ?? Dictionary(allProperties().map { ($0.name, $0) }) { _, last in last }
    }

    /// All attributes by name, inherited ones included.
    public final var attributesByName: [String: NSAttributeDescription] {
        lookup?.attributesByName ?? propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }

    /// All relationships by name, inherited ones included.
    public final var relationshipsByName: [String: NSRelationshipDescription] {
        lookup?.relationshipsByName ?? propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// The relationships, inherited ones included, that lead to an entity.
    public final func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    private func allProperties() -> [NSPropertyDescription] {
        var chain: [NSEntityDescription] = []
        var seen: Set<ObjectIdentifier> = []
        var next: NSEntityDescription? = self
        while let entity = next, seen.insert(ObjectIdentifier(entity)).inserted {
            chain.append(entity)
            next = entity.storedSuperentity
        }
        return chain.reversed().flatMap(\.ownProperties)
    }

    // MARK: Inheritance

    /// The entities that inherit directly from this one. Setting it sets their superentity.
    public final var subentities: [NSEntityDescription] {
        get { storedSubentities }
        set {
            requireMutable()
            for entity in storedSubentities where entity.storedSuperentity === self { entity.storedSuperentity = nil }
            for entity in newValue {
                entity.requireMutable()
                if let old = entity.storedSuperentity, old !== self { old.storedSubentities.removeAll { $0 === entity } }
                entity.storedSuperentity = self
            }
            storedSubentities = newValue
        }
    }

    /// The entities that inherit directly from this one, by name.
    public final var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(storedSubentities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first }
    }

    /// The entity that this one inherits from.
    public final var superentity: NSEntityDescription? { storedSuperentity }

    /// Whether there are more levels of inheritance above the entity than a store can be opened with, or a circle.
    final var isTooDeep: Bool {
        var depth = 0
        var next = storedSuperentity
        while let entity = next {
            depth += 1
            if depth >= Self.greatestDepth { return true }
            next = entity.storedSuperentity
        }
        return false
    }

    /// Whether the entity is another one or inherits from it, directly or not.
    public final func isKindOf(entity: NSEntityDescription) -> Bool {
        if let lookup { return lookup.ancestry.contains(ObjectIdentifier(entity)) }
        var seen: Set<ObjectIdentifier> = []
        var next: NSEntityDescription? = self
        while let candidate = next, seen.insert(ObjectIdentifier(candidate)).inserted {
            if candidate === entity { return true }
            next = candidate.storedSuperentity
        }
        return false
    }

    // MARK: Constraints and indexes

    /// Groups of properties whose values together must be unique. A group holds names or descriptions of attributes and to-one
    /// relationships.
    public final var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    /// The uniqueness constraints as names. An element that is neither a name nor a property is left out.
    package final var uniquenessConstraintNames: [[String]] {
        uniquenessConstraints.map { group in group.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name } }
    }

    /// The indexes that make fetches fast.
    public final var indexes: [NSFetchIndexDescription] {
        get { storedIndexes }
        set {
            requireMutable()
            for index in storedIndexes where index.owningEntity === self { index.owningEntity = nil }
            storedIndexes = newValue
            for index in newValue { index.owningEntity = self }
        }
    }

    /// Always empty, and setting it does nothing, as in Apple's framework, which deprecates it. Use `indexes`.
    public final var compoundIndexes: [[Any]] {
        get { [] }
        set { _ = newValue }
    }

    // MARK: Versions

    /// 32 bytes that change when the entity changes in a way that a store can see.
    ///
    /// The value is Apple's if it came with the model (see ``NSManagedObjectModel/entityVersionHashesByName``) and the entity
    /// has not changed. Otherwise it differs from Apple's, whose computation is not public; what changes it is the same: name,
    /// parent, abstract, the modifier, and the stored properties (own and inherited) with their types, optionality, counts,
    /// order, destinations, inverses and modifiers.
    public final var versionHash: Data {
        let own = structuralHash
        return owningModel?.knownVersionHashes[own] ?? own
    }

    /// The hash that this package computes.
    package final var structuralHash: Data { SHA256.hash(Data(VersionHashText.entity(self).utf8)) }

    /// A text that is part of the version hash: change it when the meaning of the entity changed and nothing else did.
    public final var versionHashModifier: String? { willSet { requireMutable() } }

    // MARK: Copying

    /// An entity with the same values and copies of its own properties and indexes, which can be changed.
    ///
    /// The copy is in no model and has neither superentity nor subentities. Its relationships lead where the originals lead;
    /// copy the whole model to get relationships among the copies.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        var map: [ObjectIdentifier: NSPropertyDescription] = [:]
        copyValues(to: copy, propertyMap: &map)
        copyIndexes(to: copy, propertyMap: map)
        return copy
    }

    /// Copies everything but links to other entities and indexes; `propertyMap` gets original → copy of each own property.
    package final func copyValues(to copy: NSEntityDescription, propertyMap: inout [ObjectIdentifier: NSPropertyDescription]) {
        copy.name = name
        copy.managedObjectClassName = managedObjectClassName
        copy.boundClass = boundClass
        copy.editorValues = editorValues
        copy.resourceModules = resourceModules
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.versionHashModifier = versionHashModifier
        var properties: [NSPropertyDescription] = []
        for property in ownProperties {
            guard let propertyCopy = property.copy() as? NSPropertyDescription else { continue }
            propertyMap[ObjectIdentifier(property)] = propertyCopy
            properties.append(propertyCopy)
        }
        copy.properties = properties
        copy.uniquenessConstraints = uniquenessConstraintNames
    }

    package final func copyIndexes(to copy: NSEntityDescription, propertyMap: [ObjectIdentifier: NSPropertyDescription]) {
        copy.indexes = storedIndexes.map { index in index.copy(replacing: { propertyMap[ObjectIdentifier($0)] ?? $0 }) }
    }

    // MARK: Freezing

    package final func freeze() {
        guard !isFrozen else { return }
        for element in ownProperties { element.freeze() }
        for element in storedIndexes { element.freeze() }
        _ = frozenLookup.storeIfNil(EntityLookup(self, properties: allProperties()))
    }

    package final var isFrozen: Bool { lookup != nil }

    private var lookup: EntityLookup? { frozenLookup.load() }

    package final func requireMutable() {
        if isFrozen { preconditionFailure("Can't modify an immutable model: entity “\(name ?? "")”") }
    }

    /// The name of the entity, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(name ?? "(no name)")>"
    }
}
