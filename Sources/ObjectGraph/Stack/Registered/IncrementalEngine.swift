import DataModel
import Foundation
import Storage

/// Asks a program's store for rows: what the engines of other stores do, in the words of `NSIncrementalStore`.
// @unchecked Sendable: used under the store's lock; the store owns the engine.
final class IncrementalEngine: StorageEngine, @unchecked Sendable {
    private unowned let store: NSIncrementalStore
    private let model: ModelLayout
    private var versions = NodeVersions()
    private var given: GivenValues { GivenValues(store: store, model: model) }

    init(_ store: NSIncrementalStore, _ model: ModelLayout) {
        self.store = store
        self.model = model
    }

    var identifier: String { store.identifier }
    var metadata: [String: Any] { store.metadata ?? [:] }
    func setMetadata(_ metadata: [String: Any]) { store.metadata = metadata }
    func close() {}

    // The program's store does the whole of a request.
    func evaluates(_ condition: RowPredicate) -> Bool { true }
    func evaluates(_ key: RowRequest.SortKey) -> Bool { true }
    var executesRequests: Bool { true }
    var showsUnsavedRows: Bool { false }

    // MARK: Reading

    func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        switch request.selection {
        case .all:
            for key in try found(request) {
                if request.settings != nil { consumer.takeFault(key) } else { try take(key, into: consumer) }
            }
        case .keys(let keys):
            for key in keys {
                guard let entity = store.entity(of: key, root: request.entity.root, model),
                    entity.isKind(of: request.entity, orSubentity: request.includesSubentities)
                else { continue }
                try take(RowKey(entity: entity.index, key: key), into: consumer)
            }
        case .members(let relationship, let owner):
            for key in try members(of: relationship, owner) { consumer.takeFault(key) }
        case .matching:
            throw StoreKinds.unsupported("Objects can't be found by unique values", type: store.type)
        }
    }

    func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws {
        for owner in Set(owners).sorted() {
            let members = try members(of: relationship, owner)
            guard !members.isEmpty else { continue }
            consumer.beginMembers(of: owner)
            for key in members { consumer.takeFault(key) }
        }
    }

    func count(_ request: RowRequest) throws -> Int {
        guard case .all = request.selection else {
            let found = KeyCollector()
            try fetch(request, into: found)
            return found.keys.count
        }
        let (fetch, result) = try execute(request, 4)
        let number = (result as? NSNumber) ?? (GivenValues.elements(result)?.first as? NSNumber)
        guard let count = number.flatMap({ WholeNumber($0) })?.nearest, count >= 0, count <= Int.max else {
            throw given.failure(
                "gave “\(ValueText.of(result))” of the type \(Swift.type(of: result)) for the count of “\(fetch.entityName ?? "")”: an array with one NSNumber is needed"
            )
        }
        return Int(count)
    }

    func dictionaries(_ settings: FetchSettings) throws -> [NSDictionary] {
        let request = NSFetchRequest<any NSFetchRequestResult>(settings)
        let result = try store.withCaller { try store.execute(request, with: $0) }
        return try elements(result, request).map { element in
            if let dictionary = element as? NSDictionary { return dictionary }
            if let dictionary = element as? [String: Any] { return NSDictionary(dictionary: dictionary) }
            throw given.failure("gave a \(Swift.type(of: element)) for a fetch of dictionaries of “\(request.entityName ?? "")”")
        }
    }

    /// The rows that the store finds for a request.
    private func found(_ request: RowRequest) throws -> [RowKey] {
        let (fetch, result) = try execute(request, 0)
        return try elements(result, fetch).map { element in
            guard let id = GivenValues.id(element) else {
                throw given.failure(
                    "gave a \(Swift.type(of: element)) for a fetch of “\(request.entity.name)”, which is neither an object nor an NSManagedObjectID"
                )
            }
            guard let key = given.rowKey(id) else {
                throw given.failure(
                    "gave \(id) for a fetch of “\(request.entity.name)”, which is not a permanent ID of this store")
            }
            guard model.entities[key.entityIndex].isKind(of: request.entity, orSubentity: request.includesSubentities) else {
                throw given.failure(
                    "gave \(id) for a fetch of “\(request.entity.name)”, which is of “\(model.entities[key.entityIndex].name)”")
            }
            return key
        }
    }

    private func execute(_ request: RowRequest, _ resultType: UInt) throws -> (NSFetchRequest<any NSFetchRequestResult>, Any) {
        var settings = request.settings ?? FetchSettings()
        settings.entity = request.entity.description
        settings.includesSubentities = request.includesSubentities
        (settings.fetchLimit, settings.fetchOffset) = (request.limit, request.offset)
        settings.resultType = resultType
        let fetch = NSFetchRequest<any NSFetchRequestResult>(settings, affectedStores: [store])
        return (fetch, try store.withCaller { try store.execute(fetch, with: $0) })
    }

    private func elements(_ result: Any, _ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        if let elements = GivenValues.elements(result) { return elements }
        throw given.failure(
            "gave “\(ValueText.of(result))” of the type \(Swift.type(of: result)) for a fetch of “\(request.entityName ?? "")”: an array is needed"
        )
    }

    private func members(of relationship: RelationshipLayout, _ owner: Int64) throws -> [RowKey] {
        guard let entity = store.entity(of: owner, root: model.entities[relationship.entity].root, model),
            let id = store.id(of: RowKey(entity: entity.index, key: owner))
        else { return [] }
        return try given.members(value(of: relationship, id), relationship, of: id)
    }

    private func value(of relationship: RelationshipLayout, _ id: NSManagedObjectID) throws -> Any {
        try store.withCaller { try store.newValue(forRelationship: relationship.description, forObjectWith: id, with: $0) }
    }

    // MARK: Rows

    private func take(_ key: RowKey, into consumer: some RowConsumer) throws {
        do {
            guard let row = try row(key) else { return }
            if consumer.wantsValues(of: key) { consumer.take(row, for: key) }
        } catch {
            if consumer.wantsValues(of: key) { try consumer.takeFailure(error, for: key) }
        }
    }

    /// - Returns: Nil if the program has no such object.
    func row(_ key: RowKey) throws -> Row? {
        guard let id = store.id(of: key) else { return nil }
        let node: NSIncrementalStoreNode
        do {
            node = try store.withCaller { try store.newValuesForObject(with: id, with: $0) }
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
        {
            return nil
        }
        guard node.objectID == id else { throw given.failure("gave the values of \(node.objectID) for \(id)") }
        let entity = model.entities[key.entityIndex]
        let row = Row.emptyDraft(entity)
        for (slot, layout) in entity.slots.enumerated() where layout.isPersistent {
            guard let attribute = layout.attribute else { continue }
            try given.put(node.value(for: attribute), into: row, slot, of: id)
        }
        for relationship in entity.relationships where relationship.storage == .toOne {
            let value = try node.value(for: relationship.description) ?? value(of: relationship, id)
            given.put(try given.destination(value, relationship, of: id), into: row, relationship)
        }
        row.version = versions.version(key, of: node.version)
        return row
    }

    // MARK: Saving

    func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result {
        try body(IncrementalTransaction(self))
    }

    /// Notes what the program has saved.
    func didSave(_ changes: StoreChanges) {
        for object in changes.deleted { versions.forget(RowKey(entity: object.layout.index, key: object.key)) }
        for object in changes.inserted + changes.updated {
            guard let row = object.row else { continue }
            versions.didSave(RowKey(entity: object.layout.index, key: object.key), version: row.version)
        }
        // What others write from now on has another version. An object that can't be read now tells its version when it
        // is read next.
        for object in changes.updated { _ = try? self.row(RowKey(entity: object.layout.index, key: object.key)) }
    }
}

/// Finds the objects that others have changed. What is to be saved goes to the program's store as one request, when the
/// rows have been looked at.
private struct IncrementalTransaction: SaveTransaction {
    private let engine: IncrementalEngine

    init(_ engine: IncrementalEngine) { self.engine = engine }

    func reserveKeys(_ count: Int, root: EntityLayout) throws -> Int64 {
        throw NSError.coreData(NSPersistentStoreOperationError, "An incremental store gives IDs, not numbers, to new objects")
    }

    func insert(_ changes: [RowChange], entity: EntityLayout) throws {}
    func update(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] { try changed(changes, entity) }
    func delete(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] { try changed(changes, entity) }
    func apply(_ changes: [MembershipChange]) throws {}

    private func changed(_ changes: [RowChange], _ entity: EntityLayout) throws -> [Int64] {
        try changes.compactMap { change in
            let row = try engine.row(RowKey(entity: entity.index, key: change.key))
            return row?.version == change.expectedVersion ? nil : change.key
        }
    }
}
