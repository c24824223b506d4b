public import DataModel
import Foundation
import Storage

/// A store of your own that is read as a whole when it is added, and written as a whole with each save: a file in a
/// format of your own.
///
/// A subclass overrides ``load()``, ``save()`` and ``newReferenceObject(for:)``, mostly also ``NSPersistentStore/type``
/// and ``NSPersistentStore/loadMetadata()``, and is registered by
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``. Everything else works as with stores in
/// memory: predicates, sorting, versions and conflicts, observation, child contexts. The article <doc:WritingAStore>
/// shows one.
///
/// The file is not touched before the first save. Each save asks, in this order, for reference objects and cache nodes
/// of new objects, for updates of the nodes of changed ones, tells which nodes go, and calls ``save()``. If that
/// throws, nodes and objects are as before and the error comes out of the context's `save()` as it is.
///
/// The methods are called under the store's lock, on the queue of the context that saves: they must not wait for
/// another context of the same coordinator. A model with derived or composite attributes is refused.
///
/// Differences from Apple's class: nodes are read once, when the store is loaded, so that later changes of nodes that
/// no save asks for are not seen; ``addCacheNodes(_:)`` may be called by ``load()`` and during a save only.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    // @unchecked Sendable: everything is used under the store's lock.
    private enum Phase {
        case closed, loading, open, saving
    }

    private var phase = Phase.closed
    private var nodes: [RowKey: NSAtomicStoreCacheNode] = [:]
    private var model: ModelLayout?
    /// Nodes whose relationships wait until all new nodes are there.
    private var withoutRelationships: [(node: NSAtomicStoreCacheNode, object: NSManagedObject)] = []

    // MARK: To be overridden

    /// Reads the store's file and calls ``addCacheNodes(_:)`` with what is in it. A file that does not exist is an
    /// empty store.
    ///
    /// - Throws: What is wrong with the file. The store is not added then, and the error comes out as it is. 134091
    ///   unless overridden.
    open func load() throws { throw notOverridden("load()") }

    /// Writes ``cacheNodes()`` and ``NSPersistentStore/metadata`` to the store's file.
    ///
    /// Write all of it or nothing, for one by `Data.write(to:options:)` with `.atomic`: what was saved before is gone
    /// else if it fails.
    ///
    /// - Throws: Why it can't be written. 134091 unless overridden.
    open func save() throws { throw notOverridden("save()") }

    /// A reference object for a new object: a whole number, a text, a UUID or `Data` that no other object of the entity
    /// has or ever had.
    ///
    /// Stops the program unless overridden.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        fatalError(
            "\(Swift.type(of: self)) does not override newReferenceObject(for:), so “\(managedObject.layout.name)” can't be saved in it"
        )
    }

    /// A node for a new object, whose ID is permanent by now. The default gives it the object's values.
    ///
    /// An override may give a node of a class of its own. It need not add the node to the store.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Gives a node the values of an object that was changed. The default takes all values; relationships get nodes.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        setAttributes(of: node, from: managedObject)
        if phase == .saving {
            withoutRelationships.append((node, managedObject))
        } else {
            setRelationships(of: node, from: managedObject)
        }
    }

    /// Gives a node the attributes of an object, as a program gets them by key.
    func setAttributes(of node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        for slot in managedObject.layout.slots where slot.attribute != nil && slot.isPersistent {
            node.setValue(managedObject.value(forKey: slot.name), forKey: slot.name)
        }
    }

    /// Told before ``save()`` of the nodes of deleted objects, which the store has no more then. Does nothing unless
    /// overridden.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    // MARK: Nodes and IDs

    /// All nodes of the store.
    public final func cacheNodes() -> Set<NSAtomicStoreCacheNode> { asked(by: nil) { Set(nodes.values) } }

    /// Makes nodes known to the store. Of two nodes with one ID the later one counts.
    ///
    /// To be called by ``load()``, and during a save. Stops the program at other times, and for an ID of another store.
    public final func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        asked(by: nil) {
            guard phase == .loading || phase == .saving, let model else {
                fatalError("addCacheNodes(_:) of \(Swift.type(of: self)) was called neither by load() nor during a save")
            }
            let given = GivenValues(store: self, model: model)
            for node in cacheNodes {
                guard let key = given.rowKey(node.objectID) else {
                    fatalError(
                        "addCacheNodes(_:) of \(Swift.type(of: self)) got a node with the ID \(node.objectID), which is not one of this store"
                    )
                }
                nodes[key] = node
            }
        }
    }

    /// The node with an ID; nil if the store has none.
    public final func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        asked(by: nil) { model.flatMap { GivenValues(store: self, model: $0).rowKey(objectID) }.flatMap { nodes[$0] } }
    }

    /// The ID of the object with a reference object. The same reference always gives the same ID, also when the store
    /// is opened again.
    ///
    /// Stops the program for an entity that the model does not have, and for a reference that is not a whole number, a
    /// text, a UUID or `Data`.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - data: The reference object.
    public final func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        id(for: entity, data, "objectID(for:withReferenceObject:)")
    }

    /// The reference object of an ID: an `NSNumber`, a `String` or a `UUID`. Stops the program for an ID of another
    /// store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        referenceObject(of: objectID, "referenceObject(for:)")
    }

    // MARK: Opening

    override func makeEngine(_ place: StorePlace) throws -> any StorageEngine {
        try requirePlainAttributes(place.layout)
        model = place.layout
        phase = .loading
        defer { phase = .open }
        do {
            try load()
            let engine = StoreKinds.makeMemoryEngine(place)
            try NodeRows(given: GivenValues(store: self, model: place.layout), nodes: nodes).fill(engine)
            return engine
        } catch {
            didClose()
            throw error
        }
    }

    private func requirePlainAttributes(_ model: ModelLayout) throws {
        for entity in model.entities where holds(entity.name) {
            try requireNoComposites(entity)
            let derived = entity.slots.first { $0.attribute is NSDerivedAttributeDescription }
            guard let derived else { continue }
            throw StoreKinds.unsupported(
                "“\(derived.name)” of “\(entity.name)” can't be derived", type: type,
                reason: "atomic stores do not support derived properties")
        }
    }

    /// Nodes hold each other.
    override func didClose() {
        for node in nodes.values { node.propertyCache = nil }
        nodes.removeAll()
    }

    private func notOverridden(_ method: String) -> NSError {
        StoreKinds.unsupported(
            "A store of class \(Swift.type(of: self)) can't be used", type: type,
            reason: "\(Swift.type(of: self)) does not override \(method)")
    }

    // MARK: Saving

    override func newKeys(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws -> [Int64]? {
        try asked(by: context) {
            let ids = objects.map { objectID(for: $0.entity, withReferenceObject: newReferenceObject(for: $0)) }
            return try requireNew(ids, for: objects, in: context, "newReferenceObject(for:)") { nodes[$0] != nil }
        }
    }

    override func write(_ changes: StoreChanges, in context: NSManagedObjectContext, _ others: () throws -> Void) throws {
        guard let model else { return }
        let before = nodes
        let updated = changes.updated.compactMap { object in cacheNode(for: object.objectID).map { (node: $0, object: object) } }
        var caches = updated.map { (node: $0.node, cache: $0.node.copyOfCache) }
        phase = .saving
        defer {
            phase = .open
            withoutRelationships.removeAll()
        }
        var isWritten = false
        do {
            for object in changes.inserted {
                let node = newCacheNode(for: object)
                guard node.objectID == object.objectID else {
                    throw GivenValues(store: self, model: model)
                        .failure("gave a node with the ID \(node.objectID) for the new object \(object.objectID)")
                }
                addCacheNodes([node])
            }
            for (node, object) in updated { updateCacheNode(node, from: object) }
            for (node, object) in withoutRelationships { setRelationships(of: node, from: object) }
            try settleOwners(&caches, model)
            let removed = Set(changes.deleted.compactMap { cacheNode(for: $0.objectID) })
            if !removed.isEmpty { willRemoveCacheNodes(removed) }
            for object in changes.deleted { nodes[RowKey(entity: object.layout.index, key: object.key)] = nil }
            if !removed.isEmpty { leave(removed, &caches, model) }
            try save()
            isWritten = true
            try others()
        } catch {
            nodes = before
            for (node, cache) in caches.reversed() { node.propertyCache = cache }
            // Another store of the same save could not be written, so this one gets back what it had.
            if isWritten { try writeAgain(after: error) }
            throw error
        }
    }

    /// - Throws: An error that has both reasons, if the store can't be written again.
    private func writeAgain(after reason: any Error) throws {
        do { try save() } catch {
            throw NSError.coreData(
                NSPersistentStoreIncompleteSaveError,
                "Another store could not be saved (\(reason.localizedDescription)), and the store \(identifier ?? "") of type \(type) could not be written again as it was before: "
                    + error.localizedDescription,
                [NSUnderlyingErrorKey: reason, NSAffectedStoresErrorKey: [self]])
        }
    }

    /// Gives the nodes the members of relationships without inverse that their rows have: an object has one owner in such a
    /// relationship, and the one that loses it is not told.
    private func settleOwners(
        _ caches: inout [(node: NSAtomicStoreCacheNode, cache: NSMutableDictionary?)], _ model: ModelLayout
    ) throws {
        var settled: Set<Int> = []
        for relationship in withoutRelationships.flatMap(\.object.layout.relationships)
        where relationship.storage == .hiddenForeignKey && settled.insert(relationship.id).inserted {
            let owners = nodes.filter { model.entities[$0.key.entityIndex].relationship(id: relationship.id) != nil }
            let rows = OwnedRows()
            try engine.fetchMembers(of: relationship, owners: owners.map(\.key.key), into: rows)
            for (key, node) in owners {
                let members = rows.members[key.key, default: []].compactMap { nodes[$0] }
                let known = node.value(forKey: relationship.name).flatMap(GivenValues.elements) ?? []
                guard Set(members) != Set(known.compactMap { $0 as? NSAtomicStoreCacheNode }) else { continue }
                caches.append((node, node.copyOfCache))
                node.setValue(relationship.isOrdered ? members as Any : Set(members), forKey: relationship.name)
            }
        }
    }

    /// Takes nodes that the store has no more out of the relationships of others, whose objects need not have changed.
    private func leave(
        _ removed: Set<NSAtomicStoreCacheNode>, _ caches: inout [(node: NSAtomicStoreCacheNode, cache: NSMutableDictionary?)],
        _ model: ModelLayout
    ) {
        for (key, node) in nodes {
            for relationship in model.entities[key.entityIndex].relationships where relationship.storage != .transient {
                guard let value = node.value(forKey: relationship.name) else { continue }
                let members = GivenValues.elements(value) ?? [value]
                let rest = members.filter { ($0 as? NSAtomicStoreCacheNode).map(removed.contains) != true }
                guard rest.count < members.count else { continue }
                caches.append((node, node.copyOfCache))
                let left = rest.compactMap { $0 as? NSAtomicStoreCacheNode }
                node.setValue(
                    relationship.isToMany ? (relationship.isOrdered ? left : Set(left) as Any) : nil, forKey: relationship.name)
            }
        }
    }

    override func saveNothing(in context: NSManagedObjectContext) throws {
        guard hasUnsavedMetadata else { return }
        try save(for: context) { _ in try write(StoreChanges(), in: context) {} }
    }

    private func setRelationships(of node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        for relationship in object.layout.relationships where relationship.storage != .transient {
            let name = relationship.name
            guard relationship.isToMany else {
                node.setValue(object.toOne(relationship).flatMap { cacheNode(for: $0.objectID) }, forKey: name)
                continue
            }
            let members = object.toMany(relationship).objects.filter(\.staysAfterSave).compactMap { cacheNode(for: $0.objectID) }
            node.setValue(relationship.isOrdered ? members : Set(members) as Any, forKey: name)
        }
    }
}

/// The members of owners.
private final class OwnedRows: MemberConsumer {
    private(set) var members: [Int64: [RowKey]] = [:]
    private var owner: Int64 = 0

    func beginMembers(of owner: Int64) { self.owner = owner }

    func wantsValues(of key: RowKey) -> Bool {
        members[owner, default: []].append(key)
        return false
    }

    func take(_ row: Row, for key: RowKey) {}
}

extension NSAtomicStoreCacheNode {
    fileprivate var copyOfCache: NSMutableDictionary? { propertyCache?.mutableCopy() as? NSMutableDictionary }
}

extension NSPersistentStore {
    /// - Throws: 134091 for an entity with a composite attribute, for whose elements a program's store has no names.
    final func requireNoComposites(_ entity: EntityLayout) throws {
        guard let name = entity.composites.keys.min() else { return }
        throw StoreKinds.unsupported(
            "“\(name)” of “\(entity.name)” can't be kept", type: type, reason: "composite attributes are for SQLite stores")
    }
}
