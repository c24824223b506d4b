/// What a save writes to a store of a program's class.
struct StoreChanges {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// Objects without changes whose versions have to be what they were.
    var checked: [NSManagedObject] = []
}
