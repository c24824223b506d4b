import DataModel

/// How a context makes objects that are not new.
///
/// The initializer of a fault is the program's code. `init(entity:insertInto:)` finds here that it makes a fault, and
/// in which registry. It may do anything before it calls `super`, such as fetch, insert, or reset the context. So
/// `registryOfNextFault` is set for one object at a time, the one that is being made. Code that makes another object in
/// between keeps it and restores it, and the initializer takes it before it runs anything else.
struct FaultMaking {
    /// The registry for the next object whose initializer reaches `NSManagedObject.init(entity:insertInto:)`; nil if
    /// that object is new.
    private(set) var registryOfNextFault: ObjectRegistry?
    /// The number of calls that are making faults, and a flag for a reset of the context meanwhile.
    private var makers = 0
    /// The registries that the faults being made at that time need.
    private var registriesLeftBehind: [ObjectRegistry] = []

    private static let hasLeftBehind = 1 << 32

    // MARK: One fault

    /// Must be called before an initializer is called.
    ///
    /// - Parameter registry: The registry for its object; nil if the object is new.
    /// - Returns: the argument for `endObject(_:)`.
    @inline(__always) mutating func beginObject(in registry: ObjectRegistry?) -> ObjectRegistry? {
        defer { registryOfNextFault = registry }
        return registryOfNextFault
    }

    @inline(__always) mutating func endObject(_ outer: ObjectRegistry?) { registryOfNextFault = outer }

    /// The registry for the initializer's object, if it is a fault. The initializer must call it. Objects made from
    /// then on are new.
    ///
    /// - Parameter entity: The object's entity. An object of another entity, made before the initializer calls `super`,
    ///   is new.
    @inline(__always) mutating func takeRegistry(of entity: NSEntityDescription) -> ObjectRegistry? {
        guard let registry = registryOfNextFault, registry.holds(entity) else { return nil }
        registryOfNextFault = nil
        return registry
    }

    // MARK: Many

    /// Must be called before faults are made. What their registries need stays in memory until `end()`, even if an
    /// initializer resets the context.
    @inline(__always) mutating func begin() { makers += 1 }

    /// Must be called when the faults are registered.
    @inline(__always) mutating func end() {
        makers -= 1
        if makers == Self.hasLeftBehind { forgetLeftBehind() }
    }

    /// Must be called before the context releases its registries.
    mutating func leaveBehind(_ registries: [StoreRegistries]) {
        guard makers > 0 else { return }
        makers |= Self.hasLeftBehind
        for registry in registries.flatMap(\.all) {
            registry.adopt()
            registriesLeftBehind.append(registry)
        }
    }

    @inline(never) private mutating func forgetLeftBehind() {
        makers = 0
        registriesLeftBehind.forEach { $0.leave() }
        registriesLeftBehind = []
    }
}
