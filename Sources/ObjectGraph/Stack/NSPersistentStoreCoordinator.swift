public import DataModel
public import Foundation
package import Storage
import Synchronization

/// Stands between contexts and stores: knows the model, and opens stores, each of which
/// serves one request at a time.
///
/// May be used on every thread.
// @unchecked Sendable: the list of stores is in a mutex, their number under the lock; the model is frozen.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// Held while stores are added and removed. Locks are taken in this order: this one, those of stores in the order in
    /// which the stores were added, and at last the list's, under which nothing else is done.
    let lock = NSRecursiveLock()
    /// The queue for blocks given to `perform`. They run under the lock.
    let queue = ContextQueue(.privateQueueConcurrencyType)
    let runtime: ModelRuntime
    private let stores = Mutex<[NSPersistentStore]>([])
    private var nextIndex = 0
    /// The contexts that merge each save by themselves.
    let receivers = ContextList()
    /// All contexts, children included.
    let contexts = ContextList()
    /// Shows contexts whether others have saved since their last look.
    let clock = WriteClock()
    /// Replaces each engine from now on, for tests in which a store fails. It must be set before stores are added.
    package final var engineReplacement: ((any StorageEngine) -> any StorageEngine)?

    /// The model, immutable from now on.
    public final let managedObjectModel: NSManagedObjectModel

    /// A name for debugging.
    public final var name: String?

    /// Makes a coordinator without stores.
    ///
    /// - Parameter model: The model, which can't be changed from now on.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        runtime = ModelRuntime.of(model)
        RuntimeList.add(model)
        super.init()
        CoordinatorList.add(self)
    }

    deinit {
        for store in persistentStores { store.close() }
    }

    /// The stores in the order they were added.
    public final var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

    final var firstStoreReference: StoreReference? { stores.withLock { $0.first?.reference } }

    final func storeReference(identifier: String) -> StoreReference? {
        stores.withLock { $0.first { $0.reference.identifier == identifier }?.reference }
    }

    /// The store with a URL.
    public final func persistentStore(for URL: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL }
    }

    /// The URL of a store; of the null device for a store in memory.
    public final func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// Gives a store another URL.
    ///
    /// The URL of a store with a file can't be changed while the store is open: use
    /// ``migratePersistentStore(_:to:options:withType:)``. The URL of a store in memory is only a name.
    ///
    /// - Returns: Whether the store has the URL now.
    public final func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard persistentStores.contains(store) else { return false }
        if store.url == url { return true }
        guard store.kind.files == nil || store.isRegistered else { return false }
        store.url = url
        return true
    }

    /// The store for a new object: the first that holds its entity and can be written.
    final func storeForNewObject(_ object: NSManagedObject) throws -> NSPersistentStore {
        if let store = object.registry.store?.store { return store }
        if let store = object.context?.saving.store(for: object) { return store }
        let stores = persistentStores
        if let store = stores.first(where: { $0.holds(object.layout.name) && !$0.isReadOnly }) { return store }
        let reason: String
        if stores.isEmpty {
            reason = "the coordinator has no stores"
        } else if let store = stores.first(where: { $0.holds(object.layout.name) }) {
            reason = "the store \(store.url?.path ?? store.identifier ?? "") was opened read-only"
        } else {
            reason = "no store holds the entity “\(object.layout.name)”"
        }
        throw NSError.coreData(
            NSPersistentStoreSaveError, "\(object.objectID) can't be saved: \(reason)", [NSAffectedObjectsErrorKey: [object]])
    }

    // MARK: Stores

    /// Opens a store, and makes it first if it does not exist.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, `NSInMemoryStoreType`, or a type of your
    ///     own; see ``registerStoreClass(_:forStoreType:)``.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    ///   - storeURL: The file; nil for a store in memory. `/dev/null` makes an SQLite store in memory.
    ///   - options: `NSReadOnlyPersistentStoreOption`, `NSPersistentStoreTimeoutOption`, `NSSQLitePragmasOption`,
    ///     `NSIgnorePersistentStoreVersioningOption`, ``NSPersistentHistoryTrackingKey``,
    ///     ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``, ``NSSQLiteManualVacuumOption``,
    ///     ``NSSQLiteAnalyzeOption``, ``OpenCoreDataForeignTriggersOption``, ``OpenCoreDataMirroredStoresOption``,
    ///     ``OpenCoreDataExternalDataLinksOption``.
    ///     ``NSMigratePersistentStoresAutomaticallyOption`` and ``NSInferMappingModelAutomaticallyOption`` migrate a store of
    ///     another model first; ``OpenCoreDataModelFoldersOption``, ``OpenCoreDataAllowsLosingValuesOption`` and
    ///     ``OpenCoreDataMigrationBackupOption`` say how. Others are kept and have no effect. Options that are true or false
    ///     are a `Bool`, an integer or an `NSNumber`. A value of another type, such as "yes", is an error, where Apple's
    ///     framework converts it if it can.
    /// - Returns: The store.
    /// - Throws: 134000 for an unknown type, 134060 if the model, the classes or an option's value are wrong, 134100 if
    ///   the store was made with another model, 134110 to 134140 if it can't be migrated, 259 for a file that is not a
    ///   store, or another error of the store. No store is added then.
    @discardableResult
    public final func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let store = try lock.withLock {
            try makeStore(type: storeType, configuration: configuration, url: storeURL, options: options)
        }
        store.didAdd(to: self)
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Opens a store, or makes it if it does not exist; see
    /// ``addPersistentStore(ofType:configurationName:at:options:)``.
    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens a store as a description says, at once or on another thread.
    ///
    /// - Parameters:
    ///   - storeDescription: The store.
    ///   - block: Called with the description, and the error if it could not be opened; on another thread only if the
    ///     description says `shouldAddStoreAsynchronously`.
    public final func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        // Apple's signature. The block is called once. A caller that asks for another thread must be ready for it, as
        // with Apple's framework.
        nonisolated(unsafe) let block = block
        guard let description = storeDescription.copy() as? NSPersistentStoreDescription else { return }
        let work: @Sendable () -> Void = {
            do {
                try self.addPersistentStore(
                    ofType: description.type, configurationName: description.configuration, at: description.url,
                    options: description.options)
                block(description, nil)
            } catch {
                block(description, error)
            }
        }
        if storeDescription.shouldAddStoreAsynchronously { DispatchQueue.global().async(execute: work) } else { work() }
    }

    /// - Parameter fill: Called with the store's engine before other threads can use the store. If it throws, the store
    ///   is not added.
    final func makeStore(
        type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
        filledBy fill: ((any StorageEngine) throws -> Void)? = nil
    ) throws -> NSPersistentStore {
        let problems = managedObjectModel.structuralProblems
        guard problems.isEmpty else {
            throw NSError.coreData(
                NSCoreDataError, "The model can't be used:\n" + problems.map { "  " + $0 }.joined(separator: "\n"))
        }
        try runtime.checkTypes()
        guard let entities = managedObjectModel.entities(forConfigurationName: configuration) else {
            throw NSError.coreData(NSCoreDataError, "The model has no configuration “\(configuration ?? "")”")
        }
        let storeOptions = try StoreOptions(options)
        let kind = try StoreKinds.kind(type)
        if let url, try kind.files?.file(at: url) != nil, persistentStore(for: url) != nil { throw sameStoreError(url) }
        let open = { (settings: StoreSettings) in
            try self.open(
                kind, configuration: configuration, url: url, options: options, entities: entities, settings: settings)
        }
        let (store, engine, identifier) = try migrating(url, kind, storeOptions, options, open)
        // By another path, or a copy: their objects could not be told apart by ID.
        if storeReference(identifier: identifier) != nil {
            engine.close()
            throw sameStoreError(url)
        }
        maintain(engine)
        do { try fill?(engine) } catch {
            engine.close()
            throw error
        }
        store.open(engineReplacement?(engine) ?? engine, identifier: identifier)
        if storeOptions.tellsOfRemoteChanges { try store.startWatch() }
        nextIndex += 1
        stores.withLock { $0.append(store) }
        return store
    }

    private func open(
        _ kind: any StoreKind, configuration: String?, url: URL?, options: [AnyHashable: Any]?, entities: [NSEntityDescription],
        settings: StoreSettings
    ) throws -> (store: NSPersistentStore, engine: any StorageEngine, identifier: String) {
        if let kind = kind as? RegisteredStoreKind {
            return try openRegisteredStore(
                kind, configuration: configuration, url: url, options: options, index: nextIndex, entities: entities,
                settings: settings)
        }
        let engine = try kind.open(StorePlace(url: url, model: managedObjectModel, layout: runtime.layout, settings: settings))
        let store = NSPersistentStore(
            persistentStoreCoordinator: self, configurationName: configuration, at: url ?? URL(fileURLWithPath: "/dev/null"),
            options: options)
        store.prepare(
            kind, index: nextIndex, url: kind.files == nil ? nil : url, entityNames: Set(entities.compactMap(\.name)))
        return (store, engine, engine.identifier)
    }

    /// A store that can't be compacted now, because others use it, stays usable as it is.
    private func maintain(_ engine: any StorageEngine) {
        do { try engine.maintain() } catch {
            NSManagedObjectModel.report(
                "a store was opened, but not maintained as its options say: \(error.localizedDescription)")
        }
    }

    final func foreignStoreError(_ store: NSPersistentStore) -> NSError {
        .coreData(NSPersistentStoreOperationError, "The store \(store.url?.path ?? "in memory") is not in this coordinator")
    }

    private func sameStoreError(_ url: URL?) -> NSError {
        let path = url?.path ?? "it is in memory"
        return .coreData(NSPersistentStoreOperationError, "Can't add the same store twice: \(path)", [NSFilePathErrorKey: path])
    }

    /// Closes a store. Its objects keep the values that are loaded; other values can't be read afterwards.
    ///
    /// Each context that knows such objects posts `NSManagedObjectContextObjectsDidChange` with them under
    /// `NSInvalidatedObjectsKey`, and live queries remove them. This happens before the method returns if the caller is
    /// on the context's queue, else later, on that queue.
    ///
    /// If this coordinator destroyed or replaced the store's file, the store was removed then, and this does nothing.
    ///
    /// - Throws: 134070 if the coordinator does not have the store.
    public final func remove(_ store: NSPersistentStore) throws {
        guard persistentStores.contains(store) else {
            if store.wasRemovedWithItsFile, store.persistentStoreCoordinator === self { return }
            throw foreignStoreError(store)
        }
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
        store.willRemove(from: self)
        lock.withLock {
            stores.withLock { $0.removeAll { $0 === store } }
            store.reference.store = nil
            store.close()
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [NSRemovedPersistentStoresKey: [store]])
        for context in contexts.contexts() { context.invalidateObjects(of: store.reference) }
    }

    // MARK: Metadata and IDs

    /// The metadata of an open store.
    public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Sets the metadata of an open store; written by the next save of a context.
    public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

    /// The metadata of a store file that need not be open.
    ///
    /// - Throws: 134000 for a type that has no files, 134060 for an option's value of a wrong type, 260 for a missing
    ///   file, 259 for a file that is not a store.
    public class func metadataForPersistentStore(ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil) throws
        -> [String: Any]
    {
        let files = try StoreKinds.files(storeType)
        _ = try StoreOptions(options)
        return try files.metadata(of: url)
    }

    /// The metadata of a store file that need not be open; see ``metadataForPersistentStore(ofType:at:options:)``.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// The ID that a URL stands for; nil if no store of the coordinator has its UUID, or if the URL is not that of an
    /// ID.
    public final func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        // Still percent-encoded: an encoded slash is part of a name. Bytes are compared faster than characters.
        let text = url.absoluteString
        let slash = UInt8(ascii: "/")
        guard text.hasPrefix(Self.idPrefix), case let parts = text.utf8.dropFirst(Self.idPrefix.utf8.count),
            let hostEnd = parts.firstIndex(of: slash), case let path = parts[hostEnd...].dropFirst(),
            let nameEnd = path.firstIndex(of: slash), case let last = path[nameEnd...].dropFirst(), !last.contains(slash),
            let name = Self.decoded(Substring(path[..<nameEnd])), let entity = runtime.layout.entity(named: name),
            case let host = String(Substring(parts[..<hostEnd])),
            let store = storeReference(identifier: host) ?? storeReference(identifier: host.uppercased()),
            let key = store.key(urlText: Substring(last), entity, runtime.layout)
        else { return nil }
        return NSManagedObjectID(runtime: runtime, entityIndex: entity.index, key: key, store: store)
    }

    private static let idPrefix = "x-coredata://"

    private static func decoded(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding : String(text)
    }
}
