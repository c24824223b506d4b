import DataModel
import Foundation
import GraphTestSupport
import Predicates
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Faults that came with their values, when another context saves newer ones before they fire")
struct StaleRowTests {
    /// A store with persons named by numbers.
    private func stack(_ kind: StackKind, count: Int = 3) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.fresh { context in
            for number in 0..<count { context.make("Person", ["name": "\(number)", "age": number]) }
            context.make("Manager", ["name": "m", "level": 1])
            try context.save()
        }
        return stack
    }

    /// Faults that have their rows.
    private func faults(_ context: NSManagedObjectContext) throws -> [Recorder] {
        let found = try context.fetch(NSFetchRequest<Recorder>(entityName: "Person"))
        #expect(found.allSatisfy { $0.isFault && $0.rowVersion != nil })
        return found
    }

    private func elsewhere(_ stack: TestStack, _ change: (Recorder) -> Void) throws {
        try stack.fresh { context in
            for person in try context.all("Person") { change(person) }
            try context.save()
        }
    }

    @Test(
        "CTX-198: a fault that fires after another context's save has the new values; loaded objects keep theirs",
        arguments: StackKind.allCases)
    func newValues(_ kind: StackKind) throws {
        let stack = try stack(kind)
        try stack.run { context in
            let people = try faults(context)
            let loaded = try #require(people.first)
            let name = loaded.text("name")
            try elsewhere(stack) { person in
                person.set("name", "new " + (person.text("name") ?? ""))
                if person.entity.name == "Manager" { person.set("level", 2) }
            }
            #expect(Set(people.dropFirst().map { $0.text("name")?.hasPrefix("new ") }) == [true])
            #expect(people.first { $0.entity.name == "Manager" }?.number("level") == 2)
            #expect(loaded.text("name") == name)
        }
    }

    @Test(
        "CTX-198: a fault that fires after a batch update has the new values, after a batch delete the old ones; loaded objects keep theirs"
    )
    func batches() throws {
        let stack = try stack(.sqlite)
        try stack.run { context throws in
            let people = try context.fetch(NSFetchRequest<Recorder>.sorted("Person", "name"))
            #expect(people.last?.number("level") == 1)
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.predicate = NSPredicate(format: "name IN {'0', 'm'}")
            update.propertiesToUpdate = ["age": 70]
            _ = try context.execute(update)
            let delete = NSFetchRequest<Recorder>(entityName: "Person")
            delete.predicate = NSPredicate(format: "name == '1'")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: delete))
            #expect(people.map { $0.number("age") } == [70, 1, 2, 18])
        }
    }

    @Test("CTX-198: what is fired without a save elsewhere, or after a save of other rows, keeps the row it has")
    func usualCase() throws {
        let stack = try stack(.sqlite)
        try stack.run { context in
            let people = try faults(context)
            try stack.fresh { other in
                try other.named("0", "Person").set("age", 50)
                try other.save()
            }
            // This one is read again, the others are not.
            let zero = try #require(people.first { $0.text("name") == "0" })
            #expect(zero.rowVersion == 2)
            let untouched = people.filter { $0 !== zero }
            #expect(untouched.allSatisfy { $0.rowVersion == 1 })
            // A save of this very context is no reason either.
            zero.set("age", 51)
            try context.save()
            #expect(zero.rowVersion == 3)
            context.refreshAllObjects()
            #expect(try faults(context).allSatisfy { $0.number("age") != nil })
        }
    }

    @Test("CTX-198: also several saves later, and after the context's own saves", arguments: StackKind.allCases)
    func manySaves(_ kind: StackKind) throws {
        let stack = try stack(kind, count: 50)
        try stack.run { context in
            let people = try faults(context)
            for round in 1...5 {
                try elsewhere(stack) { $0.set("age", 1000 * round) }
                context.make("Team", ["name": "\(round)"])
                try context.save()
                // One at a time, so that some are as old as can be.
                #expect(people[round].number("age") == 1000 * round)
            }
            #expect(people[10...].allSatisfy { $0.number("age") == 5000 })
        }
    }

    @Test("CTX-198: more was written than is remembered: every fault reads the store")
    func forgottenWrites() throws {
        let stack = try stack(.sqlite)
        try stack.run { context in
            let people = try faults(context)
            try elsewhere(stack) { $0.set("age", 50) }
            let keys = Array(Int64(1000)..<Int64(1000 + 1 << 18))
            let batch = RecentWrites.Entry(root: 0, entity: 0, keys: keys, versions: keys)
            stack.store.recentWrites.add(batch, moment: stack.coordinator.clock.now + 1)
            stack.coordinator.clock.advance()
            #expect(stack.store.recentWrites.batches(after: 0, until: .max) == nil)
            #expect(people.allSatisfy { $0.number("age") == 50 })
        }
    }

    @Test("The writes after one save and up to another are found, the forgotten ones are not")
    func recentWrites() {
        let writes = RecentWrites()
        func batch(_ key: Int64) -> RecentWrites.Entry { RecentWrites.Entry(root: 0, entity: 0, keys: [key], versions: [key]) }
        for moment in 1...4 { writes.add(batch(Int64(moment)), moment: moment) }
        #expect(writes.batches(after: 0, until: 4)?.flatMap(\.keys).sorted() == [1, 2, 3, 4])
        #expect(writes.batches(after: 1, until: 3)?.flatMap(\.keys).sorted() == [2, 3])
        #expect(writes.batches(after: 4, until: 4)?.isEmpty == true)
        for moment in 5...(1 << 12 + 2) { writes.add(batch(Int64(moment)), moment: moment) }
        #expect(writes.batches(after: 1, until: 3) == nil)
        #expect(writes.batches(after: 2, until: 3)?.flatMap(\.keys) == [3])
    }

    @Test("An object that was changed without being loaded keeps the row it was changed on, so that the save finds the conflict")
    func changedFault() throws {
        let stack = try stack(.sqlite)
        try stack.run { context in
            let people = try faults(context)
            let changed = people[0]
            changed.set("age", 99)
            try elsewhere(stack) { $0.set("age", 50) }
            #expect(people[1].number("age") == 50)
            #expect(changed.number("age") == 99)
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            #expect(error.mergeConflicts.map(\.sourceObject) == [changed])
        }
    }

    @Test(
        "A fault whose row another context has deleted fires with the values it came with, and saving a change of it is a conflict"
    )
    func deletedRow() throws {
        let stack = try stack(.sqlite)
        try stack.run { context in
            let people = try faults(context)
            try stack.fresh { other in
                for person in try other.all("Person") { other.delete(person) }
                try other.save()
            }
            #expect(Set(people.map { $0.text("name") }) == ["0", "1", "2", "m"])
            #expect(people.allSatisfy { !$0.isDeleted })
            people[0].set("age", 77)
            #expect(try thrownError { try context.save() }.code == NSManagedObjectMergeError)
        }
    }

    @Test("In a pinned context a fault fires with the values of its generation, after it with the newest")
    func pinned() throws {
        let stack = try stack(.sqlite)
        try stack.run { context in
            let old = try faults(context)
            try elsewhere(stack) { $0.set("age", 100) }
            try context.setQueryGenerationFrom(.current)
            // The generation begins here, after that save and before the next.
            #expect(try context.all("Team") == [])
            try elsewhere(stack) { $0.set("age", 200) }
            #expect(old[0].number("age") == 100)
            #expect(old[1].number("age") == 100)
            try context.setQueryGenerationFrom(nil)
            #expect(old[0].number("age") == 100)
            #expect(old[2].number("age") == 200)
        }
    }
}
