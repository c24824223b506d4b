/// Objects that a merge changed in the store only, because they are not loaded.
struct QuietlyChanged {
    var all: ContiguousArray<NSManagedObject> = []
    /// Those of them that the context knew before: observers hear of these.
    var known: ContiguousArray<NSManagedObject> = []
}
