import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("R40: random programs whose readings fail at random")
struct RandomReadingFailuresTests {
    /// What the store has to have, by the objects' IDs.
    private struct Saved: Equatable {
        var names: [NSManagedObjectID: String] = [:]
        var teams: [NSManagedObjectID: NSManagedObjectID?] = [:]
    }

    @Test("Nothing wrong is ever written, and nothing stops", arguments: 1...12)
    func program(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let faults = ReadingFaults()
        let kind: StackKind = seed % 2 == 0 ? .sqlite : .inMemory
        let stack = try TestStack(kind, People.model()) { FailingEngine($0, faults) }
        let (people, teams) = try stack.run { context throws in
            let teams = (0..<3).map { context.make("Team", ["name": "t\($0)"]) }
            let people = (0..<12).map { context.make("Person", ["name": "p\($0)", "team": teams[$0 % 3]]) }
            try context.save()
            return (people.map(\.objectID), teams.map(\.objectID))
        }
        var saved = Saved()
        for (index, id) in people.enumerated() {
            saved.names[id] = "p\(index)"
            saved.teams[id] = teams[index % 3]
        }
        let context = stack.newContext()
        context.readingFailurePolicy = .record
        try context.run { context throws in
            var wanted = saved
            var held: [NSManagedObject] = []
            for step in 0..<150 {
                let salt = UInt64.random(in: 0..<UInt64.max, using: &random)
                let rate = [0, 0, 4, 9][Int.random(in: 0..<4, using: &random)]
                faults.fail { question in
                    var hash = salt
                    for byte in "\(question)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                    return hash >> 32 % 10 < UInt64(rate)
                }
                let id = people[Int.random(in: 0..<people.count, using: &random)]
                let person = context.object(with: id)
                held.append(person)
                // What is set on an object that could not be read is dropped when it is read.
                func isRead() -> Bool { !person.isUnread }
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1:
                    // Blindly, or after reading.
                    person.set("name", Bool.random(using: &random) ? "n\(step)" : (person.text("name") ?? "") + "+")
                    if isRead() { wanted.names[id] = person.text("name") }
                case 2:
                    let team = teams[Int.random(in: 0..<3, using: &random)]
                    person.set("team", context.object(with: team))
                    if isRead() { wanted.teams[id] = team }
                case 3:
                    person.set("team", nil)
                    if isRead() { wanted.teams[id] = .some(nil) }
                case 4: _ = context.object(with: teams[Int.random(in: 0..<3, using: &random)]).names("members")
                case 5:
                    context.refresh(person, mergeChanges: true)
                case 6:
                    _ = try? context.all("Person")
                default:
                    let failures = context.readingFailures
                    let didSave = (try? context.save()) != nil
                    #expect(!didSave || failures.isEmpty, "seed \(seed), step \(step)")
                    if didSave { saved = wanted }
                    faults.failNothing()
                    if !didSave, Bool.random(using: &random) {
                        for failure in failures {
                            let object = context.object(with: failure.objectID)
                            context.refresh(object, mergeChanges: true)
                            if object.entity.relationshipsByName["members"] != nil { _ = object.many("members") }
                            try object.load()
                        }
                        #expect(context.readingFailures.isEmpty, "seed \(seed), step \(step)")
                        try context.save()
                        saved = wanted
                    } else if !didSave {
                        context.reset()
                        held = []
                        wanted = saved
                    }
                    let found = try stack.fresh { other throws in
                        var found = Saved()
                        for person in try other.all("Person") {
                            found.names[person.objectID] = person.text("name")
                            found.teams[person.objectID] = .some(person.one("team")?.objectID)
                        }
                        return found
                    }
                    #expect(found == saved, "seed \(seed), step \(step)")
                }
            }
            faults.failNothing()
            context.reset()
            withExtendedLifetime(held) {}
        }
    }
}
