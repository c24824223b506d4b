import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// What happens when an accessor, which can't throw, needs the store and the store can't be read.
    public enum ReadingFailurePolicy: Sendable, Hashable {
        /// The program stops with the reason, as with Apple's framework.
        case stop
        /// The accessor gives nil, an empty collection or the type's neutral value, and the context remembers the failure; see
        /// ``NSManagedObjectContext/readingFailures``.
        case record
    }

    /// What happens when an accessor needs the store and the store can't be read: the program stops, unless set. A child that does not set it does as its parent.
    ///
    /// Under `record` nothing wrong is ever written: each ``save()`` fails with the failure until what could not be read was read again, by
    /// ``NSManagedObject/load()``, ``refresh(_:mergeChanges:)`` and an accessor, or a fetch; or until the context was ``reset()``.
    /// An object that could not be read is not tried again at each access. What is set on it is lost when it is read, because it may come from values that are
    /// not there; members that are added to or removed from a relationship stay so.
    ///
    /// A row that is gone is no failure: see ``shouldDeleteInaccessibleFaults``. Set it before the first use of the context. Not in Apple's framework.
    public final var readingFailurePolicy: ReadingFailurePolicy {
        get { reading.policy ?? parent?.readingFailurePolicy ?? .stop }
        set { reading.policy = newValue }
    }

    /// What could not be read and was not read since, the oldest first. Use it on the context's queue.
    public final var readingFailures: [ReadingFailure] { reading.failures }

    /// Called with each failure that the context remembers, on the context's queue, in the middle of what was reading: note it or log it, but leave the context and
    /// its objects alone. Nil unless set.
    public final var readingFailureHandler: ((ReadingFailure) -> Void)? {
        get { reading.handler }
        set { reading.handler = newValue }
    }

    // MARK: Loading

    /// Loads objects, and what they are related to, with few looks into the store; or tells what can't be read.
    ///
    /// Afterwards their accessors, and those of the objects at the ends of the paths, need the store no more. Not in Apple's framework. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - objects: Objects of the context, of any entities.
    ///   - keyPaths: Names of relationships, or paths of them such as `director.movies`. An object that has no relationship of the name has nothing to load there.
    /// - Throws: The first ``ReadingFailure``; 133000 for an object without row.
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

    /// Takes a failure of an accessor: whoever collects failures gets it, else the policy says what happens.
    ///
    /// - Parameter retry: makes the object read again when it is asked next.
    package final func note(_ failure: ReadingFailure, retry: @escaping () -> Void) {
        if reading.isCollecting { return reading.collect(failure, retry: retry) }
        switch readingFailurePolicy {
        case .stop: fatalError(failure.localizedDescription)
        case .record: reading.remember(failure)
        }
    }

    /// Remembers what could not be read, whatever the policy, and tells the handler.
    package final func remember(_ failures: [ReadingFailure]) {
        for failure in failures { reading.remember(failure) }
    }

    /// Runs something that reads objects and is no accessor of the program's: what can't be read is nil or empty for it and is read again by whoever asks next.
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

    /// The same where the caller can throw.
    /// - Throws: The first failure.
    package final func throwingFailures<Result>(_ body: () throws -> Result) throws -> Result {
        let (result, failures) = try collectingFailures(body)
        if let failure = failures.first { throw failure }
        return result
    }

    /// The same where nobody can be told at once: the failures are remembered whatever the policy is, since what was done is not all that had to be done.
    final func rememberingFailures<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (result, failures) = try collectingFailures(body)
        for failure in failures { reading.remember(failure) }
        return result
    }

    /// Loads the values of what a fetch found. The policy says whether one that can't be read makes the fetch fail.
    final func loadValues(of objects: [NSManagedObject]) throws {
        let records = readingFailurePolicy == .record
        // One that was loaded before may have reset the context.
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

    /// - Throws: Also why delete rules could not be applied, and will be tried again by the next processing.
    final func requireEverythingProcessed() throws {
        try requireEverythingRead()
        if let failure = reading.failureOfDeleteRules { throw failure }
    }
}
