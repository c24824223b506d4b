import Foundation
import FoundationGaps
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Fetched results controllers")
struct FetchedResultsControllerTests {
    private func persons(_ context: NSManagedObjectContext, _ names: String...) {
        for name in names { context.make("Person", ["name": name]) }
    }

    @Test("API-163 to API-169, FET-121: what it was made with; nothing before the first fetch")
    func properties() throws {
        try TestStack.people().run { context in
            let request = NSFetchRequest<Recorder>.persons()
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "team.name", cacheName: "persons")
            #expect(controller.fetchRequest === request && controller.managedObjectContext === context)
            #expect(controller.sectionNameKeyPath == "team.name" && controller.cacheName == "persons")
            #expect(controller.fetchedObjects == nil && controller.sections == nil && controller.sectionIndexTitles == [])
            let alice = context.make("Person", ["name": "Alice"])
            #expect(controller.indexPath(forObject: alice) == nil)
            NSFetchedResultsController<Recorder>.deleteCache(withName: "persons")
            try controller.performFetch()
            #expect(controller.fetchedObjects == [alice])
        }
    }

    @Test("API-171: Apple's raw values; index paths of sections")
    func values() {
        let types: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
        #expect(types.map(\.rawValue) == [1, 2, 3, 4])
        var path = IndexPath(item: 3, section: 1)
        #expect(path == IndexPath(row: 3, section: 1) && path == IndexPath(indexes: [1, 3]))
        (path.section, path.item) = (path.item, path.section)
        #expect(path.section == 3 && path.row == 1)
    }

    @Test("FET-120: a request without sort descriptors is an error, an empty array will do")
    func sortDescriptors() throws {
        try TestStack.people().run { context in
            persons(context, "Bob", "Alice")
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let error = try thrownError { try controller.performFetch() }
            #expect(error.code == 134060 && error.localizedDescription.contains("requires a fetch request with sort descriptors"))
            request.sortDescriptors = []
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 2)
        }
    }

    @Test(
        "A request for numbers, for another class, or for an entity that does not exist, is an error and leaves the results as they were"
    )
    func badRequests() throws {
        try TestStack.people().run { context in
            persons(context, "Alice")
            let controller = try context.controller("name")
            controller.fetchRequest.resultType = .countResultType
            #expect(try thrownError { try controller.performFetch() }.code == 134060)
            controller.fetchRequest.resultType = .managedObjectIDResultType
            #expect(try thrownError { try controller.performFetch() }.localizedDescription.contains("Recorder"))
            controller.fetchRequest.resultType = .managedObjectResultType
            #expect(controller.names == [["Alice"]])
            let pets = NSFetchRequest<Pet>(entityName: "Person")
            pets.sortDescriptors = []
            let wrong = NSFetchedResultsController(
                fetchRequest: pets, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            #expect(try thrownError { try wrong.performFetch() }.localizedDescription.contains("Pet"))
            let nobody = NSFetchRequest<Recorder>(entityName: "Nobody")
            nobody.sortDescriptors = []
            let missing = NSFetchedResultsController(
                fetchRequest: nobody, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            #expect(try thrownError { try missing.performFetch() }.localizedDescription.contains("Nobody"))
        }
    }

    @Test(
        "FET-122: without sections there is one with an empty name, also if there are no objects", arguments: StackKind.allCases)
    func oneSection(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            let controller = try context.controller("name")
            #expect(controller.sections?.count == 1 && controller.sections?[0].numberOfObjects == 0)
            #expect(controller.sections?[0].name == "" && controller.sections?[0].indexTitle == nil)
            persons(context, "Bob", "Alice")
            try controller.performFetch()
            #expect(controller.names == [["Alice", "Bob"]])
        }
    }

    @Test(
        "FET-123, FET-124: one section for each value, numbers as text, nil as an empty name; paths and objects go both ways",
        arguments: StackKind.allCases)
    func sections(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            let ages: [(String, Int)] = [("Dora", 20), ("Cid", 9), ("Bob", 20), ("Alice", 9)]
            for (name, age) in ages { context.make("Person", ["name": name, "age": age]) }
            let nobody = context.make("Person", ["name": nil, "age": nil])
            try context.save()
            let controller = try context.controller("age", "name", sections: "age")
            #expect(controller.sections?.map(\.name) == ["", "9", "20"])
            #expect(controller.names == [["nil"], ["Alice", "Cid"], ["Bob", "Dora"]])
            #expect(controller.sections?[1].objects?.count == 2)
            for object in try #require(controller.fetchedObjects) {
                let path = try #require(controller.indexPath(forObject: object))
                #expect(controller.object(at: path) === object)
            }
            #expect(controller.indexPath(forObject: nobody) == IndexPath(item: 0, section: 0))
            #expect(controller.indexPath(forObject: context.make("Person", ["name": "Eve"])) == nil)
        }
    }

    @Test("FET-123: where the order does not agree with the sections there is still one section for each name")
    func disagreeingOrder() throws {
        try TestStack.people().run { context in
            for (name, age) in [("A", 1), ("B", 2), ("C", 1), ("D", 2)] { context.make("Person", ["name": name, "age": age]) }
            let delegate = ResultsDelegate()
            let controller = try context.controller("name", sections: "age", delegate: delegate)
            #expect(controller.names == [["A", "C"], ["B", "D"]])
            context.make("Person", ["name": "BB", "age": 3])
            context.make("Person", ["name": "BC", "age": 1])
            context.processPendingChanges()
            #expect(
                controller.names == [["A", "BC", "C"], ["B", "D"], ["BB"]]
                    || controller.names == [["A", "BC", "C"], ["BB"], ["B", "D"]])
            delegate.replay(ResultsDelegate.contents(try #require(delegate.controllers.first)))
        }
    }

    @Test("FET-123: section names by a path through a relationship")
    func sectionPath() throws {
        try TestStack.people().run { context in
            let (blue, red) = (context.make("Team", ["name": "Blue"]), context.make("Team", ["name": "Red"]))
            for (name, team) in [("A", red), ("B", blue), ("C", red)] { context.make("Person", ["name": name, "team": team]) }
            let controller = try context.controller("team.name", "name", sections: "team.name")
            #expect(controller.sections?.map(\.name) == ["Blue", "Red"])
            #expect(controller.names == [["B"], ["A", "C"]])
        }
    }

    @Test("FET-133: section names by a transient attribute")
    func transientSections() throws {
        try TestStack.people().run { context in
            for name in ["Ann", "Adam", "Bea"] { context.make("Person", ["name": name, "nick": String(name.prefix(1))]) }
            let controller = try context.controller("name", sections: "nick")
            #expect(controller.sections?.map(\.name) == ["A", "B"])
            #expect(controller.names == [["Adam", "Ann"], ["Bea"]])
        }
    }

    @Test("FET-124: object(at:) stops the program for a path that there is not")
    func badPath() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context in
                context.make("Person", ["name": "Alice"])
                _ = try context.controller("name").object(at: IndexPath(item: 1, section: 0))
            }
        }
        #expect(result.message.contains("no object at index path [0, 1]"))
    }

    @Test("FET-148: index titles are the first letters of section names, each once, and lead back to the first section")
    func indexTitles() throws {
        try TestStack.people().run { context in
            persons(context, "ada", "Anna", "bob", "Cid", "cleo")
            let controller = try context.controller("name", sections: "name")
            #expect(controller.sections?.map(\.name) == ["Anna", "Cid", "ada", "bob", "cleo"])
            #expect(controller.sectionIndexTitles == ["A", "C", "B"])
            #expect(controller.section(forSectionIndexTitle: "C", at: 1) == 1)
            #expect(controller.section(forSectionIndexTitle: "B", at: 2) == 3)
            #expect(
                controller.sectionIndexTitle(forSectionName: "éva") == "É"
                    && controller.sectionIndexTitle(forSectionName: "") == nil)
        }
    }

    @Test("FET-148: a subclass or the delegate may say what stands in the index")
    func ownIndexTitles() throws {
        final class Lengths: NSFetchedResultsController<Recorder> {
            override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "\(sectionName.count)" }
        }
        final class Lasts: NSObject, NSFetchedResultsControllerDelegate {
            func controller(_ controller: AnyResultsController, sectionIndexTitleForSectionName sectionName: String) -> String? {
                sectionName.last.map { "\($0)" }
            }
        }
        try TestStack.people().run { context in
            persons(context, "Anna", "Bob")
            let controller = Lengths(
                fetchRequest: .persons(), managedObjectContext: context, sectionNameKeyPath: "name", cacheName: nil)
            try controller.performFetch()
            #expect(controller.sectionIndexTitles == ["4", "3"])
            // A delegate that does not implement the method leaves it to the controller, which is asked also where the delegate's instance is.
            let silent = ResultsDelegate()
            controller.delegate = silent
            #expect(controller.sections?.map(\.indexTitle) == ["4", "3"])
            let lasts = Lasts()
            controller.delegate = lasts
            #expect(controller.sectionIndexTitles == ["a", "b"])
        }
    }

    @Test("FET-146: IDs as results, in deliveries too", arguments: StackKind.allCases)
    func ids(_ kind: StackKind) throws {
        final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
            var ids: [NSManagedObjectID] = []
            func controller(
                _ controller: AnyResultsController, didChange anObject: Any, at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) {
                ids += [anObject as? NSManagedObjectID].compactMap { $0 }
            }
        }
        try TestStack.people(kind).run { context in
            let alice = context.make("Person", ["name": "Alice"])
            try context.save()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.resultType = .managedObjectIDResultType
            let delegate = Delegate()
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            #expect(controller.fetchedObjects == [alice.objectID])
            #expect(controller.indexPath(forObject: alice.objectID) == IndexPath(item: 0, section: 0))
            let bob = context.make("Person", ["name": "Bob"])
            context.processPendingChanges()
            #expect(delegate.ids == [bob.objectID])
            try context.save()
            // The permanent ID now.
            #expect(controller.object(at: IndexPath(item: 1, section: 0)) == bob.objectID && !bob.objectID.isTemporaryID)
            #expect(controller.fetchedObjects == [alice.objectID, bob.objectID])
            #expect(controller.sections?[0].objects as? [NSManagedObjectID] == [alice.objectID, bob.objectID])
        }
    }

    @Test("FET-82: with a batch size objects get their values by the batch", arguments: StackKind.allCases)
    func batches(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context in
            for index in 10..<40 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
        }
        try stack.fresh { context in
            let request = NSFetchRequest<Recorder>.persons()
            request.fetchBatchSize = 10
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 30)
            #expect(controller.object(at: IndexPath(item: 0, section: 0)).text("name") == "10")
            try stack.fresh { other in
                for person in try other.all("Person") { other.delete(person) }
                try other.save()
            }
            // Ten were read along; the others are read now, too late.
            #expect(controller.fetchedObjects?.map { $0.text("name") } == (10..<40).map { $0 < 20 ? "\($0)" : nil })
        }
    }

    @Test("A controller for results of any kind is the one that its delegate gets; another one's is equal to it")
    func identity() throws {
        try TestStack.people().run { context in
            let delegate = ResultsDelegate()
            let typed = try context.controller("name", delegate: delegate)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.sortDescriptors = []
            let untyped = AnyResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            untyped.delegate = delegate
            try untyped.performFetch()
            let alice = context.make("Person", ["name": "Alice"])
            context.processPendingChanges()
            let first = try #require(delegate.controllers.first)
            let last = try #require(delegate.controllers.last)
            #expect(first == typed && first.hash == typed.hash && first != untyped)
            #expect(last === untyped)
            #expect(first.fetchedObjects?.count == 1 && first.object(at: IndexPath(item: 0, section: 0)) === alice)
            #expect(first.indexPath(forObject: alice) == IndexPath(item: 0, section: 0))
            #expect(first.managedObjectContext === context && first.delegate === delegate)
            #expect(
                first.fetchRequest.entityName == "Person"
                    && first.fetchRequest.sortDescriptors == typed.fetchRequest.sortDescriptors)
            // The same instance each time, so that it may be used as a key.
            context.make("Person", ["name": "Bob"])
            context.processPendingChanges()
            #expect(delegate.controllers.filter { $0 == typed }.allSatisfy { $0 === first })
        }
    }

    @Test("The controller keeps neither its delegate nor itself alive, and a context does not keep a controller")
    func lifetime() throws {
        try TestStack.people().run { context in
            weak var weakController: NSFetchedResultsController<Recorder>?
            weak var weakDelegate: ResultsDelegate?
            do {
                let delegate = ResultsDelegate()
                let controller = try context.controller("name", delegate: delegate)
                context.make("Person", ["name": "Alice"])
                context.processPendingChanges()
                #expect(delegate.order == "wod")
                (weakController, weakDelegate) = (controller, delegate)
                delegate.forget()
            }
            #expect(weakController == nil && weakDelegate == nil)
        }
    }
}
