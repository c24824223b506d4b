import CoreData
import Foundation

extension CodingUserInfoKey {
    static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

enum DecoderConfigurationError: Error {
    case missingManagedObjectContext
}

/// Reads JSON on a background context.
struct BookImporter {
    let container: NSPersistentContainer

    func importBooks(from data: Data) async throws {
        let context = container.newBackgroundContext()
        context.name = "importContext"
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try await context.perform {
            let decoder = JSONDecoder()
            decoder.userInfo[.managedObjectContext] = context
            _ = try decoder.decode([Book].self, from: data)
            if context.hasChanges {
                try context.save()
            }
        }
    }

    /// Without concurrency: the completion handler is called on the context's queue.
    func importBooks(from data: Data, completion: @escaping @Sendable (Error?) -> Void) {
        container.performBackgroundTask { context in
            do {
                let decoder = JSONDecoder()
                decoder.userInfo[.managedObjectContext] = context
                _ = try decoder.decode([Book].self, from: data)
                try context.save()
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }
}
