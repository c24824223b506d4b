import Foundation
import ObjectGraph

/// The place of an object in a live query: its position among all objects, its section, and its position there.
struct ResultsPlace {
    let position: Int
    let section: Int
    let item: Int
}

/// The changes of a live query in one round. Old places are those before all changes, and new places are those after all changes.
struct ResultsChange {
    struct Step {
        let type: NSFetchedResultsChangeType
        let object: NSManagedObject
        let old: ResultsPlace?
        let new: ResultsPlace?
    }

    struct SectionStep {
        let name: String
        let index: Int
    }

    /// How the members are changed.
    enum Application {
        case rearranging(removed: [Int], inserted: [(position: Int, object: NSManagedObject)], sections: [ResultsMembers.Section])
        case replacing(ResultsMembers)
    }

    /// Deletions, insertions, moves and updates. An object is in one step at most. An object that moved was updated too.
    var steps: [Step] = []
    var deletedSections: [SectionStep] = []
    var insertedSections: [SectionStep] = []
    let application: Application

    var isEmpty: Bool { steps.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty }

    func apply(to members: inout ResultsMembers) {
        switch application {
        case .rearranging(let removed, let inserted, let sections):
            members.rearrange(removing: removed, inserting: inserted, sections: sections)
        case .replacing(let other): members = other
        }
    }

    /// Moves, insertions and deletions by position. A move is a pair that is associated with each other.
    var difference: CollectionDifference<NSManagedObjectID> {
        difference(of: steps.filter { $0.type != .update }) { $0.object.objectID }
    }

    private func difference(of steps: [Step], id: (Step) -> NSManagedObjectID) -> CollectionDifference<NSManagedObjectID> {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for step in steps {
            let (old, new) = (step.old?.position, step.new?.position)
            if let old { changes.append(.remove(offset: old, element: id(step), associatedWith: new)) }
            if let new { changes.append(.insert(offset: new, element: id(step), associatedWith: old)) }
        }
        guard let difference = CollectionDifference(changes) else {
            fatalError("A live query counted wrong; please report it: \(changes)")
        }
        return difference
    }

    /// The names of sections that were inserted and deleted, by index.
    var sectionDifference: CollectionDifference<String> {
        let removals = deletedSections.map {
            CollectionDifference<String>.Change.remove(offset: $0.index, element: $0.name, associatedWith: nil)
        }
        let insertions = insertedSections.map {
            CollectionDifference<String>.Change.insert(offset: $0.index, element: $0.name, associatedWith: nil)
        }
        guard let difference = CollectionDifference(removals + insertions) else {
            fatalError("A live query counted its sections wrong; please report it: \(removals) \(insertions)")
        }
        return difference
    }

    // MARK: Sections

    /// Notes which sections were deleted and inserted.
    ///
    /// - Returns: The names of sections whose order changed. They count as deleted and inserted.
    mutating func compareSections(_ old: [ResultsMembers.Section], _ new: [ResultsMembers.Section]) -> Set<String> {
        let oldIndexes = Dictionary(old.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let common = new.compactMap { section in oldIndexes[section.name].map { (name: section.name, index: $0) } }
        let kept = longestChain(common) { $0.index <= $1.index }
        let reordered = Set(zip(common, kept).filter { !$1 }.map(\.0.name))
        let names = Set(common.map(\.name)).subtracting(reordered)
        deletedSections = old.enumerated().filter { !names.contains($1.name) }.map { SectionStep(name: $1.name, index: $0) }
        insertedSections = new.enumerated().filter { !names.contains($1.name) }.map { SectionStep(name: $1.name, index: $0) }
        return reordered
    }
}
