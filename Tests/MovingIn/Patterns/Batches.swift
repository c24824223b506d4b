import CoreData
import Foundation

struct BookRecord {
    let isbn: String
    let title: String
    let pages: Int
}

extension NSManagedObjectContext {
    /// Inserts many books without making objects of them.
    func insertBooks(_ records: [BookRecord]) throws -> Int {
        var index = 0
        let batchInsert = NSBatchInsertRequest(
            entity: Book.entity(),
            dictionaryHandler: { dictionary in
                guard index < records.count else { return true }
                let record = records[index]
                dictionary.addEntries(from: ["isbn": record.isbn, "title": record.title, "pages": record.pages])
                index += 1
                return false
            })
        batchInsert.resultType = .count
        let result = try execute(batchInsert) as? NSBatchInsertResult
        return result?.result as? Int ?? 0
    }

    /// Deletes in the store, and tells contexts.
    func executeAndMergeChanges(using batchDeleteRequest: NSBatchDeleteRequest) throws {
        batchDeleteRequest.resultType = .resultTypeObjectIDs
        let result = try execute(batchDeleteRequest) as? NSBatchDeleteResult
        let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
    }

    func lendAllBooks() throws -> [NSManagedObjectID] {
        let batchUpdate = NSBatchUpdateRequest(entityName: "Book")
        batchUpdate.propertiesToUpdate = ["isLent": true]
        batchUpdate.predicate = NSPredicate(format: "isLent == %@", NSNumber(value: false))
        batchUpdate.resultType = .updatedObjectIDsResultType
        let result = try execute(batchUpdate) as? NSBatchUpdateResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [self])
        return ids
    }

    func deleteBooks(matching predicate: NSPredicate) throws {
        let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        fetchRequest.predicate = predicate
        try executeAndMergeChanges(using: NSBatchDeleteRequest(fetchRequest: fetchRequest))
    }
}
