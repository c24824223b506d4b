import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import Predicates
import TestSupport
import Testing

@testable import ObjectGraph

/// Random programs over a model with relationships of all kinds: after each event the whole graph is written down; undo and redo must give the same texts again.
@Suite("Undo of random programs")
struct RandomUndoTests {
    private static let entities = ["Person", "Team", "Desk", "Skill", "Task", "Song", "Badge"]

    private struct Program {
        let context: NSManagedObjectContext
        var random: SeededGenerator
        var changesTransients = true

        /// All objects ever made. Picking from them fetches nothing, which would end the event.
        private var objects: [NSManagedObject] = []

        init(_ context: NSManagedObjectContext, seed: UInt64) {
            self.context = context
            random = SeededGenerator(seed: seed)
        }

        private mutating func pick(_ entities: [String]) -> NSManagedObject? {
            let alive = objects.filter { object in
                object.managedObjectContext === context && !object.isDeleted
                    && entities.contains(object.entity.superentity?.name ?? object.entity.name ?? "")
            }
            return alive.randomElement(using: &random)
        }

        /// One change.
        mutating func step() {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let entity = (RandomUndoTests.entities + ["Manager", "Person"]).randomElement(using: &random) ?? "Person"
                objects.append(context.make(entity, ["name": "\(entity)\(objects.count)"]))
            case 3: if let object = pick(RandomUndoTests.entities) { context.delete(object) }
            case 4, 5:
                guard let person = pick(["Person"]) else { return }
                switch Int.random(in: 0..<5, using: &random) {
                case 0: person.set("age", Bool.random(using: &random) ? nil : Int.random(in: 0..<100, using: &random))
                case 1: person.set("score", Double.random(in: 0..<1, using: &random))
                case 2: person.set("price", NSDecimalNumber(string: "\(Int.random(in: 0..<1000, using: &random)).25"))
                case 3 where changesTransients: person.set("nick", "n\(Int.random(in: 0..<100, using: &random))")
                default: person.set("photo", Data([UInt8.random(in: 0..<255, using: &random)]))
                }
            default: relate()
            }
        }

        private mutating func relate() {
            guard let object = pick(["Person", "Person", "Song"]) else { return }
            // Without inverse a reference to a deleted object stays, so nothing is known of it (OG-150).
            let relationships = object.entity.relationshipsByName.values.filter { $0.inverseRelationship != nil }.sorted {
                $0.name < $1.name
            }
            guard let relationship = relationships.randomElement(using: &random),
                let destination = relationship.destinationEntity?.name
            else { return }
            let key = relationship.name
            guard relationship.isToMany else {
                return object.set(key, Int.random(in: 0..<5, using: &random) == 0 ? nil : pick([destination]))
            }
            guard let other = pick([destination]) else { return }
            if relationship.isOrdered {
                let set = object.mutableOrderedSetValue(forKey: key)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: set.insert(other, at: Int.random(in: 0...set.count, using: &random))
                case 1: set.remove(other)
                case 2: if set.count > 1 { set.moveObjects(at: IndexSet(integer: 0), to: set.count - 1) }
                case 3: object.set(key, NSOrderedSet(array: set.array.reversed()))
                default: set.add(other)
                }
            } else {
                let set = object.mutableSetValue(forKey: key)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: set.remove(other)
                case 1: object.set(key, NSSet(object: other))
                default: set.add(other)
                }
            }
        }
    }

    @Test(
        "OG-152, OG-172, OG-202, OG-204: every step back and forth gives the graph that was there, in parents and children, too",
        arguments: StackKind.allCases, RandomProgramTests.seeds(12))
    func programs(_ kind: StackKind, _ number: UInt64) throws {
        let seed = Int(number) - 1
        let family = try Family(kind)
        let watch = try SaveWatch(family.stack)
        defer { #expect(watch.problems == [], "seed \(seed)") }
        // Everything is saved through to the store.
        func save() throws {
            for context in [family.child, family.middle, family.root].dropFirst(2 - seed / 3 % 3) {
                try context.performAndWait { try context.save() }
            }
        }
        try family.contexts[seed / 3 % 3].run { context throws in
            let manager = UndoManager()
            context.undoManager = manager
            var program = Program(context, seed: UInt64(seed * 2 + (kind == .sqlite ? 1 : 0)))
            let saves = seed % 3
            // Refreshing drops transient values, which no step brings back.
            program.changesTransients = saves != 2
            let dump = { try GraphDump.of(context, Self.entities) }
            var states = [try dump()]
            for index in 0..<60 {
                for _ in 0..<Int.random(in: 1...6, using: &program.random) { program.step() }
                context.processPendingChanges()
                let state = try dump()
                // What is the same text may be no step at all, or one that changed nothing that shows.
                if manager.undoCount == states.count {
                    states.append(state)
                } else {
                    #expect(manager.undoCount == states.count - 1 && state == states[states.count - 1])
                }
                if saves > 0, index % (saves * 4) == 3 {
                    try save()
                    // Loaded relationships go: undo has to find its way over the store.
                    if saves == 2 { context.refreshAllObjects() }
                    context.check()
                }
            }
            context.check()
            var place = states.count - 1
            for _ in 0..<3 {
                let target = Int.random(in: 0..<states.count, using: &program.random)
                while place != target {
                    if place > target { context.undo() } else { context.redo() }
                    place += place > target ? -1 : 1
                    let state = try dump()
                    guard state == states[place], manager.undoCount == place else {
                        Issue.record(
                            "seed \(seed), step \(place) of \(states.count), \(manager.undoCount) left: \(GraphDump.difference(state, states[place]))"
                        )
                        return
                    }
                    context.check()
                    if saves > 0, Int.random(in: 0..<10, using: &program.random) == 0 { try save() }
                }
            }
            try save()
            let last = try dump()
            let stored = try family.stack.fresh { try GraphDump.of($0, Self.entities) }
            #expect(last.map(Self.withoutTransients).sorted() == stored.map(Self.withoutTransients).sorted(), "seed \(seed)")
        }
    }

    private static func withoutTransients(_ line: String) -> String {
        line.split(separator: " ").filter { !$0.hasPrefix("nick=") && !$0.hasPrefix("mood=") }.joined(separator: " ")
    }
}
