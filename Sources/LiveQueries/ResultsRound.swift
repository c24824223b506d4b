import DataModel
import Foundation
import ObjectGraph

/// The objects of one round of changes that matter for a live query.
struct ResultsRound {
    private let rules: ResultsRules
    private let context: NSManagedObjectContext
    private var known: Set<ObjectIdentifier> = []
    private var candidates: [(object: NSManagedObject, position: Int?, isNew: Bool)] = []

    init(_ rules: ResultsRules, _ context: NSManagedObjectContext) {
        self.rules = rules
        self.context = context
    }

    var isEmpty: Bool { candidates.isEmpty }

    func knows(_ object: NSManagedObject) -> Bool { known.contains(ObjectIdentifier(object)) }

    /// - Parameters:
    ///   - object: The object.
    ///   - position: Its position among the members, or nil if it is not a member.
    ///   - isNew: Whether it was inserted in this round.
    mutating func note(_ object: NSManagedObject, at position: Int?, isNew: Bool = false) {
        known.insert(ObjectIdentifier(object))
        candidates.append((object, position, isNew))
    }

    /// How the round changes the members. Reads values, so it may load objects.
    func change(of members: ResultsMembers) -> ResultsChange {
        context.loadTogether(candidates.lazy.map { $0.object })
        var departed: [Int] = []
        var changed: [ResultsPlanner.Changed] = []
        var added: [SortedObject] = []
        for (object, position, isNew) in candidates {
            let (found, failures) = context.collectingFailures { rules.matches(object, in: context) ? sortedItem(object) : nil }
            guard failures.isEmpty else {
                // Its values are not known, so it stays a member, or stays outside.
                context.remember(failures)
                continue
            }
            switch (position, found) {
            case (nil, nil): break
            case (let position?, nil): departed.append(position)
            case (let position?, let found?):
                changed.append(.init(position: position, item: found.item, section: found.section))
            case (nil, let found?): if isNew || rules.admits(found.item, to: members.objects) { added.append(found.item) }
            }
        }
        guard !departed.isEmpty || !changed.isEmpty || !added.isEmpty else {
            return ResultsChange(application: .rearranging(removed: [], inserted: [], sections: members.sections))
        }
        departed.sort()
        changed.sort { $0.position < $1.position }
        var planner = ResultsPlanner(members, rules, departed: departed, changed: changed, added: added)
        return planner.plan()
    }

    private func sortedItem(_ object: NSManagedObject) -> (item: SortedObject, section: String) {
        (SortedObject(object, rules), rules.sectionName(of: object))
    }
}
