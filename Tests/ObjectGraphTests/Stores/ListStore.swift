import DataModel
import Foundation
import ObjectGraph
import Synchronization
import TestSupport

/// An atomic store in a property list, as a program would write it.
final class ListStore: NSAtomicStore, @unchecked Sendable {
    static let storeType = "Tests.List"

    private(set) var calls: [String] = []
    var failure: (any Error)?
    /// What stands in for the reference of the next new object.
    var nextReference: Any?
    var typeInMetadata = ListStore.storeType
    var usesNumbers = false

    override var type: String { ListStore.storeType }

    override func loadMetadata() throws {
        calls.append("loadMetadata")
        let file = try contents()
        metadata =
            file["metadata"] as? [String: Any] ?? [
                NSStoreTypeKey: typeInMetadata, NSStoreUUIDKey: UUID().uuidString, "owner": "nobody",
            ]
        if let forced = options?["type"] as? String { metadata[NSStoreTypeKey] = forced }
        usesNumbers = options?["numbers"] as? Bool ?? false
    }

    private func contents() throws -> [String: Any] {
        guard let url, let data = try? Data(contentsOf: url) else { return [:] }
        guard let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return list
    }

    override func load() throws {
        calls.append("load")
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        for case let object as [String: Any] in try contents()["objects"] as? [Any] ?? [] {
            guard let name = object["entity"] as? String, let entity = entities[name], let reference = object["reference"] else {
                throw CocoaError(.fileReadCorruptFile)
            }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
            for (key, value) in object["values"] as? [String: Any] ?? [:] {
                guard let relationship = entity.relationshipsByName[key], let destination = relationship.destinationEntity else {
                    node.setValue(value, forKey: key)
                    continue
                }
                let nodes = (value as? [[Any]] ?? []).compactMap { pair -> NSAtomicStoreCacheNode? in
                    let other = (pair[0] as? String).flatMap { entities[$0] } ?? destination
                    return NSAtomicStoreCacheNode(objectID: objectID(for: other, withReferenceObject: pair[1]))
                }
                if relationship.isToMany { node.setValue(nodes, forKey: key) } else { node.setValue(nodes.first, forKey: key) }
            }
            addCacheNodes([node])
        }
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        if let nextReference { return nextReference }
        return usesNumbers ? cacheNodes().count + 1000 + Int.random(in: 0..<1 << 40) : "ref/ä \(UUID().uuidString)"
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { calls.append("remove \(cacheNodes.count)") }

    override func save() throws {
        calls.append("save")
        if let failure { throw failure }
        let objects = cacheNodes().map { node -> [String: Any] in
            var values: [String: Any] = [:]
            for (key, value) in node.propertyCache ?? [:] {
                guard let key = key as? String else { continue }
                let nodes =
                    (value as? NSAtomicStoreCacheNode).map { [$0] } ?? (value as? [NSAtomicStoreCacheNode])
                    ?? (value as? Set<NSAtomicStoreCacheNode>).map(Array.init)
                values[key] = nodes?.map { [$0.objectID.entity.name ?? "", referenceObject(for: $0.objectID)] } ?? value
            }
            return [
                "entity": node.objectID.entity.name ?? "", "reference": referenceObject(for: node.objectID), "values": values,
            ]
        }
        let list: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
        let data = try PropertyListSerialization.data(fromPropertyList: list as NSDictionary, format: .xml, options: 0)
        if let url { try data.write(to: url, options: .atomic) }
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { calls.append("didAdd") }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { calls.append("willRemove") }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any]
        return list?["metadata"] as? [String: Any] ?? [:]
    }
}

/// A coordinator with a store of a class of the tests, and a private context on it.
final class OwnStack<Store: NSPersistentStore>: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let store: Store
    let context: NSManagedObjectContext
    let url: URL

    init(_ model: NSManagedObjectModel, _ type: String, at url: URL, options: [AnyHashable: Any]? = nil) throws {
        NSPersistentStoreCoordinator.registerStoreClass(Store.self, forStoreType: type)
        self.url = url
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let added = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        guard let store = added as? Store else { throw CocoaError(.featureUnsupported) }
        self.store = store
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}

/// The error that something throws; nil if it throws none.
func caught(_ body: () throws -> some Any) -> NSError? {
    do {
        _ = try body()
        return nil
    } catch { return error as NSError }
}
