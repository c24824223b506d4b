import DataModel
import Dispatch
import Foundation
import GraphTestSupport
import Testing

@testable import ObjectGraph

/// Made to run under ThreadSanitizer and AddressSanitizer too (`swift test --sanitize=thread --filter …`).
@Suite("Threads that meet in a context")
struct RegistryConcurrencyTests {
    /// Takes objects off the context's queue, to be released by another thread.
    private final class Handover: @unchecked Sendable {
        // @unchecked Sendable: the list is only touched under the lock; the objects in it are only released.
        private let lock = NSLock()
        private var list: [NSManagedObject] = []

        func give(_ objects: [NSManagedObject]) { lock.withLock { list += objects } }

        func dropAll() {
            let taken = lock.withLock {
                defer { list = [] }
                return list
            }
            _ = taken.count
        }
    }

    private final class EndingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
        // Who ends may make another one.
        deinit { _ = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()) }
    }

    @Test("coordinators and models that end while others are made", .timeLimit(.minutes(2)))
    func endingCoordinators() {
        nonisolated(unsafe) var ids = [Int](repeating: 0, count: 4)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 1...300 {
                let coordinator = EndingCoordinator(managedObjectModel: NSManagedObjectModel())
                let url = URL(string: "x-coredata://\(UUID().uuidString)/Person/p\(number)")
                if url.flatMap(CoordinatorList.managedObjectID) == nil { ids.withUnsafeMutableBufferPointer { $0[thread] += 1 } }
                withExtendedLifetime(coordinator) {}
            }
        }
        #expect(ids == [300, 300, 300, 300])
    }

    private static func stack(_ kind: StackKind, people count: Int) throws -> (TestStack, [NSManagedObjectID]) {
        let stack = try TestStack.people(kind)
        let ids = try stack.fresh { context throws in
            let people = (0..<count).map { context.make("Person", ["name": "\($0)", "tags": ["\($0)"], "price": Decimal($0)]) }
            try context.save()
            return people.map(\.objectID)
        }
        return (stack, ids)
    }

    @Test("objects released on another thread while the context looks them up", arguments: StackKind.allCases)
    func releaseElsewhere(_ kind: StackKind) async throws {
        let (stack, ids) = try Self.stack(kind, people: 50)
        let context = stack.newContext()
        let handover = Handover()
        let done = SharedLog()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while done.all.isEmpty {
                    handover.dropAll()
                    await Task.yield()
                }
            }
            group.addTask {
                for round in 0..<200 {
                    await context.perform {
                        var objects = ids.map { context.object(with: $0) }
                        #expect(zip(objects, ids).allSatisfy { context.registeredObject(for: $1) === $0 })
                        if round % 3 == 0 { #expect(objects.allSatisfy { $0.value(forKey: "name") != nil }) }
                        handover.give(objects)
                        objects = []
                        for id in ids { #expect(context.object(with: id).objectID == id) }
                    }
                }
                done.add("done")
            }
        }
        handover.dropAll()
        try context.run { context throws in #expect(context.registeredObjects.isEmpty) }
    }

    @Test(
        "a context that ends while its objects are released and asked for their context elsewhere", arguments: StackKind.allCases)
    func contextEnds(_ kind: StackKind) async throws {
        let (stack, _) = try Self.stack(kind, people: 20)
        for _ in 0..<50 {
            let handover = Handover()
            var context: NSManagedObjectContext? = stack.newContext()
            nonisolated(unsafe) let witness: NSManagedObject = try #require(
                try context?.run { context throws in
                    let people = try context.all("Person")
                    people[0].set("name", "changed")
                    people[1].set("friends", people)
                    handover.give(people)
                    return people[0]
                })
            await withTaskGroup(of: Void.self) { group in
                group.addTask { handover.dropAll() }
                group.addTask { for _ in 0..<20 { _ = witness.managedObjectContext } }
                context = nil
            }
            #expect(witness.managedObjectContext == nil)
        }
    }

    @Test(
        "contexts on one store, each on its thread: rows written by one are read by others at once", arguments: StackKind.allCases
    )
    func sharedRows(_ kind: StackKind) async throws {
        let (stack, ids) = try Self.stack(kind, people: 40)
        let failures = SharedLog()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                let context = stack.newContext()
                group.addTask {
                    for round in 0..<25 {
                        await context.perform {
                            do {
                                for (index, id) in ids.enumerated() where index % 4 == worker {
                                    let person = try context.existingObject(with: id)
                                    person.set("age", round)
                                    if round % 2 == 0 { person.set("tags", ["\(round)"]) }
                                }
                                context.make("Person", ["name": "w\(worker) \(round)", "tags": [round], "born": Date()])
                                try context.save()
                                for person in try context.all("Person") {
                                    _ = person.value(forKey: "tags")
                                    if person.rowVersion ?? 0 < 1 {
                                        failures.add("a row of version \(person.rowVersion ?? -1)")
                                    }
                                }
                                context.refreshAllObjects()
                            } catch {
                                failures.add("\(error)")
                            }
                        }
                    }
                }
            }
        }
        #expect(failures.all == [])
        #expect(try stack.savedNames("Person").count == 140)
    }

    @Test("many threads take turns in one context")
    func oneContext() async throws {
        let (stack, _) = try Self.stack(.inMemory, people: 0)
        let context = stack.newContext()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        if worker % 2 == 0 {
                            await context.perform { _ = context.make("Person", ["name": "\(worker) \(round)"]) }
                        } else {
                            context.performAndWait { _ = context.make("Person", ["name": "\(worker) \(round)"]) }
                        }
                    }
                }
            }
        }
        try context.run { context throws in
            #expect(context.insertedObjects.count == 400)
            try context.save()
        }
        #expect(try stack.savedNames("Person").count == 400)
    }

    @Test("models, containers and classes come into use on many threads at once")
    func models() async throws {
        let model = People.model()
        let names = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                    _ = try? coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
                    let context = NSManagedObjectContext(.privateQueue)
                    context.persistentStoreCoordinator = coordinator
                    return context.performAndWait { Pet(context: context).entity.name }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: "Pet", count: 8))
    }
}
