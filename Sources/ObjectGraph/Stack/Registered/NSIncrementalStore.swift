public import DataModel
public import Foundation
import Storage

/// A store of your own that is asked for objects one request at a time: a database, a service, a large file.
///
/// A subclass overrides ``NSPersistentStore/loadMetadata()``, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``, mostly also
/// ``NSPersistentStore/type``, and is registered by
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``.
///
/// Contexts work as with other stores: unsaved changes are tested in memory, faults are filled one by one,
/// relationships when they are first read, child contexts ask their parents. What the store finds is taken as found: it
/// does all of a request's predicate, order, limit and offset.
///
/// The methods are called under the store's lock, one at a time, on the queue of the context that is passed to them.
/// They may use that context, and contexts of other coordinators; they must not wait for another context of the same
/// coordinator, which may be waiting for the store. Errors come out of `fetch`, `save` and `load()` as they are; an
/// accessor that needs the store and gets one does what ``NSManagedObjectContext/readingFailurePolicy`` says. An answer
/// that makes no sense is an error with the code 134070 that names store, entity, object and property.
///
/// Before updates and deletions are saved, each object's node is asked for, and one whose
/// ``NSIncrementalStoreNode/version`` is not the one that the context knows is a conflict, as in other stores. After
/// the save the versions of updated objects are asked for. A model with composite attributes is refused.
///
/// Differences from Apple's class: a fetch request comes as an `NSFetchRequest<any NSFetchRequestResult>`, whatever its
/// type was, because Swift's generic classes can't be cast into each other; nodes are not kept by the coordinator, so
/// that each fault that is filled asks for one.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    // @unchecked Sendable: everything is used under the store's lock.
    private var madeEngine: IncrementalEngine?

    // MARK: To be overridden

    /// The UUID of a store that is made at a URL: a new one unless overridden.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Sets ``NSPersistentStore/metadata``, with `NSStoreTypeKey` and `NSStoreUUIDKey`.
    ///
    /// Unless overridden, a store without metadata gets its type and what ``identifierForNewStore(at:)`` gives.
    open override func loadMetadata() throws {
        guard metadata == nil else { return }
        let identifier = Swift.type(of: self).identifierForNewStore(at: url ?? URL(fileURLWithPath: "/dev/null"))
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "\(identifier)"]
    }

    /// Does what a request asks for.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest<any NSFetchRequestResult>` whose entity is set; an ``NSSaveChangesRequest``; or
    ///     a batch request.
    ///   - context: The context that asks. For a child context it is the outermost parent.
    /// - Returns: For a fetch, by its result type: an array of objects, made by `context.object(with:)`, or of IDs; an
    ///   array with one number for a count; an array of dictionaries. For a save anything, mostly an empty array. For a
    ///   batch request its result, or what is to be in it: IDs, a number, or a `Bool`.
    /// - Throws: Why the request can't be done. An error of a save whose `userInfo` has ``NSMergeConflict`` objects under
    ///   `NSPersistentStoreSaveConflictsErrorKey` means that others have written these objects, and that nothing was
    ///   saved: their nodes are asked for again, the context's merge policy decides, and the request comes again with
    ///   what is left. 134091 unless overridden.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw notOverridden("execute(_:with:)")
    }

    /// The values of an object whose fault is filled.
    ///
    /// - Returns: A node with the object's ID.
    /// - Throws: 133000 (`NSManagedObjectReferentialIntegrityError`) if there is no such object; other errors mean that
    ///   it can't be read. 134091 unless overridden.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw notOverridden("newValuesForObject(with:with:)")
    }

    /// What a relationship of an object leads to.
    ///
    /// - Returns: For a to-many relationship an array or a set of IDs, in order if it is ordered. For a to-one an ID,
    ///   or `NSNull` for none.
    /// - Throws: Why it can't be read. 134091 unless overridden.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw notOverridden("newValue(forRelationship:forObjectWith:with:)")
    }

    /// Permanent IDs for new objects, made by ``newObjectID(for:referenceObject:)``, before the objects are saved.
    ///
    /// - Returns: One ID for each object, in the same order.
    /// - Throws: Why they can't be given. 134091 unless overridden.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw notOverridden("obtainPermanentIDs(for:)")
    }

    /// Told on a context's queue that the context has objects with these IDs: what the store keeps of them will be
    /// asked for. Does nothing unless overridden.
    ///
    /// An ID is told once for each context.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Told that a context no longer has objects with these IDs. Does nothing unless overridden.
    ///
    /// Objects go on any thread, wherever the last reference to one is let go of; so this is called a little later, on
    /// a queue of the store's own.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: IDs

    /// The ID of the object with a reference object. The same reference always gives the same ID, also when the store
    /// is opened again.
    ///
    /// Stops the program for an entity that the model does not have, and for a reference that is not a whole number, a
    /// text, a UUID or `Data`.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - data: The reference object.
    public final func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        id(for: entity, data, "newObjectID(for:referenceObject:)")
    }

    /// The reference object of an ID: an `NSNumber`, a `String`, a `UUID` or `Data`. Stops the program for an ID of
    /// another store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        referenceObject(of: objectID, "referenceObject(for:)")
    }

    // MARK: What the object graph asks

    override func makeEngine(_ place: StorePlace) throws -> any StorageEngine {
        for entity in place.layout.entities where holds(entity.name) { try requireNoComposites(entity) }
        let engine = IncrementalEngine(self, place.layout)
        madeEngine = engine
        return engine
    }

    override func newKeys(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws -> [Int64]? {
        guard !objects.isEmpty else { return [] }
        return try asked(by: context) {
            try requireNew(try obtainPermanentIDs(for: objects), for: objects, in: context, "obtainPermanentIDs(for:)")
        }
    }

    override func write(_ changes: StoreChanges, in context: NSManagedObjectContext, _ others: () throws -> Void) throws {
        let request = NSSaveChangesRequest(
            inserted: Set(changes.inserted), updated: Set(changes.updated), deleted: Set(changes.deleted),
            locked: changes.checked.isEmpty ? nil : Set(changes.checked))
        _ = try execute(request, with: context)
        madeEngine?.didSave(changes)
        try others()
    }

    override func saveNothing(in context: NSManagedObjectContext) throws {
        guard !isReadOnly else { return }
        try save(for: context) { _ in try write(StoreChanges(), in: context) {} }
    }

    override func dictionaries(_ settings: FetchSettings, for context: NSManagedObjectContext) throws -> [NSDictionary]? {
        try asked(by: context) { try madeEngine?.dictionaries(settings) }
    }

    private func notOverridden(_ method: String) -> NSError {
        StoreKinds.unsupported(
            "A store of class \(Swift.type(of: self)) can't be used", type: type,
            reason: "\(Swift.type(of: self)) does not override \(method)")
    }
}
