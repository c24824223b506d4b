import OpenCoreData

/// Changes a store with any model: changes one object of each entity, inserts one, deletes one, and keeps book of what must be in the file afterwards.
///
/// Used inside `context.run` only.
final class StoreEdits {
    private let context: NSManagedObjectContext
    private let model: NSManagedObjectModel
    private let entities: [NSEntityDescription]
    private var values = NewValues()
    /// What was set: identifier, attribute, value. Identifiers of new objects are known after the save.
    private var sets: [(object: NSManagedObject, attribute: NSAttributeDescription, value: Any)] = []
    private var changed: [NSManagedObject] = []
    private var inserted: [String: NSManagedObject] = [:]
    private var inProgress: [String: NSManagedObject] = [:]
    private lazy var deletion = StoreDeletion(context, entities) { [unowned self] in try save() }

    /// How many saves there were.
    private(set) var saves = 0
    /// What the notifications of all saves told, by identifier: how many times an object was saved as updated.
    private(set) var updates: [String: Int] = [:]
    private(set) var insertedIDs: Set<String> = []
    private(set) var deletedIDs: Set<String> = []
    /// Entities that had objects none of which could be deleted, with the error.
    private(set) var undeletable: [String: String] = [:]
    /// The values that the attributes of changed and new objects must have, unless the object was deleted later.
    private(set) var expected: [String: [String: StoredValue]] = [:]

    /// The attributes of changed and new objects that are archives now, all of `NewValues.archived`.
    private(set) var archives: [(id: String, attribute: String)] = []

