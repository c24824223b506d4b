import Foundation
import ObjectGraph

/// Works out what a round of changes does to a live query: O(c log n) comparisons for c changed objects among n.
///
/// Members that did not change keep their order. A changed one stays where it is if it fits there. Otherwise it is taken out and
/// comes in again by binary search, as new objects do.
///
/// An example: six films sorted by year. In one round B is deleted, C becomes 1960, E gets another title, and G 1953 is new.
///
///     position   0      1      2      3      4      5
///     film       A1950  B1952  C1954  D1955  E1957  F1961
///
/// 1. B is `departed`. C and E are `changed`.
/// 2. C does not fit between its unchanged neighbours A and D any more: it is `displaced`. E still fits between D and F.
/// 3. B and C are `removed`. A, D, E and F stay, and have the *ranks* 0 to 3 among those that stay.
/// 4. G and C are `incoming`. Binary search among those that stay finds that G comes before rank 1, and C before rank 3.
/// 5. The new position of an incoming object is its rank and the number of those that came in before it: G 1 + 0, C 3 + 1. That
///    of one that stays is its rank and the number of those that came in before it: E 2 + 1. The result is A G D E C F.
/// 6. The report: delete B at 1, insert G at 1, move C from 2 to 4, update E, which went from 4 to 3.
///
/// New sections come into the *gaps* between those that stay: gap 0 is before the first one.
struct ResultsPlanner {
    /// A member that changed and still belongs.
    struct Changed {
        let position: Int
        let item: SortedObject
        let section: String
        var isDisplaced = false
    }

    /// An object on its way in, with its member's old position if it was one.
    private struct Incoming {
        let item: SortedObject
        let section: String
        let oldPosition: Int?
        /// Before which of the members that stay it comes.
        var rank = 0
        var position = 0
    }

    private let members: ResultsMembers
    private let rules: ResultsRules
    /// Positions of members that no longer belong, ascending.
    private let departed: [Int]
    private var changed: [Changed]
    private var incoming: [Incoming]
    /// Positions of departed and displaced members, ascending.
    private var removed: [Int] = []
    private var sections: [ResultsMembers.Section]

    init(
        _ members: ResultsMembers, _ rules: ResultsRules, departed: [Int], changed: [Changed], added: [SortedObject]
    ) {
        self.members = members
        self.rules = rules
        self.departed = departed
        self.changed = changed
        sections = members.sections
        incoming = added.map { Incoming(item: $0, section: rules.sectionName(of: $0.object), oldPosition: nil) }
    }

    /// - Returns: What to report and how to get there.
    mutating func plan() -> ResultsChange {
        markDisplaced()
        removed = (departed + changed.lazy.filter(\.isDisplaced).map(\.position)).sorted()
        incoming += changed.lazy.filter(\.isDisplaced).map {
            Incoming(item: $0.item, section: $0.section, oldPosition: $0.position)
        }
        if !removed.isEmpty || !incoming.isEmpty { findRanks() }
        return report()
    }

    // MARK: What stays

    /// Finds the changed members that don't fit where they are, between unchanged ones.
    private mutating func markDisplaced() {
        var nextDeparted = 0
        var index = 0
        while index < changed.count {
            // A run of changed members. Only departed members are between them.
            let start = index
            var first = changed[index].position
            while nextDeparted < departed.count, departed[nextDeparted] < first { nextDeparted += 1 }
            var before = nextDeparted - 1
            while before >= 0, departed[before] == first - 1 { (first, before) = (first - 1, before - 1) }
            var end = changed[index].position + 1
            index += 1
            while true {
                if index < changed.count, changed[index].position == end {
                    index += 1
                } else if nextDeparted < departed.count, departed[nextDeparted] == end {
                    nextDeparted += 1
                } else {
                    break
                }
                end += 1
            }
            let lower = first > 0 ? SortedObject(members.objects[first - 1], rules) : nil
            let upper = end < members.objects.count ? SortedObject(members.objects[end], rules) : nil
            keepMost(of: start..<index, between: lower, and: upper)
        }
    }

