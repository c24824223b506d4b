/// Where a context stands: what it reads from and saves to, and who does so with it.
struct StackPlace {
    /// Nil for a child.
    var coordinator: NSPersistentStoreCoordinator?
    var parent: NSManagedObjectContext?
    /// Whether another context ever had this one as its parent.
    var hasChildren = false
    /// Whether the context merges each save of the others beside it.
    var mergesAutomatically = false
}
