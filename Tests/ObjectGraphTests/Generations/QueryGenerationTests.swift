import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Query generations: a context reads one state of the store, whatever others save")
struct QueryGenerationTests {
    /// A store with Alice and Bob, in a team; a context that has read nothing yet.
    private func stack(_ kind: StackKind = .sqlite) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.fresh { context in
            let team = context.make("Team", ["name": "Red"])
            context.make("Person", ["name": "Alice", "age": 10, "team": team])
            context.make("Person", ["name": "Bob", "age": 20, "team": team])
            try context.save()
        }
        return stack
    }

    /// Changes the store by a context of its own.
    private func elsewhere(_ stack: TestStack, _ change: (NSManagedObjectContext) throws -> Void) throws {
        try stack.fresh { context in
            try change(context)
            try context.save()
        }
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String?] {
        try context.all("Person").map { $0.text("name") }
    }

    @Test("CTX-190: unless asked, a context has no token and each fetch reads the newest data")
    func unpinned() throws {
        let stack = try stack()
        try stack.run { context in
            #expect(context.queryGenerationToken == nil)
            #expect(try names(context) == ["Alice", "Bob"])
            try elsewhere(stack) { $0.make("Person", ["name": "Carol"]) }
            #expect(try names(context) == ["Alice", "Bob", "Carol"])
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 3)
        }
    }

    @Test("CTX-191: .current pins at the next reading; fetches, counts, faults and relationships see that state from then on")
    func pinsAtTheNextReading() throws {
        let stack = try stack()
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(context.queryGenerationToken != nil)
            // Not pinned yet: nothing was read.
            try elsewhere(stack) { $0.make("Person", ["name": "Carol", "age": 30]) }
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            #expect(try context.count(for: request) == 3)
            try elsewhere(stack) { other in
                other.make("Person", ["name": "Dave"])
                try other.named("Alice", "Person").set("age", 11)
                try other.named("Alice", "Person").set("team", nil)
                other.delete(try other.named("Bob", "Person"))
            }
            #expect(try context.count(for: request) == 3)
            #expect(try names(context) == ["Alice", "Bob", "Carol"])
            #expect(try context.all("Person").map { $0.number("age") } == [10, 20, 30])
            #expect(try context.named("Red", "Team").names("members") == ["Alice", "Bob"])
            request.includesPropertyValues = false
            request.returnsObjectsAsFaults = true
            #expect(try context.fetch(request).count == 3)
        }
        #expect(try stack.savedNames("Person") == ["Alice", "Carol", "Dave"])
    }

    @Test("CTX-194: a fault of a row that was deleted after the pin fires, also by its ID, and its relationships are followed")
    func deletedLater() throws {
        let stack = try stack()
        try stack.run { context in
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.includesPropertyValues = false
            try context.setQueryGenerationFrom(.current)
            let people = try context.fetch(request)
            #expect(people.allSatisfy { $0.isFault })
            try elsewhere(stack) { other in
                for entity in ["Person", "Team"] { for object in try other.all(entity) { other.delete(object) } }
            }
            #expect(Set(people.map { $0.text("name") }) == ["Alice", "Bob"])
            #expect(people.allSatisfy { !$0.isDeleted })
            let team = try #require(people[0].one("team"))
            #expect(team.text("name") == "Red")
            #expect(team.names("members") == ["Alice", "Bob"])
            let id = people[0].objectID
            context.refresh(people[0], mergeChanges: false)
            #expect(try context.existingObject(with: id).text("name") == people[0].text("name"))
        }
        #expect(try stack.savedNames("Person") == [])
    }

    /// What moves a pinned context on to the newest state.
    enum Advance: String, CaseIterable, Sendable {
        case save, emptySave, reset, refreshAllObjects, mergeChanges, setCurrent, unpin
    }

    @Test(
        "CTX-191, CTX-192: save, reset, refreshAllObjects and mergeChanges move on to the newest state",
        arguments: Advance.allCases)
    func advancing(_ advance: Advance) throws {
        let stack = try stack()
        let other = stack.newContext()
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["Alice", "Bob"])
            let first = try #require(context.queryGenerationToken)
            var notification: Notification?
            let observer = Observer(.NSManagedObjectContextDidSave, of: other) { notification = $0 }
            try other.run { other in
                other.make("Person", ["name": "Carol"])
                try other.save()
            }
            withExtendedLifetime(observer) {}
            #expect(try names(context) == ["Alice", "Bob"])
            #expect(context.queryGenerationToken == first)
            switch advance {
            case .save:
                context.make("Team", ["name": "Blue"])
                try context.save()
            case .emptySave: try context.save()
            case .reset: context.reset()
            case .refreshAllObjects: context.refreshAllObjects()
            case .mergeChanges: context.mergeChanges(fromContextDidSave: try #require(notification))
            case .setCurrent: try context.setQueryGenerationFrom(.current)
            case .unpin: try context.setQueryGenerationFrom(nil)
            }
            #expect((context.queryGenerationToken == nil) == (advance == .unpin))
            #expect(context.queryGenerationToken != first)
            #expect(try names(context) == ["Alice", "Bob", "Carol"])
            try elsewhere(stack) { $0.make("Person", ["name": "Dave"]) }
            #expect(try names(context).count == (advance == .unpin ? 4 : 3))
        }
    }

    @Test("CTX-178: automatic merging moves a pinned context on, and its objects get the values merged")
    func automaticMerging() throws {
        let stack = try stack()
        try stack.run { context in
            context.automaticallyMergesChangesFromParent = true
            try context.setQueryGenerationFrom(.current)
            #expect(try context.named("Alice", "Person").number("age") == 10)
        }
        let alice = try stack.run { try $0.named("Alice", "Person") }
        try elsewhere(stack) { try $0.named("Alice", "Person").set("age", 11) }
        // The merging was asked for before this.
        try stack.run { context in
            #expect(alice.number("age") == 11)
            #expect(context.queryGenerationToken != nil)
        }
    }

    @Test("CTX-192: another context's token gives the same state, also one that nobody has read by yet; it outlives its context")
    func sharing() throws {
        let stack = try stack()
        let second = stack.newContext()
        var token: NSQueryGenerationToken?
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            token = context.queryGenerationToken
        }
        try second.run { second in
            try second.setQueryGenerationFrom(token)
            #expect(second.queryGenerationToken == token)
            #expect(try names(second) == ["Alice", "Bob"])
        }
        try elsewhere(stack) { other in
            try other.named("Alice", "Person").set("name", "Alicia")
            other.delete(try other.named("Bob", "Person"))
        }
        try stack.run { context in
            #expect(try names(context) == ["Alice", "Bob"])
            try context.setQueryGenerationFrom(nil)
            #expect(context.queryGenerationToken == nil)
        }
        try second.run { try $0.setQueryGenerationFrom(nil) }
        try stack.fresh { third in
            try third.setQueryGenerationFrom(token)
            #expect(try names(third) == ["Alice", "Bob"])
            try third.setQueryGenerationFrom(nil)
            #expect(try third.all("Person").count == 1)
        }
    }

    @Test("CTX-195: objects that are loaded keep their values when the generation changes; refreshing one reads the generation")
    func loadedObjectsStay() throws {
        let stack = try stack()
        try stack.run { context in
            let alice = try context.named("Alice", "Person")
            #expect(alice.number("age") == 10)
            try elsewhere(stack) { try $0.named("Alice", "Person").set("age", 11) }
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Team").count == 1)
            #expect(alice.number("age") == 10)
            try elsewhere(stack) { try $0.named("Alice", "Person").set("age", 12) }
            context.refresh(alice, mergeChanges: false)
            #expect(alice.number("age") == 11)
            try context.setQueryGenerationFrom(nil)
            #expect(alice.number("age") == 11)
            context.refresh(alice, mergeChanges: true)
            #expect(alice.number("age") == 12)
        }
    }

    @Test(
        "A save from a pinned context finds conflicts with the newest data, of objects that were loaded or not, and the policy resolves them",
        arguments: [false, true], [false, true])
    func conflicts(isLoaded: Bool, isDeletion: Bool) throws {
        let stack = try stack()
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            let alice = try context.named("Alice", "Person")
            if !isLoaded { context.refresh(alice, mergeChanges: false) }
            try elsewhere(stack) { try $0.named("Alice", "Person").set("age", 11) }
            if isDeletion { context.delete(alice) } else { alice.set("name", "Alicia") }
            let token = context.queryGenerationToken
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            #expect(error.mergeConflicts.map(\.sourceObject) == [alice])
            #expect(context.hasChanges)
            #expect(context.queryGenerationToken == token)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(context.queryGenerationToken != token)
        }
        #expect(try stack.savedNames("Person") == (isDeletion ? ["Bob"] : ["Alicia", "Bob"]))
        if !isDeletion { #expect(try stack.fresh { try $0.named("Alicia", "Person").number("age") } == 11) }
    }

    @Test("Members that others added after the pin survive the save of a pinned context that resolves a conflict")
    func conflictOfMembers() throws {
        let stack = try stack()
        try stack.run { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.setQueryGenerationFrom(.current)
            let alice = try context.named("Alice", "Person")
            #expect(alice.list("playlist") == [])
            try elsewhere(stack) { other in
                let song = other.make("Song", ["name": "Theirs"])
                try other.named("Alice", "Person").set("playlist", NSOrderedSet(object: song))
            }
            alice.set("playlist", NSOrderedSet(object: context.make("Song", ["name": "Ours"])))
            try context.save()
            #expect(Set(alice.nameList("playlist")) == ["Theirs", "Ours"])
        }
        #expect(try Set(stack.fresh { try $0.named("Alice", "Person").nameList("playlist") }) == ["Theirs", "Ours"])
    }

    @Test("NTF-18: DidSave of a pinned context carries the token that it reads by from then on; of another context it does not")
    func didSave() throws {
        let stack = try stack()
        let log = NotificationLog(stack.context)
        try stack.run { context in
            context.make("Person", ["name": "Carol"])
            try context.save()
            try context.setQueryGenerationFrom(.current)
            context.make("Person", ["name": "Dave"])
            try context.save()
            let saves = log.take().filter { $0.kind == "didSave" }
            try #require(saves.count == 2)
            #expect(NSManagedObjectContextQueryGenerationKey == "NSManagedObjectContextQueryGenerationKey")
            #expect(saves[0].keys == [NSInsertedObjectsKey])
            #expect(saves[1].keys == [NSManagedObjectContextQueryGenerationKey, NSInsertedObjectsKey])
            let token = saves[1].userInfo[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
            #expect(token != nil)
            #expect(token == context.queryGenerationToken)
        }
    }

    @Test(
        "CTX-193: on a store without a write-ahead log the call does nothing: no token, and the newest data",
        arguments: [0, 1, 2])
    func otherStores(number: Int) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        switch number {
        case 0: try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        case 1: try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
        default:
            let pragmas = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
            try coordinator.addPersistentStore(type: .sqlite, at: folder.file("store.sqlite"), options: pragmas)
        }
        let (context, other) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
        context.persistentStoreCoordinator = coordinator
        other.persistentStoreCoordinator = coordinator
        try context.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(context.queryGenerationToken == nil)
            #expect(try context.all("Person") == [])
            try other.run { other in
                other.make("Person", ["name": "Alice"])
                try other.save()
            }
            #expect(try names(context) == ["Alice"])
            #expect(context.queryGenerationToken == nil)
        }
    }

    @Test("A child context, one without coordinator, and a token of another coordinator are errors that change nothing")
    func refusals() throws {
        let stack = try stack()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.run { child in
            let error = try thrownError { try child.setQueryGenerationFrom(.current) }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSCoreDataError)
            #expect(error.localizedDescription.contains("child"))
            #expect(child.queryGenerationToken == nil)
            try child.setQueryGenerationFrom(nil)
        }
        let alone = NSManagedObjectContext(.privateQueue)
        let error = try thrownError { try alone.setQueryGenerationFrom(.current) }
        #expect(error.localizedDescription.contains("persistentStoreCoordinator"))
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["Alice", "Bob"])
            let token = try #require(context.queryGenerationToken)
            try stack.reopened().run { other in
                let error = try thrownError { try other.setQueryGenerationFrom(token) }
                #expect(error.code == NSCoreDataError)
                #expect(error.localizedDescription.contains("another persistentStoreCoordinator"))
                #expect(other.queryGenerationToken == nil)
            }
            #expect(context.queryGenerationToken == token)
        }
    }

    @Test("A child reads what its pinned parent reads")
    func child() throws {
        let stack = try stack()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["Alice", "Bob"])
        }
        try elsewhere(stack) { other in for person in try other.all("Person") { other.delete(person) } }
        #expect(try child.run { try names($0) } == ["Alice", "Bob"])
    }

    @Test("Several stores are pinned at the same moment, and a store that is added later is not read before the context moves on")
    func severalStores() throws {
        let model = People.model()
        model.setEntities(model.entities.filter { ["Person", "Manager"].contains($0.name) }, forConfigurationName: "First")
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        func add(_ name: String) throws -> NSPersistentStore {
            try coordinator.addPersistentStore(type: .sqlite, at: folder.file(name))
        }
        let (a, b) = (try add("a.sqlite"), try add("b.sqlite"))
        let (context, other) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
        context.persistentStoreCoordinator = coordinator
        other.persistentStoreCoordinator = coordinator
        func make(_ name: String, in store: NSPersistentStore) throws {
            try other.run { other in
                other.assign(other.make("Person", ["name": name]), to: store)
                try other.save()
            }
        }
        try make("in a", in: a)
        try make("in b", in: b)
        try context.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["in a", "in b"])
            try make("later in b", in: b)
            try make("in c", in: add("c.sqlite"))
            #expect(try names(context) == ["in a", "in b"])
            try context.save()
            #expect(try names(context) == ["in a", "in b", "in c", "later in b"])
        }
    }

    @Test("A write-ahead log can be emptied again once the last holder of a token has let go of it")
    func checkpoint() throws {
        let stack = try stack()
        let database = try Database(stack.folder.file("store.sqlite"))
        func isBusy() throws -> String? { try database.text("PRAGMA wal_checkpoint(TRUNCATE)") }
        var token: NSQueryGenerationToken?
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["Alice", "Bob"])
            token = context.queryGenerationToken
            try context.setQueryGenerationFrom(nil)
        }
        try elsewhere(stack) { $0.make("Person", ["name": "Carol"]) }
        #expect(try isBusy() == "1")
        #expect(token != nil)
        token = nil
        #expect(try isBusy() == "0")
        let size = try FileManager.default.attributesOfItem(atPath: stack.folder.file("store.sqlite-wal").path)[.size] as? Int
        #expect(size == 0)
        // The connections of snapshots are used again; many of them leave nothing open.
        try stack.run { context in
            for round in 0..<20 {
                try context.setQueryGenerationFrom(.current)
                #expect(try context.all("Person").count == 3 + round)
                try elsewhere(stack) { $0.make("Person", ["name": "Number \(round)"]) }
                #expect(try context.all("Person").count == 3 + round)
            }
            try context.setQueryGenerationFrom(nil)
        }
        #expect(try isBusy() == "0")
    }

    @Test("A token doesn't keep a removed store's file open, and reading by it from another store goes on")
    func removedStore() throws {
        let stack = try stack()
        var token: NSQueryGenerationToken?
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            #expect(try names(context) == ["Alice", "Bob"])
            token = context.queryGenerationToken
        }
        try stack.coordinator.remove(stack.store)
        // Closing the last connection of the file has removed its log.
        #expect(!FileManager.default.fileExists(atPath: stack.folder.file("store.sqlite-wal").path))
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.folder.file("store.sqlite"))
        try stack.run { context in
            context.reset()
            #expect(try names(context) == ["Alice", "Bob"])
            try context.setQueryGenerationFrom(token)
            // The store came back after the generation.
            #expect(try names(context) == [])
            try context.setQueryGenerationFrom(nil)
            #expect(try names(context) == ["Alice", "Bob"])
        }
    }

    @Test("Tokens are equal for the same state, copy themselves, and can be archived for this process")
    func tokens() throws {
        let stack = try stack()
        #expect(NSQueryGenerationToken.current == NSQueryGenerationToken.current)
        #expect(NSQueryGenerationToken.supportsSecureCoding)
        func archived(_ token: NSQueryGenerationToken) throws -> Data {
            try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        }
        func read(_ data: Data) throws -> NSQueryGenerationToken? {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
        }
        #expect(try read(archived(.current)) == .current)
        var data = Data()
        try stack.run { context in
            try context.setQueryGenerationFrom(.current)
            let first = try #require(context.queryGenerationToken)
            #expect(first != .current)
            #expect(first.copy() as? NSQueryGenerationToken == first)
            #expect(Set([first, try #require(context.queryGenerationToken)]).count == 1)
            data = try archived(first)
            #expect(try read(data) == first)
            try context.save()
            #expect(context.queryGenerationToken != first)
        }
        let error = try thrownError { _ = try read(data) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.coderInvalidValue.rawValue || error.code == CocoaError.coderReadCorrupt.rawValue)
    }
}
