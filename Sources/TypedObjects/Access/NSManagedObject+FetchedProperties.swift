public import ObjectGraph

// What the accessors of fetched properties call.

extension NSManagedObject {
    /// Reads a fetched property. An object of another class stops the program.
    public final func _getFetched<Destination: NSManagedObject>(_ name: String) -> [Destination] {
        let found = value(forKey: name) as? [NSManagedObject] ?? []
        if let objects = found.castToArray(of: Destination.self) { return objects }
        return found.map { _destination($0, name) }
    }

    /// Reads a fetched property of a class that writes `@Managed` itself.
    public final func _getFetched<Destination: NSManagedObject>(_ key: borrowing _ManagedKey) -> [Destination] {
        _getFetched(key.name)
    }
}
