import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("When notifications come")
struct NotificationMomentTests {
    @Test(
        "NTF-30, NTF-31, NTF-32, NTF-43, CTX-70, CTX-71: inside processPendingChanges, on its thread, once",
        arguments: StackKind.allCases)
    func processing(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let person = context.make("Person")
            person.set("name", "A")
            let other = Pet(context: context)
            context.delete(other)
            #expect(log.take().isEmpty)
            context.processPendingChanges()
            let entries = log.take()
            #expect(entries.map(\.kind) == ["didChange"])
            #expect(entries.first?.thread == currentThread)
            context.processPendingChanges()
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    @Test("NTF-33, CTX-6: perform processes changes after its block, on the queue's thread")
    func perform() async throws {
        let stack = try TestStack.people()
        let context = stack.newContext()
        let log = NotificationLog(context)
        await withCheckedContinuation { continuation in
            context.perform { _ = context.make("Person") }
            context.perform { continuation.resume() }
        }
        let entries = log.take()
        #expect(entries.map(\.kind) == ["didChange"])
        #expect(entries.first?.isMainThread == false)
    }

    @Test("NTF-33, CTX-14: the asynchronous perform processes changes after its block")
    func asynchronousPerform() async throws {
        let context = try TestStack.people().newContext()
        let log = NotificationLog(context)
        for schedule in [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued] {
            await context.perform(schedule: schedule) { _ = context.make("Person") }
            #expect(log.take().map(\.kind) == ["didChange"])
        }
    }

    @Test("NTF-34: performAndWait runs and notifies on the calling thread, at the latest when it ends")
    func performAndWait() throws {
        let context = try TestStack.people().newContext()
        let log = NotificationLog(context)
        context.performAndWait { _ = context.make("Person") }
        var entries = log.take()
        #expect(entries.map(\.kind) == ["didChange"])
        #expect(entries.allSatisfy { $0.thread == currentThread })
        context.performAndWait {
            _ = context.make("Person")
            context.performAndWait { _ = context.make("Person") }
            #expect(log.take().isEmpty)
            context.processPendingChanges()
            #expect(log.take().map(\.inserted.count) == [2])
        }
        entries = log.take()
        #expect(entries.isEmpty)
    }

    @Test("NTF-35: a main-queue context processes at the end of the outermost block, and at a save")
    @MainActor
    func mainQueue() throws {
        let context = try TestStack.people().newContext(.mainQueue)
        let log = NotificationLog(context)
        _ = context.make("Person")
        _ = try context.all("Person")
        #expect(log.take().isEmpty)
        try context.save()
        #expect(log.take().map(\.kind) == ["didChange", "willSave", "didSave", "didSaveIDs"])
        context.performAndWait { _ = context.make("Person") }
        #expect(log.take().map(\.kind) == ["didChange"])
    }

    @Test("NTF-36: a save posts one ObjectsDidChange for everything, then WillSave, DidSave", arguments: StackKind.allCases)
    func save(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let people = (0..<3).map { _ in context.make("Person") }
            try context.save()
            #expect(log.take().map(\.kind) == ["didChange", "willSave", "didSave", "didSaveIDs"])
            people[0].set("name", "A")
            context.delete(people[1])
            context.processPendingChanges()
            #expect(log.take().map(\.kind) == ["didChange"])
            try context.save()
            #expect(log.take().map(\.kind) == ["willSave", "didSave", "didSaveIDs"])
        }
    }

    @Test(
        "NTF-37, R26: a fetch sees pending changes if it includes them, and posts nothing either way",
        arguments: StackKind.allCases)
    func fetch(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            _ = context.make("Person")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            for isIncluding in [false, true] {
                request.includesPendingChanges = isIncluding
                let (found, count) = (try context.fetch(request).count, try context.count(for: request))
                #expect(found == (isIncluding ? 1 : 0) && count == found && log.take().isEmpty)
            }
            context.processPendingChanges()
            #expect(log.take().map(\.inserted.count) == [1])
        }
    }

    @Test("NTF-38: rollback, reset and refreshAllObjects bring one post in total", arguments: StackKind.allCases)
    func otherOperations(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            person.set("name", "A")
            context.processPendingChanges()
            _ = log.take()
            context.rollback()
            context.processPendingChanges()
            #expect(log.take().map(\.kind) == ["didChange"])
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(log.take().map(\.kind) == ["didChange"])
            context.reset()
            context.processPendingChanges()
            #expect(log.take().map(\.kind) == ["didChange"])
        }
    }

    @Test("NTF-39: what an observer changes comes with the next processing", arguments: StackKind.allCases)
    func changesOfObserver(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let first = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            var depth = 0
            var isNested = false
            let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: context) { notification in
                depth += 1
                isNested = isNested || depth > 1
                let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                for object in inserted where object.value(forKey: "name") == nil { object.setValue("named", forKey: "name") }
                depth -= 1
            }
            let new = context.make("Person")
            context.processPendingChanges()
            #expect(log.takeChanges().map { [$0.inserted, $0.updated] } == [[[new], []]])
            context.processPendingChanges()
            #expect(log.takeChanges().map { [$0.inserted, $0.updated] } == [[[], [new]]])
            #expect(!isNested)
            _ = first
            _ = context.make("Person")
            try context.save()
            // Whether the observer's change is reported before or after WillSave is left open; it is before DidSave.
            let kinds = log.take().map(\.kind)
            #expect(kinds.filter { $0 == "didChange" }.count == 2)
            #expect(kinds.filter { $0 != "didChange" } == ["willSave", "didSave", "didSaveIDs"])
            #expect(kinds.first == "didChange" && kinds.lastIndex(of: "didChange") ?? 9 < kinds.firstIndex(of: "didSave") ?? 0)
            #expect(!context.hasChanges)
            _ = observer
        }
    }

    @Test("NTF-40, NTF-41: fetching, firing, looking up and reading relationships post nothing", arguments: StackKind.allCases)
    func reading(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person", ["name": "A", "team": context.make("Team")])
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let log = NotificationLog(context)
            _ = context.object(with: id).text("name")
            _ = try context.existingObject(with: id)
            let person = try #require(try context.all("Person").first)
            _ = person.one("team")?.many("members")
            _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            #expect(!context.hasChanges)
        }
    }
}
