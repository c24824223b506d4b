/// The result of an ``NSBatchDeleteRequest``.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// The kind of ``result``.
    public final let resultType: NSBatchDeleteRequestResultType
    /// `true`, the IDs of the rows that the request found and deleted, or their number. Rows that a delete rule deleted
    /// are not among them.
    public final let result: Any?

    init(_ ids: [NSManagedObjectID], count: Int, _ resultType: NSBatchDeleteRequestResultType) {
        self.resultType = resultType
        result =
            switch resultType {
            case .resultTypeStatusOnly: true
            case .resultTypeObjectIDs: ids
            case .resultTypeCount: count
            }
    }
}
