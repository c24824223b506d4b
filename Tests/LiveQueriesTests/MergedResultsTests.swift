import Foundation
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Fetched results and merges")
struct MergedResultsTests {
    /// A controller in the second context over persons saved by the first: Alice 10, Bob 20, Cid 30.
    private func watch(
        _ kind: StackKind, predicate: NSPredicate? = nil, loads: Bool = false,
        _ body: (Rivals, NSFetchedResultsController<Recorder>, ResultsDelegate) throws -> Void
    ) throws {
        let rivals = try Rivals(kind) { context in
            for (name, age) in [("Alice", 10), ("Bob", 20), ("Cid", 30)] {
                _ = context.make("Person", ["name": name, "age": age])
            }
        }
        let delegate = ResultsDelegate()
        let controller = try rivals.second.run { context in
            let controller = NSFetchedResultsController(
                fetchRequest: .persons(by: ["name"], predicate), managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            if loads { _ = controller.fetchedObjects?.map { $0.number("age") } }
            return controller
        }
        try body(rivals, controller, delegate)
    }

    private func saveAndMerge(_ rivals: Rivals, _ change: (NSManagedObjectContext) throws -> Void) throws {
        var saved: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: rivals.first) { saved = $0 }
        try rivals.first.run { context in
            try change(context)
            try context.save()
        }
        withExtendedLifetime(observer) {}
        let notification = try #require(saved)
        try rivals.second.runUnchecked { rivals.second.mergeChanges(fromContextDidSave: notification) }
    }

    @Test(
        "FET-142, B04, B05: a merged insertion, edit and deletion are one step each, whether or not the object was loaded; other entities are none",
        arguments: StackKind.allCases, [true, false])
    func merge(_ kind: StackKind, _ loads: Bool) throws {
        try watch(kind, loads: loads) { rivals, controller, delegate in
            try saveAndMerge(rivals) { context in
                context.make("Team", ["name": "Blue"])
                context.make("Person", ["name": "Adam"])
            }
            #expect(delegate.take() == ("wod", ["insert Adam - 0.0"]))
            try saveAndMerge(rivals) { try $0.named("Bob", "Person").set("flag", true) }
            #expect(delegate.take() == ("wod", ["update Bob 0.2 0.2"]))
            try saveAndMerge(rivals) { try $0.named("Bob", "Person").set("name", "Zoe") }
            #expect(delegate.take() == ("wod", ["move Zoe 0.2 0.3"]))
            try saveAndMerge(rivals) { $0.delete(try $0.named("Cid", "Person")) }
            #expect(delegate.take() == ("wod", ["delete Cid 0.2 -"]))
            #expect(controller.names == [["Adam", "Alice", "Zoe"]])
        }
    }

    @Test("FET-135: a merged edit makes an object match that the context did not know", arguments: StackKind.allCases)
    func unknownObject(_ kind: StackKind) throws {
        try watch(kind, predicate: NSPredicate(format: "age > 15")) { rivals, controller, delegate in
            try saveAndMerge(rivals) { try $0.named("Alice", "Person").set("age", 40) }
            #expect(delegate.take() == ("wod", ["insert Alice - 0.0"]))
            try saveAndMerge(rivals) { try $0.named("Bob", "Person").set("age", 1) }
            #expect(delegate.take() == ("wod", ["delete Bob 0.1 -"]))
            #expect(controller.names == [["Alice", "Cid"]])
        }
    }

    @Test(
        "FET-146: an object for which the predicate can't be evaluated is none of the results, and stops neither the round nor the program",
        arguments: StackKind.allCases)
    func unevaluable(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let persons = ["ra.", "r[ao]n", "x"].map { context.make("Person", ["name": $0]) }
            try context.save()
            let predicate = NSPredicate(format: "'ran' MATCHES name")
            let delegate = ResultsDelegate()
            let controller = NSFetchedResultsController<Recorder>(
                fetchRequest: .persons(by: ["name"], predicate), managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            let results = try FetchedResults(.persons(by: ["name"], predicate), in: context)
            #expect(controller.names == [["r[ao]n", "ra."]])
            persons[0].set("name", "ra(")
            persons[2].set("name", "r.n")
            context.processPendingChanges()
            #expect(controller.names == [["r.n", "r[ao]n"]] && results.map { $0.text("name") } == ["r.n", "r[ao]n"])
            #expect(delegate.take() == ("wood", ["delete ra( 0.1 -", "insert r.n - 0.0"]))
            // It comes back when it can be judged.
            persons[0].set("name", "ran")
            context.processPendingChanges()
            #expect(results.count == 3)
        }
    }

