/// Objects that a merge changed only in the store, because they are not loaded.
struct QuietlyChanged {
    var all: ContiguousArray<NSManagedObject> = []
    /// The objects among them that the context knew before. Observers are told of these.
    var known: ContiguousArray<NSManagedObject> = []
}
