import DataModel
public import Foundation
import Storage

/// Stores as files: destroying them, replacing them, and writing their metadata. The stores need not be open. Callable
/// on every thread.
extension NSPersistentStoreCoordinator {
    /// Empties a store's file, and removes the files of its external binary data.
    ///
    /// The main file stays, with nothing in it. Adding it to a coordinator makes a new store of it. SQLite's log beside
    /// it is removed. A store that this coordinator has open is removed from it first. If there is no file, or the
    /// store is in memory, nothing is done.
    ///
    /// Only a Core Data store is destroyed. A folder, a device, `/dev/null`, another database or any other file is left
    /// as it is, and the method throws. A symbolic link stands for the file behind it. What Apple's framework does in
    /// these cases is not documented.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - storeType: Its type.
    ///   - options: Options that the store was added with. ``NSPersistentStoreForceDestroyOption`` also destroys a
    ///     store that is damaged or in use. A damaged database that does not look like a store may belong to another
    ///     program, and is left as it is.
    /// - Throws: 134000 for an unknown type; 134090 if another coordinator or process has the store open; 259 for a
    ///   file that is not a store; 260 for `/dev/null`.
    public final func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        guard let files = try StoreKinds.kind(storeType).files else { return }
        try (files as? RegisteredStoreFiles)?.refuse("destroyed")
        let settings = try StoreOptions(options).settings
        try removeStores(at: url, files)
        try files.destroy(url, settings: settings)
    }

    /// Empties a store's file; see ``destroyPersistentStore(at:ofType:options:)``.
    public final func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Puts a copy of a store, with its UUID and its external binary data, in the place of another store, or where
    /// there is none. Use it to make backups and to restore them.
    ///
    /// The copy shows the source at one moment, even if the source is open and being written to. It takes the place of
    /// the destination in one step: if something fails, the destination is as it was. A destination that this
    /// coordinator has open is removed from it first. The source stays as it is.
    ///
    /// - Parameters:
    ///   - destinationURL: The file to replace: a store, or nothing.
    ///   - destinationOptions: Options of the destination.
    ///   - sourceURL: The store to copy.
    ///   - sourceOptions: Options of the source.
    ///   - storeType: The type of both.
    /// - Throws: 134000 for a type without files; 260 for a missing source; 259 if one of the two is not a store; 134090 if
    ///   another coordinator or process has the
    ///   destination open.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        let files = try StoreKinds.files(storeType)
        try (files as? RegisteredStoreFiles)?.refuse("replaced")
        let (settings, sourceSettings) = try (StoreOptions(destinationOptions).settings, StoreOptions(sourceOptions).settings)
        if Self.place(of: destinationURL) != Self.place(of: sourceURL) { try removeStores(at: destinationURL, files) }
        try files.replace(destinationURL, settings: settings, with: sourceURL, sourceSettings: sourceSettings)
    }

    /// Puts a copy of a store in the place of another one; see
    /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    /// Writes the metadata of a store file at once.
    ///
    /// The framework's own metadata, such as the UUID and the version hashes, stay. A store that is open does not see
    /// the change: remove it first, and add it again.
    ///
    /// - Parameters:
    ///   - metadata: The application's metadata, as property lists; nil for none.
    ///   - storeType: The store's type.
    ///   - url: Its file.
    ///   - options: Options of the store.
    /// - Throws: 134000 for a type without files, 260 for a missing file, 259 for one that is not a store, 134030 for a value
    ///   that is not a property list.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreKinds.files(storeType).setMetadata(metadata ?? [:], of: url, settings: StoreOptions(options).settings)
    }

    /// Writes the metadata of a store file at once; see ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    private static func place(of url: URL) -> URL { url.standardizedFileURL.resolvingSymlinksInPath() }

    private final func removeStores(at url: URL, _ files: any StoreFiles) throws {
        guard try files.file(at: url) != nil else { return }
        let place = Self.place(of: url)
        for store in persistentStores where store.url.map(Self.place) == place {
            try remove(store)
            store.wasRemovedWithItsFile = true
        }
    }
}
