public import DataModel
public import Foundation
import Storage

extension NSManagedObjectModel {
    /// Reads the model that an SQLite store keeps of what it was made with, so that the store can be opened with no model at
    /// hand. Not in Apple's framework under this name.
    ///
    /// The model has the version hashes of the store. Classes have the names that the application gave them, with its module
    /// (`App.Movie`); where a program has no such class, objects are of `NSManagedObject`. The store is only read, and need not
    /// be open. May be called on every thread.
    ///
    /// - Parameter url: The store's file.
    /// - Throws: 260 for a missing file, 256 for a store that keeps no model (such as those of old frameworks), 259 for a
    ///   file that is not a store or whose copy of the model is damaged, 134060 for a model that contradicts itself.
    public convenience init(cachedInStoreAt url: URL) throws {
        self.init()
        try StoreKinds.files(NSSQLiteStoreType).readCachedModel(of: url, into: self)
    }
}

extension NSPersistentStoreCoordinator {
    /// The model that an SQLite store keeps of what it was made with; see ``NSManagedObjectModel/init(cachedInStoreAt:)``.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - options: Options as for adding the store.
    /// - Throws: As ``NSManagedObjectModel/init(cachedInStoreAt:)``; 134060 for an option's value of a wrong type.
    public class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        _ = try StoreOptions(options)
        return try NSManagedObjectModel(cachedInStoreAt: url)
    }
}
