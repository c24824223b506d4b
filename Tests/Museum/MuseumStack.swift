import CoreData
import Foundation

/// The museum's stack.
public final class MuseumStack {
    public let container: NSPersistentContainer

    public init(storeURL: URL) throws {
        PaletteTransformer.register()
        container = NSPersistentContainer(name: "Museum")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }
}
