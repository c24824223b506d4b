import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("What ObjectsDidChange tells")
struct NotificationContentTests {
    /// Expects one notification with exactly these objects.
    private static func expect(
        _ log: NotificationLog, inserted: Set<NSManagedObject> = [], updated: Set<NSManagedObject> = [],
        deleted: Set<NSManagedObject> = [],
        refreshed: Set<NSManagedObject> = [], at location: SourceLocation = #_sourceLocation
    ) {
        let entries = log.take()
        #expect(entries.map(\.kind) == ["didChange"], sourceLocation: location)
        guard let entry = entries.first else { return }
        #expect(entry.inserted == inserted, "inserted", sourceLocation: location)
        #expect(entry.updated == updated, "updated", sourceLocation: location)
        #expect(entry.deleted == deleted, "deleted", sourceLocation: location)
        #expect(entry.refreshed == refreshed, "refreshed", sourceLocation: location)
        let sets = [("inserted", inserted), ("updated", updated), ("deleted", deleted), ("refreshed", refreshed)]
        #expect(entry.keys == sets.filter { !$0.1.isEmpty }.map(\.0).sorted(), sourceLocation: location)
    }

    // MARK: Insert

    @Test(
        "NTF-50, NTF-52: inserts are one notification, however many values were set; subentities are in the same set",
        arguments: StackKind.allCases)
    func inserts(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            var objects: Set<NSManagedObject> = []
            for index in 0..<10 {
                let object = context.make(index % 2 == 0 ? "Person" : "Manager")
                object.set("name", "\(index)")
                object.set("age", index)
                objects.insert(object)
            }
            context.processPendingChanges()
            Self.expect(log, inserted: objects)
        }
    }

    @Test("NTF-51: 200 related new objects of two entities are inserted, not updated", arguments: StackKind.allCases)
    func relatedInserts(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            var objects: Set<NSManagedObject> = []
            for _ in 0..<100 {
                let team = context.make("Team")
                objects.formUnion([team, context.make("Person", ["team": team])])
            }
            context.processPendingChanges()
            Self.expect(log, inserted: objects)
            #expect(objects.count == 200)
        }
    }

    @Test("NTF-53: values set in awakeFromInsert are no updates")
    func awakeFromInsert() throws {
        try TestStack.people().run { context throws in
            context.react { object, hook in if hook == "awakeFromInsert" { object.set("name", "born") } }
            let log = NotificationLog(context)
            let person = context.make("Person")
            context.processPendingChanges()
            Self.expect(log, inserted: [person])
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    @Test("NTF-54: a new object edited in a later processing is updated there", arguments: StackKind.allCases)
    func insertThenEdit(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let person = context.make("Person")
            context.processPendingChanges()
            Self.expect(log, inserted: [person])
            person.set("name", "A")
            context.processPendingChanges()
            Self.expect(log, updated: [person])
            #expect(context.updatedObjects.isEmpty && context.insertedObjects == [person])
        }
    }

    @Test("NTF-55: inserted and deleted in one processing is nothing", arguments: StackKind.allCases)
    func insertAndDelete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            context.delete(context.make("Person"))
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            let other = context.make("Person")
            context.delete(context.make("Person", ["name": "x"]))
            context.processPendingChanges()
            Self.expect(log, inserted: [other])
        }
    }

    @Test(
        "NTF-56: a new object deleted in a later processing is deleted there, and in no set of DidSave",
        arguments: StackKind.allCases)
    func insertThenDelete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let person = context.make("Person")
            context.processPendingChanges()
            Self.expect(log, inserted: [person])
            context.delete(person)
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
            try context.save()
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted.isEmpty && saved.updated.isEmpty && saved.deleted.isEmpty)
        }
    }

    // MARK: Attributes

    @Test(
        "NTF-60: one or many sets on a saved object are one update; a second processing reports a second change",
        arguments: StackKind.allCases)
    func edits(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            for _ in 0..<2 {
                person.set("name", "A")
                person.set("age", 2)
                person.set("name", "B")
                context.processPendingChanges()
                Self.expect(log, updated: [person])
            }
        }
    }

    @Test("NTF-65: what is set in awakeFromFetch is no change", arguments: StackKind.allCases)
    func awakeFromFetch(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let log = NotificationLog(context)
            context.react { object, hook in
                guard hook == "awakeFromFetch" else { return }
                object.set("name", "awake")
                object.set("nick", "n")
                object.setPrimitiveValue(5, forKey: "age")
            }
            let person = context.object(with: id)
            #expect(person.text("name") == "awake" && person.text("nick") == "n" && person.number("age") == 5)
            #expect(!person.hasChanges && !context.hasChanges && person.changedValues().isEmpty)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            person.set("score", 1.0)
            #expect(person.changedValues().keys.sorted() == ["score"])
            context.stopReacting()
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    @Test("NTF-65: a to-many set in awakeFromFetch is no change either", arguments: StackKind.allCases)
    func relationshipInAwakeFromFetch(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let ids = try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            let badge = context.make("Badge", ["name": "b"])
            try context.save()
            return (person.objectID, badge.objectID)
        }
        try stack.fresh { context throws in
            context.react { object, hook in
                if hook == "awakeFromFetch", object.entity.name == "Person" {
                    object.set("badges", [context.object(with: ids.1)])
                }
            }
            let person = context.object(with: ids.0)
            #expect(person.text("name") == "A")
            #expect(!person.hasChanges && !context.hasChanges)
        }
    }

    // MARK: Relationships

    @Test("NTF-70, NTF-71, NTF-72: a to-one or to-many change updates all objects concerned", arguments: StackKind.allCases)
    func relationshipChanges(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let a = context.make("Person")
            let d = context.make("Person")
            let b = context.make("Team")
            let c = context.make("Team")
            try context.save()
            let log = NotificationLog(context)
            a.set("team", b)
            context.processPendingChanges()
            Self.expect(log, updated: [a, b])
            a.set("team", c)
            context.processPendingChanges()
            Self.expect(log, updated: [a, b, c])
            b.add(a, to: "members")
            context.processPendingChanges()
            Self.expect(log, updated: [a, b, c])
            b.set("members", [a, d])
            context.processPendingChanges()
            Self.expect(log, updated: [b, d])
        }
    }

    @Test("NTF-73: a whole set updates only the members that come or go", arguments: StackKind.allCases)
    func wholeSet(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let people = (0..<4).map { _ in context.make("Person") }
            let team = context.make("Team", ["members": Array(people[0...2])])
            try context.save()
            let log = NotificationLog(context)
            team.set("members", Array(people[1...3]))
            context.processPendingChanges()
            Self.expect(log, updated: [team, people[0], people[3]])
        }
    }

    @Test("NTF-74: a one-to-one updates the displaced objects too", arguments: StackKind.allCases)
    func oneToOne(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let desks = (0..<2).map { _ in context.make("Desk") }
            let a = context.make("Person", ["desk": desks[0]])
            let c = context.make("Person", ["desk": desks[1]])
            try context.save()
            let log = NotificationLog(context)
            a.set("desk", desks[1])
            context.processPendingChanges()
            Self.expect(log, updated: [a, c, desks[0], desks[1]])
        }
    }

    @Test("NTF-75: without inverse only the source is updated", arguments: StackKind.allCases)
    func withoutInverse(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let a = context.make("Person")
            let b = context.make("Person")
            let badge = context.make("Badge")
            try context.save()
            let log = NotificationLog(context)
            a.set("hero", b)
            b.set("badges", [badge])
            context.processPendingChanges()
            Self.expect(log, updated: [a, b])
        }
    }

    @Test("NTF-76: new objects linked to a saved one: they are inserted, it is updated once", arguments: StackKind.allCases)
    func newToSaved(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let team = context.make("Team")
            let desk = context.make("Desk")
            try context.save()
            let log = NotificationLog(context)
            let a = context.make("Person", ["team": team, "desk": desk])
            let b = context.make("Person", ["team": team])
            context.processPendingChanges()
            Self.expect(log, inserted: [a, b], updated: [team, desk])
            #expect(team.changedValues()["members"] as? Set<NSManagedObject> == [a, b])
        }
    }

    @Test("NTF-77: an inverse object that is a fault is updated as well", arguments: StackKind.allCases)
    func inverseFault(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let ids = try stack.run { context throws in
            let team = context.make("Team")
            let person = context.make("Person")
            try context.save()
            return (team.objectID, person.objectID)
        }
        try stack.fresh { context throws in
            let team = context.object(with: ids.0)
            let person = context.object(with: ids.1)
            let log = NotificationLog(context)
            person.set("team", team)
            context.processPendingChanges()
            Self.expect(log, updated: [team, person])
        }
    }

    @Test("NTF-78: a new order updates the owner only", arguments: StackKind.allCases)
    func reordering(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let tasks = (0..<3).map { _ in context.make("Task") }
            let person = context.make("Person", ["tasks": tasks])
            try context.save()
            let log = NotificationLog(context)
            person.set("tasks", Array(tasks.reversed()))
            context.processPendingChanges()
            Self.expect(log, updated: [person])
        }
    }

    // MARK: Delete

    @Test("NTF-80: a deleted object, still among the context's deleted ones while observers run", arguments: StackKind.allCases)
    func delete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            var seen: Set<NSManagedObject> = []
            let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: context) { _ in seen = context.deletedObjects }
            context.delete(person)
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
            #expect(seen == [person])
            _ = observer
        }
    }

    @Test(
        "NTF-81, NTF-82: cascaded objects are deleted, nullified ones updated in the same notification",
        arguments: StackKind.allCases)
    func propagation(_ kind: StackKind) throws {
        var maker = ModelMaker()
        for name in ["Parent", "Child", "Grandchild", "Friend"] { maker.entity(name) }
        maker.relate("Parent", "children", .many.cascade, "Child", "parent", .one)
        maker.relate("Child", "children", .many.cascade, "Grandchild", "parent", .one)
        maker.relate("Child", "friends", .many, "Friend", "child", .one)
        try TestStack(kind, maker.model()).run { context throws in
            let parent = context.make("Parent")
            let child = context.make("Child", ["parent": parent])
            let grandchild = context.make("Grandchild", ["parent": child])
            let friend = context.make("Friend", ["child": child])
            try context.save()
            let log = NotificationLog(context)
            context.delete(parent)
            context.processPendingChanges()
            Self.expect(log, updated: [friend], deleted: [parent, child, grandchild])
        }
    }

    @Test("NTF-83: changed and deleted is deleted", arguments: StackKind.allCases)
    func changeAndDelete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            person.set("name", "A")
            context.delete(person)
            person.set("name", "B")
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
        }
    }

    @Test("NTF-85: deleting again adds nothing", arguments: StackKind.allCases)
    func deleteTwice(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            context.delete(person)
            context.delete(person)
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
            context.delete(person)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            #expect(context.deletedObjects == [person])
        }
    }

    @Test("NTF-86: insert takes a deletion back", arguments: StackKind.allCases)
    func insertDeleted(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let log = NotificationLog(context)
            context.delete(person)
            context.insert(person)
            #expect(!person.isDeleted && context.deletedObjects.isEmpty)
            context.processPendingChanges()
            Self.expect(log, updated: [person])
            context.delete(person)
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
            // Its deletion was told, so its coming back is told.
            context.insert(person)
            context.delete(person)
            context.insert(person)
            context.processPendingChanges()
            Self.expect(log, inserted: [person])
            #expect(!person.isDeleted && context.deletedObjects.isEmpty && context.insertedObjects.isEmpty)
            context.delete(person)
            context.processPendingChanges()
            Self.expect(log, deleted: [person])
            context.insert(person)
            context.delete(person)
            context.processPendingChanges()
            #expect(log.take().isEmpty && context.deletedObjects == [person])
            context.insert(person)
            context.rollback()
            #expect(!person.isDeleted && person.text("name") == "A")
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    // MARK: Refresh and the like

    @Test("NTF-90, NTF-94: refreshAllObjects reports the objects that were no faults", arguments: StackKind.allCases)
    func refreshAll(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let people = (0..<5).map { _ in context.make("Person") }
            try context.save()
            context.refresh(people[0], mergeChanges: true)
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.refreshAllObjects()
            context.processPendingChanges()
            Self.expect(log, refreshed: Set(people.dropFirst()))
            context.refreshAllObjects()
            for person in people { context.refresh(person, mergeChanges: false) }
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    @Test(
        "NTF-91, NTF-92, NTF-93: refresh reports the object, with merging of edits as updated too", arguments: StackKind.allCases)
    func refresh(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let log = NotificationLog(context)
            context.refresh(person, mergeChanges: false)
            context.processPendingChanges()
            Self.expect(log, refreshed: [person])
            #expect(person.isFault)
            person.set("name", "B")
            context.refresh(person, mergeChanges: false)
            context.processPendingChanges()
            Self.expect(log, refreshed: [person])
            person.set("name", "C")
            context.processPendingChanges()
            _ = log.take()
            context.refresh(person, mergeChanges: true)
            context.processPendingChanges()
            Self.expect(log, refreshed: [person])
            #expect(!person.isFault && context.updatedObjects == [person] && person.text("name") == "C")
        }
    }

    @Test(
        "NTF-96, NTF-97: reset of an empty context posts nothing; a save after a reset has nothing to do",
        arguments: StackKind.allCases)
    func reset(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            context.reset()
            #expect(log.take().isEmpty)
            _ = context.make("Person")
            context.reset()
            #expect(log.take().map(\.keys) == [["invalidatedAll"]])
            try context.save()
            let entries = log.take()
            #expect(entries.map(\.kind) == ["willSave", "didSave", "didSaveIDs"])
            #expect(entries.allSatisfy { $0.inserted.isEmpty && $0.updated.isEmpty && $0.deleted.isEmpty })
            #expect(try context.all("Person").isEmpty)
        }
    }

    @Test(
        "NTF-100: rollback reports new objects as deleted, deleted ones as inserted, changed ones as updated or refreshed",
        arguments: StackKind.allCases)
    func rollback(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let changed = context.make("Person")
            let deleted = context.make("Person")
            try context.save()
            let new = context.make("Person")
            changed.set("name", "A")
            context.delete(deleted)
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.rollback()
            context.processPendingChanges()
            let entries = log.takeChanges()
            #expect(entries.count == 1)
            let entry = try #require(entries.first)
            #expect(entry.inserted == [deleted] && entry.deleted == [new])
            #expect(entry.updated.union(entry.refreshed) == [changed])
            context.rollback()
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    @Test("NTF-101: objects that are released post nothing", arguments: StackKind.allCases)
    func release(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            _ = context.make("Person")
            try context.save()
        }
        try stack.fresh { context throws in
            let log = NotificationLog(context)
            #expect(try context.all("Person").count == 1)
            #expect(context.registeredObjects.isEmpty)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }
}
