import Foundation
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Fetched results")
struct FetchedResultsTests {
    @Test("They are a collection of typed objects that follows its context", arguments: StackKind.allCases)
    func collection(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            for name in ["Cid", "Alice"] { context.make("Person", ["name": name]) }
            let results = try FetchedResults(.persons(), in: context)
            #expect(results.map { $0.text("name") } == ["Alice", "Cid"] && results.managedObjectContext === context)
            let bob = context.make("Person", ["name": "Bob"])
            #expect(results.count == 2)
            context.processPendingChanges()
            #expect(results.count == 3 && results[1] === bob && results.position(of: bob) == 1)
            #expect(results.objectIDs == results.map(\.objectID) && results.last?.text("name") == "Cid")
            #expect(results.snapshot.itemIdentifiers == results.objectIDs && results.snapshot.sectionIdentifiers == [""])
            #expect(results.sections.count == 1 && Array(results.sections[0]) == Array(results))
        }
    }

    @Test("Sections are collections; those given out stay as they were")
    func sections() throws {
        try TestStack.people().run { context in
            for (name, age) in [("A", 1), ("B", 2), ("C", 1)] { context.make("Person", ["name": name, "age": age]) }
            let results = try FetchedResults(.persons(by: ["age", "name"]), in: context, sectionedBy: "age")
            let old = results.sections
            var told: [FetchedResultsDifference] = []
            let observation = results.observe { told.append($0) }
            results[0].set("age", 3)
            context.processPendingChanges()
            #expect(old.map(\.name) == ["1", "2"] && old[0].map { $0.text("name") } == ["A", "C"])
            #expect(results.sections.map(\.name) == ["1", "2", "3"])
            #expect(told.count == 1 && told[0].sections.insertions.count == 1 && told[0].sections.removals.isEmpty)
            #expect(old.map(\.name).applying(told[0].sections) == results.sections.map(\.name))
            withExtendedLifetime(observation) {}
        }
    }

    @Test("B05: differences are consistent, moves are pairs, updates are told by ID")
    func differences() throws {
        try TestStack.people().run { context in
            let persons = ["A", "B", "C"].map { context.make("Person", ["name": $0]) }
            let results = try FetchedResults(.persons(), in: context)
            var told: [FetchedResultsDifference] = []
            let observation = results.observe { difference in
                #expect(results.count == 4)
                told.append(difference)
            }
            let before = results.objectIDs
            persons[0].set("name", "Z")
            persons[1].set("age", 5)
            context.make("Person", ["name": "Bb"])
            context.processPendingChanges()
            #expect(told.count == 1 && before.applying(told[0].objectIDs) == results.objectIDs)
            #expect(told[0].updatedIDs == [persons[0].objectID, persons[1].objectID])
            #expect(told[0].objectIDs.removals.count == 1 && told[0].objectIDs.insertions.count == 2)
            guard case .remove(0, persons[0].objectID, 3)? = told[0].objectIDs.removals.first else {
                Issue.record("no move in \(told[0].objectIDs)")
                return
            }
            withExtendedLifetime(observation) {}
        }
    }

    @Test("An observation ends by cancelling, by going, and with the results; handlers go with it")
    func endOfObservation() throws {
        final class Probe { var count = 0 }
        try TestStack.people().run { context in
            var results: FetchedResults<Recorder>? = try FetchedResults(.persons(), in: context)
            weak let weakResults = results
            weak var weakProbe: Probe?
            let outer = Probe()
            func observe() -> ManagedObjectObservation? {
                let probe = Probe()
                weakProbe = probe
                return results?.observe { _ in
                    probe.count += 1
                    outer.count += 1
                }
            }
            func change() {
                context.make("Person")
                context.processPendingChanges()
            }
            var observation = observe()
            change()
            #expect(outer.count == 1 && weakProbe?.count == 1)
            observation?.cancel()
            #expect(weakProbe == nil)
            observation?.cancel()
            change()
            observation = observe()
            observation = nil
            #expect(weakProbe == nil)
            change()
            #expect(outer.count == 1 && results?.count == 3)
            observation = observe()
            results = nil
            #expect(weakResults == nil && weakProbe == nil)
            change()
            #expect(outer.count == 1)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("A reset empties the results and tells it; fetching again fills them", arguments: StackKind.allCases)
    func reset(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            for name in ["A", "B"] { context.make("Person", ["name": name, "age": 1]) }
            try context.save()
            let results = try FetchedResults(.persons(), in: context, sectionedBy: "age")
            var ids = results.objectIDs
            let observation = results.observe { difference in ids = ids.applying(difference.objectIDs) ?? [] }
            context.reset()
            #expect(results.isEmpty && ids.isEmpty && results.sections.isEmpty)
            try results.refetch()
            #expect(results.map { $0.text("name") } == ["A", "B"] && ids == results.objectIDs)
            context.make("Person", ["name": "Aa", "age": 1])
            context.processPendingChanges()
            #expect(results.count == 3 && ids == results.objectIDs)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("Another order or predicate takes effect by fetching again, which tells what is different")
    func refetch() throws {
        try TestStack.people().run { context in
            for (name, age) in [("A", 3), ("B", 2), ("C", 1), ("D", 0)] { context.make("Person", ["name": name, "age": age]) }
            let request = NSFetchRequest<Recorder>.persons()
            let results = try FetchedResults(request, in: context)
            var told: [FetchedResultsDifference] = []
            let observation = results.observe { told.append($0) }
            let before = results.objectIDs
            try results.refetch()
            #expect(told.isEmpty)
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            request.predicate = NSPredicate(format: "age > 0")
            try results.refetch()
            #expect(results.map { $0.text("name") } == ["C", "B", "A"])
            #expect(told.count == 1 && before.applying(told[0].objectIDs) == results.objectIDs && told[0].updatedIDs.isEmpty)
            request.sortDescriptors = [NSSortDescriptor(key: "nothing", ascending: true)]
            #expect(throws: (any Error).self) { try results.refetch() }
            #expect(results.count == 3 && told.count == 1)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("Without sort descriptors new objects come last")
    func unsorted() throws {
        try TestStack.people().run { context in
            for name in ["B", "A"] { context.make("Person", ["name": name]) }
            try context.save()
            let results = try FetchedResults(.persons(by: []), in: context)
            context.make("Person", ["name": "0"])
            context.processPendingChanges()
            #expect(results.last?.text("name") == "0")
        }
    }

    @Test("A request for another class is an error")
    func wrongClass() throws {
        try TestStack.people().run { context in
            context.make("Person")
            let error = try thrownError { _ = try FetchedResults(NSFetchRequest<Pet>(entityName: "Person"), in: context) }
            #expect(error.code == 134060 && error.localizedDescription.contains("Pet"))
        }
    }

    @Test(
        "Differences as a sequence: all of them, in order, on any task; it ends with the results, and when its reader is cancelled"
    )
    func sequence() async throws {
        let stack = try TestStack.people()
        let context = stack.context
        nonisolated(unsafe) var results: FetchedResults<Recorder>?
        let (start, differences, others) = try await context.perform {
            let fetched = try FetchedResults(.persons(), in: context)
            results = fetched
            return (fetched.objectIDs, fetched.differences(), fetched.differences())
        }
        let reader = Task { for await _ in others {} }
        reader.cancel()
        await reader.value
        for name in ["C", "A", "B"] { await context.perform { _ = context.make("Person", ["name": name]) } }
        let end = await context.perform {
            defer { results = nil }
            return results?.objectIDs
        }
        var ids = start
        var count = 0
        for await difference in differences {
            ids = ids.applying(difference.objectIDs) ?? []
            count += 1
        }
        #expect(count == 3 && ids == end && ids.count == 3)
    }
}
