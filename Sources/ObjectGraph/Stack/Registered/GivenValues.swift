import DataModel
import Foundation
import Storage

/// Makes rows of what a program's store gives, and errors of what can't be in a row, with the names of store, entity,
/// object and property.
struct GivenValues {
    let store: NSPersistentStore
    let model: ModelLayout

    /// Puts the value of an attribute into a row.
    ///
    /// - Throws: 134070 for a value of a wrong type, and for a number that does not fit.
    func put(_ given: Any?, into row: Row, _ slot: Int, of id: NSManagedObjectID) throws {
        guard let given, !(given is NSNull) else { return row.setNil(slot) }
        let attribute = row.layout.slots[slot]
        switch SlotCoding.store(given, in: row, slot: slot) {
        case .stored:
            guard row.layout.kind(slot) == .real, !row.double(slot).isFinite, attribute.attributeType == .dateAttributeType else {
                return
            }
            throw failure(attribute.name, of: id, "is the date \(given), which no calendar has")
        case .wrongType:
            throw failure(
                attribute.name, of: id,
                "is “\(ValueText.of(given))” of the type \(Swift.type(of: given)), and must be of the type \(SlotCoding.className(attribute.attributeType))"
            )
        case .unfit(let number): throw failure(attribute.name, of: id, "is the number \(number), which the attribute can't hold")
        }
    }

    /// Puts the destination of a to-one relationship into a row.
    func put(_ destination: RowKey?, into row: Row, _ relationship: RelationshipLayout) {
        guard let destination else {
            row.setNil(relationship.slot)
            if let slot = relationship.entitySlot { row.setNil(slot) }
            return
        }
        Row.setScalar(row.slots, relationship.slot, UInt64(bitPattern: destination.key))
        if let slot = relationship.entitySlot { Row.setScalar(row.slots, slot, UInt64(destination.entity)) }
    }

    /// The row that is given as the destination of a relationship: by its ID, its object, or its cache node.
    ///
    /// - Returns: Nil for no destination.
    /// - Throws: 134070 for anything else, for an ID of another store, and for one of an entity that the relationship
    ///   does not lead to.
    func destination(_ given: Any?, _ relationship: RelationshipLayout, of id: NSManagedObjectID) throws -> RowKey? {
        guard let given, !(given is NSNull) else { return nil }
        guard let found = Self.id(given) else {
            throw failure(
                relationship.name, of: id,
                "has “\(ValueText.of(given))” of the type \(Swift.type(of: given)), which is neither an NSManagedObjectID nor an object"
            )
        }
        let wanted = model.entities[relationship.destination]
        guard let key = rowKey(found) else {
            throw failure(relationship.name, of: id, "has \(found), which is not an ID of this store")
        }
        guard model.entities[key.entityIndex].isKind(of: wanted, orSubentity: true) else {
            throw failure(relationship.name, of: id, "has \(found), but leads to objects of “\(wanted.name)”")
        }
        return key
    }

    /// The rows that are given as the members of a to-many relationship, each once.
    func members(_ given: Any?, _ relationship: RelationshipLayout, of id: NSManagedObjectID) throws -> [RowKey] {
        guard let given, !(given is NSNull) else { return [] }
        guard let elements = Self.elements(given) else {
            throw failure(
                relationship.name, of: id,
                "is of the type \(Swift.type(of: given)), and must be an array or a set of NSManagedObjectIDs, because the relationship is to-many"
            )
        }
        var seen: Set<RowKey> = []
        return try elements.compactMap { element in
            guard let key = try destination(element, relationship, of: id) else {
                throw failure(relationship.name, of: id, "has nil or NSNull as a member")
            }
            return seen.insert(key).inserted ? key : nil
        }
    }

    /// The elements of any collection of Foundation's or Swift's; nil for what is not a collection.
    static func elements(_ given: Any) -> [Any]? {
        switch given {
        case let array as [Any]: array
        case let set as Set<AnyHashable>: set.map(\.base)
        case let array as NSArray: Array(array)
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        default: nil
        }
    }

    /// The ID of an object that is given in some form.
    static func id(_ given: Any) -> NSManagedObjectID? {
        switch given {
        case let id as NSManagedObjectID: id
        case let object as NSManagedObject: object.objectID
        case let node as NSAtomicStoreCacheNode: node.objectID
        default: nil
        }
    }

