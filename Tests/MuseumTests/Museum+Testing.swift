import CoreData
import Foundation
import Museum
import TestSupport

/// A museum in a file, which stacks are opened on one after the other.
struct TestMuseum {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Works with a new stack, so that everything comes from the store.
    func visit<Result: Sendable>(_ work: @Sendable (NSManagedObjectContext) throws -> Result) throws -> Result {
        let stack = try MuseumStack(storeURL: folder.file("Museum.sqlite"))
        let context = stack.container.newBackgroundContext()
        return try context.performAndWait { try work(context) }
    }
}

extension NSManagedObjectContext {
    /// The only object of a class.
    func only<Object: NSManagedObject>(_ type: Object.Type, _ format: String = "TRUEPREDICATE", _ arguments: Any...) throws
        -> Object
    {
        let request = NSFetchRequest<Object>(entityName: Object.entity().name ?? "")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        let found = try fetch(request)
        guard found.count == 1 else { throw CocoaError(.coderValueNotFound, userInfo: [NSDebugDescriptionErrorKey: "\(found)"]) }
        return found[0]
    }

    /// What a save that fails says, with the properties that are named.
    func failureOfSave() -> (code: Int, keys: [String]) {
        do {
            try save()
            return (0, [])
        } catch {
            let error = error as NSError
            let all = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            return (error.code, all.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }.sorted())
        }
    }
}
