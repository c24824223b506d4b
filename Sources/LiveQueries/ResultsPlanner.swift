import Foundation
import ObjectGraph

/// Works out what a round of changes does to a live query: O(c log n) comparisons for c changed objects among n.
///
/// Members that did not change keep their order. A changed one stays where it is if it fits there; otherwise it is taken out and put in again, as new ones are, by
/// binary search.
struct ResultsPlanner {
    /// A member that changed and still belongs.
    struct Touched {
        let position: Int
        let item: SortedObject
        let section: String
        var isLoose = false
    }

    /// An object on its way in, with its member's old position if it was one.
    private struct Incoming {
        let item: SortedObject
        let section: String
        let oldPosition: Int?
        /// Before which of the members that stay.
        var base = 0
        var position = 0
    }

    private let members: ResultsMembers
    private let rules: ResultsRules
    /// Positions of members that no longer belong, ascending.
    private let departed: [Int]
    private var touched: [Touched]
    private var incoming: [Incoming]
    /// Departed and loose members, ascending.
    private var removed: [Int] = []
    private var sections: [ResultsMembers.Section]

    init(
        _ members: ResultsMembers, _ rules: ResultsRules, departed: [Int], touched: [Touched], added: [SortedObject]
    ) {
        self.members = members
        self.rules = rules
        self.departed = departed
        self.touched = touched
        sections = members.sections
        incoming = added.map { Incoming(item: $0, section: rules.sectionName(of: $0.object), oldPosition: nil) }
    }

    /// - Returns: what to report and how to get there.
    mutating func plan() -> ResultsChange {
        markLoose()
        removed = (departed + touched.lazy.filter(\.isLoose).map(\.position)).sorted()
        incoming += touched.lazy.filter(\.isLoose).map { Incoming(item: $0.item, section: $0.section, oldPosition: $0.position) }
        if !removed.isEmpty || !incoming.isEmpty { place() }
        return report()
    }

    // MARK: What stays

