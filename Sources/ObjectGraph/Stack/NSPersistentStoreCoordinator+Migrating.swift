import DataModel
public import Foundation
import Storage

extension NSPersistentStoreCoordinator {
    /// Copies a store of this coordinator to another place or type, and goes on with the copy: for "Save As", and for bringing a
    /// store in memory to a file.
    ///
    /// The copy has the same objects with the same keys, so the last part of their IDs' URLs stays, except in an XML or
    /// binary store, where no two objects have the same number. The copy has a UUID of its own, so the IDs are different.
    /// It also has the metadata, the external binary data, and, from file to file, the history. The old store is removed
    /// from the coordinator; its file stays. Save all contexts first: the objects that they hold belong to the removed
    /// store afterwards.
    ///
    /// Posts, in this order, on the calling thread: `NSPersistentStoreCoordinatorStoresDidChange` with the new store under
    /// `NSAddedPersistentStoresKey`;
    /// `NSPersistentStoreCoordinatorWillRemoveStore`; `NSPersistentStoreCoordinatorStoresDidChange` with the old store, the new
    /// one, and an array with each object's old
    /// and new ID under ``NSUUIDChangedPersistentStoresKey``; then what ``remove(_:)`` posts.
    ///
    /// If something fails the old store is as it was, still in the coordinator, and nothing of the copy is left. Apple's
    /// framework adds to a store that is at the destination; here
    /// that is an error.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - storeURL: Where the copy goes. If there is a file, it must be a store that was destroyed.
    ///   - options: Options for the copy, as for adding a store.
    ///   - storeType: The copy's type.
    /// - Returns: The copy, as a store of this coordinator.
    /// - Throws: 134070 if the coordinator does not have the store; 516 if there is something at the destination; 134000 for an
    ///   unknown type; or an error of one of the stores.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        let (copy, ids) = try performAndWait {
            guard persistentStores.contains(store) else { throw foreignStoreError(store) }
            let ids = try idPairs(store)
            var newKeys: [RowKey: Int64] = [:]
            let copy = try makeCopy(of: store, at: storeURL, options: options, type: storeType, &newKeys)
            return (copy, ids.flatMap { [$0.with(store.reference), $0.with(copy.reference, newKeys)] })
        }
        let center = NotificationCenter.default
        let name = Notification.Name.NSPersistentStoreCoordinatorStoresDidChange
        center.post(name: name, object: self, userInfo: [NSAddedPersistentStoresKey: [copy]])
        center.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
        center.post(name: name, object: self, userInfo: [NSUUIDChangedPersistentStoresKey: [store, copy, ids] as [Any]])
        try remove(store)
        return copy
    }

    /// Copies a store of this coordinator to another place or type, and goes on with the copy; see
    /// ``migratePersistentStore(_:to:options:withType:)``.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }

    private final func makeCopy(
        of store: NSPersistentStore, at url: URL, options: [AnyHashable: Any]?, type: String, _ newKeys: inout [RowKey: Int64]
    ) throws -> NSPersistentStore {
        let kind = try StoreKinds.kind(type)
        let files = kind.files
        let isFile = try files?.file(at: url) != nil
        let isDefault = store.configurationName == NSManagedObjectModel.defaultConfigurationName
        func add(_ fill: ((any StorageEngine) throws -> Void)?) throws -> NSPersistentStore {
            try makeStore(
                type: type, configuration: isDefault ? nil : store.configurationName, url: url, options: options, filledBy: fill)
        }
        let copyRows = { (engine: any StorageEngine) in
            try RowCopy(model: self.runtime.layout, source: store.engine, metadata: store.metadata ?? [:], destination: engine)
                .run()
        }
        guard let files, isFile else { return try add(copyRows) }
        let settings = try StoreOptions(options).settings
        try files.requireNothing(at: url, settings: settings)
        do {
            if let format = (kind as? RegisteredStoreKind)?.format {
                try writeCopy(of: store, AtomicFile(url, type: type), format, type, &newKeys)
                return try add(nil)
            }
            guard store.type == type, let engine = store.engine.copying else { return try add(copyRows) }
            try engine.copy(to: url, settings: settings)
            return try add(nil)
        } catch {
            // The place was empty before, so these files were made by this call.
            try? files.removeFiles(at: url, settings: settings)
            throw error
        }
    }

    /// Writes the file of an atomic store.
    private final func writeCopy(
        of store: NSPersistentStore, _ file: AtomicFile, _ format: any AtomicFormat, _ type: String,
        _ newKeys: inout [RowKey: Int64]
    ) throws {
        let model = runtime.layout
        var metadata = (store.metadata ?? [:]).filter { !StoreMetadata.reservedKeys.contains($0.key) }
        metadata.merge(StoreMetadata.forNewStore(type: type, identifier: UUID().uuidString, model: managedObjectModel)) { $1 }
        metadata[StoreMetadata.hashesKey] = managedObjectModel.entityVersionHashesByName.filter { store.holds($0.key) }
        try file.requireFolder()
        let data = try file.saving {
            try format.requireModel(model, entities: model.entities.filter { store.holds($0.name) })
            let content = try AtomicContent(copying: store.engine, model, metadata: metadata, newNumbers: &newKeys)
            try content.requireSound(model, holds: store.holds)
            return try format.data(of: content, model: model)
        }
        try file.write(data)
    }

    private final func idPairs(_ store: NSPersistentStore) throws -> [MovedID] {
        var result: [MovedID] = []
        for entity in runtime.layout.entities where !entity.isAbstract {
            var request = RowRequest(entity)
            request.includesSubentities = false
            request.takesValues = false
            let collector = KeyCollector()
            try store.fetch(request, into: collector)
            result += collector.keys.map { MovedID(runtime: runtime, entity: $0.entityIndex, key: $0.key) }
        }
        return result
    }
}

/// An object's ID without the store.
private struct MovedID {
    let runtime: ModelRuntime
    let entity: Int
    let key: Int64

    /// - Parameter newKeys: Those that differ in this store.
    func with(_ store: StoreReference, _ newKeys: [RowKey: Int64] = [:]) -> NSManagedObjectID {
        let key = newKeys[RowKey(entity: entity, key: key)] ?? key
        return NSManagedObjectID(runtime: runtime, entityIndex: entity, key: key, store: store)
    }
}
