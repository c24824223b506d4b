import DataModel
import Foundation
import ObjectGraph
import Storage

/// The results of a fetch, kept up to date: what fetched results controllers and `FetchedResults` have in common.
///
/// It hears of each processing of its context's pending changes and looks only at the changed objects of its entity: c of them
/// among n members cost O(c log n) comparisons, and up to n pointers are moved. Confined to the context's queue; letting go of it
/// is allowed on every thread.
final class ResultsTracker {
    let context: NSManagedObjectContext
    let section: SectionKey?
    weak var client: (any ResultsClient)?
    private let makePlan: () throws -> FetchPlan
    private var rules: ResultsRules?
    private var stored: ResultsMembers?
    private var relay: ResultsRelay?
    /// Rounds of changes that came while another one was being told of.
    private var waiting: [_ChangeBuckets] = []
    private var isTelling = false
    /// A change that is being told of and not applied yet.
    private var unapplied: ResultsChange?
    private var missedChanges = false
    /// What the fetch found changed before it was told. The round that tells it brings nothing new, unless it says more.
    private var foundPending: [ObjectIdentifier: PendingImage] = [:]
    private var isStale = false
    /// Called before the results change: what shares their storage would have it copied.
    var onChange: () -> Void = {}
    /// Whether reading gives the results before the change that is being told of.
    var showsOldState = false
    /// Rises with each fetch.
    private(set) var generation = 0

    /// - Parameter makePlan: the request as it is now.
    init(_ context: NSManagedObjectContext, section: SectionKey?, makePlan: @escaping () throws -> FetchPlan) {
        self.context = context
        self.section = section
        self.makePlan = makePlan
    }

    deinit { if let relay { context._removeObserver(relay) } }

    /// The results; nil before the first fetch.
    var members: ResultsMembers? {
        if unapplied != nil, !showsOldState { apply() }
        return stored
    }

    var count: Int {
        if unapplied != nil, !showsOldState { apply() }
        return stored?.objects.count ?? 0
    }

    /// A member; stops the program if there is none at the position.
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

    /// Fetches, with the request as it is now.
    ///
    /// - Parameter check: may refuse the objects found.
    /// - Returns: what is different from the results before, for those who want to tell of it.
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

    /// The policy says whether an object whose section can't be read makes the fetch fail.
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

    /// Takes all objects out.
    /// - Returns: what that changes.
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

    /// Applies the change that is being told of, if that has not happened yet.
    func apply() {
        guard let change = unapplied else { return }
        unapplied = nil
        showsOldState = false
        onChange()
        guard var members = takeStored() else { return }
        change.apply(to: &members)
        stored = members
    }

    /// The results out of their place, so that changing them copies nothing.
    private func takeStored() -> ResultsMembers? {
        defer { stored = nil }
        return stored
    }

    /// What the results will be once the change that is being told of is applied.
    var membersToCome: ResultsMembers? {
        guard var members = stored else { return nil }
        unapplied?.apply(to: &members)
        return members
    }

    private func change(by buckets: _ChangeBuckets) -> ResultsChange? {
        guard let rules, let count = stored?.objects.count else { return nil }
        var round = ResultsRound(rules, context)
        if missedChanges {
            // Any member may have been changed, or be gone.
            missedChanges = false
            for position in 0..<count { if let object = stored?.objects[position] { round.note(object, at: position) } }
        }
        let pending = foundPending
        foundPending = [:]
        for (kind, objects) in buckets.objects(rules, client) {
            for object in objects where !round.knows(object) {
                if kind == .inserted || kind == .updated, pending[ObjectIdentifier(object)]?.isStillRight == true { continue }
                let position = stored?.position(of: object)
                // A member that is what it was stays as it is.
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
            // Of what was read again those objects count that are others now: these were updated, too.
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
