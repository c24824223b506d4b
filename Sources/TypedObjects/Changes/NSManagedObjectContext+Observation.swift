import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// Tells of changes to objects of a class, those of its subclasses included.
    ///
    /// ```swift
    /// let observation = context.observe(Movie.self) { changes in
    ///     for movie in changes.inserted { print("new:", movie.title) }
    /// }
    /// let long = context.observe(Movie.self, where: #Predicate { $0.duration > 180 }, changing: \.title, \.director.name) { changes in … }
    /// ```
    ///
    /// The handler is called once for each round of change processing that touched such objects, with all of them: at the end of `perform`, at a
    /// save, or at `processPendingChanges()`, at the moment and on the thread where `NSManagedObjectContextObjectsDidChange` is posted. No run loop is needed. Changes
    /// it makes belong to the next round. An observer costs only for objects of its class; it needs no casts and no user info. A property that was only set to the value that
    /// it had is no change.
    ///
    /// With a predicate, an object that a change makes match is told of as `entered`, one that matches no more as `left`. The values before the change are what the
    /// context knows: an object of the context that a merge changes without its ever having been read is `updated` if it matches now. Changes of other objects make nothing enter or leave.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - kinds: which kinds of changes to tell of.
    ///   - moment: whether to hear of each round of changes, or of each save.
    ///   - predicate: which objects to tell of; nil for all. If it throws for an object, ``ManagedObjectChanges/errors`` has the error.
    ///   - keyPaths: of changed objects, tell only of those of which one of these managed properties changed; none for all. A path of several steps, `\.director.name` or
    ///     `\.scenes[each: \.text]`, tells also of changes at its end, provided the context has the objects there loaded. Anything but managed properties stops the program.
    ///   - handler: gets the changes; never called without any.
    /// - Returns: keep it as long as the observation is to last.
    public func observe<Object: NSManagedObject>(
        _ type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: Predicate<Object>? = nil, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        let condition = ChangeCondition(predicate, ChangeCondition<Object>.names(of: keyPaths), in: self)
        return observation(by: ChangeObserver(context: self, kinds: kinds, when: moment, condition, handler: handler))
    }

    /// The same with a condition made of keys or key paths: `where: \.duration > 180`.
    public func observe<Object: TypedObject>(
        _ type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: TypedPredicate<Object>, changing keyPaths: PartialKeyPath<Object>...,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        let condition = ChangeCondition(predicate, ChangeCondition<Object>.names(of: keyPaths))
        return observation(by: ChangeObserver(context: self, kinds: kinds, when: moment, condition, handler: handler))
    }

    /// The same with keys, which lead through optional relationships too: `changing: Movie.keys.director.name`.
    public func observe<Object: TypedObject>(
        _ type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: Predicate<Object>? = nil, changing key: any ObservableKey<Object>, _ more: any ObservableKey<Object>...,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        let condition = ChangeCondition(predicate, ([key] + more).map(\.storedName), in: self)
        return observation(by: ChangeObserver(context: self, kinds: kinds, when: moment, condition, handler: handler))
    }

    /// Tells of changes to one object.
    ///
    /// ```swift
    /// let observation = context.observe(movie, changing: \.title, \.director.name) { change in
    ///     print(change.kind, change.old(\.title) ?? "", change.object.title)
    /// }
    /// ```
    ///
    /// Changes of objects that it is related to count only with a key path that leads there; adding and removing members of a relationship changes the object itself. The
    /// observation does not keep the object: it ends when nobody else has it. Otherwise as ``observe(_:_:when:where:changing:handler:)-(Object.Type,_,_,Predicate<Object>?,_,_)``.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - object: an object of this context.
    ///   - kinds: which kinds of changes to tell of.
    ///   - moment: whether to hear of each round of changes, or of each save.
    ///   - keyPaths: which managed properties to tell of; none for all.
    ///   - handler: gets the change.
    /// - Returns: keep it as long as the observation is to last.
    public func observe<Object: NSManagedObject>(
        _ object: Object, _ kinds: Notification.ChangedType = [.all, .refreshed, .invalidated],
        when moment: ChangeMoment = .changed,
        changing keyPaths: PartialKeyPath<Object>..., handler: @escaping (_ change: ManagedObjectChange<Object>) -> Void
    ) -> ManagedObjectObservation {
        observation(
            kinds, moment, ChangeCondition(nil, ChangeCondition<Object>.names(of: keyPaths), object: object, in: self), handler)
    }

    /// The same with keys, which lead through optional relationships too: `changing: Movie.keys.director.name`.
    public func observe<Object: TypedObject>(
        _ object: Object, _ kinds: Notification.ChangedType = [.all, .refreshed, .invalidated],
        when moment: ChangeMoment = .changed,
        changing key: any ObservableKey<Object>, _ more: any ObservableKey<Object>...,
        handler: @escaping (_ change: ManagedObjectChange<Object>) -> Void
    ) -> ManagedObjectObservation {
        observation(kinds, moment, ChangeCondition(nil, ([key] + more).map(\.storedName), object: object, in: self), handler)
    }

    private func observation<Object: NSManagedObject>(
        _ kinds: Notification.ChangedType, _ moment: ChangeMoment, _ condition: ChangeCondition<Object>,
        _ handler: @escaping (_ change: ManagedObjectChange<Object>) -> Void
    ) -> ManagedObjectObservation {
        let observer = ChangeObserver<Object>(context: self, kinds: kinds, when: moment, condition) { changes in
            if let change = changes.makeIterator().first { handler(change) }
        }
        return observation(by: observer)
    }

    // MARK: Sequences

    /// Changes to objects of a class, those of its subclasses included, as a sequence to wait on.
    ///
    /// ```swift
    /// for await changes in context.changes(of: Movie.self, .inserted) {
    ///     await context.perform { changes.inserted.forEach { print($0.title) } }
    /// }
    /// ```
    ///
    /// Observation starts with the call. Each element is one round of change processing, as for
    /// ``observe(_:_:when:where:changing:handler:)-(Object.Type,_,_,Predicate<Object>?,_,_)``: changes made between two processings are one element, and no round is left out, delivered
    /// twice, or put together with another by the sequence itself. Elements may be received on any
    /// task; their objects may be used on the context's queue only, so on the main actor for a main-queue context, and inside `perform` for
    /// any other; ``ManagedObjectChanges/ids`` are good everywhere. By the time an element is received its objects may have changed again: the element goes on knowing the values
    /// before and after its round, the objects say what is.
    ///
    /// Elements wait for their reader, and keep their objects, as the buffering policy says: by default all do. The sequence ends when the context
    /// goes or the task that reads it is cancelled. It serves one reader: ask for one sequence per `for await`.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - kinds: which kinds of changes to tell of.
    ///   - moment: whether to hear of each round of changes, or of each save.
    ///   - predicate: which objects to tell of; nil for all.
    ///   - keyPaths: which managed properties to tell of, where objects were changed; none for all.
    ///   - bufferingPolicy: how many elements wait while nobody reads.
    public func changes<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: Predicate<Object>? = nil, changing keyPaths: PartialKeyPath<Object>...,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        sequence(
            kinds, moment, ChangeCondition(predicate, ChangeCondition<Object>.names(of: keyPaths), in: self), bufferingPolicy)
    }

    /// The same with a condition made of keys or key paths: `where: \.duration > 180`.
    public func changes<Object: TypedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: TypedPredicate<Object>, changing keyPaths: PartialKeyPath<Object>...,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        sequence(kinds, moment, ChangeCondition(predicate, ChangeCondition<Object>.names(of: keyPaths)), bufferingPolicy)
    }

    /// The same with keys, which lead through optional relationships too: `changing: Movie.keys.director.name`.
    public func changes<Object: TypedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all, when moment: ChangeMoment = .changed,
        where predicate: Predicate<Object>? = nil, changing key: any ObservableKey<Object>, _ more: any ObservableKey<Object>...,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        sequence(kinds, moment, ChangeCondition(predicate, ([key] + more).map(\.storedName), in: self), bufferingPolicy)
    }

    /// Changes to one object as a sequence to wait on.
    ///
    /// Each element has the object in one of its sets. The sequence does not keep the object. Otherwise as for a class. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - object: an object of this context.
    ///   - kinds: which kinds of changes to tell of.
    ///   - moment: whether to hear of each round of changes, or of each save.
    ///   - keyPaths: which managed properties to tell of; none for all.
    ///   - bufferingPolicy: how many elements wait while nobody reads.
    public func changes<Object: NSManagedObject>(
        of object: Object, _ kinds: Notification.ChangedType = [.all, .refreshed, .invalidated],
        when moment: ChangeMoment = .changed,
        changing keyPaths: PartialKeyPath<Object>...,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        sequence(
            kinds, moment, ChangeCondition(nil, ChangeCondition<Object>.names(of: keyPaths), object: object, in: self),
            bufferingPolicy)
    }

    /// The same with keys, which lead through optional relationships too: `changing: Movie.keys.director.name`.
    public func changes<Object: TypedObject>(
        of object: Object, _ kinds: Notification.ChangedType = [.all, .refreshed, .invalidated],
        when moment: ChangeMoment = .changed,
        changing key: any ObservableKey<Object>, _ more: any ObservableKey<Object>...,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        sequence(kinds, moment, ChangeCondition(nil, ([key] + more).map(\.storedName), object: object, in: self), bufferingPolicy)
    }

    private func sequence<Object: NSManagedObject>(
        _ kinds: Notification.ChangedType, _ moment: ChangeMoment, _ condition: ChangeCondition<Object>,
        _ bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy
    ) -> ManagedObjectChangeSequence<Object> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ManagedObjectChanges<Object>.self, bufferingPolicy: bufferingPolicy)
        let observer = ChangeObserver<Object>(context: self, kinds: kinds, when: moment, condition) { changes in
            // Asked for here, the references are known to every reader.
            _ = changes.ids
            continuation.yield(changes)
        } onEnd: {
            continuation.finish()
        }
        let observation = observation(by: observer)
        continuation.onTermination = { _ in observation.cancel() }
        return ManagedObjectChangeSequence(stream: stream)
    }

    private func observation<Object>(by observer: ChangeObserver<Object>) -> ManagedObjectObservation {
        _addObserver(observer)
        return ManagedObjectObservation { [reference, weak observer] in
            observer?.cancel()
            if let observer { reference.context?._removeObserver(observer) }
        }
    }
}

extension IteratorProtocol {
    /// The next element.
    fileprivate var first: Element? {
        var copy = self
        return copy.next()
    }
}
