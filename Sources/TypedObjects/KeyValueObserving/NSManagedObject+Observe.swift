public import FoundationGaps
public import ObjectGraph

extension _ClassCluster where Self: NSManagedObject {
    /// Calls a handler each time a property is set, as key-value observing does on Apple's systems.
    ///
    /// ```swift
    /// let observation = movie.observe(\.title, options: [.old, .new]) { movie, change in
    ///     print(change.oldValue ?? "", change.newValue ?? "")
    /// }
    /// ```
    ///
    /// The handler is called on the context's queue, by the setter, when it is done; for the inverse of a relationship by the
    /// setter of the other side. Setting what is there already is
    /// told, too. It does not matter by which way the property is set: a property of the class, key-value coding, a mutable
    /// set, or primitive values between
    /// `willChangeValue(forKey:)` and `didChangeValue(forKey:)`. What a merge, a refresh, an undo or a rollback changes is
    /// told when pending changes are processed, for which observed objects are loaded again; a property that has the value it
    /// had is not told then. The handler may change, delete and reset what it likes. If one that is called before a change
    /// (``NSKeyValueObservingOptions/prior``) resets the context, or saves the object's deletion, what was to be set goes
    /// nowhere. ``NSManagedObjectContext/changes(of:)-(Object.Type)`` tells of whole rounds of changes in place of single
    /// ones.
    ///
    /// Call it on the context's queue. Of an object without context nothing is told. Objects that nobody observes cost
    /// nothing.
    ///
    /// - Parameters:
    ///   - keyPath: A managed property, one at the end of a path of to-one relationships, or a property of the class that is
    ///     computed from managed ones.
    ///   - options: What to tell.
    ///   - changeHandler: Called with the object and what changed. The observation keeps it.
    /// - Returns: The observation, which goes on until it is invalidated or let go of. It does not keep the object.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = PropertyObserver(self, keyPath, options, changeHandler)
        observer.begin()
        return NSKeyValueObservation { observer.end() }
    }
}
