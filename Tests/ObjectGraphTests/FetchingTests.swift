import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Fetching")
struct FetchingTests {
    private static func request(_ entity: String = "Person", sortedBy key: String? = nil) -> NSFetchRequest<Recorder> {
        let request = NSFetchRequest<Recorder>(entityName: entity)
        if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
        return request
    }

    private static func names(_ context: NSManagedObjectContext, _ request: NSFetchRequest<Recorder>) throws -> [String?] {
        try context.fetch(request).map { $0.text("name") }
    }

    private static var isOver20: NSPredicate {
        NSPredicate { object, _ in (object as? NSManagedObject)?.number("age") ?? 0 > 20 }
    }

    @Test("FET-1: defaults of a request")
    func defaults() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(request.fetchLimit == 0 && request.fetchOffset == 0)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.includesSubentities && request.includesPendingChanges && request.returnsObjectsAsFaults)
        #expect(request.predicate == nil && request.sortDescriptors == nil)
        #expect(request.entityName == "Person")
    }

    @Test("FET-2: the name of the entity is readable before the request was used; the entity itself is not known yet")
    func entityName() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(request.entityName == "Person" && request.entity == nil)
        let entity = try #require(People.model().entitiesByName["Team"])
        request.entity = entity
        #expect(request.entityName == "Team")
    }

    @Test("FET-5: without sort descriptors all objects come, in no particular order", arguments: StackKind.allCases)
    func unsorted(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for index in 0..<20 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
            context.make("Person", ["name": "20"])
            #expect(Set(try Self.names(context, Self.request())) == Set((0...20).map(String.init)))
        }
    }

    @Test("FET-3, FET-12: an unknown entity or sort key is an error that names it", arguments: StackKind.allCases)
    func wrongNames(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let entity = #expect(throws: NSError.self) { try context.fetch(Self.request("Nobody")) }
            #expect(entity?.localizedDescription.contains("Nobody") == true)
            #expect(throws: NSError.self) { try context.count(for: Self.request("Nobody")) }
            let key = #expect(throws: NSError.self) { try context.fetch(Self.request(sortedBy: "shoeSize")) }
            #expect(key?.localizedDescription.contains("shoeSize") == true)
            #expect(throws: NSError.self) { try context.fetch(Self.request(sortedBy: "team.shoeSize")) }
            #expect(throws: NSError.self) { try context.fetch(NSFetchRequest<NSManagedObject>()) }
        }
    }

    @Test(
        "FET-4: without predicate all objects of the entity, with subentities unless they are excluded",
        arguments: StackKind.allCases)
    func subentities(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for index in 0..<3 { context.make("Person", ["name": "p\(index)"]) }
            for index in 0..<2 { context.make("Manager", ["name": "m\(index)"]) }
            context.make("Team", ["name": "t"])
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                let request = Self.request(sortedBy: "name")
                #expect(try Self.names(context, request) == ["m0", "m1", "p0", "p1", "p2"])
                request.includesSubentities = false
                #expect(try Self.names(context, request) == ["p0", "p1", "p2"])
                #expect(try context.count(for: request) == 3)
                #expect(try Self.names(context, Self.request("Manager", sortedBy: "name")) == ["m0", "m1"])
            }
        }
    }

    @Test("FET-6, FET-8: limit and offset, in fetch and count", arguments: StackKind.allCases)
    func window(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for index in 0..<10 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
            for predicate in [nil, NSPredicate(value: true)] {
                let request = Self.request(sortedBy: "name")
                request.predicate = predicate
                request.fetchOffset = 7
                #expect(try Self.names(context, request) == ["7", "8", "9"])
                #expect(try context.count(for: request) == 3)
                request.fetchLimit = 2
                #expect(try Self.names(context, request) == ["7", "8"])
                #expect(try context.count(for: request) == 2)
                request.fetchOffset = 20
                #expect(try Self.names(context, request).isEmpty)
                #expect(try context.count(for: request) == 0)
                request.fetchOffset = 0
                request.fetchLimit = 100
                #expect(try context.count(for: request) == 10)
            }
        }
    }

    @Test("FET-9: without stores a fetch is empty")
    func withoutStores() throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        try context.run { context throws in
            #expect(try context.fetch(Self.request()).isEmpty)
            #expect(try context.count(for: Self.request()) == 0)
        }
    }

    @Test("FET-10: a request can be changed after it was used", arguments: StackKind.allCases)
    func reuse(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for name in ["a", "b"] { context.make("Person", ["name": name]) }
            try context.save()
            let request = Self.request(sortedBy: "name")
            let first = try context.fetch(request)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchLimit = 1
            #expect(try Self.names(context, request) == ["b"])
            #expect(first.map { $0.text("name") } == ["a", "b"])
        }
    }

    // MARK: Pending changes

    @Test("FET-20, FET-26, FET-28, FET-29: pending changes count", arguments: StackKind.allCases)
    func pendingChanges(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = Self.request(sortedBy: "name")
            request.predicate = Self.isOver20
            #expect(try Self.names(context, request) == ["charlie", "delta", "echo"])
            #expect(try Self.names(context, Self.request(sortedBy: "age")) == ["alpha", "charlie", "delta", "echo"])
        }
    }

    @Test(
        "FET-21: without pending changes the store's answer, whose objects show the context's values",
        arguments: StackKind.allCases)
    func withoutPendingChanges(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = Self.request(sortedBy: "name")
            request.includesPendingChanges = false
            let found = try context.fetch(request)
            #expect(found.map { $0.text("name") } == ["alpha", "bravo", "charlie"])
            #expect(found[0].number("age") == 5)
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            #expect(try Self.names(context, request) == ["charlie", "alpha", "bravo"], "by the stored ages 10, 22, 25")
            #expect(try context.count(for: request) == 3)
        }
    }

    @Test("FET-22: IDs, sorted; those of new objects are temporary", arguments: StackKind.allCases)
    func ids(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.predicate = Self.isOver20
            let ids = try context.fetch(request)
            #expect(ids.map { context.object(with: $0).text("name") } == ["charlie", "delta", "echo"])
            #expect(ids.map(\.isTemporaryID) == [false, true, true])
        }
    }

    @Test("FET-23: counts, as result type and by count(for:)", arguments: StackKind.allCases)
    func counts(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = NSFetchRequest<NSNumber>(entityName: "Person")
            request.predicate = Self.isOver20
            request.resultType = .countResultType
            #expect(try context.fetch(request) == [3])
            #expect(try context.count(for: request) == 3)
            request.predicate = nil
            #expect(try context.fetch(request) == [4])
            request.includesPendingChanges = false
            #expect(try context.fetch(request) == [3])
        }
    }

    @Test("FET-25: with pending changes the window lies over the merged result", arguments: StackKind.allCases)
    func pendingWindow(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = Self.request(sortedBy: "age")
            request.fetchOffset = 1
            request.fetchLimit = 2
            #expect(try Self.names(context, request) == ["charlie", "delta"])
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test("FET-25: a window of any size, with and without pending changes", arguments: StackKind.allCases)
    func extremeWindows(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            for isPending in [true, false] {
                if !isPending { try context.save() }
                let all = try Self.names(context, Self.request(sortedBy: "age"))
                #expect(all.count == 4)
                for limit in [0, 1, 3, Int.max - 1, Int.max] {
                    for offset in [0, 1, 4, 5, Int.max - 1, Int.max] {
                        let rest = all.dropFirst(offset)
                        let expected = Array(limit == 0 ? rest : rest.prefix(limit))
                        for batchSize in [0, 1, Int.max] {
                            let request = Self.request(sortedBy: "age")
                            (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, batchSize)
                            #expect(try Self.names(context, request) == expected, "\(limit) from \(offset), \(batchSize) at once")
                            #expect(try context.count(for: request) == expected.count)
                        }
                        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
                        (ids.fetchLimit, ids.fetchOffset, ids.resultType) = (limit, offset, .managedObjectIDResultType)
                        #expect(try context.fetch(ids).count == expected.count)
                        guard !isPending else { continue }
                        let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
                        (rows.fetchLimit, rows.fetchOffset, rows.resultType) = (limit, offset, .dictionaryResultType)
                        #expect(try context.fetch(rows).count == expected.count)
                    }
                }
            }
        }
    }

    @Test("FET-27: pending objects of subentities are excluded when subentities are", arguments: StackKind.allCases)
    func pendingSubentities(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            context.make("Person", ["name": "p"])
            context.make("Manager", ["name": "m"])
            let request = Self.request(sortedBy: "name")
            #expect(try Self.names(context, request) == ["m", "p"])
            request.includesSubentities = false
            #expect(try Self.names(context, request) == ["p"])
        }
    }

    // MARK: Faults

    @Test("FET-40, FET-41: fetched objects are faults unless others are asked for", arguments: StackKind.allCases)
    func faults(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            for index in 0..<3 { context.make("Person", ["name": "\(index)"]) }
            try context.save()
        }
        try stack.fresh { context throws in
            let people = try context.fetch(Self.request(sortedBy: "name"))
            #expect(people.allSatisfy { $0.isFault })
            // Their values are at hand: the rows may even be gone.
            try stack.fresh { other throws in
                for person in try other.fetch(Self.request()) { other.delete(person) }
                try other.save()
            }
            #expect(people.map { $0.text("name") } == ["0", "1", "2"])
            #expect(people.allSatisfy { $0.calls == ["awakeFromFetch"] })
        }
        try stack.fresh { context throws in
            context.make("Person", ["name": "again"])
            try context.save()
            context.refreshAllObjects()
            let request = Self.request()
            request.returnsObjectsAsFaults = false
            let people = try context.fetch(request)
            #expect(people.count == 1 && people.allSatisfy { !$0.isFault && $0.calls.contains("awakeFromFetch") })
        }
    }

    @Test("FET-42, CTX-200: objects that are loaded come as they are", arguments: StackKind.allCases)
    func loadedObjects(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let clean = context.make("Person", ["name": "a", "age": 1])
            let edited = context.make("Person", ["name": "b", "age": 1])
            try context.save()
            edited.set("age", 2)
            try stack.fresh { other throws in
                try other.named("a", "Person").set("age", 9)
                try other.save()
            }
            let found = try context.fetch(Self.request(sortedBy: "name"))
            #expect(found == [clean, edited])
            #expect(clean.number("age") == 1 && edited.number("age") == 2)
        }
    }

    @Test("CTX-198, FET-40: a fetch gives faults that are known already the newest values", arguments: StackKind.allCases)
    func knownFaults(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            context.make("Person", ["name": "a", "age": 1])
            try context.save()
        }
        try stack.fresh { context throws in
            let person = try #require(try context.fetch(Self.request()).first)
            #expect(person.isFault)
            try stack.fresh { other throws in
                try other.named("a", "Person").set("age", 2)
                try other.save()
            }
            #expect(try context.fetch(Self.request()) == [person])
            #expect(person.isFault && person.number("age") == 2)
            person.set("age", 3)
            try context.save()
        }
    }

    // MARK: Sorting

    @Test("FET-60: sorting by several keys, by a path over a to-one; a to-many is an error", arguments: StackKind.allCases)
    func sorting(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let red = context.make("Team", ["name": "red"])
            let blue = context.make("Team", ["name": "blue"])
            for (name, age, team) in [("a", 2, red), ("b", 1, blue), ("c", 2, blue), ("d", 1, red)] {
                context.make("Person", ["name": name, "age": age, "team": team])
            }
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                let request = Self.request()
                request.sortDescriptors = [
                    NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
                ]
                #expect(try Self.names(context, request) == ["a", "c", "b", "d"])
                request.sortDescriptors = [
                    NSSortDescriptor(key: "team.name", ascending: true), NSSortDescriptor(key: "name", ascending: false),
                ]
                #expect(try Self.names(context, request) == ["c", "b", "d", "a"])
                #expect(throws: NSError.self) { try context.fetch(Self.request(sortedBy: "friends")) }
                #expect(throws: NSError.self) { try context.fetch(Self.request(sortedBy: "team.members")) }
            }
        }
    }

    @Test(
        "FET-61, FET-62, FET-63: nil first when ascending, last when descending; texts by code points, in store and memory",
        arguments: StackKind.allCases)
    func order(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for name in ["a", "B", nil, "A", "\u{e9}", "z"] { context.make("Person", ["name": name]) }
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                let request = Self.request(sortedBy: "name")
                #expect(try Self.names(context, request) == [nil, "A", "B", "a", "z", "\u{e9}"])
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
                #expect(try Self.names(context, request) == ["\u{e9}", "z", "a", "B", "A", nil])
            }
        }
    }
}
