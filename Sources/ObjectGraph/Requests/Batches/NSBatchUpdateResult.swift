/// The result of an ``NSBatchUpdateRequest``.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// The kind of ``result``.
    public final let resultType: NSBatchUpdateRequestResultType
    /// `true`, the IDs of the rows that were updated, or their number.
    public final let result: Any?

    init(_ ids: [NSManagedObjectID], count: Int, _ resultType: NSBatchUpdateRequestResultType) {
        self.resultType = resultType
        result =
            switch resultType {
            case .statusOnlyResultType: true
            case .updatedObjectIDsResultType: ids
            case .updatedObjectsCountResultType: count
            }
    }
}
