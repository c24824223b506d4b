import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// Random changes in several contexts on one store.
@Suite("Random changes in several contexts")
struct RandomRivalsTests {
    private static let entities = ["Person", "Team", "Skill", "Desk", "Song"]

    /// Does one random thing to the objects that a context finds.
    static func change(
        _ context: NSManagedObjectContext, _ random: inout SeededGenerator, _ held: inout [NSManagedObject],
        readsFirst: Bool = false
    ) throws {
        func pick(_ entity: String) throws -> Recorder? { try context.all(entity).randomElement(using: &random) }
        let kind = Int.random(in: 0..<100, using: &random)
        guard kind >= 15, let person = try pick("Person") else {
            held.append(
                context.make(
                    entities.randomElement(using: &random) ?? "Person", ["name": "n\(Int.random(in: 0..<1000, using: &random))"]))
            return
        }
        held.append(person)
        // What others have deleted meanwhile is found to be gone when it is first read. Who then sets it to something makes a
        // mistake, of which the save tells.
        if readsFirst { person.willAccessValue(forKey: nil) }
        guard !person.isDeleted else { return }
        switch kind {
        case 15..<30: person.set("age", Int.random(in: 0..<100, using: &random))
        case 30..<35: person.set("score", Bool.random(using: &random) ? nil : Double.random(in: 0..<1, using: &random))
        case 35..<48: person.set("team", Bool.random(using: &random) ? try pick("Team") : nil)
        case 48..<58: person.set("desk", Int.random(in: 0..<4, using: &random) > 0 ? try pick("Desk") : nil)
        case 58..<64: person.set("boss", try pick("Person"))
        case 64..<74:
            guard let skill = try pick("Skill") else { return }
            if person.many("skills").contains(skill) {
                person.remove(skill, from: "skills")
            } else {
                person.add(skill, to: "skills")
            }
        case 74..<80:
            guard let friend = try pick("Person"), friend !== person else { return }
            if person.many("friends").contains(friend) {
                person.remove(friend, from: "friends")
            } else {
                person.add(friend, to: "friends")
            }
        case 80..<88:
            person.set("playlist", NSOrderedSet(array: try context.all("Song").shuffled(using: &random).prefix(3).map { $0 }))
        default:
            if let object = try pick(entities.randomElement(using: &random) ?? "Team") { context.delete(object) }
        }
        context.processPendingChanges()
    }

    /// What a context shows, in a form that can be compared: values and the names of the destinations by ID.
    static func picture(_ context: NSManagedObjectContext) throws -> [String: String] {
        var result: [String: String] = [:]
        for entity in entities {
            for object in try context.all(entity) {
                var lines = ["\(object.text("name") ?? "nil")"]
                if entity == "Person" {
                    lines.append("\(object.number("age") ?? -1) \(object.value(forKey: "score") as? Double ?? -1)")
                    for key in ["team", "desk", "boss"] { lines.append(object.one(key).map { id($0) } ?? "nil") }
                    for key in ["skills", "friends", "reports"] {
                        lines.append(object.many(key).map(id).sorted().joined(separator: ","))
                    }
                    lines.append(object.list("playlist").map(id).joined(separator: ","))
                }
                for key in ["members", "people", "owner", "listeners"] where object.entity.relationshipsByName[key] != nil {
                    let destinations = key == "owner" ? [object.one(key)].compactMap { $0 } : Array(object.many(key))
                    lines.append(destinations.map(id).sorted().joined(separator: ","))
                }
                result[id(object)] = lines.joined(separator: " | ")
            }
        }
        return result
    }

