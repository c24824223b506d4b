public import Foundation
public import ObjectGraph
import Predicates

// @unchecked Sendable: all stored properties are constants. Only predicates and the object are not Sendable. They are handed to
// an observer, which uses them on the context's queue only.

/// Describes changes that can be observed by a handler, or awaited in a loop.
///
/// ```swift
/// let observation = context.changes(of: Movie.self)
///     .where(#Predicate { $0.duration > 180 })
///     .changing(\.title, \.director.name)
///     .observe { changes in print(changes.count(.updated)) }
///
/// for await changes in context.changes(of: Movie.self).inserted() {
///     await context.perform { changes.inserted.forEach { print($0.title) } }
/// }
/// ```
///
/// ``NSManagedObjectContext/changes(of:)-(Object.Type)`` and the like make such a value. Each method returns a value with one
/// more condition. Nothing is observed until you call ``stream(bufferingPolicy:)`` or `observe`, or begin a loop.
///
/// The value does not retain its context or an object. It may be passed to any thread, and be used several times.
public struct ManagedObjectChangeSequence<Object: NSManagedObject, Element: Sendable>: AsyncSequence, @unchecked Sendable {
    /// Iterating never throws.
    public typealias Failure = Never
    /// The iterator, which waits for one element after the other.
    public typealias AsyncIterator = AsyncStream<Element>.AsyncIterator

    private let source: Source
    private var condition: ChangeCondition<Object>

    /// Begins to observe changes that fulfil a condition.
    ///
    /// The last argument is called on any thread after the last call of the handler.
    typealias Source =
        @Sendable (
            _ condition: ChangeCondition<Object>, _ handler: @escaping (Element) -> Void, _ onEnd: @escaping @Sendable () -> Void
        ) -> ManagedObjectObservation

    init(_ condition: ChangeCondition<Object> = ChangeCondition(), of source: @escaping Source) {
        self.source = source
        self.condition = condition
    }

    private func with(_ change: (inout ChangeCondition<Object>) -> Void) -> Self {
        var copy = self
        change(&copy.condition)
        return copy
    }

    private func start(_ handler: @escaping (Element) -> Void) -> ManagedObjectObservation { source(condition, handler) {} }

    // MARK: Kinds

    /// Adds inserted objects to the kinds of changes that are asked for. The kinds of several calls add up.
    public func inserted() -> Self { kinds(.inserted) }

    /// Adds objects with changed properties to the kinds of changes that are asked for. With a condition, objects that enter or
    /// leave are told too.
    public func updated() -> Self { kinds(.updated) }

    /// Adds deleted objects to the kinds of changes that are asked for.
    public func deleted() -> Self { kinds(.deleted) }

    /// Adds kinds of changes to those that are asked for, as in `.kinds([.all, .refreshed])` or `.kinds(.entered)`.
    ///
    /// The kinds of several calls add up. If no kind is named, a class tells of inserted, updated and deleted objects. A single
    /// object then tells also of being refreshed and invalidated.
    ///
    /// - Parameter kinds: Kinds of changes.
    public func kinds(_ kinds: Notification.ChangedType) -> Self { with { $0.add(kinds) } }

    // MARK: Waiting

