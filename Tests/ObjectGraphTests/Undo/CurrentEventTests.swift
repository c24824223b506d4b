import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Values of the current event")
struct CurrentEventTests {
    private static func isNull(_ value: Any?) -> Bool { value is NSNull }

    @Test(
        "OG-117: old values of what changed since the last processing; empty after it", arguments: StackKind.allCases,
        [false, true])
    func values(_ kind: StackKind, _ hasUndo: Bool) throws {
        try TestStack.people(kind).run { context throws in
            if hasUndo { context.undoManager = UndoManager() }
            let person = context.make("Person", ["name": "A", "age": 1])
            #expect(Self.isNull(person.changedValuesForCurrentEvent()["name"]))
            #expect(person.changedValuesForCurrentEvent()["age"] as? Int == 18, "the default value")
            try context.save()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            person.set("name", "B")
            person.set("name", "C")
            person.set("score", 2.0)
            person.set("nick", "transient")
            var values = person.changedValuesForCurrentEvent()
            #expect(Set(values.keys) == ["name", "score"] && values["name"] as? String == "A" && Self.isNull(values["score"]))
            context.processPendingChanges()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            #expect(Set(person.changedValues().keys) == ["name", "score"])
            person.set("name", "D")
            person.set("age", 2)
            values = person.changedValuesForCurrentEvent()
            #expect(values.count == 2 && values["name"] as? String == "C" && values["age"] as? Int == 1, "not those last saved")
            person.set("name", "C")
            #expect(Set(person.changedValuesForCurrentEvent().keys) == ["age"], "back at the value it had")
            try context.save()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            context.refresh(person, mergeChanges: false)
            #expect(person.changedValuesForCurrentEvent().isEmpty && person.isFault, "fires no fault")
        }
    }

    @Test(
        "OG-117: old destinations, in the first event after a save and in later ones", arguments: StackKind.allCases,
        [false, true])
    func relationships(_ kind: StackKind, _ hasUndo: Bool) throws {
        try TestStack.people(kind).run { context throws in
            if hasUndo { context.undoManager = UndoManager() }
            let (red, blue) = (context.make("Team", ["name": "red"]), context.make("Team", ["name": "blue"]))
            let (a, b) = (context.make("Person", ["name": "a", "team": red]), context.make("Person", ["name": "b"]))
            let tasks = (0..<3).map { context.make("Task", ["name": "t\($0)"]) }
            a.set("tasks", NSOrderedSet(array: tasks))
            try context.save()
            a.set("team", blue)
            a.set("tasks", NSOrderedSet(array: [tasks[2], tasks[0]]))
            #expect(a.changedValuesForCurrentEvent()["team"] as? NSManagedObject === red)
            #expect((a.changedValuesForCurrentEvent()["tasks"] as? NSOrderedSet)?.set == Set(tasks))
            #expect(red.changedValuesForCurrentEvent()["members"] as? Set<NSManagedObject> == [a])
            #expect(blue.changedValuesForCurrentEvent()["members"] as? Set<NSManagedObject> == [])
            context.processPendingChanges()
            #expect(a.changedValuesForCurrentEvent().isEmpty && red.changedValuesForCurrentEvent().isEmpty)
            a.set("team", nil)
            b.set("team", blue)
            a.set("tasks", NSOrderedSet(array: [tasks[0], tasks[1], tasks[2]]))
            #expect(a.changedValuesForCurrentEvent()["team"] as? NSManagedObject === blue)
            #expect(Self.isNull(b.changedValuesForCurrentEvent()["team"]))
            #expect(blue.changedValuesForCurrentEvent()["members"] as? Set<NSManagedObject> == [a])
            let order = (a.changedValuesForCurrentEvent()["tasks"] as? NSOrderedSet)?.array as? [NSManagedObject]
            #expect(order?.compactMap { $0.text("name") } == ["t2", "t0"])
            #expect(red.changedValuesForCurrentEvent().isEmpty)
        }
    }

    @Test("OG-117: while ObjectsDidChange is posted the changes are those that it tells of", arguments: [false, true])
    func duringNotification(_ hasUndo: Bool) throws {
        try TestStack.people().run { context throws in
            if hasUndo { context.undoManager = UndoManager() }
            let team = context.make("Team", ["name": "red"])
            let person = context.make("Person", ["name": "A"])
            let other = context.make("Person", ["name": "O"])
            try context.save()
            var seen: [[String: Any]] = []
            var rounds = 0
            let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: context) { _ in
                seen.append(person.changedValuesForCurrentEvent())
                #expect(other.changedValuesForCurrentEvent().isEmpty)
                rounds += 1
                guard rounds == 2 else { return }
                // What an observer does is of the next event, and is told with this one's beginning until this one is over.
                person.set("name", "observer")
                #expect(person.changedValuesForCurrentEvent()["name"] as? String == "B")
            }
            person.set("name", "B")
            person.set("team", team)
            context.processPendingChanges()
            person.set("age", 5)
            context.processPendingChanges()
            #expect(person.changedValuesForCurrentEvent()["name"] as? String == "B")
            context.processPendingChanges()
            #expect(seen.count == 3)
            #expect(seen[0]["name"] as? String == "A" && seen[0].keys.sorted() == ["name", "team"])
            #expect(seen[1] as? [String: Int] == ["age": 18] && seen[2] as? [String: String] == ["name": "B"])
            withExtendedLifetime(observer) {}
        }
    }

    @Test("OG-91: changes by primitive values, announced, are told too")
    func primitives() throws {
        try TestStack.people().run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            for (old, new) in [("A", "B"), ("B", "C")] {
                person.willChangeValue(forKey: "name")
                person.setPrimitiveValue(new, forKey: "name")
                person.didChangeValue(forKey: "name")
                #expect(person.changedValuesForCurrentEvent() as? [String: String] == ["name": old])
                context.processPendingChanges()
            }
        }
    }

    @Test("every one of many changed objects knows its old values")
    func many() throws {
        try TestStack.people().run { context throws in
            let team = context.make("Team", ["name": "t"])
            let people = (0..<500).map { (index: Int) in
                context.make("Person", ["name": "p\(index)", "team": team, "age": index])
            }
            context.processPendingChanges()
            for person in people {
                person.set("age", -1)
                person.set("team", nil)
            }
            for (index, person) in people.enumerated() {
                let old = person.changedValuesForCurrentEvent()
                #expect(old["age"] as? Int == index)
                #expect(old["team"] as? NSManagedObject === team)
            }
        }
    }
}
