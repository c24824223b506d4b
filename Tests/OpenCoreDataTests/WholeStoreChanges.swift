import OpenCoreData

/// Changes a store with any model as a whole: every attribute and every relationship of every object; then deletes some, and then all.
///
/// Used inside `context.run` only.
final class WholeStoreChanges {
    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private var values = NewValues()
    private var objectsOfEntity: [NSEntityDescription: [NSManagedObject]] = [:]
    private lazy var deletion = StoreDeletion(context, entities) { [unowned self] in try save() }

    /// How often it saved.
    private(set) var saves = 0
    /// What the attributes must be that have been set, by identifier; archives are left out.
    private(set) var expected: [String: [String: StoredValue]] = [:]

    init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
        self.context = context
        entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
        for entity in entities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            objectsOfEntity[entity] = try context.fetch(request).sorted {
                StoreContents.identifier($0.objectID).localizedStandardCompare(StoreContents.identifier($1.objectID))
                    == .orderedAscending
            }
        }
    }

    /// Changes everything in five saves: attributes of one half of the objects, attributes of the other half, relationships from one side,
    /// everything once more with relationships from the other side and every second optional attribute without value, and at last some
    /// relationships to nothing.
    func change() throws {
        let objects = entities.flatMap { objectsOfEntity[$0] ?? [] }
        for half in 0...1 {
            for (index, object) in objects.enumerated() where index % 2 == half {
                for relationship in object.entity.relationshipsByName.values { _ = destinations(of: object, relationship) }
                setAttributes(of: object, nilEvery: nil)
            }
            try save()
        }
        turnRelationships(side: 0)
        try save()
        turnRelationships(side: 1)
        for object in objects { setAttributes(of: object, nilEvery: 2) }
        try save()
        for (index, object) in objects.enumerated() where index % 4 == 0 { emptyRelationships(of: object) }
        try save()
    }

    /// Deletes every third object of each entity that has some, with those that its delete rules and others' needs take along.
    ///
    /// - Returns: What could not be deleted, and why.
    func deleteSome() throws -> [String] {
        try entities.compactMap { entity in
            let some = (objectsOfEntity[entity] ?? []).enumerated().filter { $0.offset % 3 == 0 && $0.element.isThere }
            return some.isEmpty ? nil : try deletion.delete(Set(some.map(\.element)))
        }
    }

    /// Deletes all objects in one save.
    func deleteAll() throws {
        objectsOfEntity.values.joined().forEach(context.delete)
        try save()
    }

    private func save() throws {
        try context.save()
        saves += 1
    }

    // MARK: Attributes

    private func setAttributes(of object: NSManagedObject, nilEvery step: Int?) {
        let id = StoreContents.identifier(object.objectID)
        for (index, attribute) in object.entity.settableAttributes.enumerated() {
            let goes = attribute.isOptional && step.map { index % $0 == 0 } ?? false
            let value = goes ? nil : values.next(attribute, insteadOf: object.value(forKey: attribute.name))
            object.setValue(value, forKey: attribute.name)
            expected[id, default: [:]][attribute.name] = value is NSDictionary ? nil : StoredValue(value, of: attribute)
        }
        // Required transient values, which their programs compute.
        for attribute in object.entity.attributesByName.values
        where attribute.isTransient && !attribute.isOptional && attribute.defaultValue == nil {
            object.setValue(values.next(attribute), forKey: attribute.name)
        }
    }

    // MARK: Relationships

    /// Gives each object what the one before it had, in every relationship, set from one of its two sides.
    private func turnRelationships(side: Int) {
        for entity in objectsOfEntity.keys.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
            where !relationship.isTransient {
                let sides = [relationship, relationship.inverseRelationship ?? relationship].sorted { $0.place < $1.place }
                if sides[side].place == relationship.place { turn(relationship, of: objectsOfEntity[entity] ?? []) }
            }
        }
    }

    private func turn(_ relationship: NSRelationshipDescription, of objects: [NSManagedObject]) {
        var destinations = objects.map { self.destinations(of: $0, relationship) }
        if destinations.allSatisfy(\.isEmpty) {
            let candidates = relationship.destinationEntity.map { destination in
                entities.filter { $0.isKindOf(entity: destination) }.flatMap { objectsOfEntity[$0] ?? [] }
            }
            for (index, candidate) in zip(destinations.indices, candidates ?? []) { destinations[index] = [candidate] }
        }
        for (index, object) in objects.enumerated() {
            put(destinations[(index + 1) % destinations.count].reversed(), into: relationship, of: object)
        }
    }

    /// Takes all destinations away that neither the object nor they themselves need.
    private func emptyRelationships(of object: NSManagedObject) {
        for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
        where !relationship.isTransient && (relationship.isToMany ? relationship.minCount == 0 : relationship.isOptional) {
            if let inverse = relationship.inverseRelationship, !inverse.isOptional || inverse.minCount > 0 && inverse.isToMany {
                continue
            }
            put([], into: relationship, of: object)
        }
    }

    private func put(_ destinations: [NSManagedObject], into relationship: NSRelationshipDescription, of object: NSManagedObject)
    {
        if !relationship.isToMany {
            object.setValue(destinations.first, forKey: relationship.name)
        } else if relationship.isOrdered {
            object.setOrdered(relationship.name, destinations)
        } else {
            object.setMembers(relationship.name, Set(destinations))
        }
    }

    private func destinations(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        guard relationship.isToMany else {
            return [object.value(forKey: relationship.name) as? NSManagedObject].compactMap { $0 }
        }
        return relationship.isOrdered ? object.ordered(relationship.name) : Array(object.members(relationship.name))
    }
}

extension NSManagedObject {
    /// Whether it has not been deleted.
    fileprivate var isThere: Bool { !isDeleted && managedObjectContext != nil }
}

extension NSRelationshipDescription {
    /// What tells it from all others of its model.
    fileprivate var place: String { "\(entity.name ?? "").\(name)" }
}
