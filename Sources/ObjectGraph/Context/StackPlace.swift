/// The surroundings of a context: what it reads from and saves to, and the others that do so, too.
struct StackPlace {
    /// Nil for a child.
    var coordinator: NSPersistentStoreCoordinator?
    var parent: NSManagedObjectContext?
    /// Whether another context ever had this one as its parent.
    var hasChildren = false
    /// Whether the context merges each save of its siblings.
    var mergesAutomatically = false
}
