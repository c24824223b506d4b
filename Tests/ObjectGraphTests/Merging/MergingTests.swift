import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Merging changes from other contexts")
struct MergingTests {
    /// What kind of notification is merged.
    enum Source: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case objects, ids
        var testDescription: String { rawValue }
        var name: Notification.Name {
            self == .objects ? .NSManagedObjectContextDidSave : .NSManagedObjectContextDidSaveObjectIDs
        }
    }

    /// The notification of the next save in a context.
    private func saved(_ source: Source, in context: NSManagedObjectContext, _ change: (NSManagedObjectContext) throws -> Void)
        throws -> Notification
    {
        var result: Notification?
        let observer = Observer(source.name, of: context) { result = $0 }
        try context.run { context in
            try change(context)
            try context.save()
        }
        withExtendedLifetime(observer) {}
        return try #require(result)
    }

    private func rivals(_ kind: StackKind, _ attachment: RivalAttachment = .sameCoordinator) throws -> Rivals {
        try Rivals(kind, attachment: attachment) { context in
            let blue = context.make("Team", ["name": "Blue"])
            for (name, age) in [("Alice", 10), ("Bob", 20), ("Cid", 30)] {
                _ = context.make("Person", ["name": name, "age": age, "team": blue])
            }
        }
    }

    @Test("NTF-5, NTF-6, NTF-9, API-54, API-55, API-62: names, keys and signatures of merging")
    func names() {
        #expect(NSManagedObjectContext.didMergeChangesObjectIDsNotification == .NSManagedObjectContextDidMergeChangesObjectIDs)
        #expect(
            Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs.rawValue
                == "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
        #expect(NSManagedObjectContext.NotificationKey.refreshedObjectIDs.rawValue == "refreshed_objectIDs")
        #expect(NSManagedObjectContext.NotificationKey.invalidatedObjectIDs.rawValue == "invalidated_objectIDs")
        #expect(NSManagedObjectContext.NotificationKey.invalidatedObjects.rawValue == NSInvalidatedObjectsKey)
        let one: (NSManagedObjectContext) -> (Notification) -> Void = NSManagedObjectContext.mergeChanges(fromContextDidSave:)
        let many: ([AnyHashable: Any], [NSManagedObjectContext]) -> Void = NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave:into:)
        // A notification without anything in it, and no contexts, do nothing.
        one(NSManagedObjectContext(.privateQueue))(Notification(name: .NSManagedObjectContextDidSave))
        many([:], [])
    }

    // MARK: What is told

    @Test(
        "CTX-170, CTX-171, NTF-140, NTF-142, NTF-148, CTX-172: updated objects that are loaded are refreshed, and their values are there at once",
        arguments: StackKind.allCases, Source.allCases)
    func updates(_ kind: StackKind, _ source: Source) throws {
        let rivals = try rivals(kind)
        let (alice, bob) = (try rivals.object(in: rivals.second), try rivals.object("Bob", in: rivals.second))
        try rivals.second.run { _ in _ = (alice.text("name"), bob.text("name")) }
        let log = NotificationLog(rivals.second)
        let notification = try saved(source, in: rivals.first) { context in
            for name in ["Alice", "Bob"] { try context.named(name, "Person").set("age", 99) }
            _ = context.make("Person", ["name": "New"])
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            let entries = log.take()
            #expect(entries.map(\.kind) == ["didChange", "didMerge"])
            #expect(entries[0].refreshed == [alice, bob] && entries[0].inserted.count == 1)
            #expect(entries[0].updated.isEmpty && entries[0].deleted.isEmpty)
            #expect(entries[1].ids(.insertedObjectIDs).count == 1)
            #expect(entries[1].ids(.updatedObjectIDs) == [alice.objectID, bob.objectID])
            #expect(entries[1].ids(.refreshedObjectIDs) == [alice.objectID, bob.objectID])
            #expect(entries[1].ids(.deletedObjectIDs).isEmpty)
            #expect(alice.number("age") == 99 && bob.number("age") == 99)
            // NTF-147
            #expect(!context.hasChanges)
            try context.save()
            #expect(log.take().filter { $0.kind == "didSave" }.map(\.keys) == [[]])
        }
    }

    @Test(
        "NTF-141, NTF-154: inserted objects are told of as faults, and nobody holds them afterwards",
        arguments: StackKind.allCases, Source.allCases)
    func inserts(_ kind: StackKind, _ source: Source) throws {
        let rivals = try rivals(kind)
        var names: Set<String?> = []
        var wereFaults: [Bool] = []
        let notification = try saved(source, in: rivals.first) { context in
            for name in ["X", "Y"] { _ = context.make("Person", ["name": name]) }
        }
        try rivals.second.run { context in
            let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: context) { note in
                let objects = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                wereFaults = objects.map(\.isFault)
                names = Set(objects.map { $0.text("name") })
                #expect((note.userInfo ?? [:]).count == 1)
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(wereFaults == [true, true] && names == ["X", "Y"])
            #expect(context.registeredObjects.isEmpty && !context.hasChanges && context.insertedObjects.isEmpty)
            withExtendedLifetime(observer) {}
        }
    }

    @Test(
        "NTF-143: updates of objects that are unknown or faults here are told to nobody", arguments: StackKind.allCases,
        Source.allCases)
    func unknownUpdates(_ kind: StackKind, _ source: Source) throws {
        let rivals = try rivals(kind)
        let fault = try rivals.second.run { context in
            let fault = try context.named("Bob", "Person")
            context.refresh(fault, mergeChanges: false)
            context.processPendingChanges()
            return fault
        }
        let log = NotificationLog(rivals.second)
        let notification = try saved(source, in: rivals.first) { context in
            for person in try context.all("Person") { person.set("age", 1) }
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            let entries = log.take()
            #expect(entries.map(\.kind) == ["didMerge"])
            #expect(entries[0].ids(.updatedObjectIDs).count == 3 && entries[0].ids(.refreshedObjectIDs).isEmpty)
            #expect(fault.isFault && fault.number("age") == 1)
        }
    }

    @Test("A fault that a fetch brought with its values reads the new ones after the merge")
    func faultWithRow() throws {
        let rivals = try rivals(.sqlite)
        let people = try rivals.second.run { try $0.all("Person") }
        let notification = try saved(.ids, in: rivals.first) { context in
            for person in try context.all("Person") { person.set("age", 1) }
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(people.map { $0.number("age") } == [1, 1, 1])
        }
    }

    @Test(
        "NTF-145, NTF-146: a deleted object that is in use here becomes a deleted one with its values, and no fetch finds it",
        arguments: StackKind.allCases, Source.allCases)
    func deletes(_ kind: StackKind, _ source: Source) throws {
        let rivals = try rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        let log = NotificationLog(rivals.second)
        let notification = try saved(source, in: rivals.first) { context in
            for name in ["Alice", "Bob"] { context.delete(try context.named(name, "Person")) }
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            let entries = log.take()
            #expect(entries.map(\.kind) == ["didChange", "didMerge"])
            #expect(entries[0].deleted == [alice])
            #expect(entries[1].ids(.deletedObjectIDs).count == 2)
            #expect(context.deletedObjects == [alice] && context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
            #expect(alice.isDeleted && !alice.isFault && alice.text("name") == "Alice")
            #expect(context.registeredObjects.contains(alice))
            try #expect(context.all("Person").map { $0.text("name") } == ["Cid"])
            // Nothing is left to do for it, under the error policy too.
            try context.save()
            #expect(!context.hasChanges && alice.managedObjectContext == nil)
        }
        try #expect(rivals.people() == ["Cid": 30])
    }

    @Test(
        "A merged deletion is gone from loaded relationships, also where only the deletion is told", arguments: StackKind.allCases
    )
    func deletedMembers(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        let bob = try rivals.object("Bob", in: rivals.second)
        let blue = try rivals.object("Blue", "Team", in: rivals.second)
        try rivals.second.run { _ in _ = (bob.one("team"), blue.names("members")) }
        try rivals.first.run { context in
            context.delete(try context.named("Bob", "Person"))
            try context.save()
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [bob.objectID]], into: [rivals.second])
        try rivals.second.run { context in
            #expect(blue.names("members") == ["Alice", "Cid"] && !blue.hasChanges)
            #expect(context.deletedObjects == [bob] && context.updatedObjects.isEmpty)
            try context.save()
            #expect(blue.names("members") == ["Alice", "Cid"])
        }
    }

    @Test("NTF-146: rolling back does not bring merged deletions back", arguments: StackKind.allCases)
    func rollbackAfterDeletion(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        let notification = try saved(.ids, in: rivals.first) { context in context.delete(try context.named("Alice", "Person")) }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            context.rollback()
            #expect(!context.hasChanges && alice.managedObjectContext == nil)
            try #expect(context.all("Person").count == 2)
            try context.save()
        }
    }

    @Test("A merged deletion applies no delete rules here: whoever deleted did", arguments: StackKind.allCases)
    func noRules(_ kind: StackKind) throws {
        var maker = ModelMaker()
        for name in ["Parent", "Child"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Parent", "children", .many.cascade, "Child", "parent", .one)
        let rivals = try Rivals(kind, maker.model()) { context in
            let parent = context.make("Parent", ["name": "p"])
            for name in ["a", "b"] { _ = context.make("Child", ["name": name, "parent": parent]) }
        }
        let parent = try rivals.object("p", "Parent", in: rivals.second)
        let a = try rivals.object("a", "Child", in: rivals.second)
        try rivals.second.run { _ in _ = (parent.names("children"), a.one("parent")) }
        let notification = try saved(.objects, in: rivals.first) { context in
            // The children are moved away first, so only the parent goes.
            for child in try context.all("Child") { child.set("parent", nil) }
            context.delete(try context.named("p", "Parent"))
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(context.deletedObjects == [parent] && !a.isDeleted && a.one("parent") == nil)
            try context.save()
        }
        try #expect(rivals.stored { try $0.all("Child").count } == 2)
    }

    @Test("NTF-140: one notification has all, changes of the receiver's own too", arguments: Source.allCases)
    func oneNotification(_ source: Source) throws {
        let rivals = try rivals(.inMemory)
        let (alice, bob, cid) = try rivals.second.run { context in
            (try context.named("Alice", "Person"), try context.named("Bob", "Person"), try context.named("Cid", "Person"))
        }
        try rivals.second.run { _ in for object in [alice, bob, cid] { _ = object.text("name") } }
        let notification = try saved(source, in: rivals.first) { context in
            try context.named("Alice", "Person").set("age", 1)
            context.delete(try context.named("Bob", "Person"))
            _ = context.make("Person", ["name": "New"])
        }
        try rivals.second.run { context in
            cid.set("age", 31)
            let log = NotificationLog(context)
            context.mergeChanges(fromContextDidSave: notification)
            let entry = try #require(log.takeChanges().first)
            #expect(
                entry.inserted.count == 1 && entry.deleted == [bob] && entry.updated == [cid] && entry.refreshed.contains(alice))
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    // MARK: Local changes

    @Test(
        "NTF-144, CTX-173: unsaved changes win property by property, and saving them is no conflict",
        arguments: Rivals.places)
    func localChanges(_ kind: StackKind, _ attachment: RivalAttachment) throws {
        let rivals = try rivals(kind, attachment)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { context in
            alice.set("name", "Local")
            context.processPendingChanges()
        }
        let notification = try saved(.ids, in: rivals.first) { context in
            let alice = try context.named("Alice", "Person")
            alice.set("name", "Remote")
            alice.set("age", 11)
        }
        try rivals.second.run { context in
            let log = NotificationLog(context)
            context.mergeChanges(fromContextDidSave: notification)
            let entry = try #require(log.takeChanges().first)
            #expect(entry.refreshed == [alice] && entry.updated == [alice])
            #expect(alice.text("name") == "Local" && alice.number("age") == 11)
            #expect(alice.changedValues().keys.sorted() == ["name"])
            #expect(alice.committedValues(forKeys: ["name"])["name"] as? String == "Remote")
            try context.save()
        }
        try #expect(rivals.people()["Local"] == 11)
    }

    @Test("CTX-173: a relationship changed here and there is as it was set here, on both sides", arguments: StackKind.allCases)
    func localRelationships(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        try rivals.first.run { context in
            for name in ["Red", "Green"] { _ = context.make("Team", ["name": name]) }
            try context.save()
        }
        let alice = try rivals.object(in: rivals.second)
        let teams = try rivals.second.run { context in
            let teams = try context.all("Team")
            for team in teams { _ = team.names("members") }
            alice.set("team", try context.named("Red", "Team"))
            return teams
        }
        let notification = try saved(.objects, in: rivals.first) { context in
            try context.named("Alice", "Person").set("team", try context.named("Green", "Team"))
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(alice.one("team")?.text("name") == "Red")
            #expect(teams.map { $0.names("members").contains("Alice") } == [false, false, true])
            try context.save()
        }
        try rivals.stored { context in
            try #expect(context.named("Alice", "Person").one("team")?.text("name") == "Red")
            try #expect(context.named("Green", "Team").names("members").isEmpty)
        }
    }

    @Test("CTX-175: of an object that was deleted elsewhere the unsaved changes are lost", arguments: StackKind.allCases)
    func deletedWithChanges(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        let cid = try rivals.object("Cid", in: rivals.second)
        let red = try rivals.second.run { context in
            let red = context.make("Team", ["name": "Red"])
            alice.set("age", 11)
            alice.set("team", red)
            cid.set("boss", alice)
            context.processPendingChanges()
            return red
        }
        let notification = try saved(.ids, in: rivals.first) { context in context.delete(try context.named("Alice", "Person")) }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(alice.isDeleted && context.updatedObjects.isDisjoint(with: [alice]))
            #expect(cid.one("boss") == nil && red.names("members").isEmpty)
            try context.save()
        }
        try rivals.stored { context in
            try #expect(context.named("Cid", "Person").one("boss") == nil)
            try #expect(context.named("Red", "Team").names("members").isEmpty)
        }
    }

    @Test("CTX-173: what is deleted here and was changed elsewhere is deleted without a conflict", arguments: StackKind.allCases)
    func deletedHere(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { context in
            _ = alice.text("name")
            context.delete(alice)
        }
        let notification = try saved(.ids, in: rivals.first) { context in try context.named("Alice", "Person").set("age", 1) }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(alice.isDeleted)
            try context.save()
        }
        try #expect(rivals.people() == ["Bob": 20, "Cid": 30])
    }

    @Test("Merged changes of relationships are there on both sides", arguments: StackKind.allCases, Source.allCases)
    func relationships(_ kind: StackKind, _ source: Source) throws {
        let rivals = try rivals(kind)
        try rivals.first.run { context in
            _ = context.make("Team", ["name": "Red"])
            _ = context.make("Skill", ["name": "Swift"])
            try context.save()
        }
        let held = try rivals.second.run { context in
            let people = try context.all("Person")
            let teams = try context.all("Team")
            let skills = try context.all("Skill")
            for person in people { _ = (person.one("team"), person.names("skills")) }
            for team in teams { _ = team.names("members") }
            for skill in skills { _ = skill.names("people") }
            return people + teams + skills
        }
        let notification = try saved(source, in: rivals.first) { context in
            let alice = try context.named("Alice", "Person")
            alice.set("team", try context.named("Red", "Team"))
            alice.set("skills", Set([try context.named("Swift", "Skill")]))
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            try #expect(context.named("Red", "Team").names("members") == ["Alice"])
            try #expect(context.named("Blue", "Team").names("members") == ["Bob", "Cid"])
            try #expect(context.named("Swift", "Skill").names("people") == ["Alice"])
            try #expect(context.named("Alice", "Person").names("skills") == ["Swift"])
            #expect(!context.hasChanges)
        }
        #expect(held.count == 6)
    }

    // MARK: Where from

    @Test("NTF-155: a save of another coordinator on the same file can be merged", arguments: Source.allCases)
    func otherCoordinator(_ source: Source) throws {
        let rivals = try rivals(.sqlite, .otherCoordinator)
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        try rivals.second.run { _ in _ = (alice.text("name"), bob.text("name")) }
        let log = NotificationLog(rivals.second)
        let notification = try saved(source, in: rivals.first) { context in
            try context.named("Alice", "Person").set("age", 11)
            context.delete(try context.named("Bob", "Person"))
            _ = context.make("Person", ["name": "New", "age": 5])
        }
        try rivals.second.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            let entries = log.take()
            #expect(entries[0].deleted == [bob] && entries[0].refreshed.contains(alice) && entries[0].inserted.count == 1)
            #expect(entries[0].inserted.first?.managedObjectContext === context)
            #expect(alice.number("age") == 11)
            let store = context.persistentStoreCoordinator?.persistentStores.first
            #expect(entries[1].ids(.insertedObjectIDs).first?.persistentStore === store)
        }
    }

    @Test("CTX-176: changes of a store that the receiver does not have are ignored")
    func otherStore() throws {
        let (one, two) = (try TestStack.people(), try TestStack.people())
        let log = NotificationLog(two.context)
        let notification = try saved(.objects, in: one.context) { _ = $0.make("Person", ["name": "A"]) }
        try two.run { context in
            context.mergeChanges(fromContextDidSave: notification)
            #expect(log.take().isEmpty && context.registeredObjects.isEmpty)
        }
    }

    @Test("NTF-152: a context's own notification does nothing", arguments: Source.allCases)
    func ownSave(_ source: Source) throws {
        let rivals = try rivals(.inMemory)
        let notification = try saved(source, in: rivals.first) { try $0.named("Alice", "Person").set("age", 1) }
        try rivals.first.run { context in
            let log = NotificationLog(context)
            context.mergeChanges(fromContextDidSave: notification)
            #expect(log.take().isEmpty)
        }
    }

    // MARK: mergeChanges(fromRemoteContextSave:into:)

    @Test(
        "CTX-174, NTF-149, NTF-161: IDs and URLs are merged into each context before the call returns",
        arguments: StackKind.allCases, [true, false])
    func remote(_ kind: StackKind, _ usesURLs: Bool) throws {
        let rivals = try rivals(kind)
        let third = rivals.stack.newContext()
        let contexts = [rivals.second, third]
        let objects = try contexts.map { context in try ["Alice", "Bob"].map { try rivals.object($0, in: context) } }
        for (context, objects) in zip(contexts, objects) {
            try context.run { _ in for object in objects { _ = object.text("name") } }
        }
        let logs = contexts.map(NotificationLog.init)
        var ids: [String: [NSManagedObjectID]] = [:]
        try rivals.first.run { context in
            let (alice, bob) = (try context.named("Alice", "Person"), try context.named("Bob", "Person"))
            ids = [NSUpdatedObjectsKey: [alice.objectID], NSDeletedObjectsKey: [bob.objectID]]
            alice.set("age", 11)
            context.delete(bob)
            let new = context.make("Person", ["name": "New"])
            try context.save()
            ids[NSInsertedObjectsKey] = [new.objectID]
        }
        var data: [AnyHashable: Any] = [:]
        for (key, list) in ids { data[key] = usesURLs ? list.map { $0.uriRepresentation() } as Any : list }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: data, into: contexts)
        for (index, context) in contexts.enumerated() {
            try context.run { _ in
                let entries = logs[index].take()
                #expect(entries.map(\.kind) == ["didChange", "didMerge"])
                #expect(
                    entries[0].inserted.count == 1 && entries[0].deleted == [objects[index][1]]
                        && entries[0].refreshed == [objects[index][0]])
                #expect(objects[index][0].number("age") == 11)
            }
        }
    }

    @Test("NTF-149: an empty dictionary and no contexts post nothing; other values are ignored")
    func remoteNothing() throws {
        let rivals = try rivals(.inMemory)
        let log = NotificationLog(rivals.second)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [rivals.second])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: [NSManagedObjectID]()], into: [])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: ["x-coredata://", 5] as [Any], NSUpdatedObjectsKey: "none", "other": [1],
                NSDeletedObjectsKey: [
                    URL(string: "x-coredata://00000000-0000-0000-0000-000000000000/Person/p1"), URL(string: "https://swift.org"),
                ],
            ], into: [rivals.second])
        #expect(log.take().isEmpty)
    }

    @Test("NTF-149: an object that the receiver holds and that never was in the store is left alone")
    func remoteDeletionOfUnknown() throws {
        let rivals = try rivals(.inMemory)
        let alice = try rivals.object(in: rivals.second)
        // Nobody deleted the row: the context takes the word for it, and the row stays.
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [alice.objectID]], into: [rivals.second])
        try rivals.second.run { context in
            #expect(alice.isDeleted)
            try context.save()
        }
        try #expect(rivals.people().count == 3)
    }

    @Test("CTX-174: merging into a parent and its child reaches both", arguments: StackKind.allCases)
    func nested(_ kind: StackKind) throws {
        let rivals = try rivals(kind)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = rivals.second
        let alice = try rivals.object(in: child)
        let parentAlice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = parentAlice.text("name") }
        try child.run { _ in _ = alice.text("name") }
        let id = try rivals.first.run { context in
            let alice = try context.named("Alice", "Person")
            alice.set("age", 11)
            try context.save()
            return alice.objectID
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [child, rivals.second])
        try #expect(child.run { _ in alice.number("age") } == 11)
    }
}
