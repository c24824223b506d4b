public import ObjectGraph

// The accessors of fetched properties call these methods.

extension NSManagedObject {
    /// Reads a fetched property. Stops the program if the fetch finds an object of another class.
    public final func _getFetched<Destination: NSManagedObject>(_ name: String) -> [Destination] {
        let found = value(forKey: name) as? [NSManagedObject] ?? []
        if let objects = found.castToArray(of: Destination.self) { return objects }
        return found.map { _destination($0, name) }
    }

    /// Reads a fetched property that is declared with `@Managed`.
    public final func _getFetched<Destination: NSManagedObject>(_ key: borrowing _ManagedKey) -> [Destination] {
        _getFetched(key.name)
    }
}
