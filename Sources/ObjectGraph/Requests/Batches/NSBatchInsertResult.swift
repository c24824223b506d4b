/// The result of an ``NSBatchInsertRequest``.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// The kind of ``result``.
    public final let resultType: NSBatchInsertRequestResultType
    /// `true`, the IDs of the rows that were inserted or that were updated by the merge policy, or their number.
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
