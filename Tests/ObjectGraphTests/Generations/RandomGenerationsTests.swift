import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Random saves, and readers pinned at random moments")
struct RandomGenerationsTests {
    /// What a reader should see: each person's age and team.
    private typealias State = [String: String]

    private struct Reader {
        let context: NSManagedObjectContext
        var expected: State
        var token: NSQueryGenerationToken?
    }

    private func state(_ context: NSManagedObjectContext) throws -> State {
        var state: State = [:]
        for person in try context.all("Person") {
            state[person.text("name") ?? ""] = "\(person.number("age") ?? -1) \(person.one("team")?.text("name") ?? "-")"
        }
        // The same from the other side.
        for team in try context.all("Team") {
            for member in team.names("members") { #expect(state[member]?.hasSuffix(team.text("name") ?? "?") == true) }
        }
        return state
    }

    @Test(
        "CTX-191…196: every pinned context reads exactly the state of its moment, by values or by faults, alone or by another's token",
        arguments: 1...4 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Of its own: how many objects it is asked for depends on more than the seed.
        var refreshing = SeededGenerator(seed: seed)
        let stack = try TestStack.people(.sqlite)
        var readers: [Reader] = []
        var number = 0
        func pick<C: Collection>(_ collection: C) -> C.Element? { collection.randomElement(using: &random) }
        for step in 0..<40 {
            try stack.run { context in
                let people = try context.all("Person")
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    number += 1
                    context.make("Person", ["name": "p\(number)", "age": number, "team": pick(try context.all("Team"))])
                case 1:
                    number += 1
                    let team = context.make("Team", ["name": "t\(number)"])
                    for person in people where Bool.random(using: &random) { person.set("team", team) }
                case 2: for person in people where Bool.random(using: &random) { person.set("age", step * 100) }
                default: for object in [pick(people), pick(try context.all("Team"))] { if let object { context.delete(object) } }
                }
                try context.save()
            }
            let now = try stack.fresh { try state($0) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where readers.count < 5:
                let context = stack.newContext()
                try context.run { context in
                    try context.setQueryGenerationFrom(.current)
                    // Pins.
                    _ = try context.all("Badge")
                }
                readers.append(Reader(context: context, expected: now, token: context.queryGenerationToken))
            case 1:
                if let other = pick(readers), readers.count < 8 {
                    let context = stack.newContext()
                    try context.run { try $0.setQueryGenerationFrom(other.token) }
                    readers.append(Reader(context: context, expected: other.expected, token: other.token))
                }
            case 2:
                if let index = pick(readers.indices) {
                    try readers[index].context.run { context in
                        context.refreshAllObjects()
                        _ = try context.all("Badge")
                        readers[index].token = context.queryGenerationToken
                    }
                    readers[index].expected = now
                }
            default: if let index = pick(readers.indices), readers.count > 3 { readers.remove(at: index) }
            }
            for reader in readers {
                try reader.context.run { context in
                    let found = try state(context)
                    #expect(found == reader.expected, "seed \(seed), step \(step)")
                    #expect(context.queryGenerationToken == reader.token)
                    // Half of them read everything once more next time.
                    for object in context.registeredObjects where Bool.random(using: &refreshing) {
                        context.refresh(object, mergeChanges: false)
                    }
                }
            }
        }
        #expect(number > 0)
        readers.removeAll()
        #expect(try Database(stack.folder.file("store.sqlite")).text("PRAGMA wal_checkpoint(TRUNCATE)") == "0")
    }
}
