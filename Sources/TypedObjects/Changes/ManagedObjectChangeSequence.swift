public import Foundation
public import ObjectGraph
import Predicates

// @unchecked Sendable: it is constant. Predicates and the object, which alone are not Sendable, are handed to an observer, which
// uses them on the context's queue only.

/// Changes to hear of: describe them, and then observe them or wait for them.
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
/// ``NSManagedObjectContext/changes(of:)-(Object.Type)`` and its like begin such a value. Each method gives a value
/// that asks for less, or for something else. Nothing is observed before ``stream(bufferingPolicy:)``, `observe` or a loop
/// begins.
///
/// The value keeps neither its context nor an object. It may be passed to any thread, and be used several times.
public struct ManagedObjectChangeSequence<Object: NSManagedObject, Element: Sendable>: AsyncSequence, @unchecked Sendable {
    /// Waiting never fails.
    public typealias Failure = Never
    /// Waits for one element after the other.
    public typealias AsyncIterator = AsyncStream<Element>.AsyncIterator

    private let source: Source
    private var condition: ChangeCondition<Object>

    /// Begins to tell of changes that fulfil a condition.
    ///
    /// Its last argument is called when the handler can't be called any more, on any thread.
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

    /// Tells of inserted objects. With ``updated()`` and its like in one value, of all kinds that are named.
    public func inserted() -> Self { kinds(.inserted) }

    /// Tells of objects with changed properties; with a condition also of those that enter or leave.
    public func updated() -> Self { kinds(.updated) }

    /// Tells of deleted objects.
    public func deleted() -> Self { kinds(.deleted) }

    /// Tells of kinds of changes: `.kinds([.all, .refreshed])`, `.kinds(.entered)`.
    ///
    /// The kinds of several calls add up. Without any, a class tells of what is inserted, updated and deleted, and one object
    /// also of being refreshed and invalidated.
    ///
    /// - Parameter kinds: Kinds of changes.
    public func kinds(_ kinds: Notification.ChangedType) -> Self { with { $0.add(kinds) } }

    // MARK: Waiting

    /// Observes from now on, and keeps what comes for one reader.
    ///
    /// A loop over the value itself does the same at the moment when it begins. Use this form where changes could come before
    /// that:
    ///
    /// ```swift
    /// let changes = context.changes(of: Movie.self).stream()
    /// Task { for await round in changes { … } }
    /// ```
    ///
    /// The stream ends when the task that reads it is cancelled, and when the context goes. Callable on every thread.
    ///
    /// - Parameter bufferingPolicy: How many elements wait while nobody reads. They keep their objects.
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

    /// Begins to observe. Each iterator gets all elements from then on, and waits without limit for its reader.
    public func makeAsyncIterator() -> AsyncIterator { stream().makeAsyncIterator() }
}

// MARK: - Contexts

/// What is told of changes in a context. Not API: it marks the sequences that have conditions on objects.
public protocol _ContextChanges: Sendable {}

extension ManagedObjectChanges: _ContextChanges {}
extension ManagedObjectChange: _ContextChanges {}

extension ManagedObjectChangeSequence where Element: _ContextChanges {
    /// Tells only of objects that a predicate is true for. Several conditions have to be fulfilled all.
    ///
    /// An object that a change makes match is told of as `entered`, one that matches no more as `left`. The values before the
    /// change are what the context knows: an object that a merge changes without its ever having been read is `updated` if it
    /// matches now. Changes of other objects make nothing enter or leave. If the predicate throws for an object,
    /// ``ManagedObjectChanges/errors`` has the error.
    ///
    /// - Parameter predicate: A Swift predicate.
    public func `where`(_ predicate: Predicate<Object>) -> Self { with { $0.require(predicate) } }

    /// Tells only of objects that a condition made of keys or key paths is true for: `.where(\.duration > 180)`. See the form
    /// with a `#Predicate`.
    public func `where`(_ predicate: TypedPredicate<Object>) -> Self where Object: TypedObject {
        with { $0.require(predicate.node) }
    }

    /// Tells only of objects that a predicate is true for. See the form with a `#Predicate`.
    ///
    /// - Parameter predicate: A predicate with names of the model. One that can't be evaluated is an error in each round.
    public func `where`(_ predicate: NSPredicate) -> Self { with { $0.require(PredicateNode(predicate)) } }

    /// Of changed objects, tells only of those of which one of these properties is another than before.
    ///
    /// The properties of several calls add up. A path of several steps, `\.director.name` or `\.scenes[each: \.text]`, tells also
    /// of changes at its end, provided the context has the objects there loaded. Inserted and deleted objects are told of in any
    /// case.
    ///
    /// - Parameters:
    ///   - keyPath: A key path to a managed property. Anything else stops the program.
    ///   - others: More of them.
    public func changing(_ keyPath: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...) -> Self {
        changing([keyPath] + others)
    }

    func changing(_ keyPaths: [PartialKeyPath<Object>]) -> Self { with { $0.add(keyPaths) } }

    /// The same with keys, which lead through optional relationships too: `.changing(Movie.keys.director.name)`.
    public func changing(_ key: any ObservableKey<Object>, _ others: any ObservableKey<Object>...) -> Self
    where Object: TypedObject {
        with { $0.add(([key] + others).map(\.storedName)) }
    }

    /// Tells of each save of the context when it is done, in place of each round of changes before it is saved.
    ///
    /// A save is told with all that it wrote: what changed and was changed back is not told of. Old values are those of the last
    /// save, and the IDs of new objects are permanent ones. Merged changes are not saves.
    public func saved() -> Self { with { $0.isOfSaves = true } }

    /// Calls a handler for each round of changes, or each save, in which there is something to tell.
    ///
    /// The handler is called where `NSManagedObjectContextObjectsDidChange` (or `NSManagedObjectContextDidSave`) is posted, on
    /// the context's queue. What it changes belongs to the next round.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameter handler: Gets the changes; never called without any.
    /// - Returns: Keep it as long as the observation is to last.
    public func observe(_ handler: @escaping (_ changes: Element) -> Void) -> ManagedObjectObservation { start(handler) }
}

// MARK: - Stores

extension ManagedObjectChangeSequence where Element == ManagedObjectChangeIDs<Object> {
    /// Calls a handler after each save in which there is something to tell, on the thread of the context that saved.
    ///
    /// Callable on every thread.
    ///
    /// - Parameter handler: Gets references to the objects; never called without any.
    /// - Returns: Keep it as long as the observation is to last.
    public func observe(_ handler: @escaping @Sendable (_ changes: Element) -> Void) -> ManagedObjectObservation {
        start(handler)
    }
}
