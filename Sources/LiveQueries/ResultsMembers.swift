import Foundation
import ObjectGraph

/// The objects of a live query in their order, and the sections they are in.
///
/// The objects of a section are next to each other, and there is one section for each name. Without a section key path all
/// objects are in one section, which has an empty name, and exists even if there are no objects.
struct ResultsMembers {
    struct Section {
        let name: String
        let start: Int
        let count: Int
        var end: Int { start + count }
    }

    private(set) var objects: [NSManagedObject]
    private(set) var sections: [Section]
    private var sectionByName: [String: Int]
    /// The positions of objects when they were last noted. It is nil until a position is needed.
    private var notedPositions: [ObjectIdentifier: Int]?
    /// How far an object can be from where it was noted.
    private var drift = 0
    /// Looking up a position costs up to twice as many comparisons of pointers as this number. After as many changes, all
    /// positions are noted again.
    private static let maximalDrift = 512

    /// - Parameters:
    ///   - found: The objects in order.
    ///   - sectionName: The name of an object's section, or nil for no sections. An object out of order goes to the end of the
    ///     section with its name.
    init(_ found: [NSManagedObject], sectionName: ((NSManagedObject) -> String)?) {
        guard let sectionName else {
            self.init(found, sections: [Section(name: "", start: 0, count: found.count)])
            return
        }
        var names: [String] = []
        var lists: [[NSManagedObject]] = []
        var known: [String: Int] = [:]
        var current = 0
        for object in found {
            let name = sectionName(object)
            if names.isEmpty || names[current] != name {
                current = known[name] ?? names.count
                if current == names.count {
                    known[name] = current
                    names.append(name)
                    lists.append([])
                }
            }
            lists[current].append(object)
        }
        var start = 0
        let sections = names.indices.map { index in
            defer { start += lists[index].count }
            return Section(name: names[index], start: start, count: lists[index].count)
        }
        self.init(lists.count == 1 ? found : Array(lists.joined()), sections: sections)
    }

    private init(_ objects: [NSManagedObject], sections: [Section]) {
        self.objects = objects
        self.sections = sections
        sectionByName = Self.indexes(of: sections)
    }

    private static func indexes(of sections: [Section]) -> [String: Int] {
        Dictionary(sections.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func section(named name: String) -> Int? { sectionByName[name] }

    /// The position of an object among all, or nil if it is not a member.
    mutating func position(of object: NSManagedObject) -> Int? {
        if notedPositions == nil || drift > Self.maximalDrift {
            notedPositions = Dictionary(
                objects.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
            drift = 0
        }
        guard let noted = notedPositions?[ObjectIdentifier(object)] else { return nil }
        for distance in 0...drift {
            if noted + distance < objects.count, objects[noted + distance] === object { return noted + distance }
            if noted - distance >= 0, noted - distance < objects.count, objects[noted - distance] === object {
                return noted - distance
            }
        }
        return nil
    }

    // MARK: Rearranging

    /// Removes objects, then inserts objects, and sets the sections. It moves up to n pointers.
    ///
    /// - Parameters:
    ///   - removed: The positions in ascending order.
    ///   - inserted: The positions in the result in ascending order, and the objects.
    mutating func rearrange(
        removing removed: [Int], inserting inserted: [(position: Int, object: NSManagedObject)], sections: [Section]
    ) {
        remove(removed)
        insert(inserted)
        drift += removed.count + inserted.count
        self.sections = sections
        sectionByName = Self.indexes(of: sections)
    }

    private mutating func remove(_ positions: [Int]) {
        guard let first = positions.first else { return }
        for position in positions { notedPositions?[ObjectIdentifier(objects[position])] = nil }
        guard positions.count > 1 else {
            objects.remove(at: first)
            return
        }
        var write = first
        var next = 0
        for read in first..<objects.count {
            if next < positions.count, positions[next] == read {
                next += 1
            } else {
                objects.swapAt(write, read)
                write += 1
            }
        }
        objects.removeLast(positions.count)
    }

    private mutating func insert(_ entries: [(position: Int, object: NSManagedObject)]) {
        for entry in entries { notedPositions?[ObjectIdentifier(entry.object)] = entry.position }
        guard entries.count != 1 else {
            objects.insert(entries[0].object, at: entries[0].position)
            return
        }
        // Going from the end, each object that stays moves once, into the room that appending has made.
        var read = objects.count - 1
        objects += entries.map(\.object)
        var write = objects.count - 1
        var next = entries.count - 1
        while next >= 0 {
            if entries[next].position == write {
                objects[write] = entries[next].object
                next -= 1
            } else {
                objects.swapAt(write, read)
                read -= 1
            }
            write -= 1
        }
    }
}

extension [ResultsMembers.Section] {
    /// The place of a position. Its section is the last one that starts at the position or before it.
    func place(of position: Int) -> ResultsPlace {
        var low = 0
        var high = count
        while low + 1 < high {
            let middle = (low + high) / 2
            if self[middle].start <= position { low = middle } else { high = middle }
        }
        return ResultsPlace(position: position, section: low, item: position - self[low].start)
    }
}
