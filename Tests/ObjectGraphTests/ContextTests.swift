import DataModel
import Dispatch
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Contexts and their queues")
struct ContextTests {
    private static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "People", managedObjectModel: People.model())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    @Test("CTX-1, CTX-2: both forms of the initializer, both kinds of queue")
    func kinds() {
        #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
        #expect(NSManagedObjectContext(.privateQueue).concurrencyType == .privateQueueConcurrencyType)
        #expect(NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType).concurrencyType == .mainQueueConcurrencyType)
        #expect(
            NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).concurrencyType == .privateQueueConcurrencyType)
        #expect(NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType.rawValue == 1)
        #expect(NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType.rawValue == 2)
    }

    @Test("CTX-3, CTX-4: the container's contexts")
    func containerContexts() throws {
        let container = try Self.container()
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        #expect(container.viewContext.name == "viewContext")
        let backgrounds = [container.newBackgroundContext(), container.newBackgroundContext()]
        #expect(backgrounds[0] !== backgrounds[1])
        for context in backgrounds {
            #expect(context.concurrencyType == .privateQueueConcurrencyType)
            #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
            #expect(context.parent == nil && context.name == nil)
        }
    }

    @Test("CTX-5: performBackgroundTask uses a new context each time and saves nothing by itself")
    func backgroundTask() async throws {
        let container = try Self.container()
        let first = await container.performBackgroundTask { context in
            _ = context.make("Person", ["name": "lost"])
            return context
        }
        let second = try await container.performBackgroundTask { context in
            _ = context.make("Person", ["name": "kept"])
            try context.save()
            return context
        }
        #expect(first !== second)
        let log = SharedLog()
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                log.add((try? context.all("Person").compactMap { $0.text("name") }.joined()) ?? "")
                log.add(context.concurrencyType == .privateQueueConcurrencyType ? "private" : "main")
                continuation.resume()
            }
        }
        #expect(log.all == ["kept", "private"])
    }

    @Test("CTX-6: perform returns at once; blocks run one at a time, in order, on the queue, each followed by processing")
    func perform() async throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        let notifications = NotificationLog(context)
        let gate = DispatchSemaphore(value: 0)
        context.enqueue { gate.wait() }
        for index in 0..<20 {
            context.enqueue {
                log.add("\(index)")
                _ = context.make("Person")
            }
        }
        #expect(log.all.isEmpty)
        gate.signal()
        await withCheckedContinuation { continuation in context.perform { continuation.resume() } }
        #expect(log.all == (0..<20).map(String.init))
        let entries = notifications.take()
        #expect(entries.map(\.inserted.count) == Array(repeating: 1, count: 20))
        #expect(entries.allSatisfy { !$0.isMainThread })
    }

    @Test("CTX-7: perform from the context's own queue runs later, too")
    func nestedPerform() async throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        await withCheckedContinuation { continuation in
            context.perform {
                context.perform {
                    log.add("inner")
                    continuation.resume()
                }
                log.add("outer")
            }
        }
        #expect(log.all == ["outer", "inner"])
    }

    @Test("CTX-8, CTX-9, CTX-13: performAndWait runs on the calling thread, nests, returns and throws what the block does")
    func performAndWait() throws {
        struct Failure: Error {}
        let context = try TestStack.people().newContext()
        let thread = currentThread
        let value = context.performAndWait {
            context.performAndWait { context.performAndWait { currentThread == thread ? 5 : 0 } }
        }
        #expect(value == 5)
        #expect(throws: Failure.self) {
            try context.performAndWait {
                _ = context.make("Person")
                throw Failure()
            }
        }
        #expect(context.performAndWait { context.hasChanges })
    }

    @Test("CTX-10: performAndWait inside a perform block of the same context runs inline")
    func performAndWaitInPerform() async throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        await withCheckedContinuation { continuation in
            context.perform {
                let thread = currentThread
                context.performAndWait { log.add(currentThread == thread ? "inline" : "elsewhere") }
                log.add("after")
                continuation.resume()
            }
        }
        await context.perform { context.performAndWait { log.add("inside async") } }
        #expect(log.all == ["inline", "after", "inside async"])
    }

    @Test("CTX-11: performAndWait on a main-queue context from another thread runs on the main queue and blocks the caller")
    func mainQueueFromElsewhere() async throws {
        let context = try TestStack.people().newContext(.mainQueue)
        let log = SharedLog()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                context.performAndWait {
                    dispatchPrecondition(condition: .onQueue(.main))
                    log.add("block")
                    _ = context.make("Person")
                }
                log.add("caller")
                continuation.resume()
            }
        }
        #expect(log.all == ["block", "caller"])
        await MainActor.run { #expect(context.insertedObjects.count == 1) }
        await context.perform { dispatchPrecondition(condition: .onQueue(.main)) }
    }

    @Test("CTX-12: performAndWait from another thread waits for blocks that are in the queue already")
    func takesItsTurn() throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        let gate = DispatchSemaphore(value: 0)
        context.perform {
            gate.wait()
            log.add("first")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { gate.signal() }
        context.performAndWait { log.add("second") }
        #expect(log.all == ["first", "second"])
    }

    @Test("CTX-14: the asynchronous perform returns the block's result; enqueued blocks run after those in the queue")
    func asynchronousPerform() async throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        let gate = DispatchSemaphore(value: 0)
        context.enqueue {
            gate.wait()
            log.add("before")
        }
        async let value = context.perform(schedule: .enqueued) { () -> Int in
            log.add("enqueued")
            return 5
        }
        gate.signal()
        #expect(await value == 5)
        #expect(log.all == ["before", "enqueued"])
        #expect(await context.perform { 7 } == 7)
    }

    @Test("CTX-15: an error of the asynchronous block reaches the caller; changes made before stay")
    func asynchronousError() async throws {
        struct Failure: Error {}
        let context = try TestStack.people().newContext()
        await #expect(throws: Failure.self) {
            try await context.perform {
                _ = context.make("Person")
                throw Failure()
            }
        }
        #expect(await context.perform { context.insertedObjects.count } == 1)
    }

    @Test("CTX-16: cancelling the waiting task does not stop the block")
    func cancellation() async throws {
        let context = try TestStack.people().newContext()
        let log = SharedLog()
        let gate = DispatchSemaphore(value: 0)
        context.enqueue { gate.wait() }
        let task = Task { await context.perform { log.add("ran") } }
        task.cancel()
        gate.signal()
        await task.value
        #expect(log.all == ["ran"])
    }

    @Test("CTX-17, R80: with the concurrency switch on, use off the queue stops the program, naming class and context")
    func wrongQueue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let context = try TestStack.people().newContext()
            context.name = "import"
            nonisolated(unsafe) let person = try context.run { context in
                context.name = "import"
                return context.make("Person")
            }
            context.delete(person)
        }
        #expect(result.message.contains("concurrency violation"))
        #expect(result.message.contains("Recorder") && result.message.contains("import"))
    }

    @Test("CTX-18, OG-68: what may be read on every thread")
    func readableEverywhere() async throws {
        let stack = try TestStack.people()
        let context = stack.newContext()
        nonisolated(unsafe) let person = try context.run { context throws in
            let person = context.make("Person")
            try context.save()
            return person
        }
        let id = person.objectID
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    #expect(person.objectID == id)
                    #expect(person.managedObjectContext === context)
                    #expect(context.persistentStoreCoordinator === stack.coordinator)
                    #expect(stack.newContext().persistentStoreCoordinator === stack.coordinator)
                }
            }
        }
    }

    @Test("CTX-19: a context keeps its coordinator, nobody keeps the context")
    func ownership() throws {
        var stack: TestStack? = try TestStack.people()
        weak let coordinator = stack?.coordinator
        weak var ended: NSManagedObjectContext?
        var object: NSManagedObject?
        try {
            let context = try #require(stack?.newContext())
            stack = nil
            #expect(coordinator != nil)
            try context.run { context throws in
                object = context.make("Person", ["name": "A"])
                try context.save()
            }
            ended = context
        }()
        #expect(ended == nil && coordinator == nil)
        #expect(object?.managedObjectContext == nil)
    }

    @Test("CTX-22, CTX-23: userInfo and name")
    func nameAndUserInfo() throws {
        let context = try TestStack.people().newContext()
        context.name = "import"
        context.userInfo["key"] = "value"
        context.performAndWait { context.reset() }
        #expect(context.name == "import" && context.userInfo["key"] as? String == "value")
        #expect(context.description.contains("import") && context.description.contains("private"))
    }

    @Test("CTX-72, CTX-73: hasChanges needs no processing; shouldDeleteInaccessibleFaults is true")
    func defaults() throws {
        try TestStack.people().run { context throws in
            #expect(!context.hasChanges)
            let person = context.make("Person")
            #expect(context.hasChanges)
            try context.save()
            person.set("name", "A")
            #expect(context.hasChanges)
            try context.save()
            context.delete(person)
            #expect(context.hasChanges)
            #expect(context.shouldDeleteInaccessibleFaults)
        }
    }

    @Test("CTX-76: inserting an object again does nothing", arguments: StackKind.allCases)
    func insertAgain(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            context.insert(person)
            #expect(person.calls == ["awakeFromInsert"])
            #expect(context.insertedObjects == [person])
            context.processPendingChanges()
            context.insert(person)
            let log = NotificationLog(context)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            try context.save()
            context.insert(person)
            #expect(!context.hasChanges)
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    @Test("CTX-76: an object of another context, or one whose deletion was saved, can't be inserted or deleted")
    func foreignObjects() async {
        let insert = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            try stack.run { context throws in try stack.fresh { other throws in other.insert(context.make("Person")) } }
        }
        #expect(insert.message.contains("belongs to another context"))
        let delete = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            try stack.run { context throws in try stack.fresh { other throws in other.delete(context.make("Person")) } }
        }
        #expect(delete.message.contains("belongs to another context"))
        let gone = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                let person = context.make("Person")
                try context.save()
                context.delete(person)
                try context.save()
                context.insert(person)
            }
        }
        #expect(gone.message.contains("can't be inserted"))
    }
}

extension NSManagedObjectContext {
    /// `perform` with a closure, which in an asynchronous function gives way to the other `perform`.
    fileprivate func enqueue(_ block: @escaping @Sendable () -> Void) { perform(block) }
}
