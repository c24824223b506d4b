public import DataModel
public import Foundation

/// Inserts many rows into a store without making objects that stay in memory.
///
/// ```swift
/// let request = NSBatchInsertRequest(entityName: "Movie", objects: [["title": "Ran"], ["title": "Ikiru"]])
/// try context.execute(request)
/// ```
///
/// All rows are written in one transaction, or none. Missing properties get the model's default values; a missing value
/// for a required property makes the request fail with 1570, and relationships can't be set. Nothing else is validated,
/// and no hooks of objects are called. The store's history has the inserts with the context's author.
///
/// If a row has the unique values of another one, the merge policy of the context that executes the request decides:
/// the error policy fails with 133021; object trump and overwrite update the existing row with the properties that were
/// given; store trump and rollback keep it.
///
/// Contexts don't see the rows until they get the IDs by
/// `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`, under `NSInsertedObjectsKey`.
///
/// It works with SQLite stores; others fail with 134091. A request belongs to one thread at a time.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let name: String
    /// The entity, if it was given itself.
    public final let entity: NSEntityDescription?

    /// What to insert: values by property names, `NSNull` for nil.
    public final var objectsToInsert: [[String: Any]]?

    /// Called again and again, each time with an empty dictionary to fill, until it returns true; the dictionary of
    /// that last call is not inserted.
    public final var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

    /// Called again and again, each time with a new object of the entity's class, until it returns true; the object of
    /// that last call is not inserted.
    ///
    /// The objects have the model's default values. They are not part of the context, and must not be kept.
    public final var managedObjectHandler: ((NSManagedObject) -> Bool)?

    /// A handler of objects whose error ends the request.
    package final var throwingHandler: ((NSManagedObject) throws -> Bool)?

    /// The kind of result. The status by default.
    public final var resultType = NSBatchInsertRequestResultType.statusOnly

    /// Makes a request that asks for one object after the other.
    package convenience init(entity: NSEntityDescription, throwingHandler handler: @escaping (NSManagedObject) throws -> Bool) {
        self.init(entity.name, entity)
        throwingHandler = handler
    }

    private init(_ name: String?, _ entity: NSEntityDescription?) {
        self.name = name ?? ""
        self.entity = entity
        super.init()
    }

    /// Makes a request with the values of all rows.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name, looked up in the model of the context that executes the request.
    ///   - dictionaries: Values by property names, `NSNull` for nil.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(entityName, nil)
        objectsToInsert = dictionaries
    }

    /// Makes a request with the values of all rows.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - dictionaries: Values by property names, `NSNull` for nil.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity.name, entity)
        objectsToInsert = dictionaries
    }

    /// Makes a request that asks for the values of one row after the other.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name, looked up in the model of the context that executes the request.
    ///   - handler: See ``dictionaryHandler``.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entityName, nil)
        dictionaryHandler = handler
    }

    /// Makes a request that asks for the values of one row after the other.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: See ``dictionaryHandler``.
    public convenience init(entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entity.name, entity)
        dictionaryHandler = handler
    }

    /// Makes a request that asks for one object after the other.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name, looked up in the model of the context that executes the request.
    ///   - handler: See ``managedObjectHandler``.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName, nil)
        managedObjectHandler = handler
    }

    /// Makes a request that asks for one object after the other.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: See ``managedObjectHandler``.
    public convenience init(entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entity.name, entity)
        managedObjectHandler = handler
    }

    /// The entity's name.
    public final var entityName: String { name }

    /// A batch insert.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A request that asks the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(name, entity)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.throwingHandler = throwingHandler
        copy.resultType = resultType
        return copy
    }
}

extension NSBatchInsertRequest: ExecutableRequest, BatchRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let results = try outcomes(in: context, takesEveryStore: false, wantsIDs: resultType == .objectIDs)
        return NSBatchInsertResult(results.ids, count: results.count, resultType)
    }

    package func outcomes(in context: NSManagedObjectContext, takesEveryStore: Bool, wantsIDs: Bool) throws -> BatchResults {
        let batch = try Batch(entityName, context, affectedStores, verb: "inserted", takesEveryStore: takesEveryStore)
        return BatchResults(outcomes: try BatchInsertion(batch, wantsIDs: wantsIDs).insert(self), runtime: batch.runtime)
    }
}
