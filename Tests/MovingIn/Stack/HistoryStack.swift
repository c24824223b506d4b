import CoreData
import Foundation

/// The stack of an app with extensions, which share a store and tell each other by its history.
final class HistoryStack {
    let container: NSPersistentContainer

    init(storeURL: URL, author: String) throws {
        container = NSPersistentContainer(name: "Library")
        let description = NSPersistentStoreDescription(url: storeURL)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        #if os(iOS)
            description.setOption(FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
        #endif
        description.setOption(true as NSNumber, forKey: NSSQLiteManualVacuumOption)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        container.persistentStoreDescriptions = [description]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure = failure { throw failure }
        container.viewContext.transactionAuthor = author
        container.viewContext.name = "viewContext"
        container.viewContext.automaticallyMergesChangesFromParent = true
        try container.viewContext.setQueryGenerationFrom(.current)
    }
}
