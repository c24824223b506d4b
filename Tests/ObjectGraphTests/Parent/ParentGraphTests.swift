import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Relationships, deletions and notifications in parents and children")
struct ParentGraphTests {
    @Test(
        "Relationships between old and new objects of all levels arrive on both sides", arguments: StackKind.allCases)
    func relationships(_ kind: StackKind) throws {
        let family = try Family(kind) { context throws in
            context.make("Team", ["name": "red"])
            context.make("Skill", ["name": "swim"])
            for name in ["s1", "s2", "s3"] { context.make("Song", ["name": name]) }
            context.make("Person", ["name": "old", "desk": context.make("Desk", ["name": "d"])])
        }
        try family.middle.run { context throws in
            context.make("Person", ["name": "middle", "team": try context.named("red", "Team")])
        }
        try family.child.run { context throws in
            let (old, middle) = (try context.named("old", "Person"), try context.named("middle", "Person"))
            let new = context.make("Person", ["name": "new", "boss": middle, "team": try context.named("red", "Team")])
            new.set("desk", try context.named("d", "Desk"))
            #expect(old.one("desk") == nil)
            new.set("spouse", old)
            new.add(middle, to: "friends")
            old.add(try context.named("swim", "Skill"), to: "skills")
            let songs = try ["s3", "s1", "s2"].map { try context.named($0, "Song") }
            new.set("playlist", NSOrderedSet(array: songs + [context.make("Song", ["name": "s4"])]))
        }
        func check(_ context: NSManagedObjectContext, _ location: SourceLocation = #_sourceLocation) throws {
            try context.run(at: location) { context throws in
                let new = try context.named("new", "Person")
                #expect(new.one("boss")?.text("name") == "middle", sourceLocation: location)
                #expect(try context.named("middle", "Person").names("reports") == ["new"], sourceLocation: location)
                #expect(try context.named("red", "Team").names("members") == ["middle", "new"], sourceLocation: location)
                #expect(try context.named("d", "Desk").one("owner") === new, sourceLocation: location)
                #expect(try context.named("old", "Person").one("desk") == nil, sourceLocation: location)
                #expect(try context.named("old", "Person").one("spouse") === new, sourceLocation: location)
                #expect(new.names("friends") == ["middle"], sourceLocation: location)
                #expect(try context.named("swim", "Skill").names("people") == ["old"], sourceLocation: location)
                #expect(new.nameList("playlist") == ["s3", "s1", "s2", "s4"], sourceLocation: location)
                #expect(try context.named("s4", "Song").names("listeners") == ["new"], sourceLocation: location)
            }
        }
        try check(family.child)
        try family.child.run { try $0.save() }
        try check(family.middle)
        try family.middle.run { try $0.save() }
        try check(family.root)
        try family.root.run { try $0.save() }
        for context in family.contexts + [family.stack.newContext()] { try check(context) }
    }

    @Test("CTX-46: members that parent and child add and remove come together", arguments: StackKind.allCases)
    func members(_ kind: StackKind) throws {
        let family = try Family(kind) { context throws in
            let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
            context.make("Team", ["name": "red", "members": NSSet(array: people)])
            context.make("Skill", ["name": "swim", "people": NSSet(array: people)])
        }
        let (team, skill) = try family.middle.run { context throws in
            let (team, skill) = (try context.named("red", "Team"), try context.named("swim", "Skill"))
            #expect(team.many("members").count == 3 && skill.many("people").count == 3)
            return (team, skill)
        }
        try family.root.run { context throws in
            let (team, skill) = (try context.named("red", "Team"), try context.named("swim", "Skill"))
            for (object, key) in [(team, "members"), (skill, "people")] {
                object.remove(try context.named("a", "Person"), from: key)
                object.add(context.make("Person", ["name": "root \(key)"]), to: key)
            }
        }
        // What it has loaded is older than what it is about to fetch.
        let context = family.middle
        try context.runUnchecked {
            for (object, key) in [(team, "members"), (skill, "people")] {
                object.remove(try context.named("b", "Person"), from: key)
                object.add(context.make("Person", ["name": "child \(key)"]), to: key)
            }
            try context.save()
        }
        try family.root.run { context throws in
            #expect(try context.named("red", "Team").names("members") == ["c", "root members", "child members"])
            #expect(try context.named("swim", "Skill").names("people") == ["c", "root people", "child people"])
            try context.save()
        }
        try family.middle.run { context throws in
            context.refreshAllObjects()
            #expect(team.names("members") == ["c", "root members", "child members"])
        }
    }

