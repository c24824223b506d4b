import Foundation
import ObjectGraph
import Predicates

/// A condition that is prepared for the model of one context. It selects the changes of each round that fulfil it. It is used on
/// the context's queue only.
struct ChangeFilter<Object: NSManagedObject> {
    let kinds: Notification.ChangedType
    private let matches: ((Object) throws -> Bool)?
    private let paths: WatchedPaths?
    /// The object that is observed alone, if there is one.
    private let object: ChangeCondition<Object>.WeakObject?

    init(_ condition: ChangeCondition<Object>, in context: NSManagedObjectContext) {
        kinds = condition.askedKinds
        matches = condition.test(in: context)
        paths = condition.names.isEmpty ? nil : WatchedPaths(condition.names)
        object = condition.object
    }

    /// Whether a path leads to objects of other classes, so that their changes count too.
    var watchesOtherClasses: Bool { paths?.hasSeveralSteps == true }

    /// Whether every change fulfils the condition.
    var isEmpty: Bool { matches == nil && paths == nil && object == nil }

    /// The changes of a round that fulfil the condition. It is nil if there are none.
    func filter(
        _ all: ManagedObjectChangeStorage<Object>, of buckets: _ChangeBuckets, in context: NSManagedObjectContext
    ) -> ManagedObjectChangeStorage<Object>? {
        var round = Round(past: buckets.past, matches: matches)
        var all = Candidates(all: all)
        if let object {
            guard let only = object.object else { return nil }
            all.only = only
        }
        if kinds.includes(.inserted) { for object in all.objects(.inserted) { round.take(object, .inserted) } }
        if kinds.includes(.refreshed) {
            for object in all.objects(.refreshed) where paths?.hasChanged(object, buckets.past) ?? true {
                round.take(object, .refreshed)
            }
        }
        if kinds.includes(.invalidated) { for object in all.objects(.invalidated) { round.add(object, .invalidated) } }
        if kinds.includes(.deleted) {
            for object in all.objects(.deleted) { round.takeDeleted(object) }
            if let only = all.only, only.isDeleted, buckets.objects(.unseen, for: only.entity).contains(where: { $0 === only }) {
                round.takeDeleted(only)
            }
        }
        if kinds.includes(.entered) || kinds.includes(.left) { takeUpdated(all, buckets, in: context, &round) }
        guard round.isFilled else { return nil }
        return ManagedObjectChangeStorage(of: buckets, round.lists, errors: round.errors, in: context)
    }

    private func takeUpdated(
        _ all: Candidates, _ buckets: _ChangeBuckets, in context: NSManagedObjectContext, _ round: inout Round
    ) {
        for object in all.objects(.updated) {
            round.takeUpdated(object, isWanted: paths?.hasChanged(object, buckets.past) ?? true)
        }
        guard let paths else { return }
        let known = Set(round.lists.joined().map(ObjectIdentifier.init))
        for entity in context.topEntities(of: Object.self) {
            for object in paths.objects(of: entity, concernedBy: buckets) where !known.contains(ObjectIdentifier(object)) {
                guard let object = object as? Object, !object.isDeleted, all.only == nil || object === all.only else { continue }
                round.take(object, .updated)
            }
        }
    }

    /// The objects of a round, or the single observed object.
    private struct Candidates {
        let all: ManagedObjectChangeStorage<Object>
        var only: Object?

        func objects(_ kind: ManagedObjectChangeKind) -> [Object] {
            guard let only else { return all.objects(kind) }
            return all.position(of: only, kind) == nil ? [] : [only]
        }
    }

    /// Collects the changes of a round that fulfil the condition.
    private struct Round {
        let past: RoundPast
        let matches: ((Object) throws -> Bool)?
        var lists = ManagedObjectChangeStorage<Object>.noObjects
        var errors: [any Error] = []

        var isFilled: Bool { !errors.isEmpty || lists.contains { !$0.isEmpty } }

        mutating func add(_ object: Object, _ kind: ManagedObjectChangeKind) { lists[kind.rawValue].append(object) }

        /// Whether an object matches. It is nil if the predicate threw.
        private mutating func test(_ object: Object) -> Bool? {
            guard let matches else { return true }
            do {
                // If a value can't be read, the condition has an error, and the program goes on.
                guard let context = object.managedObjectContext else { return try matches(object) }
                return try context.throwingFailures { try matches(object) }
            } catch {
                errors.append(error)
                return nil
            }
        }

        mutating func take(_ object: Object, _ kind: ManagedObjectChangeKind) {
            if test(object) == true { add(object, kind) }
        }

        mutating func takeDeleted(_ object: Object) {
            guard matches != nil, let last = past.objectBefore(object) as? Object else { return add(object, .deleted) }
            if test(last) == true { add(object, .deleted) }
        }

        /// - Parameter isWanted: Whether one of the named properties changed. An object that enters or leaves is told in any
        ///   case.
        mutating func takeUpdated(_ object: Object, isWanted: Bool) {
            guard matches != nil else {
                if isWanted { add(object, .updated) }
                return
            }
            guard let isIn = test(object) else { return }
            let before = past.objectBefore(object) as? Object
            guard let wasIn = before.map({ test($0) }) ?? isIn else { return }
            switch (wasIn, isIn) {
            case (true, true): if isWanted { add(object, .updated) }
            case (false, true): add(object, .entered)
            case (true, false): add(object, .left)
            case (false, false): break
            }
        }
    }
}