    /// Finds out which changed members don't fit where they are, between unchanged ones.
    private mutating func markLoose() {
        var nextDeparted = 0
        var index = 0
        while index < touched.count {
            // A run of changed members, with nothing between them but members that go.
            let start = index
            var first = touched[index].position
            while nextDeparted < departed.count, departed[nextDeparted] < first { nextDeparted += 1 }
            var before = nextDeparted - 1
            while before >= 0, departed[before] == first - 1 { (first, before) = (first - 1, before - 1) }
            var end = touched[index].position + 1
            index += 1
            while true {
                if index < touched.count, touched[index].position == end {
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
            settle(start..<index, between: lower, and: upper)
        }
    }

    /// Marks as few members of a run as possible, rather such whose order may have changed.
    private mutating func settle(_ run: Range<Int>, between lower: SortedObject?, and upper: SortedObject?) {
        func fits(_ index: Int, _ lower: SortedObject?, _ upper: SortedObject?) -> Bool {
            let item = touched[index].item
            guard isInItsSection(touched[index]) else { return false }
            return lower.map { rules.isInOrder($0, item) } ?? true && upper.map { rules.isInOrder(item, $0) } ?? true
        }
        func chain(_ candidates: [Int]) -> [Int] {
            zip(candidates, longestChain(candidates) { rules.isInOrder(touched[$0].item, touched[$1].item) }).filter(\.1).map(\.0)
        }
        let fitting = run.filter { fits($0, lower, upper) }
        var staying = chain(fitting)
        if staying.count < run.count, run.count > 1 {
            let anchors = chain(fitting.filter { rules.isSteady(touched[$0].item.object) })
            if !anchors.isEmpty {
                var gapStart = run.lowerBound
                var gapLower = lower
                staying = []
                for anchor in anchors {
                    let item = touched[anchor].item
                    staying += chain((gapStart..<anchor).filter { fits($0, gapLower, item) }) + [anchor]
                    (gapStart, gapLower) = (anchor + 1, item)
                }
                staying += chain((gapStart..<run.upperBound).filter { fits($0, gapLower, upper) })
            }
        }
        for index in run { touched[index].isLoose = true }
        for index in staying { touched[index].isLoose = false }
    }

    private func isInItsSection(_ touched: Touched) -> Bool {
        rules.section == nil
            || members.sections[members.sections.place(of: touched.position).section].name == touched.section
    }

    // MARK: Where the others go

    /// How many removed members were before a position.
    private func removedBefore(_ position: Int) -> Int { removed.partitionPoint { $0 >= position } }

    /// A member that stays, by its number among those.
    private func base(_ number: Int) -> NSManagedObject {
        // The removed ones before it are those that have at most `number` staying ones before them.
        var low = 0
        var high = removed.count
        while low < high {
            let middle = (low + high) / 2
            if removed[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return members.objects[number + low]
    }

    /// The first of the staying members in a range that an item belongs before; equal ones stay before it.
    private func upperBound(of item: SortedObject, in range: Range<Int>) -> Int {
        range.lowerBound + range.partitionPoint { rules.compare(SortedObject(base($0), rules), item) == .orderedDescending }
    }

    private mutating func place() {
        let rules = rules
        // The sort is stable: equal ones come in as they were given.
        incoming = incoming.enumerated().sorted {
            switch rules.compare($0.element.item, $1.element.item) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: $0.offset < $1.offset
            }
        }.map(\.element)
        let isSectioned = rules.section != nil
        let baseCount = members.objects.count - removed.count
        let ranges = members.sections.map { ($0.start - removedBefore($0.start))..<($0.end - removedBefore($0.end)) }
        var bySection: [Int: [Int]] = [:]
        var newSections: [(slot: Int, name: String, items: [Int])] = []
        var newByName: [String: Int] = [:]
        for index in incoming.indices {
            let item = incoming[index].item
            if let known = isSectioned ? members.section(named: incoming[index].section) : 0,
                !isSectioned || !ranges[known].isEmpty
            {
                incoming[index].base = upperBound(of: item, in: ranges[known])
                bySection[known, default: []].append(index)
            } else if let new = newByName[incoming[index].section] {
                newSections[new].items.append(index)
            } else {
                let base = upperBound(of: item, in: 0..<baseCount)
                // In the middle of a section there is no room for another one: it comes after.
                let slot = ranges.partitionPoint { $0.lowerBound >= base }
                newByName[incoming[index].section] = newSections.count
                newSections.append((slot, incoming[index].section, [index]))
            }
        }
        arrange(
            ranges, bySection,
            newSections.enumerated().sorted { ($0.element.slot, $0.offset) < ($1.element.slot, $1.offset) }.map(\.element))
    }

    /// Puts sections, and what comes into them, one after the other.
    private mutating func arrange(
        _ ranges: [Range<Int>], _ bySection: [Int: [Int]], _ newSections: [(slot: Int, name: String, items: [Int])]
    ) {
        var arranged: [Incoming] = []
        var result: [ResultsMembers.Section] = []
        func add(_ items: [Incoming]) {
            for var item in items {
                item.position = item.base + arranged.count
                arranged.append(item)
            }
        }
        var nextNew = 0
        for index in 0...ranges.count {
            let start = index < ranges.count ? ranges[index].lowerBound : members.objects.count - removed.count
            while nextNew < newSections.count, newSections[nextNew].slot == index {
                let new = newSections[nextNew]
                result.append(ResultsMembers.Section(name: new.name, start: start + arranged.count, count: new.items.count))
                add(
                    new.items.map {
                        var item = incoming[$0]
                        item.base = start
                        return item
                    })
                nextNew += 1
            }
            guard index < ranges.count else { break }
            let items = (bySection[index] ?? []).map { incoming[$0] }.sorted { $0.base < $1.base }
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
        let bases = incoming.map(\.base)
        var (insertions, moves, updates): ([ResultsChange.Step], [ResultsChange.Step], [ResultsChange.Step]) = ([], [], [])
        // One that came back to between the same staying members has moved only if others that came back have overtaken it.
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
        for item in touched where !item.isLoose {
            let base = item.position - removedBefore(item.position)
            let position = base + bases.partitionPoint { $0 > base }
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
            guard let old = incoming[index].oldPosition, incoming[index].base == old - removedBefore(old) else { return false }
            guard rules.section != nil else { return true }
            let name = members.sections[members.sections.place(of: old).section].name
            return name == incoming[index].section && !reordered.contains(name)
        }
        let chain = longestChain(candidates) { (incoming[$0].oldPosition ?? 0) <= (incoming[$1].oldPosition ?? 0) }
        return zip(candidates, chain).filter(\.1).map(\.0)
    }
}

extension RandomAccessCollection {
    /// How many of the first elements don't have a property that all elements after the first with it have, too.
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
