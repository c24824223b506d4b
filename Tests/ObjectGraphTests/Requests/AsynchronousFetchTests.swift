import DataModel
import Foundation
import GraphTestSupport
import Predicates
import Storage
import Synchronization
import Testing

@testable import ObjectGraph

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
    /// What an asynchronous fetch gave, read on its context's queue.
    private struct Outcome: Sendable {
        var names: [String?]?
        var code: Int?
        var wasOnQueue = false
        var isTheReturnedResult = false
    }

    /// Executes the request in a block, during which `meanwhile` runs, and waits for the completion.
    private static func outcome(
        _ stack: TestStack, _ request: NSFetchRequest<Recorder>, in other: NSManagedObjectContext? = nil,
        meanwhile: @Sendable (NSAsynchronousFetchResult<Recorder>) -> Void = { _ in }
    ) async throws -> Outcome {
        nonisolated(unsafe) let request = request
        let context = other ?? stack.context
        let returned = Mutex<NSAsynchronousFetchResult<Recorder>?>(nil)
        return try await withCheckedThrowingContinuation { continuation in
            context.performAndWait {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    var outcome = Outcome()
                    outcome.names = result.finalResult?.map { $0.text("name") }
                    outcome.code = (result.operationError as NSError?)?.code
                    outcome.wasOnQueue = result.finalResult?.allSatisfy { $0.managedObjectContext === context } ?? true
                    outcome.isTheReturnedResult = returned.withLock { $0 === result }
                    continuation.resume(returning: outcome)
                }
                do {
                    let result = try context.execute(asynchronous)
                    guard let result = result as? NSAsynchronousFetchResult<Recorder> else {
                        throw CocoaError(.featureUnsupported)
                    }
                    returned.withLock { $0 = result }
                    #expect(result.finalResult == nil && result.operationError == nil && result.managedObjectContext === context)
                    // The block has not been called: it waits for this one.
                    meanwhile(result)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test("a request has its block, also as a copy")
    func block() throws {
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Recorder>(entityName: "Person"))
        #expect(request.completionBlock == nil)
        let other = NSAsynchronousFetchRequest(fetchRequest: request.fetchRequest) { _ in }
        let copy = try #require(other.copy() as? NSAsynchronousFetchRequest<Recorder>)
        #expect(other.completionBlock != nil && copy.completionBlock != nil && copy.fetchRequest.entityName == "Person")
    }

    @Test(
        "FET-110, FET-112: the result comes later, on the context's queue, without unsaved changes", arguments: StackKind.allCases
    )
    func results(_ kind: StackKind) async throws {
        let stack = try Crew.stack(kind)
        try stack.run { context throws in _ = context.make("Person", ["name": "new"]) }
        let request = NSFetchRequest<Recorder>.sorted("Person", "name")
        let outcome = try await Self.outcome(stack, request)
        #expect(outcome.names == Crew.names && outcome.code == nil)
        #expect(outcome.wasOnQueue && outcome.isTheReturnedResult)
        #expect(request.includesPendingChanges, "the request itself is not touched")
    }

    @Test("FET-111: a cancelled fetch has a cancel error and no result", arguments: [false, true])
    func cancelling(byProgress: Bool) async throws {
        let stack = try Crew.stack(.sqlite)
        let outcome = try await Self.outcome(stack, NSFetchRequest<Recorder>(entityName: "Person")) { result in
            if byProgress { result.progress?.cancel() } else { result.cancel() }
        }
        #expect(outcome.names == nil && outcome.code == CocoaError.userCancelled.rawValue)
    }

    @Test("CTX-58: batch requests and asynchronous fetches of a child reach the store past its parent")
    func child() async throws {
        let stack = try Crew.stack(.sqlite)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let log = NotificationLog(stack.context)
        let names = Crew.names + ["gus"]
        try child.run { context throws in
            _ = try context.execute(NSBatchInsertRequest(entityName: "Person", objects: [["name": "gus"]]))
            #expect(!context.hasChanges)
        }
        #expect(try stack.savedNames("Person") == names)
        #expect(log.take().isEmpty)
        let outcome = try await Self.outcome(stack, NSFetchRequest<Recorder>.sorted("Person", "name"), in: child)
        #expect(outcome.names == names && outcome.wasOnQueue && outcome.isTheReturnedResult)
    }

    @Test("FET-113: what goes wrong is the result's operationError")
    func failing() async throws {
        let outcome = try await Self.outcome(try Crew.stack(.sqlite), NSFetchRequest<Recorder>(entityName: "Nobody"))
        #expect(outcome.names == nil && outcome.code == NSCoreDataError)
    }

    @Test("FET-110: the progress is complete at the end")
    func progress() async throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            for index in 0..<600 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
        }
        let progress: Progress? = await withCheckedContinuation { continuation in
            stack.context.performAndWait {
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Recorder>(entityName: "Person")) { result in
                    continuation.resume(returning: result.progress)
                }
                request.estimatedResultCount = 1000
                let made = try? stack.context.execute(request) as? NSAsynchronousFetchResult<Recorder>
                #expect(made?.progress?.totalUnitCount == 1000)
            }
        }
        #expect(progress?.completedUnitCount == 600 && progress?.totalUnitCount == 600 && progress?.isFinished == true)
    }

    @Test("performFetch: the asynchronous form counts unsaved changes, throws what goes wrong", arguments: StackKind.allCases)
    func performFetch(_ kind: StackKind) async throws {
        let stack = try Crew.stack(kind)
        try stack.run { context throws in _ = context.make("Person", ["name": "gus"]) }
        let names = try await stack.context.performFetch(NSFetchRequest<Recorder>.sorted("Person", "name")) { found in
            found.map { $0.text("name") }
        }
        #expect(names == Crew.names + ["gus"])
        await #expect(throws: NSError.self) {
            try await stack.context.performFetch(NSFetchRequest<Recorder>(entityName: "Nobody")) { $0.count }
        }
        await #expect(throws: CocoaError.self) {
            try await stack.context.performFetch(NSFetchRequest<Recorder>(entityName: "Person")) { _ in
                throw CocoaError(.coderInvalidValue)
            }
        }
    }

    @Test("FET-110: the store is read while the context's queue is busy")
    func queueStaysFree() async throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            for index in 0..<600 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
        }
        let outcome = try await Self.outcome(stack, NSFetchRequest<Recorder>.sorted("Person", "name")) { result in
            // This block has the queue all the time.
            let end = Date(timeIntervalSinceNow: 60)
            while (result.progress?.completedUnitCount ?? 0) < 512, Date() < end { Thread.sleep(forTimeInterval: 0.001) }
            #expect(result.progress?.completedUnitCount == 512)
        }
        #expect(outcome.names?.count == 600 && outcome.code == nil && outcome.wasOnQueue)
    }

    @Test("FET-110: what is saved between reading and making the objects is not overruled by what was read")
    func savedMeanwhile() throws {
        let stack = try Crew.stack(.sqlite)
        let context = stack.newContext()
        try context.performAndWait {
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            // Known as a fault, so that it takes the row that was read.
            let held = try #require(try context.fetch(request).first)
            #expect(held.isFault)
            let fetch = try #require(try OffQueueFetch(request, in: context))
            fetch.read()
            try stack.fresh { other throws in
                try other.named("ann", "Person").set("name", "anna")
                try other.named("bob", "Person").set("name", "robert")
                try other.save()
            }
            let found = try fetch.results()
            #expect(found.first === held && found.allSatisfy(\.isFault))
            #expect(found.map { $0.text("name") } == ["anna", "robert"] + Crew.names.dropFirst(2))
        }
        // The context's own save: everything is fetched anew, a deleted object is not found.
        try stack.fresh { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            let fetch = try #require(try OffQueueFetch(request, in: context))
            fetch.read()
            context.delete(try context.named("fay", "Person"))
            try context.save()
            #expect(try fetch.results().count == 5)
            let counting = NSFetchRequest<NSNumber>(entityName: "Person")
            counting.resultType = .countResultType
            let count = try #require(try OffQueueFetch(counting, in: context))
            count.read()
            context.make("Person", ["name": "new"])
            #expect(try count.results() == [6])
        }
    }

    @Test(
        "FET-110: what a batch request of the context does between reading and making the objects counts",
        arguments: [false, true])
    func batchMeanwhile(tellsContexts: Bool) throws {
        let stack = try Crew.stack(.sqlite)
        try stack.newContext().run { context throws in
            let fetch = try #require(try OffQueueFetch(NSFetchRequest<Recorder>.sorted("Person", "name"), in: context))
            fetch.read()
            let batch = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Recorder>.sorted("Person", where: "name > 'dan'"))
            if tellsContexts { _ = try context.executeBatch(batch, mergingInto: []) } else { try context.execute(batch) }
            #expect(try fetch.results().map { $0.text("name") } == Array(Crew.names.prefix(4)))
        }
    }

    @Test(
        "FET-110, CTX-199: what the context merges between reading and making the objects is not undone by what was read",
        arguments: [false, true], [false, true])
    func mergedMeanwhile(isOfOtherCoordinator: Bool, refreshes: Bool) throws {
        let stack = try Crew.stack(.sqlite)
        let other = isOfOtherCoordinator ? try stack.reopened() : stack
        try stack.newContext().run { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            request.shouldRefreshRefetchedObjects = refreshes
            request.includesPendingChanges = false
            let ann = try #require(try context.fetch(request).loaded.first)
            ann.set("age", 99)
            context.processPendingChanges()
            let fetch = try #require(try OffQueueFetch(request, in: context))
            fetch.read()
            var changes: [AnyHashable: Any] = [:]
            try other.fresh { other throws in
                let (ann, fay) = (try other.named("ann", "Person"), try other.named("fay", "Person"))
                changes[NSUpdatedObjectsKey] = [ann.objectID.uriRepresentation()]
                changes[NSDeletedObjectsKey] = [fay.objectID.uriRepresentation()]
                ann.set("name", "anna")
                other.delete(fay)
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            #expect(ann.text("name") == "anna" && ann.number("age") == 99)
            let found = try fetch.results()
            #expect(found.first === ann && found.map { $0.text("name") } == ["anna"] + Crew.names[1..<5])
            #expect(ann.text("name") == "anna" && ann.number("age") == 99)
            try context.save()
        }
    }

    @Test("FET-110, CTX-199: an object that was loaded after the reading keeps its newer values")
    func loadedMeanwhile() throws {
        let stack = try Crew.stack(.sqlite)
        try stack.newContext().run { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            request.shouldRefreshRefetchedObjects = true
            let held = try context.fetch(request).loaded
            try stack.fresh { other throws in
                try other.named("bob", "Person").set("name", "bill")
                try other.save()
            }
            let fetch = try #require(try OffQueueFetch(request, in: context))
            fetch.read()
            // Another coordinator's saves are not remembered.
            try stack.reopened().fresh { other throws in
                try other.named("ann", "Person").set("name", "anna")
                try other.save()
            }
            context.refresh(held[0], mergeChanges: false)
            #expect(held[0].text("name") == "anna" && held[1].text("name") == "bob")
            #expect(try fetch.results() == held)
            #expect(held.prefix(3).map { $0.text("name") } == ["anna", "bill", "cid"])
        }
    }

    @Test("FET-110: another query generation between reading and making the objects is the one that counts")
    func generationMeanwhile() throws {
        let stack = try Crew.stack(.sqlite)
        try stack.newContext().run { context throws in
            try context.setQueryGenerationFrom(.current)
            let fetch = try #require(try OffQueueFetch(NSFetchRequest<Recorder>.sorted("Person", "name"), in: context))
            fetch.read()
            try stack.fresh { other throws in
                other.delete(try other.named("fay", "Person"))
                try other.save()
            }
            try context.setQueryGenerationFrom(nil)
            #expect(try fetch.results().map { $0.text("name") } == Array(Crew.names.prefix(5)))
        }
    }

    @Test("FET-110: IDs, counts and dictionaries are read aside too; what needs objects is not", arguments: StackKind.allCases)
    func resultTypes(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.run { context throws in
            func results<T>(_ request: NSFetchRequest<T>) throws -> [T] {
                guard let fetch = try OffQueueFetch(request, in: context) else { return try context.typedResults(of: request) }
                #expect(kind == .sqlite)
                fetch.read()
                return try fetch.results()
            }
            let ids = NSFetchRequest<NSManagedObjectID>.sorted("Person", "-name")
            ids.resultType = .managedObjectIDResultType
            ids.fetchLimit = 2
            #expect(try results(ids).map { context.object(with: $0).text("name") } == ["fay", "eve"])
            let count = NSFetchRequest<NSNumber>.sorted("Person", where: "age > 21")
            count.resultType = .countResultType
            count.fetchOffset = 1
            #expect(try results(count) == [3])
            let columns = NSFetchRequest<NSDictionary>.sorted("Person", "name")
            columns.resultType = .dictionaryResultType
            columns.propertiesToFetch = ["name", "team"]
            let rows = try results(columns)
            #expect(rows.map { $0["name"] as? String } == Crew.names && rows[0]["team"] is NSManagedObjectID)
            let closure = NSFetchRequest<Recorder>(entityName: "Person")
            closure.predicate = NSPredicate { object, _ in (object as? Recorder)?.text("name") == "cid" }
            #expect(try OffQueueFetch(closure, in: context) == nil && results(closure).count == 1)
        }
    }

    @Test("A store that is removed while it is read aside waits for the reader, and what comes later is an error")
    func removedStore() async throws {
        let stack = try Crew.stack(.sqlite)
        let isReading = Atomic(false)
        let isLeft = Atomic(false)
        @Sendable func count(_ source: any RowSource) throws -> Int {
            try source.count(RowRequest(stack.context.runtime.layout.entities[0]))
        }
        let reader = Task.detached { () throws -> Void in
            _ = try stack.store.readAside(in: nil) { source in
                isReading.store(true, ordering: .sequentiallyConsistent)
                Thread.sleep(forTimeInterval: 0.05)
                _ = try count(source)
                isLeft.store(true, ordering: .sequentiallyConsistent)
            }
        }
        while !isReading.load(ordering: .sequentiallyConsistent) { await Task.yield() }
        try stack.coordinator.remove(stack.store)
        let waited = isLeft.load(ordering: .sequentiallyConsistent)
        #expect(waited)
        try await reader.value
        #expect(throws: NSError.self) { try stack.store.readAside(in: nil) { _ = try count($0) } }
    }

    @Test("performFetch: a cancelled task's fetch is not done")
    func cancelledTask() async throws {
        let stack = try Crew.stack(.inMemory)
        let isCalled = Atomic(false)
        let task = Task {
            // Waits for its own cancellation.
            while !Task.isCancelled { await Task.yield() }
            return try await stack.context.performFetch(NSFetchRequest<Recorder>(entityName: "Person")) { found in
                isCalled.store(true, ordering: .relaxed)
                return found.count
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let wasCalled = isCalled.load(ordering: .relaxed)
        #expect(!wasCalled)
    }
}
