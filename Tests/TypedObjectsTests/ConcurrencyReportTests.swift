import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Reports about contexts and Swift concurrency")
struct ConcurrencyReportTests {
    /// An actor that works with a context of its own.
    private actor Desk {
        private let context: NSManagedObjectContext
        private var partner: Desk?

        init(_ store: TestStore) { context = store.container.newBackgroundContext() }

        func meet(_ partner: Desk) { self.partner = partner }

        /// Passes a film on until all rounds are played; each hop waits for the other actor, which waits for this one.
        func play(_ rounds: Int) async throws -> Int {
            let context = context
            let count = try await context.perform {
                _ = Director(context: context, name: "\(rounds)")
                try context.save()
                return try context.count(of: Director.self)
            }
            guard rounds > 1, let partner else { return count }
            return try await partner.play(rounds - 1)
        }
    }

    @Test("B14: actors that wait for each other's contexts don't block the threads they run on", .timeLimit(.minutes(5)))
    func pingPong() async throws {
        let store = try TestStore.cinema()
        let pairs = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<pairs {
                let (one, other) = (Desk(store), Desk(store))
                await one.meet(other)
                await other.meet(one)
                group.addTask { try await one.play(10) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == pairs && counts.allSatisfy { (10...(10 * pairs)).contains($0) })
        let saved = try store.fresh { try $0.count(of: Director.self) }
        #expect(saved == 10 * pairs)
    }

    @Test(
        "B15: work written on the main actor runs on the context's queue and returns IDs; capturing the actor's state there does not compile"
    )
    @MainActor func fromTheMainActor() async throws {
        let store = try TestStore.cinema()
        let context = store.container.newBackgroundContext()
        // A closure that is not @Sendable, and so could touch `self` or the main actor, does not convert to this type.
        let perform: (@escaping @Sendable () throws -> [NSManagedObjectID]) async throws -> [NSManagedObjectID] = {
            try await context.perform($0)
        }
        let ids = try await perform {
            // On the main actor's thread this would trap.
            dispatchPrecondition(condition: .notOnQueue(.main))
            let directors = ["a", "b"].map { Director(context: context, name: $0) }
            try context.save()
            return directors.map(\.objectID)
        }
        let names = try store.fresh { context in
            try ids.map { try context.existingObject(with: $0).value(forKey: "name") as? String }
        }
        #expect(names == ["a", "b"])
    }
}
