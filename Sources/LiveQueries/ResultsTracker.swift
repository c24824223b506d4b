import DataModel
import Foundation
import ObjectGraph
import Storage

/// Keeps the results of a fetch up to date. Fetched results controllers and `FetchedResults` both use it.
///
/// It is told of each round of its context, and looks only at the changed objects of its entity. If c objects among n members
/// changed, that costs O(c log n) comparisons, and up to n pointers are moved. It is used on the context's queue only. It may be
/// released on every thread.
final class ResultsTracker {
    let context: NSManagedObjectContext
    let section: SectionKey?
    weak var client: (any ResultsClient)?
    private let makePlan: () throws -> FetchPlan
    private var rules: ResultsRules?
    private var stored: ResultsMembers?
    private var relay: ResultsRelay?
    /// Rounds of changes that came while another one was told.
    private var waiting: [_ChangeBuckets] = []
    private var isTelling = false
    /// A change that is being told and is not applied yet.
    private var unapplied: ResultsChange?
    private var missedChanges = false
    /// Changes that the fetch found before they were told. The round that tells them has nothing new, unless there are more
    /// changes in it.
    private var foundPending: [ObjectIdentifier: PendingImage] = [:]
    private var isStale = false
    /// Is called before the results change, so that arrays that share their storage can be released. Otherwise the storage would
    /// be copied.
    var onChange: () -> Void = {}
    /// Whether reading returns the results before the change that is being told.
    var showsOldState = false
    /// A number that rises with each fetch.
    private(set) var generation = 0

    /// - Parameter makePlan: Makes a plan from the present request.
    init(_ context: NSManagedObjectContext, section: SectionKey?, makePlan: @escaping () throws -> FetchPlan) {
        self.context = context
        self.section = section
        self.makePlan = makePlan
    }

    deinit { if let relay { context._removeObserver(relay) } }

    /// The results. It is nil before the first fetch.
    var members: ResultsMembers? {
        if unapplied != nil, !showsOldState { apply() }
        return stored
    }

    var count: Int {
        if unapplied != nil, !showsOldState { apply() }
        return stored?.objects.count ?? 0
    }

    /// The member at a position. Stops the program if there is none.
    func object(at position: Int) -> NSManagedObject {
        if unapplied != nil, !showsOldState { apply() }
        guard let stored, stored.objects.indices.contains(position) else {
            fatalError("no object at \(position): there are \(count)")
        }
        return stored.objects[position]
    }

    func position(of object: NSManagedObject) -> Int? {
        if unapplied != nil, !showsOldState { apply() }
        return stored?.position(of: object)
    }

    // MARK: Fetching

    /// Fetches with the present request.
    ///
    /// - Parameter check: May throw an error for the fetched objects.
    /// - Returns: The difference from the results before.
    @discardableResult
    func performFetch(checking check: ([NSManagedObject]) throws -> Void = { _ in }) throws -> ResultsChange {
        let plan = try makePlan()
        try section?.check(plan.entity, context.runtime)
        let found = try plan.objects()
        try check(found)
        let newRules = try ResultsRules(plan, section: section, found: found.count)
        let members = try sections(of: found, newRules)
        apply()
        var old = stored ?? ResultsMembers([], sectionName: { _ in "" })
        let change = Self.change(from: &old, to: members)
        onChange()
        rules = newRules
        stored = members
        (missedChanges, isStale, showsOldState) = (false, false, false)
        waiting = []
        foundPending = [:]
        for object in context.untoldObjects where newRules.covers(object.layout) {
            foundPending[ObjectIdentifier(object)] = PendingImage(object)
        }
        generation += 1
        if relay == nil {
            let relay = ResultsRelay(self)
            context._addObserver(relay)
            self.relay = relay
        }
        return change
    }

    /// The policy for reading failures decides whether the fetch fails if an object's section can't be read.
    private func sections(of found: [NSManagedObject], _ rules: ResultsRules) throws -> ResultsMembers {
        guard section != nil else { return ResultsMembers(found, sectionName: nil) }
        func sections() -> ResultsMembers { ResultsMembers(found, sectionName: rules.sectionName) }
        return try context.readingFailurePolicy == .record ? sections() : context.throwingFailures(sections)
    }