    init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) {
        self.context = context
        self.model = model
        entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    func run() throws {
        // Called by `save`, on this very thread.
        nonisolated(unsafe) let edits = self
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: context, queue: nil
        ) { edits.note($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        for entity in entities { try change(entity) }
        for entity in entities { try inserted[entity.name ?? ""] = insert(entity) }
        try fillRequiredCollections()
        try save()
        for (object, attribute, value) in sets {
            let id = StoreContents.identifier(object.objectID)
            if value is NSDictionary {
                archives.append((id, attribute.name))
            } else {
                expected[id, default: [:]][attribute.name] = StoredValue(value, of: attribute)
            }
        }
        if linkNewObjects() { try save() }
        for entity in entities { try delete(entity) }
        for id in deletedIDs { expected[id] = nil }
        archives.removeAll { deletedIDs.contains($0.id) }
    }

    private func save() throws {
        try context.save()
        saves += 1
    }

    private func note(_ notification: Notification) {
        func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<String> {
            Set((notification.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []).map(StoreContents.identifier))
        }
        for id in ids(.updatedObjectIDs) { updates[id, default: 0] += 1 }
        insertedIDs.formUnion(ids(.insertedObjectIDs))
        deletedIDs.formUnion(ids(.deletedObjectIDs))
    }

    private func objects(_ entity: NSEntityDescription, subentities: Bool = false) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = subentities
        return try context.fetch(request).sorted {
            StoreContents.identifier($0.objectID).localizedStandardCompare(StoreContents.identifier($1.objectID))
                == .orderedAscending
        }
    }

    // MARK: Changing

    private func change(_ entity: NSEntityDescription) throws {
        guard let object = try objects(entity).first(where: { !$0.isInserted }) else { return }
        changed.append(object)
        for attribute in entity.settableAttributes { set(object, attribute) }
        setTransients(object)
    }

    /// Required transient values, which their programs compute.
    private func setTransients(_ object: NSManagedObject) {
        for attribute in object.entity.attributesByName.values
        where attribute.isTransient && !attribute.isOptional && attribute.defaultValue == nil {
            object.setValue(values.next(attribute), forKey: attribute.name)
        }
    }

    private func set(_ object: NSManagedObject, _ attribute: NSAttributeDescription) {
        let value = values.next(attribute)
        object.setValue(value, forKey: attribute.name)
        sets.append((object, attribute, value))
    }

    // MARK: Inserting

    /// A new object: required attributes set and every other of the optional ones, linked to objects that are there where that takes nothing away from
    /// a required relationship.
    ///
    /// - Parameter isDestination: Whether it is made for a required relationship of another new object; then it gets no more links than it needs.
    private func insert(_ entity: NSEntityDescription, isDestination: Bool = false) throws -> NSManagedObject {
        let name = entity.name ?? ""
        if let started = inProgress[name] { return started }
        let object = NSManagedObject(entity: entity, insertInto: context)
        inProgress[name] = object
        let unique = Set(entity.uniquenessConstraints.flatMap { $0 }.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" })
        for (index, attribute) in entity.settableAttributes.enumerated() {
            if !attribute.isOptional || unique.contains(attribute.name) || index.isMultiple(of: 2) { set(object, attribute) }
        }
        setTransients(object)
        for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) where !relationship.isTransient {
            if !isDestination || !relationship.isOptional { try link(object, relationship) }
        }
        inProgress[name] = nil
        return object
    }

    private func link(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) throws {
        guard let destination = relationship.destinationEntity, object.objectIDs(forRelationshipNamed: relationship.name).isEmpty
        else { return }
        let inverse = relationship.inverseRelationship
        // Taking a member from another object's relationship is all right unless that one needs it.
        let mayTake = inverse.map { $0.isToMany || relationship.isOptional } ?? true
        // What is deleted with its owner is not shared, where nothing would tell the others.
        let isOwned = inverse == nil && relationship.deleteRule == .cascadeDeleteRule
        let present = try objects(destination, subentities: true).first { $0 !== object && !$0.isInserted }
        if let present, mayTake, !isOwned {
            put(present, into: relationship, of: object)
        } else if !relationship.isOptional || isOwned {
            guard let concrete = entities.first(where: { $0.isKindOf(entity: destination) }) else { return }
            put(try insert(concrete, isDestination: true), into: relationship, of: object)
        }
    }

    /// A new object may have lost the only member of a required to-many relationship to another new one.
    private func fillRequiredCollections() throws {
        for object in context.insertedObjects.sorted(by: { "\($0.objectID)" < "\($1.objectID)" }) {
            for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
            where relationship.isToMany && !relationship.isOptional && !relationship.isTransient
                && object.objectIDs(forRelationshipNamed: relationship.name).isEmpty
            {
                let concrete = entities.first { entity in
                    relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false
                }
                guard let concrete else { continue }
                // The member finds its owner as one that is being made.
                inProgress[object.entity.name ?? ""] = object
                put(try insert(concrete, isDestination: true), into: relationship, of: object)
                inProgress[object.entity.name ?? ""] = nil
            }
        }
    }

    /// Links the new objects by many-to-many relationships that were left empty, because the store had no objects to link to.
    ///
    /// - Returns: Whether there was anything to link.
    private func linkNewObjects() -> Bool {
        for entity in entities {
            guard let object = inserted[entity.name ?? ""] else { continue }
            for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
                guard relationship.isToMany, relationship.inverseRelationship?.isToMany == true, !relationship.isTransient,
                    let destination = entities.first(where: { candidate in
                        relationship.destinationEntity.map { candidate.isKindOf(entity: $0) } ?? false
                    }),
                    let other = inserted[destination.name ?? ""],
                    object.objectIDs(forRelationshipNamed: relationship.name).isEmpty
                else { continue }
                put(other, into: relationship, of: object)
            }
        }
        return context.hasChanges
    }

    private func put(_ destination: NSManagedObject, into relationship: NSRelationshipDescription, of object: NSManagedObject) {
        if !relationship.isToMany {
            object.setValue(destination, forKey: relationship.name)
        } else if relationship.isOrdered {
            object.setValue(NSOrderedSet(object: destination), forKey: relationship.name)
        } else {
            object.setValue(NSSet(object: destination), forKey: relationship.name)
        }
    }

    // MARK: Deleting

    /// Deletes the last object that can go, the new one at the very end.
    private func delete(_ entity: NSEntityDescription) throws {
        let name = entity.name ?? ""
        let all = try objects(entity)
        var candidates = all.reversed().filter { object in !changed.contains(object) && !object.isIn(insertedIDs) }.prefix(5).map
        { $0 }
        if let new = inserted[name], all.contains(new) { candidates.append(new) }
        var reasons: [String] = []
        for candidate in candidates {
            guard let reason = try deletion.delete([candidate]) else { return }
            reasons.append(reason)
        }
        if !reasons.isEmpty { undeletable[name] = reasons.joined(separator: "\n") }
    }
}

extension NSManagedObject {
    fileprivate func isIn(_ identifiers: Set<String>) -> Bool { identifiers.contains(StoreContents.identifier(objectID)) }
}
