import DataModel
import Foundation
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import Testing

@Suite("Section key paths")
struct SectionKeyTests {
    private func controller(_ path: String?, _ entity: String, _ context: NSManagedObjectContext) -> NSFetchedResultsController<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: path, cacheName: nil)
    }

    @Test(
        "R42: a path that leads to no one value of each object is 134060 from performFetch(), with and without objects",
        arguments: StackKind.allCases)
    func bad(_ kind: StackKind) throws {
        for isEmpty in [true, false] {
            let stack = try isEmpty ? TestStack.people(kind) : Staff.stack(kind)
            try stack.fresh { context throws in
                let bad = [
                    "nothing", "", ".", "name.", ".name", "name.nothing", "team.nothing", "friends", "team.members",
                    "team.members.name", "skills.name",
                    "tasks", "playlist.name", "boss.nothing.name", "@count", "@nothing", "a-b", "name name", "💥",
                    Array(repeating: "boss", count: 5_000).joined(separator: "."),
                ]
                for path in bad {
                    let error = #expect(throws: NSError.self, "\(path.prefix(40))") {
                        try controller(path, "Person", context).performFetch()
                    }
                    #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError)
                    #expect(error?.localizedDescription.contains("Person") == true)
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    #expect(throws: NSError.self, "\(path.prefix(40))") {
                        try FetchedResults(request, in: context, sectionedBy: path)
                    }
                }
                for path in [
                    "name", "team.name", "team", "boss.team.name", "age", "mood", "nick", "objectID", "entity.name",
                    "team.objectID", "skills.@count", "self", nil,
                ] {
                    let controller = controller(path, "Person", context)
                    try controller.performFetch()
                    context.make("Person", ["name": "new"])
                    context.processPendingChanges()
                    _ = controller.sections?.map(\.name)
                    context.rollback()
                }
            }
        }
    }

    @Test(
        "R42, FET-133: a property that the class answers for makes sections; one that it does not is an error",
        arguments: StackKind.allCases)
    func computed(_ kind: StackKind) throws {
        let stack = try TestStack(kind, Lettered.model())
        try stack.run { context throws in
            let controller = controller("initial", "Lettered", context)
            try controller.performFetch()
            #expect(controller.sections?.isEmpty == true)
            for name in ["ann", "abe", "bob"] {
                NSEntityDescription.insertNewObject(forEntityName: "Lettered", into: context).set("name", name)
            }
            try context.save()
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["A", "B"])
            NSEntityDescription.insertNewObject(forEntityName: "Lettered", into: context).set("name", "cid")
            context.processPendingChanges()
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["A", "B", "C"])
            let error = #expect(throws: NSError.self) { try self.controller("final", "Lettered", context).performFetch() }
            #expect(error?.localizedDescription.contains("“final”") == true)
        }
    }
}

/// Answers for a key that is not the model's.
final class Lettered: Recorder {
    override func value(forUndefinedKey key: String) -> Any? {
        key == "initial" ? (value(forKey: "name") as? String)?.prefix(1).uppercased() : super.value(forUndefinedKey: key)
    }

    static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Lettered", class: "LiveQueriesTests.Lettered", [ModelMaker.attribute("name", .string)])
        return maker.model()
    }
}
