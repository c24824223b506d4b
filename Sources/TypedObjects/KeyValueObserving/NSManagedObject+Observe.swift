public import FoundationGaps
public import ObjectGraph

extension _ClassCluster where Self: NSManagedObject {
    /// Calls a handler each time a property is set, like key-value observing in Apple's framework.
    ///
    /// ```swift
    /// let observation = movie.observe(\.title, options: [.old, .new]) { movie, change in
    ///     print(change.oldValue ?? "", change.newValue ?? "")
    /// }
    /// ```
    ///
    /// The setter calls the handler on the context's queue after it has set the property. For the inverse of a relationship, the
    /// setter of the other side calls it. The handler is also called if the new value equals the old one. It does not matter how
    /// the property is set: by a property of the class, by key-value coding, through a mutable set, or as a primitive value
    /// between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
    ///
    /// Changes by a merge, a refresh, an undo or a rollback are told when pending changes are processed. Observed objects are
    /// loaded again for that. Properties whose value stayed the same are not told then.
    ///
    /// The handler may change and delete objects and reset the context. A handler with ``NSKeyValueObservingOptions/prior`` is
    /// called before the change. If it resets the context, or saves the deletion of the object, the new value is not set.
    ///
    /// ``NSManagedObjectContext/changes(of:)-(Object.Type)`` tells of whole rounds of changes instead of single changes.
    ///
    /// Call it on the context's queue. The changes of an object without a context are not told. Objects that are not observed
    /// have no cost.
    ///
    /// - Parameters:
    ///   - keyPath: A managed property, a managed property at the end of a path of to-one relationships, or a property that the
    ///     class computes from managed properties.
    ///   - options: Which values the handler receives, and when it is called.
    ///   - changeHandler: Is called with the object and the change. The observation retains it.
    /// - Returns: The observation, which lasts until it is invalidated or deallocated. It does not retain the object.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = PropertyObserver(self, keyPath, options, changeHandler)
        observer.begin()
        return NSKeyValueObservation { observer.end() }
    }
}
