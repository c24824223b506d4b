import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Parent and child contexts")
struct ParentTests {
    @Test("CTX-20, CTX-21: a child has its parent's coordinator; parents are contexts of both kinds")
    func attachment() throws {
        for type in [NSManagedObjectContext.ConcurrencyType.mainQueue, .privateQueue] {
            let family = try Family(rootType: type)
            #expect(family.child.parent === family.middle && family.middle.parent === family.root)
            for context in family.contexts { #expect(context.persistentStoreCoordinator === family.stack.coordinator) }
        }
    }

    @Test("CTX-20: a context with a coordinator can't get a parent")
    func bothAttachments() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            stack.newContext().parent = stack.context
        }
        #expect(result.message.contains("can't have a parent"))
    }

    @Test("CTX-19: a child keeps its parent, nobody keeps the child")
    func ownership() throws {
        weak var child: NSManagedObjectContext?
        weak var root: NSManagedObjectContext?
        try {
            let family = try Family { $0.make("Person", ["name": "A"]) }
            let grandchild = NSManagedObjectContext(.privateQueue)
            grandchild.parent = family.child
            (child, root) = (grandchild, family.root)
            try grandchild.run { context throws in #expect(try context.named("A", "Person").one("team") == nil) }
        }()
        #expect(child == nil && root == nil)
    }

    @Test(
        "CTX-40, FET-31: a fetch goes through all levels, with what each has inserted, changed and deleted",
        arguments: StackKind.allCases)
    func fetchThrough(_ kind: StackKind) throws {
        let family = try Family(kind) { context throws in
            for name in ["a", "b", "c", "d", "e", "f"] { context.make("Person", ["name": name]) }
        }
        for (index, context) in family.contexts.enumerated() {
            try context.run { context throws in
                context.make("Person", ["name": "new \(index)"])
                try context.named(["a", "b", "c"][index], "Person").set("name", "changed \(index)")
                context.delete(try context.named(["d", "e", "f"][index], "Person"))
            }
        }
        #expect(try family.root.fetchedNames() == ["b", "c", "changed 0", "e", "f", "new 0"])
        #expect(try family.middle.fetchedNames() == ["c", "changed 0", "changed 1", "f", "new 0", "new 1"])
        #expect(
            try family.child.fetchedNames() == ["changed 0", "changed 1", "changed 2", "new 0", "new 1", "new 2"])
        try family.child.run { context throws in
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchOffset = 1
            request.fetchLimit = 2
            #expect(try context.fetch(request).map { $0.text("name") } == ["new 1", "new 0"])
            #expect(try context.count(for: NSFetchRequest<Recorder>(entityName: "Person")) == 6)
            request.fetchOffset = 0
            request.fetchLimit = 0
            request.predicate = NSPredicate(format: "name BEGINSWITH 'changed'")
            #expect(try context.fetch(request).map { $0.text("name") } == ["changed 2", "changed 1", "changed 0"])
        }
        #expect(try family.stack.savedNames("Person") == ["a", "b", "c", "d", "e", "f"])
        try family.save(from: family.child)
        #expect(
            try family.stack.savedNames("Person") == ["changed 0", "changed 1", "changed 2", "new 0", "new 1", "new 2"])
    }

    @Test("FET-31: sorting and limits count what the child has changed and not saved")
    func sortedPending() throws {
        let family = try Family { context throws in
            for (index, name) in ["a", "b", "c", "d"].enumerated() { context.make("Person", ["name": name, "age": index]) }
        }
        try family.middle.run { try $0.named("a", "Person").set("age", 10) }
        try family.child.run { context throws in
            try context.named("b", "Person").set("age", 9)
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            request.fetchLimit = 3
            #expect(try context.fetch(request).map { $0.text("name") } == ["a", "b", "d"])
        }
    }

    @Test("CTX-41: a child's fault has the values that the parent has now, unsaved ones too", arguments: StackKind.allCases)
    func faults(_ kind: StackKind) throws {
        let family = try Family(kind) { $0.make("Person", ["name": "A", "team": $0.make("Team", ["name": "red"])]) }
        let id = try family.object("A", in: family.root).objectID
        try family.root.run { context throws in
            let person = context.object(with: id)
            person.set("name", "B")
            person.set("team", context.make("Team", ["name": "blue"]))
        }
        try family.child.run { context throws in
            let person = context.object(with: id)
            #expect(person.isFault && person.text("name") == "B" && person.one("team")?.text("name") == "blue")
            #expect(person.one("team")?.names("members") == ["B"])
            #expect(try context.named("red", "Team").many("members").isEmpty)
        }
    }

    @Test(
        "CTX-42, CTX-43: a child's save makes its changes changes of the parent, and reaches no store",
        arguments: StackKind.allCases)
    func save(_ kind: StackKind) throws {
        let family = try Family(kind) { context throws in
            for name in ["a", "b"] { context.make("Person", ["name": name]) }
        }
        let (kept, gone) = try (family.object("a", in: family.child), family.object("b", in: family.child))
        let new = try family.child.run { context throws in
            let new = context.make("Person", ["name": "c"])
            kept.set("name", "A")
            context.delete(gone)
            try context.save()
            #expect(!context.hasChanges && !new.isInserted && !kept.isUpdated && kept.changedValues().isEmpty)
            #expect(gone.managedObjectContext == nil)
            return new
        }
        try family.middle.run { context throws in
            #expect(context.hasChanges)
            #expect(context.insertedObjects.map(\.objectID) == [new.objectID])
            #expect(context.updatedObjects.map(\.objectID) == [kept.objectID])
            #expect(context.deletedObjects.map(\.objectID) == [gone.objectID])
            let inParent = try #require(context.updatedObjects.first)
            #expect(inParent.changedValues().keys.sorted() == ["name"])
            #expect(inParent.committedValues(forKeys: ["name"])["name"] as? String == "a")
        }
        #expect(try family.root.run { $0.hasChanges } == false)
        #expect(try family.stack.savedNames("Person") == ["a", "b"])
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["A", "c"])
    }

    @Test("CTX-46: of one property the last push counts, other properties of the parent's stay", arguments: StackKind.allCases)
    func overwrites(_ kind: StackKind) throws {
        let family = try Family(kind) { $0.make("Person", ["name": "A", "age": 1, "score": 1]) }
        let inChild = try family.object("A", in: family.middle)
        try family.root.run { context throws in
            let person = try context.named("A", "Person")
            person.set("name", "root")
            person.set("age", 2)
        }
        try family.middle.run { context throws in
            inChild.set("name", "child")
            inChild.set("score", 5)
            try context.save()
        }
        try family.root.run { context throws in
            let person = try context.named("child", "Person")
            #expect(person.number("age") == 2 && person.value(forKey: "score") as? Double == 5)
            try context.save()
        }
    }

    @Test("CTX-47: willSave, validation and didSave come on each level, on its own instances")
    func hooks() throws {
        let family = try Family()
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        _ = object.takeCalls()
        let expected = ["willSave", "validateForInsert", "didSave"]
        try family.child.run { try $0.save() }
        #expect(object.takeCalls() == expected)
        for context in [family.middle, family.root] {
            let own = try #require(context.run { $0.insertedObjects.first as? Recorder })
            #expect(own !== object && own.calls.isEmpty, "it comes from elsewhere, not from an insertion")
            try context.run { try $0.save() }
            #expect(own.takeCalls() == expected)
        }
        #expect(object.calls.isEmpty)
    }

    @Test("CTX-48, OG-247: a save that is invalid in the child leaves the parent untouched", arguments: StackKind.allCases)
    func invalid(_ kind: StackKind) throws {
        let family = try Family(kind) { $0.make("Person", ["name": "A"]) }
        let log = NotificationLog(family.middle)
        try family.child.run { context throws in
            try context.named("A", "Person").set("name", "B")
            let bad = context.make("Person", ["name": "bad"])
            context.react { object, hook in
                if object === bad, hook == "validateForInsert" { throw CocoaError(.validationMissingMandatoryProperty) }
            }
            #expect(throws: (any Error).self) { try context.save() }
            #expect(context.insertedObjects == [bad] && context.updatedObjects.count == 1)
        }
        #expect(try family.middle.run { $0.hasChanges } == false)
        #expect(log.take().isEmpty)
        try family.child.run { try $0.save() }
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["B", "bad"])
    }

    @Test("CTX-49, CTX-55: loaded objects keep their values until they are refreshed, which reads the parent")
    func refreshing() throws {
        let family = try Family { $0.make("Person", ["name": "A", "team": $0.make("Team", ["name": "red"])]) }
        let inChild = try family.object("A", in: family.middle)
        try family.middle.run { _ in #expect(inChild.one("team")?.names("members") == ["A"]) }
        try family.root.run { context throws in
            let person = try context.named("A", "Person")
            person.set("name", "B")
            person.set("team", nil)
        }
        try family.middle.run { context throws in
            #expect(inChild.text("name") == "A" && inChild.one("team") != nil)
            context.refreshAllObjects()
            #expect(inChild.text("name") == "B" && inChild.one("team") == nil)
            #expect(try context.named("red", "Team").many("members").isEmpty)
            inChild.set("age", 50)
            try family.root.run { try $0.named("B", "Person").set("name", "C") }
            context.refresh(inChild, mergeChanges: true)
            #expect(inChild.text("name") == "C" && inChild.number("age") == 50 && inChild.isUpdated)
            context.refresh(inChild, mergeChanges: false)
            #expect(inChild.number("age") == 18 && !context.hasChanges)
        }
    }

    @Test("CTX-52, CTX-154: the policy of the context that writes the store counts, not its child's")
    func policies() throws {
        let family = try Family { $0.make("Person", ["name": "A"]) }
        family.middle.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let inChild = try family.object("A", in: family.middle)
        // The parent has read the row, too.
        let inRoot = try family.object("A", in: family.root)
        try family.stack.fresh { context throws in
            try context.named("A", "Person").set("name", "theirs")
            try context.save()
        }
        try family.middle.run { context throws in
            inChild.set("name", "mine")
            try context.save()
        }
        #expect(throws: (any Error).self) { try family.root.runUnchecked { try family.root.save() } }
        family.root.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try family.root.run { try $0.save() }
        #expect(try family.stack.savedNames("Person") == ["mine"])
        try family.root.run { _ in #expect(inRoot.text("name") == "mine") }
    }

    @Test("CTX-53, OG-98: transient values are pushed with the others; a new object of the child starts with the default")
    func transients() throws {
        let family = try Family { $0.make("Person", ["name": "A"]) }
        try family.middle.run { context throws in
            let person = try context.named("A", "Person")
            person.set("mood", 50)
            try context.save()
        }
        let inRoot = try family.object("A", in: family.root)
        try family.root.run { _ in #expect(inRoot.number("mood") == 50) }
        try family.middle.run { context throws in
            try context.named("A", "Person").set("mood", 20)
            try context.save()
        }
        try family.root.run { _ in #expect(inRoot.number("mood") == 20) }
        try family.root.run { try $0.save() }
        try family.root.run { _ in #expect(inRoot.number("mood") == 20) }
        #expect(try family.stack.fresh { try $0.named("A", "Person").number("mood") } == 7)
    }

    @Test("CTX-57: the staleness interval has no effect in a child")
    func staleness() throws {
        let family = try Family { $0.make("Person", ["name": "A"]) }
        family.middle.stalenessInterval = 0
        try family.root.run { try $0.named("A", "Person").set("name", "B") }
        try family.middle.run { context throws in #expect(try context.all("Person").map { $0.text("name") } == ["B"]) }
    }

    @Test("CTX-56: a child of a main-queue parent saves from its own queue", arguments: StackKind.allCases)
    func mainParent(_ kind: StackKind) async throws {
        let stack = try TestStack.people(kind)
        let main = stack.newContext(.mainQueue)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = main
        try await child.perform {
            for name in ["a", "b"] { child.make("Person", ["name": name]) }
            try child.save()
            #expect(try child.all("Person").count == 2)
        }
        try await MainActor.run {
            #expect(main.insertedObjects.count == 2)
            try main.save()
        }
        #expect(try stack.savedNames("Person") == ["a", "b"])
    }

    @Test("CTX-186: resetting the child loses its changes only; resetting the parent loses what was pushed")
    func resetting() throws {
        let family = try Family { $0.make("Person", ["name": "A"]) }
        try family.child.run { context throws in
            context.make("Person", ["name": "lost"])
            try context.named("A", "Person").set("name", "lost, too")
            context.reset()
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        }
        #expect(try family.child.fetchedNames() == ["A"])
        let pushed = try family.child.run { context throws in
            let pushed = context.make("Person", ["name": "pushed"])
            try context.named("A", "Person").set("name", "B")
            try context.save()
            return pushed
        }
        try family.middle.run { $0.reset() }
        #expect(try family.middle.fetchedNames() == ["A"])
        try family.child.run { context throws in
            #expect(pushed.text("name") == "pushed", "loaded values stay")
            context.refreshAllObjects()
            #expect(try context.all("Person").map { $0.text("name") } == ["A"])
            #expect(pushed.text("name") == nil && pushed.isDeleted, "the parent has no such object any more")
            context.processPendingChanges()
            try context.save()
        }
    }

    @Test("OG-187: rolling back in the child gives the parent's values; in the parent it takes pushed changes away")
    func rollingBack() throws {
        let family = try Family { context throws in
            for name in ["a", "b"] { context.make("Person", ["name": name, "team": context.make("Team", ["name": name])]) }
        }
        try family.root.run { try $0.named("a", "Person").set("name", "A") }
        try family.middle.run { context throws in
            let a = try context.named("A", "Person")
            a.set("name", "child")
            a.set("team", try context.named("b", "Team"))
            context.delete(try context.named("b", "Person"))
            context.make("Person", ["name": "new"])
            context.rollback()
            #expect(!context.hasChanges && a.text("name") == "A" && a.one("team")?.text("name") == "a")
            #expect(try context.named("b", "Team").names("members") == ["b"])
            a.set("name", "pushed")
            context.make("Person", ["name": "new"])
            try context.save()
        }
        try family.root.run { context throws in
            #expect(context.insertedObjects.count == 1)
            context.rollback()
            #expect(try context.all("Person").map { $0.text("name") } == ["a", "b"])
        }
        try family.middle.run { context throws in
            context.refreshAllObjects()
            #expect(try context.all("Person").map { $0.text("name") } == ["a", "b"])
        }
    }
}
