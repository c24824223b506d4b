import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// Tells of each change to objects of a class, those of its subclasses included.
    ///
    /// ```swift
    /// let observation = context.observe(Movie.self) { changes in
    ///     for movie in changes.inserted { print("new:", movie.title) }
    /// }
    /// ```
    ///
    /// The handler is called once for each round of change processing that touched such objects, with all of them: at the end of `perform`, at a
    /// save, or at `processPendingChanges()`, at the moment and on the thread where `NSManagedObjectContextObjectsDidChange` is posted. Changes
    /// it makes belong to the next round. An observer costs only for objects of its class; it needs no casts and no user info.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - kinds: which kinds of changes to tell of.
    ///   - handler: gets the changes; never called without any.
    /// - Returns: keep it as long as the observation is to last.
    public func observe<Object: NSManagedObject>(
        _ type: Object.Type, _ kinds: Notification.ChangedType = .all,
        handler: @escaping (_ changes: ManagedObjectChanges<Object>) -> Void
    ) -> ManagedObjectObservation {
        observation(by: ChangeObserver(context: self, kinds: kinds, handler: handler))
    }

    /// The changes to objects of a class, those of its subclasses included, as a sequence to wait on.
    ///
    /// ```swift
    /// for await changes in context.changes(of: Movie.self, .inserted) {
    ///     await context.perform { changes.inserted.forEach { print($0.title) } }
    /// }
    /// ```
    ///
    /// Observation starts with the call. Each element is one round of change processing, as for `observe(_:_:handler:)`. Elements may be received on any
    /// task; their objects may be used on the context's queue only, so on the main actor for a main-queue context, and inside `perform` for
    /// any other. By the time an element is received its objects may have changed again: the element says what happened, the
    /// objects say what is.
    ///
    /// Elements wait for their reader, and keep their objects, as the buffering policy says: by default all do. The sequence ends when the context
    /// goes or the task that reads it is cancelled. It serves one reader: ask for one sequence per `for await`.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - kinds: which kinds of changes to tell of.
    ///   - bufferingPolicy: how many elements wait while nobody reads.
    public func changes<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all,
        bufferingPolicy: AsyncStream<ManagedObjectChanges<Object>>.Continuation.BufferingPolicy = .unbounded
    ) -> ManagedObjectChangeSequence<Object> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ManagedObjectChanges<Object>.self, bufferingPolicy: bufferingPolicy)
        let observer = ChangeObserver<Object>(context: self, kinds: kinds) {
            continuation.yield($0)
        } onEnd: {
            continuation.finish()
        }
        let observation = observation(by: observer)
        continuation.onTermination = { _ in observation.cancel() }
        return ManagedObjectChangeSequence(stream: stream)
    }

    private func observation(by observer: some _BucketObserver & Sendable) -> ManagedObjectObservation {
        _addObserver(observer)
        return ManagedObjectObservation { [weak self, weak observer] in
            if let observer { self?._removeObserver(observer) }
        }
    }
}
