/// What the typed layer asks stores to compute.
extension NSManagedObjectContext {
    /// What a store computes for a request for dictionaries, row by row in the order of `propertiesToFetch`.
    ///
    /// - Parameter followsRelationships: Whether columns or groups are of related objects, whose unsaved changes then matter as well.
    /// - Returns: Nil if no store can, and if unsaved changes, the context's or its parent's, make the context see something else.
    package final func storeColumns<T>(_ request: NSFetchRequest<T>, followsRelationships: Bool) throws -> [[Any?]]? {
        checkQueue()
        propagatePendingDeletes()
        guard try FetchPlan(request, in: self).isStoresAnswer, !followsRelationships || !hasChanges else { return nil }
        return try DictionaryFetch(request, in: self).storeValues()
    }
}
