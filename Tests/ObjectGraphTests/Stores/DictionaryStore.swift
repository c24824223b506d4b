import DataModel
import Foundation
import ObjectGraph
import Predicates
import Synchronization
import TestSupport

/// What a `DictionaryStore` keeps: rows by entity and reference. Shared by stores, as a service would be.
final class DictionaryService: @unchecked Sendable {
    // @unchecked Sendable: everything is under the lock.
    struct Record {
        var values: [String: Any] = [:]
        /// References of destinations, with their entities.
        var links: [String: [(entity: String, reference: String)]] = [:]
        var version: UInt64 = 1
    }

    private let lock = NSRecursiveLock()
    private var records: [String: [String: Record]] = [:]
    private var order: [String] = []

    subscript(entity: String, reference: String) -> Record? {
        get { lock.withLock { records[entity]?[reference] } }
        set {
            lock.withLock {
                records[entity, default: [:]][reference] = newValue
                order.removeAll { $0 == reference }
                if newValue != nil { order.append(reference) }
            }
        }
    }

    /// In the order of the first save.
    func references(_ entity: String) -> [String] { lock.withLock { order.filter { records[entity]?[$0] != nil } } }
    func count(_ entity: String) -> Int { lock.withLock { records[entity]?.count ?? 0 } }
}

/// An incremental store over a service, as a program would write it.
final class DictionaryStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "Tests.Dictionary"

    var service = DictionaryService()
    private(set) var calls: [String] = []
    private(set) var saves: [NSSaveChangesRequest] = []
    private(set) var fetches: [NSFetchRequest<any NSFetchRequestResult>] = []
    let registered = Mutex<[String]>([])
    let unregistered = Mutex<[String]>([])
    /// Called before a save is done.
    var beforeSaving: (NSSaveChangesRequest) throws -> Void = { _ in }
    var fetchFailure: (any Error)?
    /// What stands in for an answer.
    var answer: ((String) -> Any?) = { _ in nil }
    /// Called in the middle of a fetch.
    var duringFetch: () throws -> Void = {}

    override var type: String { DictionaryStore.storeType }

    override func loadMetadata() throws {
        calls.append("loadMetadata")
        if let given = options?["service"] as? DictionaryService { service = given }
        if let failure = options?["failure"] as? NSError { throw failure }
        metadata = [
            NSStoreTypeKey: options?["type"] as? String ?? DictionaryStore.storeType,
            NSStoreUUIDKey: options?["uuid"] as? String ?? UUID().uuidString,
        ]
    }

    private func name(_ id: NSManagedObjectID) -> (entity: String, reference: String) {
        (id.entity.name ?? "", referenceObject(for: id) as? String ?? "")
    }

    private func id(_ entity: String, _ reference: String) -> NSManagedObjectID? {
        persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity].map {
            newObjectID(for: $0, referenceObject: reference)
        }
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            calls.append("fetch")
            fetches.append(request)
            try duringFetch()
            if let fetchFailure { throw fetchFailure }
            return try answer("fetch") ?? found(request, context)
        case let request as NSSaveChangesRequest:
            calls.append("save")
            saves.append(request)
            try beforeSaving(request)
            for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) { write(object) }
            for object in request.deletedObjects ?? [] {
                let (entity, reference) = name(object.objectID)
                service[entity, reference] = nil
            }
            return []
        case let request as NSBatchDeleteRequest:
            calls.append("batch")
            let found = try found(request.fetchRequest, context) as? [NSManagedObject] ?? []
            for object in found {
                let (entity, reference) = name(object.objectID)
                service[entity, reference] = nil
            }
            return answer("batch") ?? found.count
        default: throw CocoaError(.featureUnsupported)
        }
    }

    private func found(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?) throws -> Any {
        guard let context, let entity = request.entity else { return [] }
        let entities = [entity] + (request.includesSubentities ? entity.subentities : [])
        var objects = entities.flatMap { entity in
            service.references(entity.name ?? "").map {
                context.object(with: newObjectID(for: entity, referenceObject: $0))
            }
        }
        if let predicate = request.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
        if let descriptors = request.sortDescriptors { objects = objects.sorted(by: descriptors) }
        objects = Array(objects.dropFirst(request.fetchOffset))
        if request.fetchLimit > 0 { objects = Array(objects.prefix(request.fetchLimit)) }
        switch request.resultType {
        case .countResultType: return [NSNumber(value: objects.count)]
        case .managedObjectIDResultType: return objects.map(\.objectID)
        case .dictionaryResultType:
            let names = request.propertiesToFetch as? [String] ?? []
            return objects.map { object in
                Dictionary(uniqueKeysWithValues: names.compactMap { name in object.value(forKey: name).map { (name, $0) } })
            }
        default: return objects
        }
    }

    private func write(_ object: NSManagedObject) {
        let (entity, reference) = name(object.objectID)
        var record = service[entity, reference] ?? DictionaryService.Record(version: 0)
        record.version += 1
        for name in object.entity.attributesByName.keys { record.values[name] = object.value(forKey: name) }
        for (name, relationship) in object.entity.relationshipsByName {
            let value = object.value(forKey: name)
            let destinations: [NSManagedObject] =
                relationship.isToMany
                ? (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? Array(value as? Set<NSManagedObject> ?? [])
                : (value as? NSManagedObject).map { [$0] } ?? []
            record.links[name] = destinations.map { self.name($0.objectID) }
        }
        service[entity, reference] = record
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let (entity, reference) = name(objectID)
        calls.append("values \(reference)")
        if let node = answer("values") as? NSIncrementalStoreNode { return node }
        if let fetchFailure { throw fetchFailure }
        guard let record = service[entity, reference] else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: record.values, version: record.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let (entity, reference) = name(objectID)
        calls.append("relationship \(relationship.name)")
        if let answer = answer(relationship.name) { return answer }
        if let fetchFailure { throw fetchFailure }
        let ids = (service[entity, reference]?.links[relationship.name] ?? []).compactMap { id($0.entity, $0.reference) }
        return relationship.isToMany ? ids : ids.first ?? NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        calls.append("ids \(array.count)")
        if let ids = answer("ids") as? [NSManagedObjectID] { return ids }
        if let failure = answer("ids") as? NSError { throw failure }
        return array.map {
            newObjectID(for: $0.entity, referenceObject: $0.value(forKey: "name") as? String ?? UUID().uuidString)
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        let names = objectIDs.map { name($0).reference }
        registered.withLock { $0 += names }
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        let names = objectIDs.map { name($0).reference }
        unregistered.withLock { $0 += names }
    }

    func forgetCalls() { calls = [] }
}
