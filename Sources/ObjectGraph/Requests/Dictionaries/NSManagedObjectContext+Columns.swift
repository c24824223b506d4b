/// Values that the typed layer asks stores to compute.
extension NSManagedObjectContext {
    /// The values that a store computes for a request for dictionaries, row by row in the order of `propertiesToFetch`.
    ///
    /// - Parameter followsRelationships: Whether columns or groups are of related objects. Their unsaved changes
    ///   matter, too, then.
    /// - Returns: Nil if no store can compute them, and if unsaved changes of the context or its parent would change
    ///   the result.
    package final func storeColumns<T>(_ request: NSFetchRequest<T>, followsRelationships: Bool) throws -> [[Any?]]? {
        checkQueue()
        propagatePendingDeletes()
        guard try FetchPlan(request, in: self).isStoresAnswer, !followsRelationships || !hasChanges else { return nil }
        return try DictionaryFetch(request, in: self).storeValues()
    }
}
