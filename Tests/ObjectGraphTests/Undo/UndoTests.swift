import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Undo")
struct UndoTests {
    private static func run(_ kind: StackKind, _ body: (NSManagedObjectContext, UndoManager, TestStack) throws -> Void) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let manager = UndoManager()
            context.undoManager = manager
            try body(context, manager, stack)
        }
    }

    @Test("OG-200, OG-201, CTX-4: contexts have no undo manager; undo and redo then do nothing, rollback works")
    func none() throws {
        let stack = try TestStack.people()
        let container = NSPersistentContainer(name: "People", managedObjectModel: People.model())
        #expect(container.viewContext.undoManager == nil && container.newBackgroundContext().undoManager == nil)
        try stack.run { context throws in
            #expect(context.undoManager == nil)
            context.make("Person", ["name": "A"])
            context.undo()
            context.redo()
            #expect(context.insertedObjects.count == 1)
            context.rollback()
            #expect(context.insertedObjects.isEmpty)
        }
    }

    @Test(
        "OG-202, NTF-99: one undo takes back all inserts since the last processing, one redo brings them back",
        arguments: StackKind.allCases)
    func inserts(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let people = (0..<50).map { context.make("Person", ["name": "p\($0)"]) }
            let ids = people.map(\.objectID)
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.undo()
            #expect(context.insertedObjects.isEmpty && !context.hasChanges && !manager.canUndo && manager.canRedo)
            var posts = log.takeChanges()
            #expect(posts.count == 1 && posts[0].deleted == Set(people) && posts[0].keys == ["deleted"])
            #expect(people.allSatisfy { $0.managedObjectContext == nil })
            #expect(people[0].takeCalls().contains("awakeFromSnapshotEvents \(NSSnapshotEventType.undoInsertion.rawValue)"))
            context.check()
            context.redo()
            posts = log.takeChanges()
            #expect(posts.count == 1 && posts[0].inserted == Set(people) && posts[0].keys == ["inserted"])
            #expect(context.insertedObjects == Set(people) && people.map(\.objectID) == ids)
            #expect(people[7].text("name") == "p7" && people[7].number("age") == 18)
            #expect(people[0].takeCalls().contains("awakeFromSnapshotEvents \(NSSnapshotEventType.undoDeletion.rawValue)"))
            context.check()
            try context.save()
            #expect(try stack.savedNames("Person").count == 50)
        }
    }

    @Test("OG-202: undo of inserts that were not processed yet")
    func pendingInserts() throws {
        try Self.run(.inMemory) { context, manager, _ in
            for index in 0..<20 { context.make("Person", ["name": "p\(index)"]) }
            context.undo()
            #expect(context.insertedObjects.isEmpty && !manager.canUndo)
            context.redo()
            #expect(context.insertedObjects.count == 20)
        }
    }

    @Test("OG-203: changes made while registering is disabled stay")
    func disabled() throws {
        try Self.run(.inMemory) { context, manager, _ in
            let person = context.make("Person", ["name": "A"])
            context.processPendingChanges()
            manager.disableUndoRegistration()
            person.set("age", 40)
            context.make("Person", ["name": "B"])
            context.processPendingChanges()
            manager.enableUndoRegistration()
            person.set("name", "C")
            context.undo()
            #expect(person.text("name") == "A" && person.number("age") == 40)
            context.undo()
            #expect(context.insertedObjects.compactMap { $0.text("name") } == ["B"])
        }
    }

    @Test("NTF-99: a changed value goes back and forth; the object is reported as updated", arguments: StackKind.allCases)
    func values(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, stack in
            let person = context.make("Person", ["name": "A", "age": 1, "score": 1.5, "price": NSDecimalNumber(string: "1.10")])
            try context.save()
            person.set("name", "B")
            person.set("age", nil)
            person.set("code", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
            context.processPendingChanges()
            person.set("name", "C")
            person.set("photo", Data([1, 2]))
            person.set("nick", "transient")
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.undo()
            #expect(person.text("name") == "B" && person.value(forKey: "photo") == nil && person.value(forKey: "nick") == nil)
            #expect(log.takeChanges().map(\.updated) == [[person]])
            #expect(person.takeCalls().contains("awakeFromSnapshotEvents \(NSSnapshotEventType.undoUpdate.rawValue)"))
            #expect(context.updatedObjects == [person])
            context.undo()
            #expect(person.text("name") == "A" && person.number("age") == 1 && person.value(forKey: "code") == nil)
            #expect(log.takeChanges().map(\.updated) == [[person]])
            #expect(!context.hasChanges && !person.isUpdated, "back at what was saved")
            context.check()
            context.undo()
            context.redo()
            context.redo()
            context.redo()
            #expect(person.text("name") == "C" && person.number("age") == nil && person.text("nick") == "transient")
            #expect(person.value(forKey: "photo") as? Data == Data([1, 2]))
            try context.save()
            #expect(try stack.savedNames("Person") == ["C"])
        }
    }

    @Test("OG-152: undo of a relationship change restores both sides, displaced partners included", arguments: StackKind.allCases)
    func relationships(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, _ in
            let (red, blue) = (context.make("Team", ["name": "red"]), context.make("Team", ["name": "blue"]))
            let (a, b) = (
                context.make("Person", ["name": "a", "team": red]), context.make("Person", ["name": "b", "team": blue])
            )
            let (d, e) = (context.make("Desk", ["name": "d", "owner": a]), context.make("Desk", ["name": "e", "owner": b]))
            let tasks = (0..<4).map { context.make("Task", ["name": "t\($0)"]) }
            a.set("tasks", NSOrderedSet(array: tasks))
            try context.save()
            let before = try GraphDump.of(context, ["Person", "Team", "Desk", "Task"])
            a.set("team", blue)
            a.set("desk", e)
            a.set("tasks", NSOrderedSet(array: [tasks[3], tasks[1], tasks[0]]))
            b.set("tasks", NSOrderedSet(array: [tasks[1]]))
            a.set("spouse", b)
            b.set("boss", a)
            #expect(b.one("desk") == nil && d.one("owner") == nil && a.nameList("tasks") == ["t3", "t0"])
            let after = try GraphDump.of(context, ["Person", "Team", "Desk", "Task"])
            context.undo()
            #expect(try GraphDump.of(context, ["Person", "Team", "Desk", "Task"]) == before)
            #expect(a.one("team") === red && blue.many("members") == [b] && d.one("owner") === a && b.one("desk") === e)
            context.check()
            context.redo()
            #expect(try GraphDump.of(context, ["Person", "Team", "Desk", "Task"]) == after)
            try context.save()
            context.check()
        }
    }

    @Test("OG-172: undo of a delete brings the object and its relationships back on both sides", arguments: StackKind.allCases)
    func deletion(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, stack in
            let team = context.make("Team", ["name": "red"])
            let people = (0..<5).map { context.make("Person", ["name": "p\($0)", "team": team]) }
            try context.save()
            let id = people[0].objectID
            context.delete(people[0])
            context.processPendingChanges()
            #expect(team.names("members").count == 4)
            let log = NotificationLog(context)
            context.undo()
            let posts = log.takeChanges()
            #expect(posts.count == 1 && posts[0].inserted == [people[0]] && posts[0].updated == [team])
            #expect(!people[0].isDeleted && !people[0].isInserted && people[0].objectID == id && context.deletedObjects.isEmpty)
            #expect(people[0].one("team") === team && team.many("members") == Set(people))
            #expect(people[0].takeCalls().contains("awakeFromSnapshotEvents \(NSSnapshotEventType.undoDeletion.rawValue)"))
            #expect(!context.hasChanges)
            context.check()
            context.redo()
            #expect(people[0].isDeleted && context.deletedObjects == [people[0]] && team.names("members").count == 4)
            context.undo()
            people[0].set("age", 99)
            try context.save()
            context.check()
            #expect(try stack.savedNames("Person").count == 5)
        }
    }

    @Test("OG-172: changes made to an object before it was deleted in the same event are taken back with the deletion")
    func changeAndDelete() throws {
        try Self.run(.sqlite) { context, _, stack in
            let team = context.make("Team", ["name": "red"])
            let person = context.make("Person", ["name": "A", "team": team])
            try context.save()
            person.set("name", "earlier")
            context.processPendingChanges()
            person.set("name", "B")
            person.set("team", nil)
            context.delete(person)
            context.undo()
            #expect(person.text("name") == "earlier" && person.one("team") === team && team.many("members") == [person])
            #expect(person.isUpdated && context.updatedObjects == [person])
            context.check()
            try context.save()
            #expect(try stack.savedNames("Person") == ["earlier"])
        }
    }

    @Test(
        "OG-204, OG-206: saving keeps the steps; undo of a saved delete gives a new object with a new ID",
        arguments: StackKind.allCases)
    func afterSave(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let team = context.make("Team", ["name": "red"])
            let person = context.make("Person", ["name": "A", "team": team, "age": 5])
            let friend = context.make("Person", ["name": "F", "friends": NSSet(object: person), "boss": person])
            try context.save()
            let old = person.objectID
            context.delete(person)
            try context.save()
            #expect(person.managedObjectContext == nil)
            context.undo()
            #expect(context.hasChanges && person.managedObjectContext === context && person.isInserted)
            #expect(person.objectID.isTemporaryID && person.text("name") == "A" && person.number("age") == 5)
            #expect(person.one("team") === team && team.many("members") == [person] && friend.one("boss") === person)
            #expect(friend.many("friends") == [person] && person.many("friends") == [friend])
            context.check()
            try context.save()
            #expect(!person.objectID.isTemporaryID && person.objectID != old)
            try stack.fresh { other throws in
                let same = try other.named("A", "Person")
                #expect(same.one("team")?.text("name") == "red" && same.names("friends") == ["F"])
                #expect(try other.named("F", "Person").one("boss") === same)
            }
            context.undo()
            #expect(context.deletedObjects == [team, person, friend] && !manager.canUndo, "the insertion of all three")
            context.redo()
            context.redo()
            #expect(!manager.canRedo)
            #expect(context.deletedObjects == [person])
            context.check()
        }
    }

    @Test(
        "OG-204: undo after a save makes the context dirty again, and what it wrote can be saved", arguments: StackKind.allCases)
    func undoOfSavedChange(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, stack in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            person.set("name", "B")
            try context.save()
            #expect(!context.hasChanges)
            context.undo()
            #expect(context.hasChanges && person.isUpdated && person.changedValues() as? [String: String] == ["name": "A"])
            try context.save()
            #expect(try stack.savedNames("Person") == ["A"])
            context.redo()
            try context.save()
            #expect(try stack.savedNames("Person") == ["B"])
            context.refresh(person, mergeChanges: false)
            context.undo()
            #expect(person.text("name") == "A", "steps outlive the values in memory")
        }
    }

    @Test("undo takes back what a step changed, not what was merged since", arguments: StackKind.allCases)
    func merged(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, stack in
            let person = context.make("Person", ["name": "A", "age": 1])
            try context.save()
            person.set("name", "B")
            try context.save()
            try stack.fresh { other throws in
                try other.named("B", "Person").set("age", 77)
                try other.save()
            }
            context.refresh(person, mergeChanges: true)
            context.undo()
            #expect(person.text("name") == "A" && person.number("age") == 77)
        }
    }

    @Test("OG-186, OG-187, OG-205: reset and rollback drop all steps", arguments: StackKind.allCases)
    func forgetting(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, _ in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            person.set("name", "B")
            context.processPendingChanges()
            person.set("name", "C")
            context.rollback()
            #expect(!manager.canUndo && !manager.canRedo && person.text("name") == "A")
            context.undo()
            context.redo()
            #expect(person.text("name") == "A" && !context.hasChanges)
            person.set("name", "D")
            context.processPendingChanges()
            #expect(manager.canUndo)
            context.reset()
            #expect(!manager.canUndo && !manager.canRedo)
            context.undo()
            #expect(!context.hasChanges)
        }
    }

    @Test("OG-207: each processing of pending changes is a group; a group of one's own spans several")
    func grouping() throws {
        try Self.run(.inMemory) { context, manager, _ in
            let person = context.make("Person", ["name": "A"])
            context.processPendingChanges()
            for name in ["B", "C", "D"] {
                person.set("name", name)
                context.processPendingChanges()
            }
            context.undo()
            #expect(person.text("name") == "C")
            manager.beginUndoGrouping()
            for name in ["X", "Y"] {
                person.set("name", name)
                context.processPendingChanges()
            }
            manager.endUndoGrouping()
            context.undo()
            #expect(person.text("name") == "C")
            context.redo()
            #expect(person.text("name") == "Y")
            person.set("name", "Z")
            manager.undo()
            #expect(person.text("name") == "Y", "the manager asks the context for what is pending")
            person.set("name", "named")
            manager.setActionName("Rename")
            #expect(manager.undoActionName == "Rename")
        }
    }

    @Test("objects of the undo stack are held, and let go with it")
    func memory() throws {
        let stack = try TestStack.people(.sqlite)
        weak var weakPerson: NSManagedObject?
        try stack.run { context throws in
            context.undoManager = UndoManager()
            let person = context.make("Person", ["name": "A", "team": context.make("Team", ["name": "t"])])
            weakPerson = person
            try context.save()
            context.delete(person)
            try context.save()
            context.processPendingChanges()
        }
        try stack.run { context throws in
            #expect(weakPerson != nil)
            context.undoManager = nil
        }
        try stack.run { context throws in context.refreshAllObjects() }
        #expect(weakPerson == nil)
    }

    @Test("a manager may outlive its context, and serve several")
    func sharedManager() throws {
        let stack = try TestStack.people()
        let manager = UndoManager()
        do {
            let other = stack.newContext()
            try other.run { context throws in
                context.undoManager = manager
                context.make("Person", ["name": "A"])
                context.processPendingChanges()
            }
            #expect(manager.canUndo)
        }
        #expect(!manager.canUndo)
        try stack.run { context throws in
            context.undoManager = manager
            let person = context.make("Person", ["name": "B"])
            manager.undo()
            #expect(person.managedObjectContext == nil)
        }
    }

    @Test("many changes in one step, and many steps, go back and forth")
    func many() throws {
        try TestStack.people(.sqlite).run { context throws in
            let manager = UndoManager()
            context.undoManager = manager
            let count = 1000
            let teams = (0..<10).map { context.make("Team", ["name": "\($0)"]) }
            let people = (0..<count).map { context.make("Person", ["name": "\($0)", "team": teams[$0 % 10]]) }
            try context.save()
            for person in people { person.set("team", teams[0]) }
            context.processPendingChanges()
            for person in people { context.delete(person) }
            context.processPendingChanges()
            for _ in 0..<3 { context.undo() }
            #expect(context.deletedObjects.count == count + 10 && !manager.canUndo)
            for _ in 0..<2 { context.redo() }
            #expect(teams[0].many("members").count == count && !context.deletedObjects.contains(people[0]))
            for (index, person) in people.enumerated() {
                person.set("age", 100 + index)
                context.processPendingChanges()
            }
            for index in 0..<count {
                context.make("Person", ["name": "new \(index)"])
                context.processPendingChanges()
            }
            #expect(manager.undoCount == 2 * count + 2 && people.map { $0.number("age") } == (100..<100 + count).map { $0 })
            for _ in 0..<2 * count { context.undo() }
            #expect(people.allSatisfy { $0.one("team") === teams[0] && $0.number("age") == 18 })
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.count == 9 * count / 10 + 10)
        }
    }

    @Test("undo in a child context, and in a parent after the child saved into it", arguments: StackKind.allCases)
    func children(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try stack.run { context throws in
            context.undoManager = UndoManager()
            context.make("Person", ["name": "A", "team": context.make("Team", ["name": "red"])])
            try context.save()
        }
        try child.run { child throws in
            child.undoManager = UndoManager()
            let person = try child.named("A", "Person")
            person.set("name", "B")
            person.set("team", child.make("Team", ["name": "blue"]))
            child.undo()
            #expect(person.text("name") == "A" && person.one("team")?.text("name") == "red")
            child.redo()
            try child.save()
        }
        try stack.run { context throws in
            let person = try context.named("B", "Person")
            #expect(person.one("team")?.text("name") == "blue")
            context.undo()
            #expect(person.text("name") == "A" && person.one("team")?.text("name") == "red" && !context.hasChanges)
            context.redo()
            try context.save()
        }
        #expect(try stack.savedNames("Team") == ["blue", "red"])
    }

    @Test(
        "OG-206, OG-150: what a saved delete took comes back with its values, and with relationships that have no inverse",
        arguments: StackKind.allCases)
    func savedDeleteWithoutInverse(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let badges = ["b1", "b2"].map { context.make("Badge", ["name": $0]) }
            let idol = context.make("Person", ["name": "idol", "age": 50])
            let hero = context.make(
                "Person", ["name": "hero", "age": 30, "hero": idol, "badges": NSSet(array: badges), "nick": "h"])
            let fan = context.make("Person", ["name": "fan", "hero": hero])
            try context.save()
            let old = hero.objectID
            context.undoManager = UndoManager()
            context.delete(hero)
            context.delete(badges[0])
            try context.save()
            context.undo()
            #expect(hero.isInserted && badges[0].isInserted && fan.one("hero") === hero)
            #expect(hero.one("hero") === idol && hero.many("badges") == Set(badges))
            context.check()
            try context.save()
            #expect(hero.objectID != old && !hero.objectID.isTemporaryID)
            context.check()
            context.redo()
            try context.save()
            context.undo()
            try context.save()
        }
        try stack.fresh { context throws in
            let hero = try context.named("hero", "Person")
            #expect(hero.number("age") == 30 && hero.one("hero")?.text("name") == "idol")
            #expect(hero.names("badges") == ["b1", "b2"])
            #expect(try context.named("fan", "Person").one("hero") === hero)
        }
    }

    @Test(
        "OG-206, OG-150: a member of a loaded relationship without inverse is one again after undo", arguments: StackKind.allCases
    )
    func savedDeleteOfMember(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let badges = ["b1", "b2"].map { context.make("Badge", ["name": $0]) }
            let person = context.make("Person", ["name": "A", "badges": NSSet(array: badges)])
            try context.save()
            context.undoManager = UndoManager()
            context.delete(badges[0])
            try context.save()
            context.undo()
            #expect(badges[0].isInserted && person.many("badges") == Set(badges) && person.isUpdated)
            try context.save()
        }
        try stack.fresh { context throws in #expect(try context.named("A", "Person").names("badges") == ["b1", "b2"]) }
    }
}
