import CoreData
import Foundation

// As the books have it: a class that owns the container and hands out contexts.
open class CoreDataStack {
    private let modelName: String
    private let storeURL: URL

    public init(modelName: String, storeURL: URL) {
        self.modelName = modelName
        self.storeURL = storeURL
    }

    public lazy var mainContext: NSManagedObjectContext = {
        let context = self.storeContainer.viewContext
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.undoManager = nil
        context.shouldDeleteInaccessibleFaults = true
        context.automaticallyMergesChangesFromParent = true
        return context
    }()

    public lazy var storeContainer: NSPersistentContainer = {
        let container = NSPersistentContainer(name: self.modelName)
        let description = NSPersistentStoreDescription(url: self.storeURL)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error = error as NSError? {
                print("Unresolved error \(error), \(error.userInfo)")
            }
        }
        return container
    }()

    public func newDerivedContext() -> NSManagedObjectContext {
        let context = storeContainer.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        context.transactionAuthor = "derived"
        return context
    }

    public func saveContext() throws {
        guard mainContext.hasChanges else { return }
        try mainContext.save()
    }
}

// The stack before there were containers.
func makeCoordinator(at url: URL) throws -> NSPersistentStoreCoordinator {
    guard let model = NSManagedObjectModel.mergedModel(from: [Bundle.module]) else {
        fatalError("model not found")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    return coordinator
}
