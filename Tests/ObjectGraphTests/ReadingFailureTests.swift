import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("R40, R102: reading that fails")
struct ReadingFailureTests {
    private typealias Policy = NSManagedObjectContext.ReadingFailurePolicy

    /// A store of a team Blue with Ada (task a, b), Bob and Cid, whose readings fail when they are told to.
    struct Fixture {
        let stack: TestStack
        let faults = ReadingFaults()
        var team: NSManagedObjectID!
        var ada: NSManagedObjectID!
        var bob: NSManagedObjectID!

        init(_ kind: StackKind = .sqlite) throws {
            let faults = faults
            stack = try TestStack(kind, People.model()) { FailingEngine($0, faults) }
            (team, ada, bob) = try stack.run { context throws in
                let team = context.make("Team", ["name": "Blue"])
                let people = ["Ada", "Bob", "Cid"].map {
                    context.make("Person", ["name": $0, "age": 36, "team": team, "code": UUID()])
                }
                people[0].set("tasks", NSOrderedSet(array: ["a", "b"].map { context.make("Task", ["name": $0]) }))
                try context.save()
                return (team.objectID, people[0].objectID, people[1].objectID)
            }
        }

        /// Runs on a context that stops for nothing.
        func recording<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
            let context = stack.newContext()
            context.readingFailurePolicy = .record
            return try context.run(body)
        }

