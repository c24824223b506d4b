import Storage

extension NSManagedObjectContext {
    /// Loads objects without values from the store together, if there are several.
    package final func loadTogether(_ objects: some Sequence<NSManagedObject>) {
        guard parent == nil else { return }
        var batches: [RootInStore: ContiguousArray<Int64>] = [:]
        for object in objects where object.isFault && object.row == nil && object.key > 0 && object.context === self {
            guard let store = object.registry.store else { continue }
            batches[RootInStore(store: ObjectIdentifier(store), root: object.layout.root), default: []].append(object.key)
        }
        guard !batches.isEmpty else { return }
        for store in persistentStoreCoordinator?.persistentStores ?? [] {
            for (place, keys) in batches where place.store == ObjectIdentifier(store.reference) {
                fetches.batches.add(keys, store: store.reference, root: place.root, size: FaultBatches.size)
            }
        }
    }
}

private struct RootInStore: Hashable {
    let store: ObjectIdentifier
    let root: Int
}
