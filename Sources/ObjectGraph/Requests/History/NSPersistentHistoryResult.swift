/// The result of an ``NSPersistentHistoryChangeRequest``.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// The kind of ``result``.
    public final let resultType: NSPersistentHistoryResultType

    /// An array of ``NSPersistentHistoryTransaction`` or ``NSPersistentHistoryChange``, an array of IDs, a number, or `true`; see
    /// ``NSPersistentHistoryResultType``.
    public final let result: Any?

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
        super.init()
    }
}
