import DataModel

/// How a context makes objects that are not new.
///
/// The initializer of a fault is the program's: `init(entity:insertInto:)` finds here that it makes a fault, and in
/// which registry. It may do what it likes before it calls `super`, also fetch, insert, or reset the context. So
/// `registryOfNextFault` is set for one object at a time, the one in the middle of being made: who makes another in
/// between keeps it and gives it back, and the initializer takes it away before it runs anything else.
struct FaultMaking {
    /// Where the next object whose initializer reaches `NSManagedObject.init(entity:insertInto:)` goes; nil if that
    /// object is new.
    private(set) var registryOfNextFault: ObjectRegistry?
    /// How many are making faults, and a flag: whether the context was reset meanwhile.
    private var makers = 0
    /// What the faults need that were being made then.
    private var registriesLeftBehind: [ObjectRegistry] = []

    private static let hasLeftBehind = 1 << 32

    // MARK: One fault

    /// To be called before an initializer is.
    ///
    /// - Parameter registry: Where its object goes; nil if the object is new.
    /// - Returns: what is to be given to `endObject(_:)`.
    @inline(__always) mutating func beginObject(in registry: ObjectRegistry?) -> ObjectRegistry? {
        defer { registryOfNextFault = registry }
        return registryOfNextFault
    }

    @inline(__always) mutating func endObject(_ outer: ObjectRegistry?) { registryOfNextFault = outer }

    /// To be called by the initializer: the registry that its object goes to, if it is a fault. What is made from then on is new.
    ///
    /// - Parameter entity: That of the object. An object of another one, made before the initializer calls `super`, is new.
    @inline(__always) mutating func takeRegistry(of entity: NSEntityDescription) -> ObjectRegistry? {
        guard let registry = registryOfNextFault, registry.holds(entity) else { return nil }
        registryOfNextFault = nil
        return registry
    }

    // MARK: Many

    /// To be called before faults are made: what their registries need stays in memory until `end()`, though an
    /// initializer resets the context.
    @inline(__always) mutating func begin() { makers += 1 }

    /// Must be called when the faults are registered.
    @inline(__always) mutating func end() {
        makers -= 1
        if makers == Self.hasLeftBehind { forgetLeftBehind() }
    }

    /// To be called before the context gives up its registries.
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
