public import DataModel
public import Foundation
import Predicates

/// Gives many rows of a store new values without loading objects.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Movie")
/// request.predicate = NSPredicate(format: "year < 1950")
/// request.propertiesToUpdate = ["isOld": true, "price": NSExpression(format: "price / 2")]
/// try context.execute(request)
/// ```
///
/// All rows are written in one transaction, or none. Nothing is validated: a required attribute can be made nil. A
/// violated uniqueness constraint makes the request fail with 133021. The version of each row goes up, so that saving a
/// stale object is a conflict, and the store's history has the updates with the context's author.
///
/// Contexts don't see the changes until they get the IDs by
/// `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`, under `NSUpdatedObjectsKey`.
///
/// It works with SQLite stores; others fail with 134091. A request belongs to one thread at a time.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private let name: String
    private let storedEntity: NSEntityDescription?
    /// A closure in place of `propertiesToUpdate`. It sets properties of an object of the entity, and the rows get
    /// these values.
    package final var template: ((NSManagedObject) throws -> Void)?

    /// The rows to update; nil, the default, for all rows of the entity. The store must be able to evaluate it, so it
    /// can't have closures.
    public final var predicate: NSPredicate?

    /// Whether rows of subentities are updated too. True by default.
    public final var includesSubentities = true

    /// The new values by the names or descriptions of attributes: values, `NSNull` for nil, or an `NSExpression` that
    /// may use the row's other values. Relationships can't be updated.
    public final var propertiesToUpdate: [AnyHashable: Any]?

    /// The kind of result. The status by default.
    public final var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

    private init(_ name: String?, _ entity: NSEntityDescription?) {
        self.name = name ?? ""
        storedEntity = entity
        super.init()
    }

    /// Makes a request for an entity by its name, which is looked up in the model of the context that executes the request.
    public convenience init(entityName: String) { self.init(entityName, nil) }

    /// Makes a request for an entity.
    public convenience init(entity: NSEntityDescription) { self.init(entity.name, entity) }

    /// The entity's name.
    public final var entityName: String { name }

    /// The entity. Stops the program if only its name was given: ``entityName`` is always known.
    public final var entity: NSEntityDescription {
        guard let storedEntity else {
            fatalError(
                "The entity “\(name)” of a batch update was given only by its name: use entityName")
        }
        return storedEntity
    }

    /// Further entities, whose objects are updated in the same transaction.
    package final var otherEntities: [NSEntityDescription] = []

    /// A batch update.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A request that asks the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(name, storedEntity)
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.propertiesToUpdate = propertiesToUpdate
        copy.template = template
        copy.otherEntities = otherEntities
        copy.resultType = resultType
        return copy
    }
}

extension NSBatchUpdateRequest: ExecutableRequest, BatchRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let wantsIDs = resultType == .updatedObjectIDsResultType
        let results = try outcomes(in: context, takesEveryStore: false, wantsIDs: wantsIDs)
        return NSBatchUpdateResult(wantsIDs ? results.ids : [], count: results.count, resultType)
    }

    package func outcomes(in context: NSManagedObjectContext, takesEveryStore: Bool, wantsIDs: Bool) throws -> BatchResults {
        let batch = try Batch(
            name, and: otherEntities, context, affectedStores, verb: "updated", takesEveryStore: takesEveryStore)
        var settings = FetchSettings(entityName: name)
        settings.predicate = predicate
        settings.includesSubentities = includesSubentities
        let update = try BatchUpdate(batch, propertiesToUpdate ?? [:], template: template)
        return BatchResults(outcomes: try update.update(settings), runtime: batch.runtime)
    }
}