    /// Begins to observe now, and keeps the elements until they are read by one reader.
    ///
    /// A loop over the value itself begins to observe when the loop begins. Use this method if changes may come earlier:
    ///
    /// ```swift
    /// let changes = context.changes(of: Movie.self).stream()
    /// Task { for await round in changes { … } }
    /// ```
    ///
    /// The stream ends when the task that reads it is cancelled, and when the context is deallocated. May be called on every
    /// thread.
    ///
    /// - Parameter bufferingPolicy: How many unread elements are kept. They retain their objects.
    public func stream(bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
        var condition = condition
        condition.isForReaders = true
        let observation = source(condition) {
            continuation.yield($0)
        } _: {
            continuation.finish()
        }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    /// Begins to observe. Each iterator receives all elements from then on, and keeps unread elements without limit.
    public func makeAsyncIterator() -> AsyncIterator { stream().makeAsyncIterator() }
}

// MARK: - Contexts

/// Marks the elements of sequences that can have conditions on objects: changes in a context. It is not API.
public protocol _ContextChanges: Sendable {}

extension ManagedObjectChanges: _ContextChanges {}
extension ManagedObjectChange: _ContextChanges {}

extension ManagedObjectChangeSequence where Element: _ContextChanges {
    /// Tells only of objects for which a predicate is true. If there are several conditions, all of them must be true.
    ///
    /// If a change makes an object match, the object is told as `entered`. If a change makes it no longer match, it is told as
    /// `left`. The context must know the values before the change for that: if a merge changes an object that was never read, the
    /// object is told as `updated` if it matches now. Changes of other objects make no object enter or leave. If the predicate
    /// throws for an object, ``ManagedObjectChanges/errors`` has the error.
    ///
    /// - Parameter predicate: A Swift predicate.
    public func `where`(_ predicate: Predicate<Object>) -> Self { with { $0.require(predicate) } }

    /// Tells only of objects for which a condition made of keys or key paths is true, as in `.where(\.duration > 180)`. See the
    /// form with a `#Predicate`.
    public func `where`(_ predicate: TypedPredicate<Object>) -> Self where Object: TypedObject {
        with { $0.require(predicate.node) }
    }

    /// Tells only of objects for which a predicate is true. See the form with a `#Predicate`.
    ///
    /// - Parameter predicate: A predicate with names of the model. If it can't be evaluated, each round has its error.
    public func `where`(_ predicate: NSPredicate) -> Self { with { $0.require(PredicateNode(predicate)) } }

    /// Tells of a changed object only if the value of one of these properties differs from the value before.
    ///
    /// The properties of several calls add up. A path of several steps, such as `\.director.name` or `\.scenes[each: \.text]`,
    /// tells also of changes at its end, if the context has loaded the objects there. Inserted and deleted objects are told in
    /// any case.
    ///
    /// - Parameters:
    ///   - keyPath: A key path to a managed property. Any other key path stops the program.
    ///   - others: More key paths.
    public func changing(_ keyPath: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...) -> Self {
        changing([keyPath] + others)
    }

    func changing(_ keyPaths: [PartialKeyPath<Object>]) -> Self { with { $0.add(keyPaths) } }

    /// The same with keys, which lead through optional relationships too: `.changing(Movie.keys.director.name)`.
    public func changing(_ key: any ObservableKey<Object>, _ others: any ObservableKey<Object>...) -> Self
    where Object: TypedObject {
        with { $0.add(([key] + others).map(\.storedName)) }
    }

    /// Tells of each save of the context after it is done, and not of each round of changes before the save.
    ///
    /// A save is told with everything that it wrote. A property that was changed and changed back is not told. Old values are
    /// those of the last save, and the IDs of new objects are permanent. Merged changes are not saves.
    public func saved() -> Self { with { $0.isOfSaves = true } }

    /// Calls a handler for each round of changes, or for each save, that has changes to tell.
    ///
    /// The handler is called on the context's queue, at the time when `NSManagedObjectContextObjectsDidChange` or
    /// `NSManagedObjectContextDidSave` is posted. Its own changes belong to the next round.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameter handler: Is called with the changes. It is not called if there are none.
    /// - Returns: The observation, which lasts as long as you keep this value.
    public func observe(_ handler: @escaping (_ changes: Element) -> Void) -> ManagedObjectObservation { start(handler) }
}

// MARK: - Stores

extension ManagedObjectChangeSequence where Element == ManagedObjectChangeIDs<Object> {
    /// Calls a handler after each save that has changes to tell, on the thread of the context that saved.
    ///
    /// May be called on every thread.
    ///
    /// - Parameter handler: Is called with references to the objects. It is not called if there are none.
    /// - Returns: The observation, which lasts as long as you keep this value.
    public func observe(_ handler: @escaping @Sendable (_ changes: Element) -> Void) -> ManagedObjectObservation {
        start(handler)
    }
}
