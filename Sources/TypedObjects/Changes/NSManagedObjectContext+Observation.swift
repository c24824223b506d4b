import Foundation
public import ObjectGraph

extension NSManagedObjectContext {
    /// Describes changes to objects of a class and its subclasses, which can be observed by a handler or awaited in a loop.
    ///
    /// ```swift
    /// let long = context.changes(of: Movie.self).where(\.duration > 180).observe { changes in … }
    /// for await changes in context.changes(of: Movie.self).inserted() {
    ///     await context.perform { changes.inserted.forEach { print($0.title) } }
    /// }
    /// ```
    ///
    /// Each element is one round of changes. A round is told at the end of `perform`, at a save, at a merge, and by
    /// `processPendingChanges()`. No run loop is needed. Each round is delivered once, and rounds are not combined. Setting a
    /// property to the value that it has is not a change. An observer has a cost only for objects of its class.
    ///
    /// Elements may be received in any task. Their objects may be used only on the context's queue: on the main actor for a
    /// main-queue context, and inside `perform` for any other context. ``ManagedObjectChanges/ids`` may be used everywhere. When
    /// an element is received, its objects may have changed again. The element still has the values before and after its round.
    ///
    /// May be called on every thread.
    ///
    /// - Parameter type: The class. If no entity of the model has it, that is reported once on standard error.
    public func changes<Object: NSManagedObject>(of type: Object.Type)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChanges<Object>>
    {
        changes(ChangeCondition()) { $0 }
    }

    /// Describes changes to one object, which can be observed by a handler or awaited in a loop.
    ///
    /// ```swift
    /// for await change in context.changes(of: movie).changing(\.title) { … }
    /// ```
    ///
    /// Changes of related objects count only if a key path leads to them. Adding and removing members of a relationship changes
    /// the object itself. The value does not retain the object, and there are no more changes once the object is deallocated.
    /// Everything else is as in ``changes(of:)-(Object.Type)``.
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

    /// - Parameter element: Makes the element from a round. It is nil if nothing is told.
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

    /// Calls a handler for changes to objects of a class and its subclasses.
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
    ///   - keyPaths: Managed properties. A changed object is told only if one of them changed. Without any, all changed objects
    ///     are told.
    ///   - handler: Is called with the changes. It is not called if there are none.
    /// - Returns: The observation, which lasts as long as you keep this value.
    public func observe<Object: NSManagedObject>(
        _ type: Object.Type, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        changes(of: type).changing(keyPaths).observe(handler)
    }

    /// Calls a handler for changes to one object.
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
    ///   - object: An object of this context. The observation does not retain it.
    ///   - keyPaths: Managed properties. A change is told only if one of them changed. Without any, all changes are told.
    ///   - handler: Is called with the change.
    /// - Returns: The observation, which lasts as long as you keep this value.
    public func observe<Object: NSManagedObject>(
        _ object: Object, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ change: ManagedObjectChange<Object>) -> Void
    ) -> ManagedObjectObservation {
        changes(of: object).changing(keyPaths).observe(handler)
    }
}