    /// Marks as few members of a run as displaced as possible, and rather those whose order may have changed.
    private mutating func keepMost(of run: Range<Int>, between lower: SortedObject?, and upper: SortedObject?) {
        func fits(_ index: Int, _ lower: SortedObject?, _ upper: SortedObject?) -> Bool {
            let item = changed[index].item
            guard isInItsSection(changed[index]) else { return false }
            return lower.map { rules.isInOrder($0, item) } ?? true && upper.map { rules.isInOrder(item, $0) } ?? true
        }
        func chain(_ candidates: [Int]) -> [Int] {
            zip(candidates, longestChain(candidates) { rules.isInOrder(changed[$0].item, changed[$1].item) }).filter(\.1).map(\.0)
        }
        let fitting = run.filter { fits($0, lower, upper) }
        var staying = chain(fitting)
        if staying.count < run.count, run.count > 1 {
            let anchors = chain(fitting.filter { rules.isSteady(changed[$0].item.object) })
            if !anchors.isEmpty {
                var stretchStart = run.lowerBound
                var stretchLower = lower
                staying = []
                for anchor in anchors {
                    let item = changed[anchor].item
                    staying += chain((stretchStart..<anchor).filter { fits($0, stretchLower, item) }) + [anchor]
                    (stretchStart, stretchLower) = (anchor + 1, item)
                }
                staying += chain((stretchStart..<run.upperBound).filter { fits($0, stretchLower, upper) })
            }
        }
        for index in run { changed[index].isDisplaced = true }
        for index in staying { changed[index].isDisplaced = false }
    }

    private func isInItsSection(_ changed: Changed) -> Bool {
        rules.section == nil
            || members.sections[members.sections.place(of: changed.position).section].name == changed.section
    }

    // MARK: Where the others come in

    /// How many removed members were before a position.
    private func removedBefore(_ position: Int) -> Int { removed.partitionPoint { $0 >= position } }

