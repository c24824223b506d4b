public import ObjectGraph

/// What happened to one object in one round of changes.
///
/// ```swift
/// let observation = context.observe(Movie.self, changing: \.title) { changes in
///     for change in changes {
///         print(change.kind, change.old(\.title) ?? "–", "→", change.new(\.title) ?? "–")
///     }
/// }
/// ```
///
/// The value may be passed to any thread or task. Ask it about the object on the context's queue, like the object itself.
public struct ManagedObjectChange<Object: NSManagedObject>: Sendable {
    let storage: ManagedObjectChangeStorage<Object>
    /// What happened.
    public let kind: ManagedObjectChangeKind
    let position: Int

    /// The object.
    public var object: Object { storage.objects(kind)[position] }

    /// A `Sendable` reference to the object.
    public var id: ManagedObjectID<Object> { storage.ids(kind)[position] }

    /// What caused the change. May be read on every thread.
    public var origin: ManagedObjectChangeOrigin { storage.origin }

    /// The `transactionAuthor` of the context that made the change, if it is known. May be read on every thread.
    public var author: String? { storage.author }

    /// The names in the model of the properties whose values differ from those before the round. For a new object these are the
    /// properties that were set.
    ///
    /// If the earlier values are not known, because a merge changed the object and it was never read, these are all properties. A
    /// to-many relationship that was never read counts as changed by a merge if the context that saved says so. A many-to-many
    /// relationship that was never read counts as changed when a member is added, even if the store has that member already. The
    /// set is empty once the context is gone.
    public var changedKeys: Set<String> { storage.changedKeys(of: object) }

    /// The changed properties as key paths, for classes with `@Entity`.
    public var changedKeyPaths: Set<PartialKeyPath<Object>> {
        guard let table = TypedTable.of(Object.self) else { return [] }
        let changed = changedKeys
        let paths = zip(table.properties, table.keyPaths).lazy.filter { changed.contains($0.0.storedName) }
        return Set(paths.compactMap { $0.1 as? PartialKeyPath<Object> })
    }

    /// Whether the value of a property differs from the value before the round.
    ///
    /// - Parameter keyPath: A key path to a managed property. If it has several steps, the first one counts.
    public func hasChanged(_ keyPath: PartialKeyPath<Object>) -> Bool {
        guard let name = KeyPathNames.storedPath(of: keyPath) else { return false }
        return changedKeys.contains(String(name.prefix { $0 != "." }))
    }

    /// The value of a property before the round. For a deleted object it is the value that was last told, and not one that was
    /// set in the round of the deletion.
    ///
    /// The value is read from a copy of the object as it was, and not from the store. Related objects are the context's own, in
    /// their present state. Computed properties work too.
    ///
    /// - Parameter keyPath: A key path to a property.
    /// - Returns: The value. It is nil for a new object, for a required property that had no value, for an object whose values
    ///   had never been read, and once the context is gone.
    public func old<Value>(_ keyPath: KeyPath<Object, Value>) -> Value? {
        storage.objectBefore(object).flatMap { read(keyPath, of: $0) }
    }

    /// The value of an optional property before the round.
    public func old<Value>(_ keyPath: KeyPath<Object, Value?>) -> Value? {
        storage.objectBefore(object).flatMap { read(keyPath, of: $0) } ?? nil
    }

    /// The value of a property after the round. It stays the same if the object changes again later. If the context is reset
    /// after the round, it is the value at the time of the reset.
    ///
    /// - Parameter keyPath: A key path to a property.
    /// - Returns: The value. It is nil for a deleted object, for a required property without a value, for a value that is no
    ///   longer known, and once the context is gone.
    public func new<Value>(_ keyPath: KeyPath<Object, Value>) -> Value? {
        kind == .deleted || kind == .invalidated ? nil : storage.objectAfter(object).flatMap { read(keyPath, of: $0) }
    }

    /// The value of an optional property after the round.
    public func new<Value>(_ keyPath: KeyPath<Object, Value?>) -> Value? {
        kind == .deleted || kind == .invalidated ? nil : storage.objectAfter(object).flatMap { read(keyPath, of: $0) } ?? nil
    }

    private func read<Value>(_ keyPath: KeyPath<Object, Value>, of object: Object) -> Value? {
        if let table = TypedTable.of(Object.self), let slot = table.index(of: keyPath),
            table.properties[slot].problem(in: object, slot) != nil
        {
            return nil
        }
        return object[keyPath: keyPath]
    }
}