        func failRow(_ id: NSManagedObjectID) {
            let key = id.rowKey
            faults.fail(.row(key, of: id.entity.name ?? ""))
        }
    }

    // MARK: Throwing

    @Test(
        "load() throws what an accessor would stop for, and the object is read when that is possible",
        arguments: StackKind.allCases)
    func load(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        for policy in [Policy.stop, .record] {
            try fixture.stack.fresh { context throws in
                context.readingFailurePolicy = policy
                let ada = context.object(with: fixture.ada)
                fixture.failRow(fixture.ada)
                let failure = try #require(throws: ReadingFailure.self) { try ada.load() }
                #expect(failure.objectID == fixture.ada && failure.entityName == "Person" && failure.propertyName == nil)
                #expect(failure.storeError == ReadingFaults.error)
                #expect(failure.domain == NSCocoaErrorDomain && failure.code == ReadingFaults.error.code)
                #expect(failure.userInfo[NSUnderlyingErrorKey] as? NSError == ReadingFaults.error)
                #expect(
                    failure.localizedDescription.contains("Person") && failure.localizedDescription.contains("disk I/O error"))
                #expect(throws: ReadingFailure.self) { try context.existingObject(with: fixture.ada) }
                #expect(ada.isFault)
                // Whoever was thrown at knows: nothing wrong was given out.
                #expect(context.readingFailures.isEmpty)
                fixture.faults.failNothing()
                try ada.load()
                #expect(ada.text("name") == "Ada")
                ada.set("age", 37)
                try context.save()
            }
        }
    }

    @Test("load() throws 133000 for an object without row, one that was reset and one whose context is gone")
    func noRow() throws {
        let fixture = try Fixture()
        let held = try fixture.stack.fresh { context throws in
            let ada = context.object(with: fixture.ada)
            let bob = context.object(with: fixture.bob)
            context.reset()
            #expect(throws: NSError.self) { try ada.load() }
            _ = bob
            return context.object(with: fixture.bob)
        }
        let error = #expect(throws: NSError.self) { try held.load() }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.localizedDescription.contains("its context is gone; keep the container") == true)
        try fixture.stack.fresh { context throws in
            context.delete(context.object(with: fixture.ada))
            try context.save()
        }
        try fixture.stack.fresh { context throws in
            let ada = context.object(with: fixture.ada)
            let error = #expect(throws: NSError.self) { try ada.load() }
            #expect(error?.code == NSManagedObjectReferentialIntegrityError && ada.isFault && !ada.isDeleted)
        }
    }

    // MARK: The policies

    @Test("By default an accessor stops with the reason")
    func stops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let fixture = try Fixture(.inMemory)
            try fixture.stack.fresh { context throws in
                fixture.faults.failEverything()
                _ = context.object(with: fixture.ada).text("name")
            }
        }
        #expect(result.message.contains("can't be read: disk I/O error"))
    }

    @Test(
        "Under the recording policy accessors give nil and empty, and no save succeeds until the object was read",
        arguments: StackKind.allCases)
    func recording(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        try fixture.recording { context throws in
            var told: [ReadingFailure] = []
            context.readingFailureHandler = { told.append($0) }
            let bob = context.object(with: fixture.bob)
            let ada = context.object(with: fixture.ada)
            fixture.failRow(fixture.ada)
            bob.set("age", 1)
            #expect(ada.text("name") == nil && ada.number("age") == nil && ada.one("team") == nil)
            #expect(ada.value(forKey: "code") == nil && ada.value(forKey: "tags") == nil)
            #expect(!ada.isDeleted && !ada.hasChanges && told == context.readingFailures)
            #expect(told.map(\.objectID) == [fixture.ada])
            for _ in 0..<2 {
                let failure = #expect(throws: ReadingFailure.self) { try context.save() }
                #expect(failure == told.first)
            }
            #expect(bob.hasChanges)
            // Still out of reach.
            context.refresh(ada, mergeChanges: false)
            #expect(ada.isFault)
            #expect(throws: ReadingFailure.self) { try context.save() }
            #expect(throws: ReadingFailure.self) { try ada.load() }
            fixture.faults.failNothing()
            #expect(throws: ReadingFailure.self) { try context.save() }
            #expect(ada.text("name") == "Ada")
            #expect(context.readingFailures.isEmpty)
            try context.save()
            context.readingFailureHandler = nil
        }
        #expect(try fixture.stack.fresh { try $0.all("Person").map { $0.number("age") } } == [36, 1, 36])
    }

    @Test("Reading again by load(), refresh, a fetch or reset() lets saves succeed")
    func readAgain() throws {
        let ways: [(String, (NSManagedObjectContext, NSManagedObject) throws -> Void)] = [
            ("load", { try $1.load() }),
            (
                "refresh",
                {
                    $0.refresh($1, mergeChanges: true)
                    _ = $1.text("name")
                }
            ),
            (
                "refreshAll",
                { context, object in
                    context.refreshAllObjects()
                    _ = object.text("name")
                }
            ),
            ("fetch", { context, _ in _ = try context.all("Person") }),
            ("existing", { _ = try $0.existingObject(with: $1.objectID) }),
        ]
        for (name, read) in ways {
            let fixture = try Fixture()
            try fixture.recording { context throws in
                let ada = context.object(with: fixture.ada)
                fixture.failRow(fixture.ada)
                _ = ada.text("name")
                fixture.faults.failNothing()
                #expect(throws: ReadingFailure.self, "\(name)") { try context.save() }
                try read(context, ada)
                #expect(context.readingFailures.isEmpty, "\(name)")
                #expect(ada.text("name") == "Ada" && ada.one("team") != nil, "\(name)")
                try context.save()
            }
        }
        let fixture = try Fixture()
        try fixture.recording { context throws in
            fixture.failRow(fixture.ada)
            _ = context.object(with: fixture.ada).text("name")
            context.reset()
            #expect(context.readingFailures.isEmpty)
            try context.save()
        }
    }

    @Test(
        "What is set on an object that could not be read is not written: it may come from values that are not there",
        arguments: StackKind.allCases)
    func setting(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        try fixture.recording { context throws in
            context.undoManager = UndoManager()
            let ada = context.object(with: fixture.ada)
            let team = context.object(with: fixture.team)
            let red = context.make("Team", ["name": "Red"])
            fixture.failRow(fixture.ada)
            ada.set("age", (ada.number("age") ?? 0) + 1)
            ada.set("name", "?")
            ada.set("code", nil)
            ada.set("team", red)
            #expect(ada.number("age") == 1 && red.many("members") == [ada] && ada.isUpdated)
            #expect(throws: ReadingFailure.self) { try context.save() }
            fixture.faults.failNothing()
            try ada.load()
            #expect(ada.text("name") == "Ada" && ada.number("age") == 36 && ada.value(forKey: "code") != nil)
            #expect(ada.one("team") == team && red.many("members").isEmpty)
            #expect(team.names("members") == ["Ada", "Bob", "Cid"])
            context.undoManager?.undo()
            #expect(ada.number("age") == 36)
            context.undoManager?.redo()
            try context.save()
            context.undoManager = nil
        }
        try fixture.stack.fresh { context throws in
            let ada = context.object(with: fixture.ada)
            #expect(ada.text("name") == "Ada" && ada.number("age") == 36 && ada.one("team")?.text("name") == "Blue")
            #expect(ada.value(forKey: "code") != nil && ada.nameList("tasks") == ["a", "b"])
        }
    }

    // MARK: Relationships

    @Test("A relationship that can't be read is empty, and keeps what the store has", arguments: StackKind.allCases)
    func members(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        try fixture.recording { context throws in
            let team = context.object(with: fixture.team)
            let ada = context.object(with: fixture.ada)
            fixture.faults.fail(.members("members"), .members("tasks"))
            #expect(team.many("members").isEmpty && ada.list("tasks").isEmpty)
            #expect(context.readingFailures.map(\.propertyName) == ["members", "tasks"])
            let dan = context.make("Person", ["name": "Dan"])
            team.add(dan, to: "members")
            ada.set("tasks", NSOrderedSet(array: [context.make("Task", ["name": "c"])]))
            #expect(team.names("members") == ["Dan"] && ada.nameList("tasks") == ["c"])
            #expect(throws: ReadingFailure.self) { try context.save() }
            fixture.faults.failNothing()
            context.refresh(team, mergeChanges: true)
            context.refresh(ada, mergeChanges: true)
            // Set as wholes, of which what was given out is known, and no more.
            #expect(team.names("members") == ["Ada", "Bob", "Cid", "Dan"])
            #expect(ada.nameList("tasks") == ["a", "b", "c"])
            try context.save()
        }
        try fixture.stack.fresh { context throws in
            #expect(context.object(with: fixture.team).names("members") == ["Ada", "Bob", "Cid", "Dan"])
            #expect(context.object(with: fixture.ada).nameList("tasks") == ["a", "b", "c"])
        }
    }

    @Test(
        "R102: one row that can't be read is one object that can't be read: its relationships have it", arguments: [false, true])
    func damagedRow(isRecording: Bool) throws {
        let fixture = try Fixture()
        try Database(fixture.stack.folder.file("store.sqlite")).execute(
            "UPDATE ZPERSON SET ZCODE = x'0102030405060708090a0b0c0d0e0f' WHERE ZNAME = 'Ada'")
        try fixture.stack.fresh { context throws in
            context.readingFailurePolicy = isRecording ? .record : .stop
            let team = context.object(with: fixture.team)
            let members = team.many("members")
            #expect(Set(members.map(\.objectID)).isSuperset(of: [fixture.ada, fixture.bob]) && members.count == 3)
            for member in members where member.objectID != fixture.ada { #expect(member.text("name") != nil) }
            let ada = context.object(with: fixture.ada)
            let failure = #expect(throws: ReadingFailure.self) { try ada.load() }
            #expect(failure?.code == CocoaError.fileReadCorruptFile.rawValue)
            #expect(failure?.localizedDescription.contains("Person.code") == true)
            // A fetch throws, or gives what it can.
            if isRecording {
                #expect(try context.all("Person").count == 3)
            } else {
                #expect(throws: NSError.self) { try context.all("Person") }
            }
            // What was not read is not written.
            context.object(with: fixture.bob).set("age", 2)
            team.set("name", "Red")
            try context.save()
            guard isRecording else { return }
            #expect(ada.text("name") == nil)
            team.set("name", "Green")
            #expect(throws: ReadingFailure.self) { try context.save() }
            context.reset()
        }
        let file = try Database(fixture.stack.folder.file("store.sqlite"))
        #expect(
            try file.text("SELECT hex(ZCODE) || ZTEAM || ZNAME FROM ZPERSON WHERE ZNAME = 'Ada'")
                == "0102030405060708090A0B0C0D0E0F1Ada")
        #expect(try file.text("SELECT ZNAME FROM ZTEAM") == "Red")
    }

    // MARK: Deleting

    @Test(
        "A deletion whose rules need what can't be read fails at the save, as often as it is tried, and is then done whole",
        arguments: StackKind.allCases, [Policy.stop, .record])
    func deleting(_ kind: StackKind, _ policy: NSManagedObjectContext.ReadingFailurePolicy) throws {
        let fixture = try Fixture(kind)
        for question in [
            ReadingFaults.Question.members("members"), .row(fixture.bob.rowKey, of: "Person"),
            .row(fixture.team.rowKey, of: "Team"),
        ] {
            try fixture.stack.fresh { context throws in
                context.readingFailurePolicy = policy
                context.delete(context.object(with: fixture.team))
                fixture.faults.fail(question)
                context.processPendingChanges()
                for _ in 0..<2 { #expect(throws: ReadingFailure.self, "\(question)") { try context.save() } }
                fixture.faults.failNothing()
                context.rollback()
            }
            #expect(try fixture.stack.fresh { $0.object(with: fixture.team).names("members") } == ["Ada", "Bob", "Cid"])
        }
        try fixture.stack.fresh { context throws in
            context.readingFailurePolicy = policy
            context.delete(context.object(with: fixture.team))
            fixture.faults.fail(.members("members"))
            #expect(throws: ReadingFailure.self) { try context.save() }
            fixture.faults.failNothing()
            try context.save()
        }
        #expect(try fixture.stack.fresh { try $0.all("Person").map { $0.one("team") } } == [nil, nil, nil])
    }

    // MARK: Contexts above

    @Test("A child's readings fail by the child's policy, which is its parent's unless set", arguments: StackKind.allCases)
    func children(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        let parent = fixture.stack.newContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        #expect(child.readingFailurePolicy == .stop)
        parent.readingFailurePolicy = .record
        #expect(child.readingFailurePolicy == .record)
        parent.readingFailurePolicy = .stop
        child.readingFailurePolicy = .record
        try child.run { context throws in
            let ada = context.object(with: fixture.ada)
            let team = context.object(with: fixture.team)
            fixture.faults.fail(.row(fixture.ada.rowKey, of: "Person"), .members("members"))
            #expect(ada.text("name") == nil && team.many("members").isEmpty)
            #expect(context.readingFailures.count == 2)
            team.set("name", "Red")
            #expect(throws: ReadingFailure.self) { try context.save() }
            #expect(throws: ReadingFailure.self) { try ada.load() }
            fixture.faults.failNothing()
            try ada.load()
            context.refresh(team, mergeChanges: true)
            #expect(team.names("members") == ["Ada", "Bob", "Cid"])
            try context.save()
        }
        try parent.run { context throws in
            #expect(context.readingFailures.isEmpty && context.object(with: fixture.team).text("name") == "Red")
            try context.save()
        }
        #expect(try fixture.stack.savedNames("Team") == ["Red"])
    }

    @Test(
        "A child's save fails if its parent can't read what is to be changed, and pushes nothing", arguments: StackKind.allCases)
    func childSave(_ kind: StackKind) throws {
        let fixture = try Fixture(kind)
        let parent = fixture.stack.newContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        try child.run { context throws in
            let ada = context.object(with: fixture.ada)
            let bob = context.object(with: fixture.bob)
            ada.set("age", 1)
            bob.set("age", 2)
            parent.performAndWait { parent.refreshAllObjects() }
            fixture.failRow(fixture.bob)
            #expect(throws: ReadingFailure.self) { try context.save() }
            try parent.performAndWait { try #require(!parent.hasChanges && parent.readingFailures.isEmpty) }
            fixture.faults.failNothing()
            try context.save()
        }
        try parent.run { try $0.save() }
        #expect(try fixture.stack.fresh { try $0.all("Person").map { $0.number("age") } } == [1, 2, 36])
    }

    // MARK: Others who read

    @Test(
        "What the library itself reads stops nothing: merges are made up for, and no save goes by what is missing",
        arguments: [Policy.stop, .record])
    func merging(_ policy: NSManagedObjectContext.ReadingFailurePolicy) throws {
        let fixture = try Fixture()
        let context = fixture.stack.newContext()
        context.readingFailurePolicy = policy
        try context.run { context throws in
            let ada = context.object(with: fixture.ada)
            ada.set("age", 1)
            try fixture.stack.fresh { other throws in
                other.object(with: fixture.ada).set("name", "Eva")
                try other.save()
            }
            fixture.failRow(fixture.ada)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [fixture.ada!]], into: [context])
            #expect(context.readingFailures.map(\.objectID) == [fixture.ada])
            #expect(throws: ReadingFailure.self) { try context.save() }
            fixture.faults.failNothing()
            try ada.load()
            #expect(ada.text("name") == "Eva" && ada.number("age") == 1)
            try context.save()
        }
        #expect(try fixture.stack.savedNames("Person") == ["Bob", "Cid", "Eva"])
    }

    @Test("A store that was removed: load() throws, and the recording policy tells no deletion")
    func removedStore() throws {
        let fixture = try Fixture()
        try fixture.recording { context throws in
            let ada = context.object(with: fixture.ada)
            let bob = context.object(with: fixture.bob)
            try fixture.stack.coordinator.remove(fixture.stack.store)
            let failure = #expect(throws: ReadingFailure.self) { try ada.load() }
            #expect(failure?.localizedDescription.contains("was removed from the coordinator") == true)
            #expect(bob.text("name") == nil && bob.many("friends").isEmpty && !bob.isDeleted)
            #expect(throws: ReadingFailure.self) { try context.save() }
            context.reset()
        }
    }

    @Test("Pages of batched results, fetched values and the siblings of a fault: what is out of reach hides nothing else")
    func batches() throws {
        let fixture = try Fixture()
        try fixture.recording { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.fetchBatchSize = 2
            let results = try context.fetchBatched(request)
            fixture.failRow(fixture.bob)
            let names = results.map { $0.text("name") }
            #expect(names == ["Ada", nil, "Cid"])
            #expect(context.readingFailures.map(\.objectID) == [fixture.bob])
            context.reset()
            request.includesPropertyValues = false
            let faults = try context.fetch(request)
            #expect(faults.map { $0.text("name") } == ["Ada", nil, "Cid"])
            context.reset()
            request.includesPropertyValues = true
            request.returnsObjectsAsFaults = false
            #expect(try context.fetch(request).map { $0.text("name") } == ["Ada", nil, "Cid"])
            #expect(context.readingFailures.count == 1)
            context.reset()
        }
    }

    // MARK: Objects without context

    @Test("R46: an object that was reset may be touched, and has the defaults of its transient properties")
    func reset() throws {
        let fixture = try Fixture()
        try fixture.stack.fresh { context throws in
            let ada = context.object(with: fixture.ada)
            #expect(ada.text("name") == "Ada")
            context.reset()
            ada.willAccessValue(forKey: nil)
            #expect(ada.isFault && ada.managedObjectContext == nil)
            #expect(ada.number("mood") == 7 && ada.text("nick") == nil)
        }
    }

    @Test("R46: reading what a store keeps of an object that was reset stops, and the message says why")
    func resetStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let fixture = try Fixture(.inMemory)
            try fixture.stack.fresh { context throws in
                let ada = context.object(with: fixture.ada)
                _ = ada.text("name")
                context.reset()
                _ = ada.text("name")
            }
        }
        #expect(result.message.contains("its context was reset"))
    }
}

extension NSManagedObjectID {
    /// The primary key in the store.
    var rowKey: Int64 { Int64(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}