    @Test(
        "CTX-54: what a child deletes is deleted in the parent, with the delete rules for what only the parent knows",
        arguments: StackKind.allCases)
    func cascades(_ kind: StackKind) throws {
        var maker = ModelMaker()
        for name in ["Parent", "Child", "Friend"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Parent", "children", .many.cascade, "Child", "parent", .one)
        maker.relate("Parent", "friends", .many, "Friend", "parent", .one)
        let stack = try TestStack(kind, maker.model())
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = child
        try stack.run { context throws in
            let parent = context.make("Parent", ["name": "p"])
            for name in ["a", "b"] { context.make("Child", ["name": name, "parent": parent]) }
            context.make("Friend", ["name": "f", "parent": parent])
            try context.save()
            // Only this context knows of it.
            context.make("Child", ["name": "new", "parent": parent])
        }
        try grandchild.run { context throws in
            let parent = try context.named("p", "Parent")
            let moved = try context.named("b", "Child")
            moved.set("parent", nil)
            context.delete(parent)
            context.processPendingChanges()
            #expect(Set(context.deletedObjects.map { $0.text("name") }) == ["p", "a", "new"])
            #expect(try context.named("f", "Friend").one("parent") == nil)
            try context.save()
            #expect(try context.all("Child") == [moved])
        }
        try child.run { context throws in
            context.make("Child", ["name": "orphan"])
            #expect(Set(context.deletedObjects.map { $0.text("name") }) == ["p", "a", "new"])
            try context.save()
        }
        try stack.run { context throws in
            #expect(Set(context.deletedObjects.map { $0.text("name") }) == ["p", "a"], "the new one is simply gone")
            #expect(try context.all("Child").map { $0.text("name") } == ["b", "orphan"])
            try context.save()
        }
        #expect(try stack.savedNames("Child") == ["b", "orphan"])
        #expect(try stack.savedNames("Parent").isEmpty)
        try stack.fresh { context throws in #expect(try context.named("f", "Friend").one("parent") == nil) }
    }

    @Test("OG-163: a denied deletion fails in the child, and nothing reaches the parent")
    func denied() throws {
        var maker = ModelMaker()
        for name in ["Parent", "Child"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Parent", "children", .many.deny, "Child", "parent", .one)
        let stack = try TestStack(.inMemory, maker.model())
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try stack.run { context throws in
            context.make("Child", ["name": "c", "parent": context.make("Parent", ["name": "p"])])
            try context.save()
        }
        try child.run { context throws in
            context.delete(try context.named("p", "Parent"))
            let error = try thrownError { try context.save() }
            #expect(error.code == NSValidationRelationshipDeniedDeleteError)
        }
        #expect(try stack.run { $0.hasChanges } == false)
        try child.run { context throws in
            context.rollback()
            #expect(try context.named("p", "Parent").names("children") == ["c"])
        }
    }

    @Test("R09: what parent and child both delete is deleted once; what the parent deleted the child can't change")
    func deletedTwice() throws {
        let family = try Family { context in for name in ["a", "b"] { context.make("Person", ["name": name]) } }
        let (a, b) = try (family.object("a", in: family.middle), family.object("b", in: family.middle))
        try family.root.run { context in for person in try context.all("Person") { context.delete(person) } }
        try family.middle.run { context throws in
            context.delete(a)
            b.set("name", "changed")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError && error?.mergeConflicts.map(\.sourceObject) == [b])
            #expect(a.isDeleted && b.isUpdated, "nothing was pushed")
            context.refresh(b, mergeChanges: false)
            try context.save()
        }
        try family.root.run { context throws in
            #expect(context.deletedObjects.count == 2)
            try context.save()
        }
        #expect(try family.stack.savedNames("Person").isEmpty)
        try family.middle.run { context throws in
            #expect(try context.all("Person").isEmpty)
            context.refresh(b, mergeChanges: false)
            #expect(b.text("name") == nil && b.isDeleted)
            context.processPendingChanges()
        }
    }

    @Test("NTF-134: what a child inserts, pushes, deletes and pushes is in no key of the parent's DidSave")
    func vanished() throws {
        let family = try Family()
        try family.middle.run { context throws in
            let object = context.make("Person", ["name": "A"])
            try context.save()
            context.delete(object)
            try context.save()
        }
        let log = NotificationLog(family.root)
        try family.root.run { context throws in
            #expect(!context.hasChanges)
            try context.save()
        }
        let saved = try #require(log.take().first { $0.kind == "didSave" })
        #expect(saved.inserted.isEmpty && saved.updated.isEmpty && saved.deleted.isEmpty)
        #expect(try family.stack.savedNames("Person").isEmpty)
    }

    @Test("NTF-130…132: a child's save posts in the child, and one ObjectsDidChange in the parent between")
    func order() throws {
        let family = try Family { context in for name in ["a", "b"] { context.make("Person", ["name": name]) } }
        let order = SharedLog()
        let observers = zip(["root", "child"], [family.root, family.middle]).map { name, context in
            NotificationLog.names.map { notification -> Observer in
                Observer(notification, of: context) { _ in order.add("\(name) \(notification.short)") }
            }
        }
        let log = NotificationLog(family.root)
        let (a, b) = try (family.object("a", in: family.middle), family.object("b", in: family.middle))
        try family.middle.run { context throws in
            context.make("Person", ["name": "c"])
            a.set("name", "A")
            context.delete(b)
            try context.save()
        }
        withExtendedLifetime(observers) {}
        #expect(order.all == ["child didChange", "child willSave", "root didChange", "child didSave", "child didSaveIDs"])
        let entry = try #require(log.take().first)
        #expect(entry.inserted.count == 1 && entry.updated.count == 1 && entry.deleted.count == 1 && entry.refreshed.isEmpty)
        try family.root.run { context throws in
            #expect(entry.inserted == context.insertedObjects && entry.updated == context.updatedObjects)
            #expect(entry.deleted == context.deletedObjects)
        }
    }

    @Test("NTF-133: after several pushes the parent's save tells of their union", arguments: StackKind.allCases)
    func union(_ kind: StackKind) throws {
        let family = try Family(kind) { context in for name in ["a", "b"] { context.make("Person", ["name": name]) } }
        let log = NotificationLog(family.root)
        for step in 0..<5 {
            try family.middle.run { context throws in
                switch step {
                case 0, 1, 2: context.make("Person", ["name": "new \(step)"])
                case 3: try context.named("a", "Person").set("age", 3)
                default: context.delete(try context.named("b", "Person"))
                }
                try context.save()
            }
        }
        let pushes = log.takeChanges().map { "\($0.inserted.count) \($0.updated.count) \($0.deleted.count)" }
        #expect(pushes == ["1 0 0", "1 0 0", "1 0 0", "0 1 0", "0 0 1"])
        try family.root.run { try $0.save() }
        let entries = log.take()
        #expect(entries.map(\.kind) == ["willSave", "didSave", "didSaveIDs"])
        let saved = try #require(entries.first { $0.kind == "didSave" })
        #expect(saved.inserted.count == 3 && saved.updated.count == 1 && saved.deleted.count == 1)
    }

    @Test("NTF-135, NTF-136: a parent's save posts nothing in its children, a child's nothing in its siblings")
    func quiet() throws {
        let family = try Family { $0.make("Person", ["name": "A"]) }
        let sibling = family.sibling()
        let held = try [family.middle, family.child, sibling].map { try family.object("A", in: $0) }
        let logs = [family.child, sibling].map(NotificationLog.init)
        try family.middle.run { context throws in
            try context.named("A", "Person").set("name", "B")
            try context.save()
        }
        try family.root.run { try $0.save() }
        #expect(logs.allSatisfy { $0.take().isEmpty })
        #expect(held[1].text("name") == "A" && held[2].text("name") == "A")
    }

    @Test("OG-202: undo and redo in a child, pushed between", arguments: StackKind.allCases)
    func undo(_ kind: StackKind) throws {
        let family = try Family(kind) { context throws in
            context.make("Person", ["name": "A", "team": context.make("Team", ["name": "red"])])
        }
        try family.child.run { context throws in
            context.undoManager = UndoManager()
            let (person, team) = (try context.named("A", "Person"), try context.named("red", "Team"))
            context.delete(person)
            context.make("Person", ["name": "new", "team": team])
            try context.save()
            #expect(try context.named("red", "Team").names("members") == ["new"])
            context.undo()
            #expect(try context.named("red", "Team").names("members") == ["A"])
            try context.save()
        }
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["A"])
        try family.stack.fresh { context throws in #expect(try context.named("red", "Team").names("members") == ["A"]) }
        try family.child.run { context throws in
            context.redo()
            try context.save()
        }
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["new"])
    }

    @Test("OG-146: members that are added by their own side are pushed in the order in which they were added")
    func pushedOrder() throws {
        let family = try Family { context in
            context.make("Person", ["name": "A"])
            for name in ["s1", "s2", "s3"] { context.make("Task", ["name": name]) }
        }
        try family.middle.run { context throws in
            let person = try context.named("A", "Person")
            // The tasks change in this order, and are attached in another: the person's list is not loaded.
            for name in ["s1", "s2", "s3"] { try context.named(name, "Task").set("name", name + "!") }
            for name in ["s3!", "s1!", "s2!"] { try context.named(name, "Task").set("worker", person) }
            #expect(person.hasFault(forRelationshipNamed: "tasks"))
            try context.save()
            #expect(person.nameList("tasks") == ["s3!", "s1!", "s2!"])
        }
        try family.root.run { context throws in
            #expect(try context.named("A", "Person").nameList("tasks") == ["s3!", "s1!", "s2!"])
            try context.save()
        }
    }

    @Test(
        "CTX-171: a child that has read a new object of its parent shows what the parent changed until it saved",
        arguments: StackKind.allCases)
    func newObjectOfParent(_ kind: StackKind) throws {
        let family = try Family(kind)
        let made = try family.root.run { $0.make("Person", ["name": "new"]) }
        let read = try family.middle.run { context throws in
            let object = try context.named("new", "Person")
            #expect(object.number("age") != 77)
            return object
        }
        var notice: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: family.root) { notice = $0 }
        try family.root.run { context throws in
            made.set("age", 77)
            try context.save()
        }
        withExtendedLifetime(observer) {}
        let saved = try #require(notice)
        try family.middle.run { context throws in
            context.mergeChanges(fromContextDidSave: saved)
            #expect(read.number("age") == 77 && !context.hasChanges)
        }
    }

