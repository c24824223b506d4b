public import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// Finds objects.
    ///
    /// Objects that the context already has come as they are. Others come as faults that have their rows.
    ///
    /// - Parameter request: What to find. Its entity is looked up in the context's model.
    /// - Returns: What the request's `resultType` says.
    /// - Throws: 134060 for a request that does not fit the model (see ``NSFetchRequest``), or an error of the store.
    public final func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        try typedResults(of: request)
    }

    final func typedResults<T>(of request: NSFetchRequest<T>) throws -> [T] {
        if request.resultType == .managedObjectResultType {
            let objects = try FetchPlan(request, in: self).objects()
            return try typed(objects, request)
        }
        return try typed(results(request), request)
    }

    /// Finds objects, IDs or a count.
    ///
    /// - Parameter request: What to find. Its entity is looked up in the context's model.
    /// - Returns: What the request's `resultType` says.
    /// - Throws: 134060 for a request that does not fit the model, or an error of the store.
    public final func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(request)
    }

    /// The number of objects that a fetch would find.
    ///
    /// - Parameter request: What to count. Limit and offset are respected, too.
    /// - Throws: As `fetch(_:)`.
    public final func count<T>(for request: NSFetchRequest<T>) throws -> Int { try FetchPlan(request, in: self).count() }

    private final func results<T>(_ request: NSFetchRequest<T>) throws -> [NSObject] {
        if request.resultType == .dictionaryResultType {
            checkQueue()
            return try DictionaryFetch(request, in: self).results()
        }
        let plan = try FetchPlan(request, in: self)
        switch request.resultType {
        case .countResultType: return [NSNumber(value: try plan.count())]
        case .managedObjectIDResultType: return try plan.objects().map(\.objectID)
        default: return try plan.objects()
        }
    }

    final func typed<T>(_ results: [NSObject], _ request: NSFetchRequest<some Any>) throws -> [T] {
        if let typed = results as? [T] { return typed }
        let given = results.first { !($0 is T) }.map { "\(type(of: $0))" } ?? "nothing"
        throw NSError.coreData(
            NSCoreDataError,
            "The fetch of “\(request.entityName ?? "")” gives \(given), which is not the \(T.self) that the request is for")
    }

    /// Each class is checked once, and not each object.
    package final func typed<T>(_ objects: [NSManagedObject], _ request: NSFetchRequest<some Any>) throws -> [T] {
        var checked = Set<ObjectIdentifier>()
        var last: ObjectIdentifier?
        for object in objects {
            let objectClass = ObjectIdentifier(type(of: object))
            if objectClass == last { continue }
            last = objectClass
            guard checked.insert(objectClass).inserted else { continue }
            guard object is T else { return try typed(objects as [NSObject], request) }
        }
        // This is sound: each element is of a class that was found to be a T, and arrays of class references have one
        // representation. `any NSFetchRequestResult` has another one, so it is cast with a check.
        guard T.self is AnyObject.Type else { return try typed(objects as [NSObject], request) }
        return unsafeBitCast(objects, to: [T].self)
    }
}

extension NSEntityDescription {
    /// The entity of a context's model with a name; nil if there is none.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name.
    ///   - context: A context with a coordinator.
    public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
        context.persistentStoreCoordinator?.runtime.layout.entity(named: entityName)?.description
    }

    /// Makes an object of an entity, with the model's default values, and inserts it.
    ///
    /// Stops the program if the model has no such entity.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name.
    ///   - context: The context, on whose queue the call must be.
    /// - Returns: An object of the entity's class.
    public class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            fatalError(context.runtime.layout.missingEntity(entityName, for: "\(context)"))
        }
        return NSManagedObject(entity: entity, insertInto: context)
    }
}
