import CoreData

#if canImport(CloudKit)
    import CloudKit
#endif

// As Xcode's template for an app with SwiftUI has it, with the lines for CloudKit.
struct PersistenceController {
    static let shared = PersistenceController(inMemory: true)

    @MainActor
    static let preview: PersistenceController = {
        let result = PersistenceController(inMemory: true)
        let viewContext = result.container.viewContext
        for number in 0..<10 {
            let newItem = Book(context: viewContext)
            newItem.isbn = "\(number)"
            newItem.title = "Book \(number)"
        }
        do {
            try viewContext.save()
        } catch {
            let nsError = error as NSError
            fatalError("Unresolved error \(nsError), \(nsError.userInfo)")
        }
        return result
    }()

    #if canImport(CloudKit)
        let container: NSPersistentCloudKitContainer
    #else
        let container: NSPersistentContainer
    #endif

    init(inMemory: Bool = false) {
        #if canImport(CloudKit)
            container = NSPersistentCloudKitContainer(name: "Library")
        #else
            container = NSPersistentContainer(name: "Library")
        #endif
        if inMemory {
            container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
        }
        container.loadPersistentStores(completionHandler: { (storeDescription, error) in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        })
        container.viewContext.automaticallyMergesChangesFromParent = true
    }
}
