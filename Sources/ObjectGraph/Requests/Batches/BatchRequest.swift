import DataModel
import Foundation
import Storage

/// The common part of batch inserts, updates and deletes.
package protocol BatchRequest: NSPersistentStoreRequest {
    /// Does the work in the stores.
    func outcomes(in context: NSManagedObjectContext, takesEveryStore: Bool, wantsIDs: Bool) throws -> BatchResults
}

/// The outcome of a batch request, store by store.
package struct BatchResults {
    let outcomes: [BatchOutcome]
    let runtime: ModelRuntime

    var count: Int { outcomes.rowCount }
    /// The IDs that the request's result names.
    var ids: [NSManagedObjectID] { outcomes.ids(\.rows, runtime) }
}

extension NSManagedObjectContext {
    /// Executes a batch request, also in stores in memory, and merges all its changes into contexts: before it returns,
    /// into this context, its parents and the contexts that are given; later into those that merge each save by
    /// themselves.
    ///
    /// - Returns: the IDs that the request's result names.
    package final func executeBatch(
        _ request: any BatchRequest, mergingInto contexts: [NSManagedObjectContext]
    ) throws -> [NSManagedObjectID] {
        checkQueue()
        let results = try request.outcomes(in: self, takesEveryStore: true, wantsIDs: true)
        func changed(_ rows: KeyPath<BatchOutcome, [RowKey]>) -> Set<NSManagedObjectID> {
            Set(results.outcomes.ids(rows, results.runtime))
        }
        let deleted = changed(\.deleted)
        // A row may have been updated before it was deleted.
        let changes = ForeignChanges(
            inserted: Array(changed(\.inserted)), updated: Array(changed(\.updated).subtracting(deleted)),
            deleted: Array(deleted), author: transactionAuthor)
        var merging: [NSManagedObjectContext] = []
        for context in Array(sequence(first: self, next: \.parent)) + contexts where !merging.contains(where: { $0 === context })
        {
            merging.append(context)
        }
        if !changes.isEmpty { Self.merge(into: merging, of: self) { _ in changes } }
        let receivers = persistentStoreCoordinator?.receivers.contexts() ?? []
        send(changes, to: receivers.filter { receiver in !merging.contains { $0 === receiver } })
        return results.ids
    }
}