    @Test(
        "CTX-46: what a child adds and takes out again leaves no trace in its parent, whichever sides the parent has loaded",
        arguments: StackKind.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func addedAndTakenOut(_ kind: StackKind, _ isLoaded: (skills: Bool, people: Bool)) throws {
        let family = try Family(kind) { context in
            context.make("Person", ["name": "A"])
            context.make("Skill", ["name": "Swift"])
        }
        let held = try family.root.run { context throws in
            context.refreshAllObjects()
            let (person, skill) = (try context.named("A", "Person"), try context.named("Swift", "Skill"))
            if isLoaded.skills { #expect(person.many("skills").isEmpty) }
            if isLoaded.people { #expect(skill.many("people").isEmpty) }
            return [person, skill]
        }
        for isAdded in [true, false] {
            try family.middle.run { context throws in
                let (person, skill) = (try context.named("A", "Person"), try context.named("Swift", "Skill"))
                if isAdded { person.add(skill, to: "skills") } else { person.remove(skill, from: "skills") }
                try context.save()
            }
        }
        // Somebody else gives it the member for good.
        let rival = family.stack.newContext()
        var notice: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: rival) { notice = $0 }
        try rival.run { context throws in
            try context.named("A", "Person").add(try context.named("Swift", "Skill"), to: "skills")
            try context.save()
        }
        withExtendedLifetime(observer) {}
        let saved = try #require(notice)
        try family.root.run { context throws in
            context.mergeChanges(fromContextDidSave: saved)
            #expect(held[0].names("skills") == ["Swift"] && held[1].names("people") == ["A"])
            try context.save()
        }
        try family.stack.fresh { context throws in
            #expect(try context.named("A", "Person").names("skills") == ["Swift"])
        }
    }
}