    /// A member that stays, by its rank among those.
    private func stayingMember(atRank rank: Int) -> NSManagedObject {
        // The removed ones before it are those that have at most `rank` staying ones before them.
        var low = 0
        var high = removed.count
        while low < high {
            let middle = (low + high) / 2
            if removed[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return members.objects[rank + low]
    }

    /// The rank, in a range, of the first staying member that an item belongs before. Equal members stay before it.
    private func rank(of item: SortedObject, in range: Range<Int>) -> Int {
        range.lowerBound
            + range.partitionPoint { rules.compare(SortedObject(stayingMember(atRank: $0), rules), item) == .orderedDescending }
    }

    private mutating func findRanks() {
        let rules = rules
        // The sort is stable: equal objects come in as they were given.
        incoming = incoming.enumerated().sorted {
            switch rules.compare($0.element.item, $1.element.item) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: $0.offset < $1.offset
            }
        }.map(\.element)
        let isSectioned = rules.section != nil
        let stayingCount = members.objects.count - removed.count
        let ranges = members.sections.map { ($0.start - removedBefore($0.start))..<($0.end - removedBefore($0.end)) }
        var bySection: [Int: [Int]] = [:]
        var newSections: [(gap: Int, name: String, items: [Int])] = []
        var newByName: [String: Int] = [:]
        for index in incoming.indices {
            let item = incoming[index].item
            if let known = isSectioned ? members.section(named: incoming[index].section) : 0,
                !isSectioned || !ranges[known].isEmpty
            {
                incoming[index].rank = rank(of: item, in: ranges[known])
                bySection[known, default: []].append(index)
            } else if let new = newByName[incoming[index].section] {
                newSections[new].items.append(index)
            } else {
                let rank = self.rank(of: item, in: 0..<stayingCount)
                // A section can't be split by another one, which comes after it then.
                let gap = ranges.partitionPoint { $0.lowerBound >= rank }
                newByName[incoming[index].section] = newSections.count
                newSections.append((gap, incoming[index].section, [index]))
            }
        }
        arrange(
            ranges, bySection,
            newSections.enumerated().sorted { ($0.element.gap, $0.offset) < ($1.element.gap, $1.offset) }.map(\.element))
    }

    /// Lays sections, and what comes into them, one after the other.
    private mutating func arrange(
        _ ranges: [Range<Int>], _ bySection: [Int: [Int]], _ newSections: [(gap: Int, name: String, items: [Int])]
    ) {
        var arranged: [Incoming] = []
        var result: [ResultsMembers.Section] = []
        func add(_ items: [Incoming]) {
            for var item in items {
                item.position = item.rank + arranged.count
                arranged.append(item)
            }
        }
        var nextNew = 0
        for index in 0...ranges.count {
            let start = index < ranges.count ? ranges[index].lowerBound : members.objects.count - removed.count
            while nextNew < newSections.count, newSections[nextNew].gap == index {
                let new = newSections[nextNew]
                result.append(ResultsMembers.Section(name: new.name, start: start + arranged.count, count: new.items.count))
                add(
                    new.items.map {
                        var item = incoming[$0]
                        item.rank = start
                        return item
                    })
                nextNew += 1
            }
            guard index < ranges.count else { break }
            let items = (bySection[index] ?? []).map { incoming[$0] }.sorted { $0.rank < $1.rank }
            guard !ranges[index].isEmpty || !items.isEmpty || rules.section == nil else { continue }
            result.append(
                ResultsMembers.Section(
                    name: members.sections[index].name, start: start + arranged.count, count: ranges[index].count + items.count))
            add(items)
        }
        incoming = arranged
        sections = result
    }

    // MARK: What to tell

    private func report() -> ResultsChange {
        var change = ResultsChange(
            application: .rearranging(
                removed: removed, inserted: incoming.map { ($0.position, $0.item.object) }, sections: sections))
        let oldSections = members.sections
        let reordered =
            oldSections.elementsEqual(sections) { $0.name == $1.name } ? [] : change.compareSections(oldSections, sections)
        let ranks = incoming.map(\.rank)
        var (insertions, moves, updates): ([ResultsChange.Step], [ResultsChange.Step], [ResultsChange.Step]) = ([], [], [])
        // A displaced member that came in between the same staying members has moved only if another one has overtaken it.
        let unmoved = Set(stayingInPlace(reordered))
        for (index, item) in incoming.enumerated() {
            let new = sections.place(of: item.position)
            guard let old = item.oldPosition.map(oldSections.place) else {
                insertions.append(.init(type: .insert, object: item.item.object, old: nil, new: new))
                continue
            }
            let type: NSFetchedResultsChangeType = unmoved.contains(index) ? .update : .move
            if type == .move {
                moves.append(.init(type: type, object: item.item.object, old: old, new: new))
            } else {
                updates.append(.init(type: type, object: item.item.object, old: old, new: new))
            }
        }
        for item in changed where !item.isDisplaced {
            let rank = item.position - removedBefore(item.position)
            let position = rank + ranks.partitionPoint { $0 > rank }
            updates.append(
                .init(
                    type: .update, object: item.item.object, old: oldSections.place(of: item.position),
                    new: sections.place(of: position)))
        }
        let deletions = departed.map {
            ResultsChange.Step(type: .delete, object: members.objects[$0], old: oldSections.place(of: $0), new: nil)
        }
        change.steps = deletions + insertions + moves + updates
        return change
    }

    private func stayingInPlace(_ reordered: Set<String>) -> [Int] {
        let candidates = incoming.indices.filter { index in
            guard let old = incoming[index].oldPosition, incoming[index].rank == old - removedBefore(old) else { return false }
            guard rules.section != nil else { return true }
            let name = members.sections[members.sections.place(of: old).section].name
            return name == incoming[index].section && !reordered.contains(name)
        }
        let chain = longestChain(candidates) { (incoming[$0].oldPosition ?? 0) <= (incoming[$1].oldPosition ?? 0) }
        return zip(candidates, chain).filter(\.1).map(\.0)
    }
}

extension RandomAccessCollection {
    /// How many elements are before the first one with a property. All elements after that one have it, too.
    func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if isAfter(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return distance(from: startIndex, to: low)
    }
}
