import CoreData
import Foundation

/// Backups, resets and moves of a store.
struct StoreFiles {
    let coordinator: NSPersistentStoreCoordinator
    let storeURL: URL

    static var options: [AnyHashable: Any] {
        return [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// Everything is thrown away, as at "Sign out".
    func reset() throws {
        for store in coordinator.persistentStores {
            try coordinator.remove(store)
        }
        try coordinator.destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: nil)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: StoreFiles.options)
    }

    func backUp(to url: URL) throws {
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: storeURL, sourceOptions: nil, ofType: NSSQLiteStoreType)
    }

    func restore(from url: URL) throws {
        try coordinator.replacePersistentStore(
            at: storeURL, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil, type: .sqlite)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: StoreFiles.options)
    }

    /// From one place to another, as into the container of an app group.
    func move(to url: URL) throws -> NSPersistentStore {
        guard let store = coordinator.persistentStores.first else { throw CocoaError(.fileNoSuchFile) }
        return try coordinator.migratePersistentStore(store, to: url, options: nil, withType: NSSQLiteStoreType)
    }

    /// What the store says of itself, with a word of the app's.
    static func mark(_ url: URL, _ word: String) throws {
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        metadata["word"] = word
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
    }

    static func model(of url: URL) throws -> NSManagedObjectModel? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        return NSManagedObjectModel.mergedModel(from: [Bundle.module], forStoreMetadata: metadata)
    }
}