    /// The row that an ID of the store names; nil for an ID of another store and for a temporary one.
    func rowKey(_ id: NSManagedObjectID) -> RowKey? {
        guard let reference = id.storeReference,
            reference === store.reference || reference.identifier == store.reference.identifier,
            let entity = model.entity(named: id.entity.name ?? "")
        else { return nil }
        return RowKey(entity: entity.index, key: id.key)
    }

    /// An error that names store, property and object.
    func failure(_ property: String, of id: NSManagedObjectID, _ reason: String) -> NSError {
        .coreData(
            NSPersistentStoreOperationError,
            "\(Swift.type(of: store)) gave a value that can't be used: “\(property)” of \(id.entity.name ?? "") \(id) \(reason)",
            [NSAffectedStoresErrorKey: [store], NSAffectedObjectsErrorKey: [id]])
    }

    /// An error that names the store.
    func failure(_ reason: String) -> NSError {
        .coreData(
            NSPersistentStoreOperationError, "\(Swift.type(of: store)) \(reason)", [NSAffectedStoresErrorKey: [store]])
    }
}

/// IDs of a program's store, by reference objects.
extension NSPersistentStore {
    /// - Parameter method: The public method that was called, for the message.
    final func id(for entity: NSEntityDescription, _ given: Any, _ method: String) -> NSManagedObjectID {
        guard let runtime = persistentStoreCoordinator?.runtime, let references = reference.references else {
            fatalError("\(method) of \(Swift.type(of: self)) was called before the store was added to a coordinator")
        }
        guard let layout = runtime.layout.entity(named: entity.name ?? "") else {
            fatalError(
                "\(method) of \(Swift.type(of: self)): \(runtime.layout.missingEntity(entity.name ?? "", for: "the store"))")
        }
        guard let reference = ReferenceObject(given) else {
            fatalError(
                "\(method) of \(Swift.type(of: self)) got “\(given)” of the type \(Swift.type(of: given)) for “\(layout.name)”: a reference object must be a whole number, a text, a UUID or data"
            )
        }
        let key = references.key(for: reference, entity: layout.name, root: runtime.layout.entities[layout.root].name)
        return NSManagedObjectID(runtime: runtime, entityIndex: layout.index, key: key, store: self.reference)
    }

    /// The ID of a row.
    final func id(of key: RowKey) -> NSManagedObjectID? {
        persistentStoreCoordinator.map {
            NSManagedObjectID(runtime: $0.runtime, entityIndex: key.entityIndex, key: key.key, store: reference)
        }
    }

    /// The concrete entity of a key of some family; nil for a key that nobody was given.
    final func entity(of key: Int64, root: Int, _ model: ModelLayout) -> EntityLayout? {
        reference.references?.owner(of: key, root: model.entities[root].name).flatMap { model.entity(named: $0.entity) }
    }

    final func referenceObject(of id: NSManagedObjectID, _ method: String) -> Any {
        let model = id.runtime.layout
        let root = model.entities[model.entities[id.entityIndex].root].name
        guard id.storeReference?.identifier == reference.identifier || id.storeReference === reference,
            let owner = reference.references?.owner(of: id.key, root: root)
        else { fatalError("\(method) of \(Swift.type(of: self)) got \(id), which is not an ID of this store") }
        return owner.reference.value
    }

    /// Checks the IDs that the store gives to new objects.
    ///
    /// - Throws: 134070 for IDs of other entities or stores, for one that is given twice, and for one that another
    ///   object has.
    final func requireNew(
        _ ids: [NSManagedObjectID], for objects: [NSManagedObject], in context: NSManagedObjectContext, _ method: String,
        isTaken: (RowKey) -> Bool = { _ in false }
    ) throws -> [Int64] {
        let given = GivenValues(store: self, model: context.runtime.layout)
        guard ids.count == objects.count else {
            throw given.failure(
                "gave \(ids.count) IDs for \(objects.count) new objects: \(method) must give one for each, in the same order")
        }
        let registries = context.registries(reference)
        var seen: Set<RowKey> = []
        return try zip(ids, objects).map { id, object in
            guard let key = given.rowKey(id) else {
                throw given.failure(
                    "gave \(id) for a new \(object.layout.name), which is not a permanent ID of this store: \(method) must make it"
                )
            }
            guard key.entityIndex == object.layout.index else {
                throw given.failure("gave \(id) for a new \(object.layout.name), which is of another entity")
            }
            guard seen.insert(key).inserted, !isTaken(key), registries.registry(key.entityIndex).object(key.key) == nil else {
                throw given.failure(
                    "gave \(id) for a new \(object.layout.name), which another object has: \(method) must give a new one")
            }
            return key.key
        }
    }
}