    private static func id(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "")\(object.objectID.uriRepresentation().lastPathComponent)"
    }

    static func difference(_ a: [String: String], _ b: [String: String]) -> [String] {
        Set(a.keys).union(b.keys).sorted().filter { a[$0] != b[$0] }.map { "\($0): \(a[$0] ?? "none") ≠ \(b[$0] ?? "none")" }
    }

    @Test(
        "CTX-173, CTX-171: contexts that merge each save never conflict, and show what is stored", arguments: StackKind.allCases,
        RandomProgramTests.seeds)
    func merging(_ kind: StackKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try TestStack.people(kind)
        let watch = try SaveWatch(stack)
        defer { #expect(watch.problems == [], "OPENCOREDATA_SEED=\(seed), \(kind)") }
        let contexts = (0..<3).map { _ in stack.newContext() }
        var held = [[NSManagedObject]](repeating: [], count: contexts.count)
        var steps = 0
        for _ in 0..<60 {
            let index = Int.random(in: 0..<contexts.count, using: &random)
            try contexts[index].run { context in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    steps += 1
                    try Self.change(context, &random, &held[index])
                    context.check()
                }
            }
            guard Bool.random(using: &random) else { continue }
            var notification: Notification?
            let observer = Observer(
                Bool.random(using: &random) ? .NSManagedObjectContextDidSave : .NSManagedObjectContextDidSaveObjectIDs,
                of: contexts[index]
            ) { notification = $0 }
            try contexts[index].run { try $0.save() }
            withExtendedLifetime(observer) {}
            let saved = try #require(notification)
            for (other, context) in contexts.enumerated() where other != index {
                try context.run { $0.mergeChanges(fromContextDidSave: saved) }
            }
        }
        for (index, context) in contexts.enumerated() {
            var notification: Notification?
            let observer = Observer(.NSManagedObjectContextDidSave, of: context) { notification = $0 }
            try context.run { try $0.save() }
            withExtendedLifetime(observer) {}
            let saved = try #require(notification)
            for (other, context) in contexts.enumerated() where other != index {
                try context.run { $0.mergeChanges(fromContextDidSave: saved) }
            }
        }
        let stored = try stack.fresh { try Self.picture($0) }
        for context in contexts {
            let shown = try context.run { try Self.picture($0) }
            #expect(Self.difference(stored, shown) == [], "OPENCOREDATA_SEED=\(seed), \(kind)")
        }
        #expect(steps > 60)
    }

    @Test(
        "CTX-50, CTX-46: a child and its parent that both change things, and merge each save, show what is stored",
        arguments: StackKind.allCases, RandomProgramTests.seeds)
    func childAmongRivals(_ kind: StackKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: 2000 + seed)
        let stack = try TestStack.people(kind)
        let watch = try SaveWatch(stack)
        defer { #expect(watch.problems == [], "OPENCOREDATA_SEED=\(seed), \(kind)") }
        let (parent, rival, child) = (stack.newContext(), stack.newContext(), NSManagedObjectContext(.privateQueue))
        child.parent = parent
        let contexts = [parent, rival, child]
        var held = [[NSManagedObject]](repeating: [], count: contexts.count)
        /// Saves a context on the coordinator, and has the others merge it, a parent before its child.
        func save(_ context: NSManagedObjectContext) throws {
            var notification: Notification?
            let observer = Observer(.NSManagedObjectContextDidSave, of: context) { notification = $0 }
            try context.run { try $0.save() }
            withExtendedLifetime(observer) {}
            let saved = try #require(notification)
            for other in contexts where other !== context { try other.run { $0.mergeChanges(fromContextDidSave: saved) } }
        }
        for _ in 0..<40 {
            let index = Int.random(in: 0..<contexts.count, using: &random)
            let context = contexts[index]
            if context === child {
                // It sees what the parent has not saved: what it reads twice has to be of one time.
                try parent.run { $0.processPendingChanges() }
                try child.run { $0.refreshAllObjects() }
            }
            try context.run { context throws in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    try Self.change(context, &random, &held[index])
                    context.check()
                }
                if context === child { try context.save() }
            }
            if context !== child, Bool.random(using: &random) { try save(context) }
        }
        for context in [rival, parent] { try save(context) }
        let stored = try stack.fresh { try Self.picture($0) }
        for context in contexts {
            let shown = try context.run { try Self.picture($0) }
            #expect(Self.difference(stored, shown) == [], "OPENCOREDATA_SEED=\(seed), \(kind)")
        }
    }

    @Test(
        "CTX-116…127: contexts that know nothing of each other save without an error, and what is stored is consistent",
        arguments: StackKind.allCases, RandomProgramTests.seeds)
    func conflicts(_ kind: StackKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: 1000 + seed)
        let stack = try TestStack.people(kind)
        let watch = try SaveWatch(stack)
        defer { #expect(watch.problems == [], "OPENCOREDATA_SEED=\(seed), \(kind)") }
        let contexts = (0..<3).map { _ in stack.newContext() }
        var held = [[NSManagedObject]](repeating: [], count: contexts.count)
        let policies: [NSMergePolicy] = [.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback]
        for _ in 0..<60 {
            let index = Int.random(in: 0..<contexts.count, using: &random)
            let context = contexts[index]
            // No graph check: contexts that merge nothing hold values of different times.
            try context.runUnchecked {
                for _ in 0..<Int.random(in: 1...4, using: &random) { try Self.change(context, &random, &held[index]) }
                guard Int.random(in: 0..<3, using: &random) == 0 else { return }
                context.mergePolicy = policies.randomElement(using: &random) ?? .rollback
                try context.save()
                #expect(!context.hasChanges)
            }
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            try stack.fresh { context in
                _ = try Self.picture(context)
                context.check()
            }
        }
        try stack.fresh { context in
            _ = try Self.picture(context)
            context.check()
            #expect(
                !context.hasChanges, "something in the store points at rows that are gone, OPENCOREDATA_SEED=\(seed), \(kind)")
        }
    }
}
