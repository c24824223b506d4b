import Foundation
import FoundationGaps
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("What a fetched results controller tells")
struct ResultsChangeTests {
    /// Persons named A, B, C… with ages 0, 10, 20…, saved, their controller, and its delegate.
    private func watch(
        _ kind: StackKind = .inMemory, _ names: String = "ABCDE", by keys: [String] = ["name"], sections: String? = nil,
        predicate: NSPredicate? = nil,
        _ body: (NSManagedObjectContext, [Recorder], NSFetchedResultsController<Recorder>, ResultsDelegate) throws -> Void
    ) throws {
        try TestStack.people(kind).run { context in
            let persons = names.enumerated().map { context.make("Person", ["name": "\($1)", "age": $0 * 10]) }
            try context.save()
            let delegate = ResultsDelegate()
            let controller = NSFetchedResultsController(
                fetchRequest: .persons(by: keys, predicate), managedObjectContext: context, sectionNameKeyPath: sections,
                cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            try body(context, persons, controller, delegate)
        }
    }

    @Test(
        "FET-126, FET-127, FET-129: an insertion is told when changes are processed, with its new path alone",
        arguments: StackKind.allCases)
    func insert(_ kind: StackKind) throws {
        try watch(kind) { context, _, controller, delegate in
            context.make("Person", ["name": "Bb"])
            #expect(delegate.order == "")
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["insert Bb - 0.2"]))
            #expect(controller.names == [["A", "B", "Bb", "C", "D", "E"]])
        }
    }

    @Test("FET-129: a deletion has its old path alone", arguments: StackKind.allCases)
    func delete(_ kind: StackKind) throws {
        try watch(kind) { context, persons, controller, delegate in
            context.delete(persons[1])
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["delete B 0.1 -"]))
            #expect(controller.names == [["A", "C", "D", "E"]])
            try context.save()
            #expect(delegate.order == "")
        }
    }

    @Test(
        "FET-130, B04, B05: an edit of something else than the order is one update at the same path",
        arguments: StackKind.allCases)
    func update(_ kind: StackKind) throws {
        try watch(kind) { context, persons, controller, delegate in
            persons[2].set("age", 99)
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["update C 0.2 0.2"]))
            #expect(controller.fetchedObjects?.count == 5)
        }
    }

    @Test("FET-131, FET-132: an edit of the sort key is one move; who is shifted by it is not told of")
    func move() throws {
        try watch { context, persons, controller, delegate in
            persons[0].set("name", "Dd")
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["move Dd 0.0 0.3"]))
            #expect(controller.names == [["B", "C", "D", "Dd", "E"]])
        }
    }

    @Test("FET-131, B04: an edit of the sort key that leaves the order as it is, is an update")
    func noMove() throws {
        try watch { context, persons, _, delegate in
            persons[1].set("name", "Bx")
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["update Bx 0.1 0.1"]))
        }
    }

    @Test("FET-131: of two changed neighbours the one whose sort key changed moves, the other is updated")
    func neighbours() throws {
        try watch { context, persons, _, delegate in
            persons[0].set("name", "Bb")
            persons[1].set("age", 99)
            context.processPendingChanges()
            #expect(delegate.take() == ("wood", ["move Bb 0.0 0.1", "update B 0.1 0.0"]))
        }
    }

    @Test("The example at the head of ResultsPlanner.swift: one goes, one moves, one is updated, one comes")
    func example() throws {
        try watch(.inMemory, "ABCDEF", by: ["age"]) { context, persons, controller, delegate in
            context.delete(persons[1])
            persons[2].set("age", 45)
            persons[4].set("name", "e")
            context.make("Person", ["name": "G", "age": 15])
            context.processPendingChanges()
            #expect(
                delegate.take()
                    == ("wooood", ["delete B 0.1 -", "insert G - 0.1", "move C 0.2 0.4", "update e 0.4 0.3"]))
            #expect(controller.names == [["A", "G", "D", "e", "C", "F"]])
        }
    }

    @Test(
        "FET-132, FET-136, FET-137: 1 deletion, 2 updates, 1 move and 2 insertions are exactly six steps; old paths before all, new paths after all"
    )
    func several() throws {
        try watch { context, persons, controller, delegate in
            context.delete(persons[0])
            persons[1].set("age", 1)
            persons[3].set("age", 1)
            persons[4].set("name", "Aa")
            context.make("Person", ["name": "Cc"])
            context.make("Person", ["name": "Z"])
            context.processPendingChanges()
            delegate.replay(ResultsDelegate.contents(try #require(delegate.controllers.first)))
            #expect(
                delegate.take()
                    == (
                        "wooooood",
                        [
                            "delete A 0.0 -", "insert Cc - 0.3", "insert Z - 0.5", "move Aa 0.4 0.0", "update B 0.1 0.1",
                            "update D 0.3 0.4",
                        ]
                    ))
            #expect(controller.names == [["Aa", "B", "C", "Cc", "D", "Z"]])
        }
    }

    @Test(
        "FET-128: what does not concern the results is not told: other entities, objects that don't match, new ones deleted at once"
    )
    func unrelated() throws {
        try watch(predicate: NSPredicate(format: "age < 100")) { context, _, _, delegate in
            context.make("Team", ["name": "Blue"])
            let old = context.make("Person", ["name": "Old", "age": 100])
            context.delete(context.make("Person", ["name": "Short"]))
            context.processPendingChanges()
            old.set("age", 200)
            context.processPendingChanges()
            context.delete(old)
            try context.save()
            context.processPendingChanges()
            #expect(delegate.order == "")
        }
    }

    @Test(
        "FET-135, FET-151: an edit that ends or begins to match is a deletion or an insertion; another predicate needs another fetch"
    )
    func matching() throws {
        try watch(predicate: NSPredicate(format: "age < 25")) { context, persons, controller, delegate in
            persons[1].set("age", 30)
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["delete B 0.1 -"]))
            persons[4].set("age", 5)
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["insert E - 0.2"]))
            controller.fetchRequest.predicate = nil
            persons[3].set("age", 31)
            context.processPendingChanges()
            #expect(delegate.order == "" && controller.names == [["A", "C", "E"]])
            try controller.performFetch()
            #expect(delegate.order == "" && controller.names == [["A", "B", "C", "D", "E"]])
            persons[3].set("age", 32)
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["update D 0.3 0.3"]))
        }
    }

    @Test(
        "FET-133, FET-134, FET-127: sections come before objects; a new one has its object, a deleted one has none",
        arguments: StackKind.allCases)
    func sections(_ kind: StackKind) throws {
        try watch(kind, by: ["age", "name"], sections: "age") { context, persons, controller, delegate in
            context.make("Person", ["name": "X", "age": 15])
            context.processPendingChanges()
            let info = try #require(delegate.sectionSteps.first?.info)
            #expect(info.name == "15" && info.indexTitle == "1" && info.numberOfObjects == 1)
            #expect((info.objects?.first as? NSManagedObject)?.text("name") == "X")
            #expect(delegate.take() == ("wsod", ["insert X - 2.0", "section insert 2 “15”"]))
            // From one section into another, which leaves the first one empty.
            persons[4].set("age", 0)
            context.processPendingChanges()
            #expect(delegate.sectionSteps.first?.info.numberOfObjects == 0)
            #expect(delegate.take() == ("wsod", ["move E 5.0 0.1", "section delete 5 “40”"]))
            #expect(controller.names == [["A", "E"], ["B"], ["X"], ["C"], ["D"]])
            // Its section goes and another one comes.
            persons[1].set("age", 99)
            context.processPendingChanges()
            delegate.replay(ResultsDelegate.contents(try #require(delegate.controllers.first)))
            #expect(delegate.take() == ("wssod", ["move B 1.0 4.0", "section delete 1 “10”", "section insert 4 “99”"]))
            // 1 section comes, 2 go.
            for person in [persons[0], persons[4]] { person.set("age", 98) }
            context.delete(persons[2])
            context.processPendingChanges()
            delegate.replay(ResultsDelegate.contents(try #require(delegate.controllers.first)))
            #expect(
                delegate.take()
                    == (
                        "wsssoood",
                        [
                            "delete C 2.0 -", "move A 0.0 2.0", "move E 0.1 2.1", "section delete 0 “0”", "section delete 2 “20”",
                            "section insert 2 “98”",
                        ]
                    ))
        }
    }

    @Test("FET-152: the old results in willChange, the new ones from then on")
    func whatIsSeen() throws {
        try watch { context, persons, controller, delegate in
            var seen: [String] = []
            delegate.reaction = { call, untyped in
                seen.append("\(call)\(controller.fetchedObjects?.count ?? -1)\(untyped.sections?[0].numberOfObjects ?? -1)")
                #expect((controller.indexPath(forObject: persons[0]) != nil) == (call == "w"))
            }
            context.delete(persons[0])
            context.delete(persons[1])
            context.processPendingChanges()
            #expect(seen == ["w55", "o33", "o33", "d33"])
        }
    }

    @Test("FET-125, FET-150: without delegate nothing changes; what became of the results meanwhile is told with the next change")
    func noDelegate() throws {
        try watch { context, persons, controller, delegate in
            controller.delegate = nil
            context.delete(persons[0])
            persons[1].set("name", "Dd")
            try context.save()
            #expect(delegate.order == "" && controller.fetchedObjects?.count == 5)
            controller.delegate = delegate
            #expect(delegate.order == "")
            context.make("Person", ["name": "New"])
            context.processPendingChanges()
            delegate.replay([try #require(controller.fetchedObjects)])
            let steps = delegate.take().steps
            #expect(
                steps.contains("delete (gone) 0.0 -") && steps.contains("move Dd 0.1 0.2") && steps.contains("insert New - 0.4"))
            #expect(controller.names == [["C", "D", "Dd", "E", "New"]])
        }
    }

    @Test("FET-138: members that the program refreshes are told as updates, in their places")
    func refreshAll() throws {
        try watch(.sqlite) { context, persons, controller, delegate in
            context.refreshAllObjects()
            context.processPendingChanges()
            let (order, steps) = delegate.take()
            #expect(order == "woooood" && steps.allSatisfy { $0.hasPrefix("update ") })
            #expect(controller.fetchedObjects == persons)
            _ = persons[1].text("name")
            context.refresh(persons[1], mergeChanges: true)
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["update B 0.1 0.1"]))
        }
    }

    @Test("FET-139: a reset tells nothing; fetching again brings the objects back and changes are told again")
    func reset() throws {
        try watch { context, _, controller, delegate in
            context.reset()
            context.make("Person", ["name": "Unseen"])
            context.processPendingChanges()
            #expect(delegate.order == "")
            try controller.performFetch()
            #expect(controller.names == [["A", "B", "C", "D", "E", "Unseen"]])
            context.make("Person", ["name": "F"])
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["insert F - 0.5"]))
        }
    }

    @Test(
        "FET-155, FET-154, FET-153: an insertion is told once; its save tells nothing; its rollback is a deletion",
        arguments: StackKind.allCases)
    func rollback(_ kind: StackKind) throws {
        try watch(kind) { context, persons, controller, delegate in
            context.make("Person", ["name": "New"])
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["insert New - 0.5"]))
            try context.save()
            #expect(delegate.order == "")
            context.make("Person", ["name": "Newer"])
            persons[0].set("name", "Z")
            context.delete(persons[1])
            context.processPendingChanges()
            delegate.forget()
            context.rollback()
            delegate.replay([try #require(controller.fetchedObjects)])
            #expect(delegate.take().steps == ["delete (gone) 0.4 -", "insert B - 0.1", "move A 0.5 0.0"])
            #expect(controller.names == [["A", "B", "C", "D", "E", "New"]])
        }
    }

    @Test("FET-143, FET-145: a relationship of a member is one update; a change of a related object is none")
    func relationships() throws {
        try watch { context, persons, _, delegate in
            let task = context.make("Task", ["name": "Write"])
            context.processPendingChanges()
            task.set("worker", persons[2])
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["update C 0.2 0.2"]))
            task.set("name", "Read")
            context.processPendingChanges()
            #expect(delegate.order == "")
        }
    }

    @Test("FET-144: a limit is that of the fetch: new objects are added, changed ones beyond it are not")
    func limit() throws {
        try watch { context, persons, controller, delegate in
            controller.fetchRequest.fetchLimit = 3
            try controller.performFetch()
            #expect(controller.names == [["A", "B", "C"]])
            persons[4].set("age", 1)
            context.processPendingChanges()
            #expect(delegate.order == "")
            context.make("Person", ["name": "Aa"])
            persons[3].set("name", "Bb")
            context.processPendingChanges()
            #expect(delegate.take() == ("wood", ["insert Aa - 0.1", "insert Bb - 0.3"]))
            #expect(controller.names == [["A", "Aa", "B", "Bb", "C"]])
        }
    }

    @Test("A delegate that changes objects, or fetches again, while it is told")
    func reentrance() throws {
        try watch { context, persons, controller, delegate in
            delegate.reaction = { [unowned delegate] call, _ in
                guard call == "o", delegate.steps.count == 1 else { return }
                persons[1].set("name", "Z")
                context.processPendingChanges()
            }
            context.delete(persons[0])
            context.processPendingChanges()
            #expect(delegate.take() == ("wodwod", ["delete A 0.0 -", "move Z 0.0 0.3"]))
            delegate.reaction = { call, _ in if call == "w" { #expect(throws: Never.self) { try controller.performFetch() } } }
            context.delete(persons[2])
            context.processPendingChanges()
            #expect(delegate.take() == ("wd", []))
            #expect(controller.names == [["D", "E", "Z"]])
        }
    }

    @Test("Subentities are among the results unless the request leaves them out")
    func subentities() throws {
        try watch { context, _, controller, delegate in
            let manager = context.make("Manager", ["name": "M"])
            context.processPendingChanges()
            #expect(delegate.take().steps == ["insert M - 0.5"])
            controller.fetchRequest.includesSubentities = false
            try controller.performFetch()
            manager.set("age", 3)
            context.processPendingChanges()
            #expect(delegate.order == "" && controller.fetchedObjects?.count == 5)
        }
    }

    @Test("Undo and redo are told")
    func undo() throws {
        try watch { context, persons, controller, delegate in
            context.undoManager = UndoManager()
            context.delete(persons[2])
            context.processPendingChanges()
            delegate.forget()
            context.undo()
            context.processPendingChanges()
            #expect(delegate.take() == ("wod", ["insert C - 0.2"]))
            context.redo()
            context.processPendingChanges()
            #expect(delegate.take().steps == ["delete C 0.2 -"] && controller.fetchedObjects?.count == 4)
        }
    }

    // MARK: Differences and snapshots

    @Test("FET-149: a delegate may take one difference over the IDs in place of steps, after the change")
    func difference() throws {
        try TestStack.people().run { context in
            let persons = ["A", "B", "C"].map { context.make("Person", ["name": $0]) }
            try context.save()
            for isSetFirst in [true, false] {
                let delegate = DifferencesDelegate()
                let controller = try context.controller("name", delegate: isSetFirst ? delegate : nil)
                controller.delegate = delegate
                let before = try #require(controller.fetchedObjects).map(\.objectID)
                persons[0].set("name", isSetFirst ? "Z" : "A")
                let new = context.make("Person", ["name": "Bb"])
                context.processPendingChanges()
                #expect(delegate.order == "" && delegate.differences.count == 1 && delegate.counts == [4])
                #expect(
                    before.applying(try #require(delegate.differences.first)) == controller.fetchedObjects?.map(\.objectID))
                persons[1].set("age", isSetFirst ? 77 : 78)
                context.processPendingChanges()
                #expect(delegate.differences.last?.isEmpty == true)
                context.delete(new)
                try context.save()
            }
        }
    }

    @Test("FET-149: a delegate may take snapshots, the first one with the fetch")
    func snapshots() throws {
        try TestStack.people().run { context in
            let alice = context.make("Person", ["name": "Alice", "age": 1])
            let delegate = SnapshotsDelegate()
            let controller = try context.controller("age", "name", sections: "age", delegate: delegate)
            #expect(delegate.snapshots.map(\.itemIdentifiers) == [[alice.objectID]])
            let bob = context.make("Person", ["name": "Bob", "age": 0])
            context.processPendingChanges()
            let last = try #require(delegate.snapshots.last)
            #expect(delegate.snapshots.count == 2 && delegate.order == "")
            #expect(last.sectionIdentifiers == ["0", "1"] && last.itemIdentifiers(inSection: "0") == [bob.objectID])
            #expect(last.numberOfItems == 2 && last.numberOfSections == 2 && last.itemIdentifiers(inSection: "7") == [])
            #expect(controller.fetchedObjects == [bob, alice])
        }
    }
}

/// Hears of differences; the steps must not be told as well.
private final class DifferencesDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var counts: [Int] = []
    var order = ""

    func controllerWillChangeContent(_ controller: AnyResultsController) { order += "w" }
    func controllerDidChangeContent(_ controller: AnyResultsController) { order += "d" }

    func controller(_ controller: AnyResultsController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        differences.append(diff)
        counts.append(controller.fetchedObjects?.count ?? -1)
    }
}

private final class SnapshotsDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var snapshots: [FetchedResultsSnapshot] = []
    var order = ""

    func controllerWillChangeContent(_ controller: AnyResultsController) { order += "w" }
    func controller(_ controller: AnyResultsController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        order += "c"
    }
    func controller(_ controller: AnyResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot) {
        snapshots.append(snapshot)
    }
}
