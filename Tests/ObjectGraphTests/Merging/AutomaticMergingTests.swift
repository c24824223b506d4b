import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Contexts that merge by themselves")
struct AutomaticMergingTests {
    /// Waits until all that was enqueued on a context's queue before has run.
    private func drain(_ context: NSManagedObjectContext) async { await context.perform(schedule: .enqueued) {} }

    private func stack(_ kind: StackKind) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.run { context in
            _ = context.make("Person", ["name": "Alice", "age": 10])
            try context.save()
        }
        return stack
    }

    @Test(
        "CTX-177, NTF-150, NTF-151: each save of another context is merged on the receiver's own queue, afterwards",
        arguments: StackKind.allCases)
    func privateQueue(_ kind: StackKind) async throws {
        let stack = try stack(kind)
        let receiver = stack.newContext()
        receiver.automaticallyMergesChangesFromParent = true
        #expect(receiver.automaticallyMergesChangesFromParent)
        let log = NotificationLog(receiver)
        let saving = try stack.run { context in
            _ = context.make("Person", ["name": "Bob"])
            try context.save()
            return currentThread
        }
        await drain(receiver)
        let inserted = log.take()
        #expect(inserted.map(\.kind) == ["didChange", "didMerge"])
        #expect(inserted.allSatisfy { $0.thread != saving && !$0.isMainThread })
        #expect(inserted[0].inserted.count == 1)
        let alice = try receiver.run { context in
            let alice = try context.named("Alice", "Person")
            _ = alice.text("name")
            return alice
        }
        try stack.run { context in
            try context.named("Alice", "Person").set("age", 11)
            try context.save()
        }
        await drain(receiver)
        let changes = log.takeChanges()
        #expect(changes.map(\.refreshed) == [[alice]] && changes.map(\.updated) == [[]])
        try receiver.run { context in
            #expect(alice.number("age") == 11)
            alice.set("age", 12)
            try context.save()
        }
        await drain(receiver)
        #expect(log.takeChanges().map(\.updated) == [[alice]])
    }

    @Test("NTF-150: a main-queue context merges on the main queue")
    @MainActor func mainQueue() async throws {
        let stack = try stack(.inMemory)
        let main = stack.newContext(.mainQueue)
        main.automaticallyMergesChangesFromParent = true
        let alice = try main.fetch(NSFetchRequest<Recorder>(entityName: "Person"))[0]
        #expect(alice.value(forKey: "age") as? Int == 10)
        let id = alice.objectID
        let background = stack.newContext()
        try await background.perform {
            try background.existingObject(with: id).setValue(11, forKey: "age")
            try background.save()
        }
        let age = await main.perform(schedule: .enqueued) { main.object(with: id).value(forKey: "age") as? Int }
        #expect(age == 11)
    }

    @Test("CTX-179: setting it merges no save that was made before; resetting it ends merging", arguments: StackKind.allCases)
    func setting(_ kind: StackKind) async throws {
        let stack = try stack(kind)
        let receiver = stack.newContext()
        let log = NotificationLog(receiver)
        #expect(!receiver.automaticallyMergesChangesFromParent)
        try stack.run { context in
            _ = context.make("Person", ["name": "Bob"])
            try context.save()
        }
        receiver.automaticallyMergesChangesFromParent = true
        await drain(receiver)
        #expect(log.take().isEmpty)
        receiver.automaticallyMergesChangesFromParent = false
        try stack.run { context in
            _ = context.make("Person", ["name": "Cid"])
            try context.save()
        }
        await drain(receiver)
        #expect(log.take().isEmpty)
    }

    @Test("CTX-177: saves of other coordinators are not merged")
    func otherCoordinator() async throws {
        let stack = try stack(.sqlite)
        let other = try stack.reopened()
        let receiver = stack.newContext()
        receiver.automaticallyMergesChangesFromParent = true
        let log = NotificationLog(receiver)
        try other.run { context in
            _ = context.make("Person", ["name": "Bob"])
            try context.save()
        }
        await drain(receiver)
        #expect(log.take().isEmpty)
    }

    @Test("CTX-177: it may be set before the coordinator")
    func order() async throws {
        let stack = try stack(.inMemory)
        let receiver = NSManagedObjectContext(.privateQueue)
        receiver.automaticallyMergesChangesFromParent = true
        receiver.persistentStoreCoordinator = stack.coordinator
        let log = NotificationLog(receiver)
        try stack.run { context in
            _ = context.make("Person", ["name": "Bob"])
            try context.save()
        }
        await drain(receiver)
        #expect(log.takeChanges().count == 1)
    }

    @Test("CTX-50: a child merges each save of its parent; CTX-49: without it, it keeps its values", arguments: [true, false])
    func child(_ merges: Bool) async throws {
        let stack = try stack(.sqlite)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        child.automaticallyMergesChangesFromParent = merges
        let alice = try child.run { context in
            let alice = try context.named("Alice", "Person")
            _ = alice.text("name")
            return alice
        }
        try stack.run { context in
            try context.named("Alice", "Person").set("name", "FIAT")
            // CTX-51: an edit alone is merged by nobody.
            context.processPendingChanges()
        }
        await drain(child)
        try #expect(child.run { _ in alice.text("name") } == "Alice")
        try stack.run { try $0.save() }
        await drain(child)
        try #expect(child.run { _ in alice.text("name") } == (merges ? "FIAT" : "Alice"))
    }

    @Test("A context that is gone before its turn is no problem, and nobody holds it")
    func gone() async throws {
        let stack = try stack(.inMemory)
        weak var gone: NSManagedObjectContext?
        try {
            let receiver = stack.newContext()
            receiver.automaticallyMergesChangesFromParent = true
            gone = receiver
            try stack.run { context in
                _ = context.make("Person", ["name": "Bob"])
                try context.save()
            }
        }()
        for _ in 0..<100 where gone != nil { try await Task.sleep(nanoseconds: 5_000_000) }
        #expect(gone == nil)
    }

    @Test(
        "CTX-173, CTX-177: contexts that save one object in turn and merge each other's saves have no conflicts",
        arguments: StackKind.allCases)
    func turns(_ kind: StackKind) async throws {
        let stack = try stack(kind)
        let contexts = [stack.newContext(), stack.newContext()]
        for context in contexts { context.automaticallyMergesChangesFromParent = true }
        let objects = try contexts.map { context in try context.run { try $0.named("Alice", "Person") } }
        for round in 0..<10 {
            let index = round % 2
            try contexts[index].run { context in
                objects[index].set("age", (objects[index].number("age") ?? 0) + 1)
                try context.save()
            }
            await drain(contexts[1 - index])
        }
        try #expect(stack.fresh { try $0.named("Alice", "Person").number("age") } == 20)
    }
}
