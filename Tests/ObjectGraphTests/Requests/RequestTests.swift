import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Requests")
struct RequestTests {
    @Test("API-150, API-151: kinds of requests, and Apple's numbers for them")
    func kinds() {
        #expect(NSFetchRequest<NSManagedObject>().requestType == .fetchRequestType)
        #expect(NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>()).requestType == .fetchRequestType)
        let kinds: [NSPersistentStoreRequestType] = [
            .fetchRequestType, .saveRequestType, .batchInsertRequestType, .batchUpdateRequestType, .batchDeleteRequestType,
        ]
        #expect(kinds.map(\.rawValue) == [1, 2, 5, 6, 7])
    }

    @Test("FET-1: the defaults of a fetch request that are about its form")
    func defaults() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(request.fetchBatchSize == 0 && request.includesPropertyValues)
        #expect(!request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
        #expect(request.relationshipKeyPathsForPrefetching == nil && request.propertiesToFetch == nil)
        #expect(request.propertiesToGroupBy == nil && request.havingPredicate == nil && request.affectedStores == nil)
    }

    @Test("FET-10: a copy asks the same, and neither of the two sees what is changed in the other")
    func copying() throws {
        let stack = try TestStack.people()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "age > 20")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (3, 2, 1)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        request.includesPropertyValues = false
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.returnsDistinctResults = true
        request.shouldRefreshRefetchedObjects = true
        request.relationshipKeyPathsForPrefetching = ["team"]
        request.propertiesToFetch = ["name"]
        request.propertiesToGroupBy = ["age"]
        request.havingPredicate = NSPredicate(value: true)
        request.affectedStores = [stack.store]
        let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObject>)
        #expect(copy !== request)
        #expect(copy.entityName == "Person" && copy.predicate == request.predicate)
        #expect(copy.sortDescriptors?.map(\.key) == ["name"])
        #expect(copy.fetchLimit == 3 && copy.fetchOffset == 2 && copy.fetchBatchSize == 1)
        #expect(copy.resultType == .managedObjectIDResultType)
        #expect(!copy.includesSubentities && !copy.includesPropertyValues && !copy.includesPendingChanges)
        #expect(!copy.returnsObjectsAsFaults && copy.returnsDistinctResults && copy.shouldRefreshRefetchedObjects)
        #expect(copy.relationshipKeyPathsForPrefetching == ["team"] && copy.havingPredicate != nil)
        #expect(copy.propertiesToFetch as? [String] == ["name"] && copy.propertiesToGroupBy as? [String] == ["age"])
        #expect(copy.affectedStores?.first === stack.store)
        request.fetchLimit = 9
        copy.predicate = nil
        #expect(copy.fetchLimit == 3 && request.predicate != nil)
    }

    /// A subclass keeps its class.
    final class Special: NSFetchRequest<NSManagedObject> {}

    @Test("A copy of a subclass's request is of the subclass")
    func copyOfSubclass() {
        #expect(type(of: Special(entityName: "Person").copy() as AnyObject) == Special.self)
    }

    @Test("FET-11: execute() asks the context whose block is running, the innermost of several", arguments: StackKind.allCases)
    func execute(_ kind: StackKind) throws {
        let (stack, other) = (try Crew.stack(kind), try TestStack.people(kind))
        let request = NSFetchRequest<Recorder>.sorted("Person", "name")
        nonisolated(unsafe) let shared = request
        try stack.run { context throws in
            let found = try request.execute()
            #expect(found.map { $0.text("name") } == Crew.names)
            #expect(found.allSatisfy { $0.managedObjectContext === context })
            try other.run { inner throws in
                inner.make("Person", ["name": "inner"])
                #expect(try request.execute().map { $0.text("name") } == ["inner"])
                // Back in the outer context, inline.
                let inOuter = try context.performAndWait { try shared.execute().map(\.managedObjectContext) }
                #expect(inOuter.allSatisfy { $0 === context })
                #expect(try request.execute().allSatisfy { $0.managedObjectContext === inner })
            }
            #expect(try request.execute().count == 6)
        }
        let error = #expect(throws: NSError.self) { try request.execute() }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains("perform") == true)
    }

    @Test("FET-11: execute() in an asynchronous perform")
    func executeInTask() async throws {
        let stack = try Crew.stack(.inMemory)
        let count = try await stack.context.perform { try NSFetchRequest<Recorder>(entityName: "Person").execute().count }
        #expect(count == 6)
    }

    @Test("FET-7: only the stores asked for", arguments: [false, true])
    func affectedStores(isSaved: Bool) throws {
        let stack = try TestStack.people(.inMemory)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context throws in
            for (name, store) in [("a", stack.store), ("b", second), ("c", stack.store), ("d", second)] {
                context.assign(context.make("Person", ["name": name]), to: store)
            }
            if isSaved { try context.save() }
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            func names(_ stores: [NSPersistentStore]?) throws -> [String?] {
                request.affectedStores = stores
                #expect(try context.count(for: request) == context.fetch(request).count)
                return try context.fetch(request).map { $0.text("name") }
            }
            #expect(try names(nil) == ["a", "b", "c", "d"])
            #expect(try names([stack.store]) == ["a", "c"])
            #expect(try names([second]) == ["b", "d"])
            #expect(try names([second, stack.store]) == ["a", "b", "c", "d"])
            #expect(try names([]) == [])
        }
    }

    @Test("FET-23, API-28: results of all kinds fit their type parameter, or the fetch says what it gives")
    func resultTypes() throws {
        try Crew.stack(.inMemory).run { context throws in
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).count == 6)
            let any = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            #expect(try context.fetch(any).allSatisfy { $0 is Recorder })
            any.resultType = .countResultType
            #expect(try (context.fetch(any) as? [NSNumber])?.map(\.intValue) == [6])
            let wrong = NSFetchRequest<NSNumber>(entityName: "Person")
            let error = #expect(throws: NSError.self) { try context.fetch(wrong) }
            #expect(error?.localizedDescription.contains("NSNumber") == true)
        }
    }

    @Test("API-48, API-97: a context executes no fetch, a coordinator answers one from the stores", arguments: StackKind.allCases)
    func coordinatorExecutes(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.run { context throws in
            context.make("Person", ["name": "new"])
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            let error = #expect(throws: NSError.self) { try context.execute(request) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            let found = try #require(try stack.coordinator.execute(request, with: context) as? [Recorder])
            #expect(found.map { $0.text("name") } == Crew.names)
            #expect(request.includesPendingChanges)
        }
        try TestStack.people(kind).run { context throws in
            #expect(throws: NSError.self) {
                try stack.coordinator.execute(NSFetchRequest<Recorder>(entityName: "Person"), with: context)
            }
        }
    }

    @Test(
        "CTX-199, FET-46: refetched objects get the store's values if the request says so; unsaved changes stay",
        arguments: StackKind.allCases)
    func refreshing(_ kind: StackKind) throws {
        let stack = try Crew.stack(kind)
        try stack.run { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            let people = try context.fetch(request).loaded
            people[1].set("score", 99)
            let team = try #require(people[0].one("team"))
            #expect(team.names("members") == ["ann", "bob"])
            try stack.fresh { other throws in
                let others = try other.fetch(request)
                for person in others.prefix(3) { person.set("age", 70) }
                others[5].set("team", others[0].one("team"))
                try other.save()
            }
            _ = try context.fetch(request)
            #expect(people.prefix(3).map { $0.number("age") } == [20, 21, 22])
            request.shouldRefreshRefetchedObjects = true
            let log = NotificationLog(context)
            #expect(try context.fetch(request) == people)
            #expect(people.prefix(3).map { $0.number("age") } == [70, 70, 70])
            #expect(people[1].number("score") == 99 && people[1].hasChanges && !people[0].hasChanges)
            context.processPendingChanges()
            let refreshed = log.takeChanges().flatMap(\.refreshed)
            #expect(Set(refreshed.compactMap { $0.text("name") }) == ["ann", "bob", "cid", "fay"])
            // What is saved now is no conflict.
            try context.save()
            let teams = NSFetchRequest<Recorder>.sorted("Team", "name")
            teams.shouldRefreshRefetchedObjects = true
            _ = try context.fetch(teams)
            #expect(team.names("members") == ["ann", "bob", "fay"])
        }
    }

    @Test(
        "FET-47: with propertiesToFetch objects have all their values; an unknown name is an error", arguments: StackKind.allCases
    )
    func partialObjects(_ kind: StackKind) throws {
        try Crew.stack(kind).fresh { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Person", "name")
            request.propertiesToFetch = ["name"]
            let people = try context.fetch(request)
            #expect(people.map { $0.text("name") } == Crew.names)
            #expect(people.map { $0.number("age") } == [20, 21, 22, 23, 24, 25])
            #expect(people[2].one("team")?.text("name") == "blue")
            request.propertiesToFetch = ["shoeSize"]
            let error = #expect(throws: NSError.self) { try context.fetch(request) }
            #expect(error?.localizedDescription.contains("shoeSize") == true)
        }
    }
}
