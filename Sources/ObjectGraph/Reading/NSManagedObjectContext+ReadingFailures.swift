import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// What happens when an accessor, which can't throw, needs the store and the store can't be read.
    public enum ReadingFailurePolicy: Sendable, Hashable {
        /// The program stops with the reason, as with Apple's framework.
        case stop
        /// The accessor gives nil, an empty collection, or the neutral value of the type. The context remembers the
        /// failure; see ``NSManagedObjectContext/readingFailures``.
        case record
    }

    /// What happens when an accessor needs the store and the store can't be read: the program stops, unless this is
    /// set. A child that does not set it behaves as its parent does.
    ///
    /// Under `record` no wrong value is ever written. Each ``save()`` fails with the failure, until the values were
    /// read again by ``NSManagedObject/load()``, by ``refresh(_:mergeChanges:)`` and an accessor, or by a fetch, or
    /// until the context was ``reset()``. An object that could not be read is not tried again at each access. Values
    /// that are set on it are lost when it is read, because they may come from values that are missing. Members that
    /// are added to or removed from a relationship stay so.
    ///
    /// A row that is gone is not a failure: see ``shouldDeleteInaccessibleFaults``. Set it before the first use of the
    /// context. Not in Apple's framework.
    public final var readingFailurePolicy: ReadingFailurePolicy {
        get { reading.policy ?? parent?.readingFailurePolicy ?? .stop }
        set { reading.policy = newValue }
    }

    /// The failures of values that could not be read and were not read since, the oldest first. Use it on the context's
    /// queue.
    public final var readingFailures: [ReadingFailure] { reading.failures }

    /// Called with each failure that the context remembers, on the context's queue, in the middle of the reading. Note
    /// the failure or log it, but don't use the context and its objects. Nil unless set.
    public final var readingFailureHandler: ((ReadingFailure) -> Void)? {
        get { reading.handler }
        set { reading.handler = newValue }
    }

    // MARK: Loading

    /// Loads objects and their destinations with few queries, or throws the reason why they can't be read.
    ///
    /// Afterwards their accessors, and those of the objects at the ends of the paths, no longer need the store. Not in
    /// Apple's framework. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - objects: Objects of the context, of any entities.
    ///   - keyPaths: Names of relationships, or paths of them such as `director.movies`. For an object without a
    ///     relationship of the name nothing is loaded.
    /// - Throws: The first ``ReadingFailure``; 133000 for an object without a row.
    public final func load(_ objects: some Sequence<NSManagedObject>, relationships keyPaths: [String] = []) throws {
        checkQueue()
        let objects = Array(objects)
        loadTogether(objects)
        for object in objects { try object.load() }
        for path in keyPaths {
            var current = objects
            for name in path.split(separator: ".") { current = try loadDestinations(of: current, String(name)) }
        }
    }

    private final func loadDestinations(of objects: [NSManagedObject], _ name: String) throws -> [NSManagedObject] {
        var owners: [Int: [NSManagedObject]] = [:]
        for object in objects {
            guard let relationship = object.layout.relationship(named: name), object.hasFault(forRelationshipNamed: name) else {
                continue
            }
            owners[relationship.id, default: []].append(object)
        }
        if parent == nil { loadMembersTogether(owners.filter { $0.value[0].layout.relationship(id: $0.key)?.isToMany == true }) }
        var seen: Set<ObjectIdentifier> = []
        var destinations: [NSManagedObject] = []
        for object in objects {
            guard let relationship = object.layout.relationship(named: name) else { continue }
            let found =
                relationship.isToMany
                ? try object.toMany(relationship).loadedObjects() : object.toOne(relationship).map { [$0] } ?? []
            for destination in found where seen.insert(ObjectIdentifier(destination)).inserted {
                destinations.append(destination)
            }
        }
        loadTogether(destinations)
        for destination in destinations { try destination.load() }
        return destinations
    }

    // MARK: The one place where failures go

    /// Takes a failure of an accessor. It goes to the collector, if there is one. Otherwise the policy says what
    /// happens.
    ///
    /// - Parameter retry: makes the object read again at its next access.
    package final func note(_ failure: ReadingFailure, retry: @escaping () -> Void) {
        if reading.isCollecting { return reading.collect(failure, retry: retry) }
        switch readingFailurePolicy {
        case .stop: fatalError(failure.localizedDescription)
        case .record: reading.remember(failure)
        }
    }

    /// Remembers failures under any policy, and calls the handler.
    package final func remember(_ failures: [ReadingFailure]) {
        for failure in failures { reading.remember(failure) }
    }

    /// Runs internal code that reads objects. Values that can't be read are nil or empty for it, and are read again at
    /// their next access.
    package final func collectingFailures<Result>(_ body: () throws -> Result) rethrows -> (
        result: Result, failures: [ReadingFailure]
    ) {
        reading.beginCollecting()
        let result: Result
        do { result = try body() } catch {
            _ = reading.endCollecting()
            throw error
        }
        return (result, reading.endCollecting())
    }

    /// The same for callers that can throw.
    /// - Throws: The first failure.
    package final func throwingFailures<Result>(_ body: () throws -> Result) throws -> Result {
        let (result, failures) = try collectingFailures(body)
        if let failure = failures.first { throw failure }
        return result
    }

    /// The same for callers that can't report failures at once. The failures are remembered under any policy, because
    /// the work was done only in part.
    final func rememberingFailures<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (result, failures) = try collectingFailures(body)
        for failure in failures { reading.remember(failure) }
        return result
    }

    /// Loads the values of a fetch's objects. The policy says whether an object that can't be read makes the fetch
    /// fail.
    final func loadValues(of objects: [NSManagedObject]) throws {
        let records = readingFailurePolicy == .record
        // Loading an earlier object may have reset the context.
        for object in objects where object.isFault && object.isInReach {
            // A fault whose row is gone becomes a deleted object.
            if try records || object.fire() == nil { _ = object._loadedSlots }
        }
    }

    /// - Throws: The first failure that is remembered.
    final func requireEverythingRead() throws {
        guard !reading.isEmpty else { return }
        forgetReplacedValues()
        if let failure = reading.failures.first { throw failure }
    }

    /// - Throws: Also the failure because of which delete rules could not be applied. The next processing tries them
    ///   again.
    final func requireEverythingProcessed() throws {
        try requireEverythingRead()
        if let failure = reading.failureOfDeleteRules { throw failure }
    }
}
