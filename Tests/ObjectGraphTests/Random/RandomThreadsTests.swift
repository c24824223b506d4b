import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// Contexts on threads of their own that change one store and merge each other's saves.
@Suite("Random changes on many threads")
struct RandomThreadsTests {
    private static let threads = 8

    @Test(
        "CTX-100, CTX-177: eight contexts on eight threads change one store, merge each other's saves, and agree at the end",
        arguments: StackKind.allCases, RandomProgramTests.seeds(2))
    func threads(_ kind: StackKind, _ seed: UInt64) async throws {
        let stack = try TestStack.people(kind)
        let watch = try SaveWatch(stack)
        defer { #expect(watch.problems == [], "OPENCOREDATA_SEED=\(seed), \(kind)") }
        let contexts = (0..<Self.threads).map { _ in stack.newContext() }
        for context in contexts {
            context.automaticallyMergesChangesFromParent = true
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        }
        let problems = SharedLog()
        let saves = SharedLog()
        await withTaskGroup(of: Void.self) { group in
            for (index, context) in contexts.enumerated() {
                group.addTask {
                    await onThread {
                        for round in 0..<12 {
                            context.performAndWait {
                                var random = SeededGenerator(seed: seed * 10_000 + UInt64(index * 100 + round))
                                do {
                                    var held: [NSManagedObject] = []
                                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                                        try RandomRivalsTests.change(context, &random, &held, readsFirst: true)
                                    }
                                    if Int.random(in: 0..<8, using: &random) == 0 { return context.rollback() }
                                    try context.save()
                                    saves.add("\(index)")
                                } catch {
                                    problems.add("thread \(index): \(error)")
                                    context.rollback()
                                }
                            }
                        }
                    }
                }
            }
        }
        #expect(problems.all == [], "OPENCOREDATA_SEED=\(seed), \(kind)")
        #expect(saves.all.count > 20)
        // What is still to be merged waits in the queues.
        let stored = try stack.fresh { context throws in
            let picture = try RandomRivalsTests.picture(context)
            context.check()
            #expect(!context.hasChanges, "something in the store points at rows that are gone")
            return picture
        }
        #expect(!stored.isEmpty)
        for context in contexts {
            await withCheckedContinuation { next in context.perform { next.resume() } }
            let shown = try context.run { try RandomRivalsTests.picture($0) }
            #expect(RandomRivalsTests.difference(stored, shown) == [], "OPENCOREDATA_SEED=\(seed), \(kind)")
        }
    }
}

/// Runs a block on a new thread, and waits for its end.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread {
            body()
            continuation.resume()
        }.start()
    }
}
