import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Refresh, reset, rollback")
struct RefreshTests {
    @Test("OG-180: refresh without merging drops edits and makes a fault", arguments: StackKind.allCases)
    func refresh(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A", "age": 1])
            try context.save()
            for isProcessed in [false, true] {
                person.set("name", "B")
                if isProcessed { context.processPendingChanges() }
                context.refresh(person, mergeChanges: false)
                #expect(person.isFault && !person.hasChanges)
                #expect(!context.updatedObjects.contains(person) && !context.hasChanges)
                context.check()
                #expect(person.text("name") == "A")
                #expect(person.changedValues().isEmpty)
            }
            person.set("age", 2)
            try context.save()
            #expect(person.text("name") == "A" && person.number("age") == 2)
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    @Test("OG-180: refreshed objects read what another context saved", arguments: StackKind.allCases)
    func refreshAfterForeignSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let person = context.make("Person", ["name": "A", "age": 1, "team": team])
            #expect(team.many("members") == [person])
            try context.save()
            try stack.fresh { other throws in
                let same = try other.named("A", "Person")
                same.set("name", "B")
                same.set("team", other.make("Team", ["name": "Red"]))
                try other.save()
            }
            #expect(person.text("name") == "A")
            context.refresh(person, mergeChanges: false)
            context.refresh(team, mergeChanges: false)
            #expect(person.text("name") == "B" && person.one("team")?.text("name") == "Red")
            #expect(team.many("members").isEmpty)
            person.set("age", 2)
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["B"])
    }

    @Test("OG-181, OG-182, NTF-92: refresh with merging keeps edits over fresh values", arguments: StackKind.allCases)
    func merging(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A", "age": 1, "mood": 3, "nick": "x"])
            let clean = context.make("Person", ["name": "C"])
            try context.save()
            person.set("age", 2)
            try stack.fresh { other throws in
                let same = try other.named("A", "Person")
                same.set("name", "B")
                same.set("age", 9)
                try other.save()
            }
            context.refresh(person, mergeChanges: true)
            #expect(!person.isFault && person.isUpdated && context.updatedObjects == [person])
            #expect(person.text("name") == "B" && person.number("age") == 2)
            #expect(person.number("mood") == 3 && person.text("nick") == "x", "documented: merging leaves transient values alone")
            #expect(person.changedValues() as? [String: Int] == ["age": 2])
            #expect(person.committedValues(forKeys: ["age"])["age"] as? Int == 9)
            context.refresh(clean, mergeChanges: true)
            #expect(clean.isFault)
            try context.save()
            #expect(person.rowVersion == 3)
        }
        try stack.fresh { context throws in
            #expect(try context.named("B", "Person").number("age") == 2)
        }
    }

    @Test("OG-181: refresh with merging keeps relationship edits", arguments: StackKind.allCases)
    func mergingRelationships(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let red = context.make("Team", ["name": "Red"])
            let blue = context.make("Team", ["name": "Blue"])
            let people = ["a", "b", "c"].map { context.make("Person", ["name": $0, "team": red]) }
            try context.save()
            people[0].set("team", blue)
            blue.add(people[1], to: "members")
            people[2].set("tasks", [context.make("Task", ["name": "t"])])
            for object in people + [red, blue] { context.refresh(object, mergeChanges: true) }
            context.check()
            #expect(red.names("members") == ["c"] && blue.names("members") == ["a", "b"])
            #expect(people.map { $0.one("team")?.text("name") } == ["Blue", "Blue", "Red"])
            #expect(people[2].nameList("tasks") == ["t"])
            try context.save()
        }
        try stack.fresh { context throws in
            #expect(try context.named("Blue", "Team").names("members") == ["a", "b"])
            #expect(try context.named("Red", "Team").names("members") == ["c"])
            #expect(try context.named("c", "Person").nameList("tasks") == ["t"])
        }
    }

    @Test(
        "OG-183: refresh without merging drops the to-many changes of that object, the other side keeps its own",
        arguments: StackKind.allCases)
    func droppedToMany(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let red = context.make("Team", ["name": "Red"])
            _ = context.make("Person", ["name": "a", "team": red])
            _ = context.make("Person", ["name": "b"])
            try context.save()
        }
        let context = stack.newContext()
        // No check of the graph: that it becomes inconsistent here is documented.
        try context.performAndWait {
            let red = try context.named("Red", "Team")
            let b = try context.named("b", "Person")
            for isLoaded in [true, false] {
                context.refresh(red, mergeChanges: false)
                if isLoaded { #expect(red.names("members") == ["a"]) }
                b.set("team", red)
                #expect(red.isUpdated)
                context.refresh(red, mergeChanges: false)
                #expect(!red.isUpdated && red.isFault)
                #expect(b.one("team") === red && b.isUpdated)
                #expect(red.names("members") == ["a"])
                b.set("team", nil)
                context.rollback()
            }
        }
    }

    @Test(
        "OG-184, NTF-90: refreshAllObjects makes faults of clean objects and keeps the edits of others",
        arguments: StackKind.allCases)
    func refreshAll(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
            try context.save()
            people[0].set("name", "A")
            let new = context.make("Person", ["name": "new"])
            context.delete(people[1])
            context.processPendingChanges()
            context.refreshAllObjects()
            #expect(people[2].isFault)
            #expect(!people[0].isFault && people[0].text("name") == "A" && people[0].isUpdated)
            #expect(!new.isFault && new.text("name") == "new" && new.isInserted)
            #expect(people[1].isDeleted)
            try context.save()
            #expect(try context.all("Person").map { $0.text("name") } == ["A", "c", "new"])
        }
    }

    @Test(
        "OG-184: refreshing copes with references to objects that were deleted before they were saved",
        arguments: StackKind.allCases)
    func refreshWithVanished(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let a = context.make("Person", ["name": "a"])
            let b = context.make("Person", ["name": "b"])
            try context.save()
            let new = context.make("Person", ["name": "new"])
            a.set("spouse", new)
            b.set("hero", new)
            context.delete(a)
            context.delete(new)
            context.processPendingChanges()
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(a.isDeleted)
            try context.save()
            #expect(b.one("hero") == nil)
        }
        try stack.fresh { context throws in
            #expect(try context.all("Person").map { $0.one("hero") } == [nil])
        }
    }

    @Test("OG-186, NTF-95, CTX-22: reset forgets all objects and changes", arguments: StackKind.allCases)
    func reset(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let id = person.objectID
            person.set("name", "B")
            let new = context.make("Person", ["name": "new"])
            context.userInfo["mine"] = 5
            context.name = "test"
            context.reset()
            #expect(context.registeredObjects.isEmpty)
            #expect(!context.hasChanges)
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(person.managedObjectContext == nil && new.managedObjectContext == nil)
            #expect(context.registeredObject(for: id) == nil)
            #expect(person.objectID == id)
            #expect(context.userInfo["mine"] as? Int == 5 && context.name == "test")
            let again = try context.existingObject(with: id)
            #expect(again !== person && again.text("name") == "A")
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    @Test("OG-186: touching a property of an object from before a reset stops the program")
    func useAfterReset() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                let person = context.make("Person", ["name": "A"])
                try context.save()
                context.reset()
                _ = person.value(forKey: "name")
            }
        }
        #expect(result.message.contains("can't be loaded"))
    }

    @Test("OG-187, OG-188: rollback removes new, restores deleted and reverts changed objects", arguments: StackKind.allCases)
    func rollback(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let a = context.make("Person", ["name": "a", "team": team])
            let b = context.make("Person", ["name": "b", "team": team])
            let tasks = ["1", "2"].map { context.make("Task", ["name": $0]) }
            a.set("tasks", tasks)
            try context.save()
            for isProcessed in [false, true] {
                a.set("name", "changed")
                a.set("team", nil)
                a.set("tasks", Array(a.list("tasks").reversed()))
                context.delete(b)
                let new = context.make("Person", ["name": "new", "team": team])
                let id = new.objectID
                if isProcessed { context.processPendingChanges() }
                let count = context.registeredObjects.count
                context.rollback()
                context.check()
                #expect(!context.hasChanges)
                #expect(context.registeredObjects.count == count - 1)
                #expect(context.registeredObject(for: id) == nil && new.managedObjectContext == nil)
                #expect(a.text("name") == "a" && a.one("team") === team && !a.hasChanges)
                #expect(a.list("tasks") == tasks)
                #expect(!b.isDeleted && b.managedObjectContext === context && b.text("name") == "b")
                #expect(team.names("members") == ["a", "b"])
            }
            a.set("age", 50)
            try context.save()
            #expect(a.rowVersion == 2)
        }
        #expect(try stack.savedNames("Person") == ["a", "b"])
    }

    @Test("OG-187: rollback takes back what was never loaded: deleted faults, unread to-manys", arguments: StackKind.allCases)
    func rollbackOfFaults(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let ids = try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let a = context.make("Person", ["name": "a", "team": team])
            try context.save()
            return (a.objectID, team.objectID)
        }
        try stack.fresh { context throws in
            let a = context.object(with: ids.0)
            let team = context.object(with: ids.1)
            context.delete(a)
            _ = context.make("Person", ["name": "new", "team": team])
            context.rollback()
            context.check()
            #expect(!a.isDeleted && !team.isUpdated && !context.hasChanges)
            #expect(team.names("members") == ["a"])
            #expect(a.text("name") == "a")
            context.delete(a)
            context.processPendingChanges()
            context.rollback()
            #expect(team.names("members") == ["a"])
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["a"])
    }

    @Test("OG-189: after a saved delete object(with:) gives a new fault, which is inaccessible", arguments: StackKind.allCases)
    func afterSavedDelete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let id = person.objectID
            context.delete(person)
            try context.save()
            let fault = context.object(with: id)
            #expect(fault !== person && fault.isFault && !fault.isDeleted)
            #expect(fault.text("name") == nil && fault.isDeleted)
            try context.save()
        }
    }

    @Test("OG-180, NTF-93: many changed objects are refreshed one by one, and changed again", arguments: StackKind.allCases)
    func refreshMany(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let people = (0..<300).map { context.make("Person", ["name": "\($0)", "age": 1]) }
            try context.save()
            let log = NotificationLog(context)
            for isProcessed in [false, true] {
                for person in people { person.set("age", 2) }
                if isProcessed { context.processPendingChanges() }
                for person in people.shuffled().dropFirst(10) { context.refresh(person, mergeChanges: false) }
                let left = Set<NSManagedObject>(people.filter(\.isUpdated))
                #expect(left.count == 10 && context.updatedObjects == left)
                context.check()
                let again = Array(people.prefix(100))
                for person in again { person.set("age", 3) }
                context.check()
                _ = log.take()
                context.processPendingChanges()
                let entries = log.takeChanges()
                #expect(entries.count == 1 && entries.allSatisfy { $0.refreshed.count == 290 })
                #expect(entries.first?.updated == (isProcessed ? Set(again) : left.union(again)))
                #expect(context.updatedObjects == left.union(again))
                for person in people { context.refresh(person, mergeChanges: false) }
                #expect(!context.hasChanges && context.updatedObjects.isEmpty)
                context.processPendingChanges()
            }
            try context.save()
        }
        try stack.fresh { context throws in #expect(try context.all("Person").allSatisfy { $0.number("age") == 1 }) }
    }

    @Test("NTF-86, CTX-76: many deletions are taken back one by one, and some made again", arguments: StackKind.allCases)
    func takeBackMany(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let people = (0..<300).map { context.make("Person", ["name": "\($0)", "age": 1]) }
            try context.save()
            for isProcessed in [false, true] {
                for person in people { context.delete(person) }
                if isProcessed { context.processPendingChanges() }
                for person in people.shuffled().dropFirst(10) { context.insert(person) }
                #expect(context.deletedObjects.count == 10)
                context.check()
                for person in people.prefix(100) { context.delete(person) }
                context.check()
                context.processPendingChanges()
                context.check()
                #expect(context.deletedObjects == Set(people.filter(\.isDeleted)))
                for person in people { context.insert(person) }
                #expect(context.deletedObjects.isEmpty && people.allSatisfy { !$0.isDeleted })
                context.processPendingChanges()
            }
            context.delete(people[7])
            try context.save()
        }
        #expect(try stack.savedNames("Person").count == 299)
    }
}
