import Foundation
public import ObjectGraph

extension NSManagedObjectContext {
    /// Changes to objects of a class, those of its subclasses included, to be observed or waited for.
    ///
    /// ```swift
    /// let long = context.changes(of: Movie.self).where(\.duration > 180).observe { changes in … }
    /// for await changes in context.changes(of: Movie.self).inserted() {
    ///     await context.perform { changes.inserted.forEach { print($0.title) } }
    /// }
    /// ```
    ///
    /// Each element is one round of change processing: at the end of `perform`, at a save, a merge, or `processPendingChanges()`.
    /// No run loop is needed. No round is left out, delivered twice, or put together with another. A property that was only set
    /// to the value that it had is no change. An observer costs only for objects of its class.
    ///
    /// Elements may be received on any task; their objects may be used on the context's queue only, so on the main actor for a
    /// main-queue context, and inside `perform` for any other. ``ManagedObjectChanges/ids`` are good everywhere. By the time an
    /// element is received its objects may have changed again: the element goes on knowing the values before and after its round,
    /// the objects say what is.
    ///
    /// Callable on every thread.
    ///
    /// - Parameter type: The class. One that no entity has is reported on standard error, once.
    public func changes<Object: NSManagedObject>(of type: Object.Type)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChanges<Object>>
    {
        changes(ChangeCondition()) { $0 }
    }

    /// Changes to one object, to be observed or waited for.
    ///
    /// ```swift
    /// for await change in context.changes(of: movie).changing(\.title) { … }
    /// ```
    ///
    /// Changes of objects that it is related to count only with a key path that leads there; adding and removing members of a
    /// relationship changes the object itself. The value does not keep the object: observations are told nothing more when nobody
    /// else has it. Otherwise as ``changes(of:)-(Object.Type)``.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameter object: An object of this context.
    public func changes<Object: NSManagedObject>(of object: Object)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChange<Object>>
    {
        var condition = ChangeCondition<Object>()
        condition.object = ChangeCondition.WeakObject(object: object)
        return changes(condition) { $0.first { _ in true } }
    }

    /// - Parameter element: What of a round is told; nil for nothing.
    private func changes<Object: NSManagedObject, Element: _ContextChanges>(
        _ condition: ChangeCondition<Object>, _ element: @escaping @Sendable (ManagedObjectChanges<Object>) -> Element?
    ) -> ManagedObjectChangeSequence<Object, Element> {
        requireEntity(of: Object.self)
        return ManagedObjectChangeSequence(condition) { [reference] condition, handler, onEnd in
            guard let context = reference.context else {
                onEnd()
                return ManagedObjectObservation {}
            }
            let observer = ChangeObserver(context, condition) { changes in
                if let element = element(changes) { handler(element) }
            } onEnd: {
                onEnd()
            }
            context._addObserver(observer)
            return ManagedObjectObservation { [weak observer] in
                observer?.cancel()
                if let observer { reference.context?._removeObserver(observer) }
            }
        }
    }

    // MARK: In short

    /// Tells of changes to objects of a class, those of its subclasses included.
    ///
    /// ```swift
    /// let observation = context.observe(Movie.self) { changes in
    ///     for movie in changes.inserted { print("new:", movie.title) }
    /// }
    /// let titles = context.observe(Movie.self, changing: \.title, \.userRating) { changes in
    ///     for change in changes { print(change.old(\.title) ?? "", "→", change.object.title) }
    /// }
    /// ```
    ///
    /// Short for ``changes(of:)-(Object.Type)`` with `changing` and `observe`. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keyPaths: Of changed objects, tell only of those of which one of these managed properties changed; none for all.
    ///   - handler: Gets the changes; never called without any.
    /// - Returns: Keep it as long as the observation is to last.
    public func observe<Object: NSManagedObject>(
        _ type: Object.Type, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        changes(of: type).changing(keyPaths).observe(handler)
    }

    /// Tells of changes to one object.
    ///
    /// ```swift
    /// let observation = context.observe(movie, changing: \.title, \.director.name) { change in
    ///     print(change.kind, change.old(\.title) ?? "", change.object.title)
    /// }
    /// ```
    ///
    /// Short for ``changes(of:)-(Object)`` with `changing` and `observe`. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - object: An object of this context. The observation does not keep it.
    ///   - keyPaths: Which managed properties to tell of; none for all.
    ///   - handler: Gets the change.
    /// - Returns: Keep it as long as the observation is to last.
    public func observe<Object: NSManagedObject>(
        _ object: Object, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ change: ManagedObjectChange<Object>) -> Void
    ) -> ManagedObjectObservation {
        changes(of: object).changing(keyPaths).observe(handler)
    }
}
