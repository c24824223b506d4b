import Storage

/// Where the objects of a list are: what their IDs are made of.
struct SavedPlaces: Sendable {
    /// Objects in a row that have the same entity and the same store.
    private struct Run: Sendable {
        let runtime: ModelRuntime
        let entityIndex: Int
        let store: StoreReference?
        var end: Int
    }

    private var runs: [Run] = []
    private var keys = ContiguousArray<Int64>()
    /// Temporary IDs are the objects' own, because an object's ID learns which permanent one follows it.
    private var temporary: [NSManagedObjectID] = []

    init(_ objects: ContiguousArray<NSManagedObject>) {
        guard !objects.isEmpty else { return }
        keys.reserveCapacity(objects.count)
        var last: UnsafeMutablePointer<ObjectRegistry.Record>?
        objects.forEachUnretained { object in
            guard object.key >= 0 else { return temporary.append(object.objectID) }
            if object.registry.record != last {
                last = object.registry.record
                runs.append(
                    Run(
                        runtime: object.registry.runtime, entityIndex: object.layout.index, store: object.registry.store,
                        end: keys.count))
            }
            keys.append(object.key)
            runs[runs.count - 1].end = keys.count
        }
    }

    /// The keys of all objects.
    var allKeys: ContiguousArray<Int64> { temporary.isEmpty ? keys : keys + temporary.map(\.key) }

    /// New IDs, in the order of the objects.
    var ids: [NSManagedObjectID] {
        var result: [NSManagedObjectID] = []
        result.reserveCapacity(keys.count + temporary.count)
        var start = 0
        for run in runs {
            for key in keys[start..<run.end] {
                result.append(
                    NSManagedObjectID(runtime: run.runtime, entityIndex: run.entityIndex, key: key, store: run.store))
            }
            start = run.end
        }
        return result + temporary
    }
}