    @Test(
        "FET-140, NTF-98: objects of a removed store are told of as invalidated and leave the results",
        arguments: StackKind.allCases)
    func removedStore(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let delegate = ResultsDelegate()
        let controller = try stack.run { context in
            for name in ["a", "b", "c"] {
                let person = context.make("Person", ["name": name])
                if name == "b" { context.assign(person, to: second) }
            }
            try context.save()
            let controller = NSFetchedResultsController<Recorder>(
                fetchRequest: .persons(by: ["name"], nil), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            return controller
        }
        var told: [[AnyHashable: Any]] = []
        let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: stack.context) { told.append($0.userInfo ?? [:]) }
        // From elsewhere: the context hears of it on its queue, later.
        try stack.coordinator.remove(second)
        try stack.run { context in
            #expect(told.count == 1 && told.first?.count == 1)
            let invalid = told.first?[NSInvalidatedObjectsKey] as? Set<NSManagedObject>
            #expect(invalid?.map { $0.text("name") } == ["b"])
            #expect(delegate.take() == ("wod", ["delete b 0.1 -"]))
            #expect(controller.names == [["a", "c"]])
            try controller.performFetch()
            #expect(controller.names == [["a", "c"]])
        }
        withExtendedLifetime(observer) {}
    }

    @Test(
        "FET-141, B08: what was written past the contexts is unseen until it is merged by its IDs, then 3 insertions for 3 IDs",
        arguments: StackKind.allCases)
    func remote(_ kind: StackKind) throws {
        try watch(kind) { rivals, controller, delegate in
            let ids = try rivals.first.run { context in
                let persons = ["X", "Y", "Z"].map { context.make("Person", ["name": $0]) }
                try context.save()
                return persons.map(\.objectID)
            }
            #expect(delegate.order == "")
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [rivals.second])
            #expect(delegate.take() == ("woood", ["insert X - 0.3", "insert Y - 0.4", "insert Z - 0.5"]))
            try rivals.first.run { context in
                for id in ids.dropFirst() { context.delete(context.object(with: id)) }
                try context.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: Array(ids.dropFirst())], into: [rivals.second])
            #expect(delegate.take().steps.map { $0.prefix(6) } == ["delete", "delete"])
            #expect(controller.fetchedObjects?.count == 4)
        }
    }

    @Test("A child context's save reaches its parent's controller", arguments: StackKind.allCases)
    func child(_ kind: StackKind) throws {
        try watch(kind) { rivals, controller, delegate in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = rivals.second
            try child.run { context in
                context.make("Person", ["name": "Dora"])
                try context.named("Alice", "Person").set("age", 11)
                try context.save()
            }
            #expect(delegate.take() == ("wood", ["insert Dora - 0.3", "update Alice 0.0 0.0"]))
        }
    }

    @Test("Saves are merged automatically into fetched results", arguments: StackKind.allCases)
    func automatic(_ kind: StackKind) async throws {
        let stack = try TestStack.people(kind)
        let view = stack.newContext()
        view.automaticallyMergesChangesFromParent = true
        nonisolated(unsafe) var results: FetchedResults<Recorder>?
        let differences = try await view.perform {
            let fetched = try FetchedResults(.persons(), in: view)
            results = fetched
            return fetched.differences()
        }
        try stack.run { context in
            context.make("Person", ["name": "Alice"])
            try context.save()
        }
        var iterator = differences.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.objectIDs.insertions.count == 1)
        try stack.run { context in
            try context.named("Alice", "Person").set("age", 50)
            try context.save()
        }
        let second = await iterator.next()
        #expect(second?.objectIDs.isEmpty == true && second?.updatedIDs.count == 1)
        await view.perform {
            #expect(results?.map { $0.number("age") } == [50])
            results = nil
        }
        #expect(await iterator.next() == nil)
    }
}
