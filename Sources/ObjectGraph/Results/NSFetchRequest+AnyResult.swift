import Foundation

extension NSFetchRequest {
    /// The request for results of any kind: itself, or a copy.
    final var forAnyResult: NSFetchRequest<any NSFetchRequestResult> {
        if let request = self as? NSFetchRequest<any NSFetchRequestResult> { return request }
        let request =
            entityName.map { NSFetchRequest<any NSFetchRequestResult>(entityName: $0) }
            ?? NSFetchRequest<any NSFetchRequestResult>()
        if let entity { request.entity = entity }
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        request.fetchLimit = fetchLimit
        request.fetchOffset = fetchOffset
        request.resultType = resultType
        request.includesSubentities = includesSubentities
        request.includesPendingChanges = includesPendingChanges
        request.returnsObjectsAsFaults = returnsObjectsAsFaults
        request.includesPropertyValues = includesPropertyValues
        return request
    }
}
