import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

/// What was prefetched is read after the rows are gone from the store: so it can't have been read there.
@Suite("Prefetching")
struct PrefetchingTests {
    private static func request(_ paths: String...) -> NSFetchRequest<Recorder> {
        let request = NSFetchRequest<Recorder>.sorted("Person", "name")
        request.relationshipKeyPathsForPrefetching = paths
        return request
    }

    private static func deleteAll(_ entities: [String], _ stack: TestStack) throws {
        try stack.fresh { context throws in
            for entity in entities { for object in try context.all(entity) { context.delete(object) } }
            try context.save()
        }
    }

    @Test("FET-44: to-one, to-many, ordered, many-to-many and relationships without inverse", arguments: StackKind.allCases)
    func allKinds(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.fresh { context throws in
            let people = try context.fetch(Self.request("team", "tasks", "playlist", "friends", "badges", "reports"))
            #expect(people.allSatisfy { $0.isFault }, "prefetching fires no fault")
            for key in ["team", "tasks", "playlist", "friends", "badges", "reports"] {
                #expect(people.allSatisfy { !$0.hasFault(forRelationshipNamed: key) }, "\(key)")
            }
            #expect(people[0].hasFault(forRelationshipNamed: "skills"))
            try Self.deleteAll(["Team", "Task", "Song", "Badge", "Person"], stack)
            #expect(people.map { $0.one("team")?.text("name") } == ["red", "red", "blue", "blue", "green", nil])
            #expect(people.map { $0.nameList("tasks").count } == [0, 1, 2, 3, 4, 5])
            #expect(people[3].nameList("tasks") == ["dan2", "dan1", "dan0"])
            #expect(people[2].nameList("playlist") == ["z", "y"] && people[5].nameList("playlist") == ["z", "y", "x"])
            #expect(people[0].names("friends") == ["bob", "cid", "dan", "eve", "fay"])
            #expect(people[2].names("friends") == ["ann", "bob"])
            #expect(people.map { $0.names("badges").count } == [0, 1, 2, 0, 1, 2])
            #expect(people.map { $0.names("reports") } == [["bob"], ["cid"], ["dan"], ["eve"], ["fay"], []])
        }
    }

    @Test("FET-45: all steps of a path, with what paths have in common read once", arguments: StackKind.allCases)
    func paths(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.fresh { context throws in
            let request = Self.request("team.members.tasks", "team.members.boss")
            request.predicate = NSPredicate(format: "name == 'cid'")
            let cid = try #require(try context.fetch(request).first)
            try Self.deleteAll(["Task", "Team", "Person"], stack)
            let members = try #require(cid.one("team")).many("members")
            #expect(Set(members.compactMap { $0.text("name") }) == ["cid", "dan"])
            #expect(Set(members.map { $0.nameList("tasks").count }) == [2, 3])
            #expect(Set(members.compactMap { $0.one("boss")?.text("name") }) == ["bob", "cid"])
        }
    }

    @Test("FET-44: objects with unsaved changes keep them", arguments: StackKind.allCases)
    func pendingChanges(_ kind: StackKind) throws {
        try Crew.stack(kind).fresh { context throws in
            let ann = try context.named("ann", "Person")
            let fay = try context.named("fay", "Person")
            let task = context.make("Task", ["name": "new", "worker": fay])
            ann.set("friends", ann.many("friends").subtracting([fay]))
            ann.set("team", context.make("Team", ["name": "pink"]))
            let new = context.make("Person", ["name": "gus", "team": ann.one("team")])
            let people = try context.fetch(Self.request("team.members", "friends", "tasks"))
            #expect(people.count == 7 && people.last === new)
            #expect(ann.one("team")?.names("members") == ["ann", "gus"])
            #expect(ann.names("friends") == ["bob", "cid", "dan", "eve"] && fay.names("friends") == ["bob"])
            #expect(fay.nameList("tasks") == ["fay4", "fay3", "fay2", "fay1", "fay0", "new"] && task.one("worker") === fay)
            try context.save()
        }
    }

    @Test(
        "FET-44: a fault that was prefetched and is fetched again with a new destination has the new one",
        arguments: StackKind.allCases)
    func refetching(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.fresh { context throws in
            let people = try context.fetch(Self.request("team"))
            try stack.fresh { other throws in
                try other.named("ann", "Person").set("team", try other.named("green", "Team"))
                try other.save()
            }
            _ = try context.fetch(Self.request())
            #expect(people[0].isFault && people[0].one("team")?.text("name") == "green")
            #expect(people[1].one("team")?.text("name") == "red")
        }
    }

    @Test("FET-43, FET-44: without property values too", arguments: StackKind.allCases)
    func withoutValues(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.fresh { context throws in
            let request = Self.request("team", "tasks")
            request.includesPropertyValues = false
            let people = try context.fetch(request)
            try Self.deleteAll(["Team", "Task", "Person"], stack)
            #expect(people.map { $0.one("team")?.text("name") } == ["red", "red", "blue", "blue", "green", nil])
            #expect(people.map { $0.nameList("tasks").count } == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test("A child context prefetches nothing and has everything all the same", arguments: StackKind.allCases)
    func child(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        let context = NSManagedObjectContext(.privateQueue)
        context.parent = stack.newContext()
        try context.run { context throws in
            let people = try context.fetch(Self.request("team", "tasks"))
            #expect(people.map { $0.one("team")?.text("name") } == ["red", "red", "blue", "blue", "green", nil])
            #expect(people.map { $0.nameList("tasks").count } == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test("FET-44: what is no relationship can't be prefetched; one of a subentity can", arguments: StackKind.allCases)
    func wrongPaths(_ kind: StackKind) throws {
        try Crew.stack(kind).fresh { context throws in
            for path in ["shoes", "name", "team.shoes", "team.name", ""] {
                let error = #expect(throws: NSError.self) { try context.fetch(Self.request(path)) }
                #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains("“\(path)”") == true)
            }
            context.make("Manager", ["name": "max", "office": context.make("Desk", ["name": "oak"])])
            try context.save()
            context.reset()
            let people = try context.fetch(Self.request("office"))
            #expect(people.last?.one("office")?.text("name") == "oak")
        }
    }

    // MARK: Batches

    @Test(
        "FET-80, FET-81, FET-84: with a batch size the fetch reads keys, and a fault's firing the values of as many objects",
        arguments: StackKind.allCases)
    func batches(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            for index in 10..<40 { context.make("Person", ["name": "\(index)", "age": 1]) }
            try context.save()
        }
        try stack.fresh { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            request.fetchBatchSize = 10
            let people = try context.fetch(request)
            #expect(people.count == 30 && people.allSatisfy { $0.isFault })
            #expect(people[0].text("name") == "10" && people[15].text("name") == "25")
            try Self.deleteAll(["Person"], stack)
            // Ten each were read along; the others are read now, too late.
            #expect(people.map { $0.text("name") } == (10..<40).map { $0 < 20 || (25..<35).contains($0) ? "\($0)" : nil })
        }
    }

    @Test("FET-85: pending inserts are in a batched result", arguments: StackKind.allCases)
    func batchesWithPendingChanges(_ kind: StackKind) throws {
        try Crew.stack(kind).fresh { context throws in
            context.make("Person", ["name": "gus"])
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            request.fetchBatchSize = 2
            #expect(try context.fetch(request).map { $0.text("name") } == Crew.names + ["gus"])
            request.fetchBatchSize = -1
            #expect(throws: NSError.self) { try context.fetch(request) }
        }
    }
}
