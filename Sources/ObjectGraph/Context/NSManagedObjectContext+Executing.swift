import DataModel
import Foundation

/// A request that ``NSManagedObjectContext/execute(_:)`` knows how to execute.
protocol ExecutableRequest: NSPersistentStoreRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSManagedObjectContext {
    /// Executes a request other than a fetch: `NSAsynchronousFetchRequest`, `NSBatchInsertRequest`,
    /// `NSBatchUpdateRequest`, `NSBatchDeleteRequest`, ``NSPersistentHistoryChangeRequest``.
    ///
    /// Batch requests work on the stores, and contexts don't see their changes until
    /// ``mergeChanges(fromRemoteContextSave:into:)`` is called. Unsaved changes of the context are neither written nor
    /// read. Call it on the context's queue.
    ///
    /// - Parameter request: The request.
    /// - Returns: A result of the class that belongs to the request: `NSBatchDeleteResult` for an
    ///   `NSBatchDeleteRequest`, and so on.
    /// - Throws: 134091 for a request that can't be executed by a context or by one of the stores; or what the
    ///   request's class says.
    @discardableResult
    public final func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        if let own = try resultOfOwnStore(request) { return own }
        if let request = request as? any ExecutableRequest { return try request.result(in: self) }
        let advice = request is any AnyFetchRequest ? ": use fetch(_:)" : ""
        throw NSError.coreData(
            NSPersistentStoreUnsupportedRequestTypeError, "\(self) can't execute a request of class \(type(of: request))\(advice)"
        )
    }
}

extension NSPersistentStoreCoordinator {
    /// Executes a request for a context.
    ///
    /// - Parameters:
    ///   - request: A fetch request, or a request that ``NSManagedObjectContext/execute(_:)`` takes. The stores alone
    ///     answer a fetch request: unsaved changes of the context don't count.
    ///   - context: A context of this coordinator, on whose queue the call must be. Objects that are found are its objects.
    /// - Returns: For a fetch request the array of what it found, else an `NSPersistentStoreResult`.
    /// - Throws: 134060 for a context of another coordinator, and for a request that does not fit the model; 134091 for
    ///   a request that can't be executed.
    public final func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw NSError.coreData(
                NSCoreDataError, "\(context) belongs to another coordinator, so it can't execute requests of this one")
        }
        guard let fetch = request as? any AnyFetchRequest else { return try context.execute(request) }
        var settings = fetch.settings
        settings.includesPendingChanges = false
        let copy = NSFetchRequest<any NSFetchRequestResult>(settings, affectedStores: request.affectedStores)
        return try context.fetch(copy)
    }
}
