import DataModel
public import Foundation
import Storage

/// Stores of a program's own classes. Callable on every thread.
extension NSPersistentStoreCoordinator {
    /// Makes a type of stores known, so that stores of it can be added by
    /// ``addPersistentStore(ofType:configurationName:at:options:)``.
    ///
    /// ```swift
    /// NSPersistentStoreCoordinator.registerStoreClass(CSVStore.self, forStoreType: "CSV")
    /// ```
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of ``NSAtomicStore`` or ``NSIncrementalStore``; nil to forget the type. Stores that
    ///     are open stay. Another class stops the program.
    ///   - storeType: The type's name. One of a built-in type takes that type's place.
    public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        guard let storeClass else { return StoreKinds.register(nil, storeType) }
        guard let known = storeClass as? NSPersistentStore.Type, known is NSAtomicStore.Type || known is NSIncrementalStore.Type
        else {
            fatalError(
                "\(storeClass) can't be registered for stores of the type “\(storeType)”: it is a subclass of neither NSAtomicStore nor NSIncrementalStore"
            )
        }
        StoreKinds.register(known, storeType)
    }

    /// Makes a type of stores known; see ``registerStoreClass(_:forStoreType:)``.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }

    /// The types of stores that can be added, those of the program's own classes among them.
    ///
    /// The names are what there is to know. Apple's framework has the class in the value; here each value is a number
    /// that tells one class from another.
    public class var registeredStoreTypes: [String: NSValue] {
        Dictionary(
            uniqueKeysWithValues: StoreKinds.all.map { kind in
                let storeClass = (kind as? RegisteredStoreKind)?.storeClass ?? NSPersistentStore.self
                return (kind.type, NSNumber(value: UInt(bitPattern: ObjectIdentifier(storeClass))))
            })
    }

    /// Makes a store of a program's class and has it open itself.
    ///
    /// - Returns: The store, its engine and its UUID.
    final func openRegisteredStore(
        _ kind: RegisteredStoreKind, configuration: String?, url: URL?, options: [AnyHashable: Any]?, index: Int,
        entities: [NSEntityDescription], settings: StoreSettings
    ) throws -> (store: NSPersistentStore, engine: any StorageEngine, identifier: String) {
        let store = kind.storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration ?? NSManagedObjectModel.defaultConfigurationName,
            at: url ?? URL(fileURLWithPath: "/dev/null"), options: options)
        store.prepare(kind, index: index, url: url, entityNames: Set(entities.compactMap(\.name)))
        try store.loadMetadata()
        try requireType(store, kind)
        try requireModel(store, settings)
        store.reference.useReferences(of: store.identifier, hearsOfObjects: store is NSIncrementalStore)
        let engine = try store.makeEngine(
            StorePlace(url: url, model: managedObjectModel, layout: runtime.layout, settings: settings))
        // Loading may have found other metadata in the file.
        try requireType(store, kind)
        try requireModel(store, settings)
        let identifier: String = store.identifier
        guard !identifier.isEmpty, identifier.unicodeScalars.allSatisfy(Self.identifierCharacters.contains) else {
            throw NSError.coreData(
                NSCoreDataError,
                "The \(NSStoreUUIDKey) “\(identifier)” in the metadata of a \(kind.storeClass) can't stand in the URLs of IDs: "
                    + "it must be made of letters, digits and hyphens")
        }
        var metadata: [String: Any] = store.metadata ?? [:]
        var needed = StoreMetadata.forNewStore(type: kind.type, identifier: identifier, model: managedObjectModel)
        needed[StoreMetadata.hashesKey] = managedObjectModel.entityVersionHashesByName.filter { store.holds($0.key) }
        // The hashes that a file has are whose they are.
        if metadata[StoreMetadata.hashesKey] != nil { needed[StoreMetadata.ownHashesKey] = nil }
        metadata.merge(needed) { given, _ in given }
        store.metadata = metadata
        return (store, engine, identifier)
    }

    private static let identifierCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private final func requireType(_ store: NSPersistentStore, _ kind: RegisteredStoreKind) throws {
        let type = store.metadata?[NSStoreTypeKey] as? String ?? store.type
        guard store.type != kind.type || type != kind.type else { return }
        throw NSError.coreData(
            NSPersistentStoreTypeMismatchError,
            "A store of the type “\(kind.type)” was to be added, but the \(kind.storeClass) at \(store.url?.path ?? "no URL") says that it is of the type “"
                + (type != kind.type ? type : store.type) + "”")
    }

    private final func requireModel(_ store: NSPersistentStore, _ settings: StoreSettings) throws {
        guard !settings.ignoresVersioning, let metadata = store.metadata, metadata[NSStoreModelVersionHashesKey] != nil else {
            return
        }
        let name = store.configurationName
        guard
            !managedObjectModel.isConfiguration(
                withName: name == NSManagedObjectModel.defaultConfigurationName ? nil : name,
                compatibleWithStoreMetadata: metadata)
        else { return }
        throw NSError.coreData(
            NSPersistentStoreIncompatibleVersionHashError,
            "The model used to open the store at \(store.url?.path ?? "no URL") is not the one that it was made with: their \(NSStoreModelVersionHashesKey) differ",
            [NSStoreModelVersionHashesKey: metadata[NSStoreModelVersionHashesKey] ?? [:]])
    }
}
