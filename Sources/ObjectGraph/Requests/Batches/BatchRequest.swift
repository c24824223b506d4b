import DataModel
import Foundation

/// What batch inserts, updates and deletes have in common.
package protocol BatchRequest: NSPersistentStoreRequest {
    /// Does the work in the stores.
    func outcomes(in context: NSManagedObjectContext, takesEveryStore: Bool, wantsIDs: Bool) throws -> BatchResults
}

/// What a batch request has done, store by store.
package struct BatchResults {
    let outcomes: [BatchOutcome]
    let runtime: ModelRuntime

    var count: Int { outcomes.rowCount }
    /// The IDs that the request's result names.
    var ids: [NSManagedObjectID] { outcomes.ids(\.rows, runtime) }
}

extension NSManagedObjectContext {
    /// Executes a batch request, in stores in memory too, and has contexts hear of everything that it did: this context and its parents, the ones that are given, before this
    /// returns, and those that merge each save by themselves.
    ///
    /// - Returns: the IDs that the request's result names.
    package final func executeBatch(
        _ request: any BatchRequest, mergingInto contexts: [NSManagedObjectContext]
    ) throws -> [NSManagedObjectID] {
        checkQueue()
        let results = try request.outcomes(in: self, takesEveryStore: true, wantsIDs: true)
        var saved = SavedObjectIDs()
        saved.inserted = Set(results.outcomes.ids(\.inserted, results.runtime))
        saved.updated = Set(results.outcomes.ids(\.updated, results.runtime))
        saved.deleted = Set(results.outcomes.ids(\.deleted, results.runtime))
        // A row may have been updated on its way out.
        saved.updated.subtract(saved.deleted)
        var merging: [NSManagedObjectContext] = []
        for context in Array(sequence(first: self, next: \.parent)) + contexts where !merging.contains(where: { $0 === context })
        {
            merging.append(context)
        }
        let changes = ForeignChanges(saved, author: transactionAuthor)
        if !changes.isEmpty { Self.merge(into: merging, of: self) { _ in changes } }
        let receivers = persistentStoreCoordinator?.receivers.contexts() ?? []
        send(changes, to: receivers.filter { receiver in !merging.contains { $0 === receiver } })
        return results.ids
    }
}
