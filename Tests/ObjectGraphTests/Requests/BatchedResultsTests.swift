import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Batched results")
struct BatchedResultsTests {
    private static func stack(_ kind: StackKind, _ count: Int) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            for index in 0..<count {
                context.make(index % 5 == 0 ? "Manager" : "Person", ["name": "\(1000 + index)", "age": index])
            }
            try context.save()
        }
        return stack
    }

    private static func request(_ size: Int) -> NSFetchRequest<Recorder> {
        let request = NSFetchRequest<Recorder>.sorted("Person", "-name")
        request.fetchBatchSize = size
        return request
    }

    @Test("FET-80, FET-84: objects are made by the page; what is gone by then is an empty fault", arguments: StackKind.allCases)
    func pages(_ kind: StackKind) throws {
        let stack = try Self.stack(kind, 50)
        try stack.fresh { context throws in
            let results = try context.fetchBatched(Self.request(20))
            #expect(results.count == 50 && context.registeredObjects.isEmpty)
            #expect(results[3].text("name") == "1046")
            #expect(context.registeredObjects.count == 20)
            #expect(results.map { $0.text("name") } == (0..<50).map { "\(1049 - $0)" })
            #expect(context.registeredObjects.count == 10, "the last page")
            #expect(results.last?.entity.name == "Manager" && results[48].entity.name == "Person")
            try stack.fresh { other throws in
                for person in try other.all("Person") where (person.number("age") ?? 0) < 40 { other.delete(person) }
                try other.save()
            }
            #expect(results.count == 50 && results[0].text("name") == "1049")
            #expect(results[15].text("name") == nil)
        }
    }

    @Test(
        "R99: of very many results only the page that was read last is in memory, wherever it is", arguments: StackKind.allCases)
    func veryMany(_ kind: StackKind) throws {
        let (stack, count) = (try Self.stack(kind, 17_000), 17_000)
        try stack.fresh { context throws in
            let request = Self.request(1000)
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let results = try context.fetchBatched(request)
            #expect(results.count == count && context.registeredObjects.isEmpty)
            for position in [0, 8191, 8192, 16_383, 16_384, count - 1, 999, 1000, 1] {
                #expect(results[position].number("age") == position)
                #expect(results[position].entity.name == (position % 5 == 0 ? "Manager" : "Person"))
                #expect(context.registeredObjects.count == 1000)
            }
            var expected = 0
            for person in results {
                if person.number("age") != expected { Issue.record("\(expected)") }
                expected += 1
                if expected % 1000 == 500 { #expect(context.registeredObjects.count == 1000) }
            }
            #expect(expected == count)
        }
    }

    @Test("Keys may be as far apart as keys can be")
    func distantKeys() throws {
        let stack = try Self.stack(.sqlite, 60)
        try Database(stack.folder.file("store.sqlite")).execute(
            "UPDATE ZPERSON SET Z_PK = Z_PK + (CASE ZAGE % 3 WHEN 0 THEN 0 WHEN 1 THEN 3000000000 ELSE 9223372036854775000 END)")
        try stack.fresh { context throws in
            for ascending in [true, false] {
                let request = Self.request(7)
                request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: ascending)]
                let ages = try context.fetchBatched(request).map { $0.number("age") }
                #expect(ages == (ascending ? Array(0..<60) : (0..<60).reversed()))
                #expect(try context.fetch(request).map { $0.number("age") } == ages)
            }
        }
    }

    @Test("Limit, offset and predicate; objects that the context has come as they are", arguments: StackKind.allCases)
    func window(_ kind: StackKind) throws {
        try Self.stack(kind, 50).fresh { context throws in
            let known = try context.named("1030", "Person")
            let request = Self.request(4)
            request.predicate = NSPredicate(format: "age < 40")
            (request.fetchLimit, request.fetchOffset) = (10, 5)
            let results = try context.fetchBatched(request)
            #expect(results.map { $0.text("name") } == (0..<10).map { "\(1034 - $0)" })
            #expect(results[4] === known && Array(results.suffix(2)).count == 2)
        }
    }

    @Test("FET-85: unsaved changes, children and closures: everything is fetched at once", arguments: StackKind.allCases)
    func fallbacks(_ kind: StackKind) throws {
        let stack = try Self.stack(kind, 10)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.newContext()
        try child.run { context throws in
            #expect(try context.fetchBatched(Self.request(3)).map { $0.number("age") } == (0..<10).reversed())
        }
        try stack.fresh { context throws in
            let request = Self.request(3)
            request.predicate = NSPredicate { object, _ in ((object as? NSManagedObject)?.number("age") ?? 0) > 7 }
            #expect(try context.fetchBatched(request).map { $0.number("age") } == [9, 8])
            context.make("Person", ["name": "2000", "age": 77])
            #expect(try context.fetchBatched(Self.request(3)).first?.number("age") == 77)
            #expect(throws: NSError.self) { try context.fetchBatched(NSFetchRequest<Pet>(entityName: "Person")) }
        }
    }
}