    private static func change(from old: inout ResultsMembers, to new: ResultsMembers) -> ResultsChange {
        var change = ResultsChange(application: .replacing(new))
        let reordered = change.compareSections(old.sections, new.sections)
        var isKept = [Bool](repeating: false, count: old.objects.count)
        var kept: [(old: Int, new: Int)] = []
        var insertions: [ResultsChange.Step] = []
        for (position, object) in new.objects.enumerated() {
            if let before = old.position(of: object) {
                isKept[before] = true
                kept.append((before, position))
            } else {
                insertions.append(.init(type: .insert, object: object, old: nil, new: new.sections.place(of: position)))
            }
        }
        let deletions = old.objects.indices.filter { !isKept[$0] }.map {
            ResultsChange.Step(type: .delete, object: old.objects[$0], old: old.sections.place(of: $0), new: nil)
        }
        var moves: [ResultsChange.Step] = []
        for (pair, isInOrder) in zip(kept, longestChain(kept) { $0.old <= $1.old }) {
            let places = (old: old.sections.place(of: pair.old), new: new.sections.place(of: pair.new))
            let name = new.sections[places.new.section].name
            guard !isInOrder || old.sections[places.old.section].name != name || reordered.contains(name) else { continue }
            moves.append(.init(type: .move, object: new.objects[pair.new], old: places.old, new: places.new))
        }
        change.steps = deletions + insertions + moves
        return change
    }

    /// Removes all objects.
    /// - Returns: The change.
    func removeAll() -> ResultsChange {
        let empty = ResultsMembers([], sectionName: section == nil ? nil : { _ in "" })
        apply()
        var old = stored ?? empty
        let change = Self.change(from: &old, to: empty)
        onChange()
        stored = empty
        return change
    }

    // MARK: Following

    func watches(_ entity: Int) -> Bool { rules?.covers(context.runtime.layout.entities[entity]) ?? false }

    var watchedEntities: [Int] { rules?.watchedEntities(in: context.runtime.layout) ?? [] }

    func contextWasReset() {
        guard stored != nil, !isStale else { return }
        waiting = []
        isStale = true
        client?.contextWasReset()
    }

    func take(_ buckets: _ChangeBuckets) {
        guard let rules, !isStale else { return }
        guard client?.wantsChanges == true else {
            missedChanges = missedChanges || buckets.concern(rules, client)
            return
        }
        waiting.append(buckets)
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            apply()
            guard let change = change(by: next) else { continue }
            unapplied = change
            client?.resultsWillChange(change)
            apply()
        }
    }

    /// Applies the change that is being told, unless it is already applied.
    func apply() {
        guard let change = unapplied else { return }
        unapplied = nil
        showsOldState = false
        onChange()
        guard var members = takeStored() else { return }
        change.apply(to: &members)
        stored = members
    }

    /// Moves the results out of their property, so that changing them does not copy them.
    private func takeStored() -> ResultsMembers? {
        defer { stored = nil }
        return stored
    }

    /// The results after the change that is being told.
    var membersToCome: ResultsMembers? {
        guard var members = stored else { return nil }
        unapplied?.apply(to: &members)
        return members
    }

    private func change(by buckets: _ChangeBuckets) -> ResultsChange? {
        guard let rules, let count = stored?.objects.count else { return nil }
        var round = ResultsRound(rules, context)
        if missedChanges {
            // Every member may have changed, or may be gone.
            missedChanges = false
            for position in 0..<count { if let object = stored?.objects[position] { round.note(object, at: position) } }
        }
        let pending = foundPending
        foundPending = [:]
        for (kind, objects) in buckets.objects(rules, client) {
            for object in objects where !round.knows(object) {
                if kind == .inserted || kind == .updated, pending[ObjectIdentifier(object)]?.isStillRight == true { continue }
                let position = stored?.position(of: object)
                // A member that did not change keeps its position.
                if kind == .known, position != nil { continue }
                round.note(object, at: position, isNew: kind == .inserted)
            }
        }
        guard !round.isEmpty, let members = stored else { return nil }
        let change = round.change(of: members)
        return change.isEmpty ? nil : change
    }
}

extension _ChangeBuckets {
    /// The changed objects that a live query may have.
    func objects(_ rules: ResultsRules, _ client: (any ResultsClient)?) -> [(_ChangeKind, [NSManagedObject])] {
        let tellsRefreshed = origin == .local && client?.wantsRefreshed == true
        return _ChangeKind.allCases.compactMap { kind in
            // Objects that were read again count only if their values differ. These are among the updated objects too.
            guard kind != .refreshed || tellsRefreshed else { return nil }
            let objects = objects(kind, for: rules.entity.description)
            guard !objects.isEmpty else { return nil }
            return (kind, rules.includesSubentities ? objects : objects.filter { rules.covers($0.layout) })
        }
    }

    func concern(_ rules: ResultsRules, _ client: (any ResultsClient)?) -> Bool {
        objects(rules, client).contains { !$1.isEmpty }
    }
}
