/// What came of an ``NSBatchInsertRequest``.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// What ``result`` is.
    public final let resultType: NSBatchInsertRequestResultType
    /// `true`, the IDs of the rows that were inserted or that the merge policy had updated, or their number.
    public final let result: Any?

    init(_ ids: [NSManagedObjectID], count: Int, _ resultType: NSBatchInsertRequestResultType) {
        self.resultType = resultType
        result =
            switch resultType {
            case .statusOnly: true
            case .objectIDs: ids
            case .count: count
            }
    }
}
