import DataModel
import Storage

/// One context's registries for one store, or for the objects that no store has yet: one per entity, made when first needed.
///
/// Confined to the context's queue.
final class StoreRegistries {
    let store: StoreReference?
    private let runtime: ModelRuntime
    private let registries: UnsafeMutablePointer<ObjectRegistry?>
    private let count: Int
    private unowned(unsafe) let context: NSManagedObjectContext

    init(runtime: ModelRuntime, store: StoreReference?, context: NSManagedObjectContext) {
        self.runtime = runtime
        self.store = store
        self.context = context
        count = runtime.layout.entities.count
        registries = .allocate(capacity: max(1, count))
        registries.initialize(repeating: nil, count: count)
    }

    deinit { registries.deallocate() }

    @inline(__always) func registry(_ entity: Int) -> ObjectRegistry { registries[entity] ?? make(entity) }

    @inline(never) private func make(_ entity: Int) -> ObjectRegistry {
        let registry = ObjectRegistry(runtime: runtime, entity: entity, context: context, store: store, neighbours: registries)
        registries[entity] = registry
        return registry
    }

    /// The registries that were needed so far.
    var all: [ObjectRegistry] { (0..<count).compactMap { registries[$0] } }

    var objects: [NSManagedObject] { all.flatMap { $0.objects() } }

    /// Releases all registries.
    func abandon() {
        for entity in 0..<count {
            registries[entity]?.abandon()
            registries[entity] = nil
        }
    }
}
