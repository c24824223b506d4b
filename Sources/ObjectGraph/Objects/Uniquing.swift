import DataModel

/// The objects of a context: one for each row. The registries don't hold the objects.
struct Uniquing {
    /// The registries of objects that are not in a store yet. Made when first needed.
    private(set) var unsaved: StoreRegistries?
    /// The registries of each store, by `StoreReference.index`.
    private(set) var saved: [StoreRegistries?] = []
    /// Where the last object was inserted. In most cases the next one goes there, too.
    private var lastInsert: (entity: ObjectIdentifier, registry: ObjectRegistry)?
    private var lastClass: (objectClass: ObjectIdentifier, entity: NSEntityDescription)?
    /// Whether the context holds all its objects, and the objects that it holds.
    private(set) var retainsAll = false
    private(set) var retained: Set<NSManagedObject> = []
    /// How faults are made.
    var faultMaking = FaultMaking()

    /// All objects that still exist.
    var objects: [NSManagedObject] { (unsaved?.objects ?? []) + saved.flatMap { $0?.objects ?? [] } }

    var all: [StoreRegistries] { ([unsaved] + saved).compactMap { $0 } }

    // MARK: Registries

    /// The registries of a store, if they were needed before.
    @inline(__always) func registries(at index: Int) -> StoreRegistries? { index < saved.count ? saved[index] : nil }

    mutating func add(_ registries: StoreRegistries) {
        guard let store = registries.store else {
            unsaved = registries
            return
        }
        while saved.count <= store.index { saved.append(nil) }
        saved[store.index] = registries
    }

    /// Releases all registries, and the caches for finding them.
    mutating func abandonAll() {
        let registries = all
        faultMaking.leaveBehind(registries)
        registries.forEach { $0.abandon() }
        unsaved = nil
        saved = []
        lastInsert = nil
        lastClass = nil
    }

    // MARK: What was asked for last

    /// The registry for new objects of an entity, if the last one was inserted there.
    @inline(__always) func registryOfLastInsert(_ entity: NSEntityDescription) -> ObjectRegistry? {
        guard let lastInsert, lastInsert.entity == ObjectIdentifier(entity) else { return nil }
        return lastInsert.registry
    }

    /// - Parameter entity: An entity that the runtime keeps alive. It is recognized by its address.
    mutating func noteInsert(_ entity: NSEntityDescription, _ registry: ObjectRegistry) {
        lastInsert = (ObjectIdentifier(entity), registry)
    }

    /// The entity of a class, if it was the last one that was looked up.
    @inline(__always) func entityOfLastClass(_ objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        guard let lastClass, lastClass.objectClass == ObjectIdentifier(objectClass) else { return nil }
        return lastClass.entity
    }

    mutating func noteClass(_ objectClass: NSManagedObject.Type, _ entity: NSEntityDescription) {
        lastClass = (ObjectIdentifier(objectClass), entity)
    }

    // MARK: Holding objects

    /// Holds an object if all are held.
    @inline(__always) mutating func retain(_ object: NSManagedObject) {
        if retainsAll { retained.insert(object) }
    }

    @inline(__always) mutating func release(_ object: NSManagedObject) {
        if retainsAll { retained.remove(object) }
    }

    mutating func releaseAll() { retained = [] }

    /// - Returns: the objects that were held so far, which the caller must release after this.
    mutating func setRetainsAll(_ retainsAll: Bool) -> Set<NSManagedObject> {
        defer {
            self.retainsAll = retainsAll
            retained = retainsAll ? Set(objects) : []
        }
        return retained
    }
}
