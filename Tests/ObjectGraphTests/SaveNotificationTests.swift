import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Notifications of a save")
struct SaveNotificationTests {
    @Test("NTF-110, NTF-111: the sequence of a save", arguments: StackKind.allCases)
    func sequence(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            var steps: [String] = []
            let names: [(Notification.Name, String)] = [
                (.NSManagedObjectContextObjectsDidChange, "ObjectsDidChange"), (.NSManagedObjectContextWillSave, "WillSave"),
                (.NSManagedObjectContextDidSave, "DidSave"), (.NSManagedObjectContextDidSaveObjectIDs, "DidSaveObjectIDs"),
            ]
            let observers = names.map { name, step in Observer(name, of: context) { _ in steps.append(step) } }
            context.react { object, hook in
                steps.append(hook == "validateForInsert" && !object.objectID.isTemporaryID ? "saved before validation" : hook)
                if hook == "didSave", object.objectID.isTemporaryID { steps.append("temporary ID in didSave") }
            }
            _ = context.make("Person")
            steps = []
            try context.save()
            #expect(
                steps == [
                    "ObjectsDidChange", "WillSave", "willSave", "validateForInsert", "didSave", "DidSave", "DidSaveObjectIDs",
                ])
            _ = observers
        }
    }

    @Test(
        "NTF-112: changes of a WillSave observer and of willSave are reported and are part of the save",
        arguments: StackKind.allCases)
    func lateChanges(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let a = context.make("Person", ["name": "a"])
            let b = context.make("Person", ["name": "b"])
            let c = context.make("Person", ["name": "c"])
            try context.save()
            let log = NotificationLog(context)
            var added: NSManagedObject?
            let observer = Observer(.NSManagedObjectContextWillSave, of: context) { _ in
                b.set("name", "B")
                added = context.make("Person", ["name": "added"])
            }
            context.react { object, hook in if hook == "willSave", object === b, !c.isDeleted { context.delete(c) } }
            a.set("name", "A")
            try context.save()
            let entries = log.take()
            let saved = try #require(entries.first { $0.kind == "didSave" })
            #expect(saved.updated == [a, b] && saved.deleted == [c] && saved.inserted == Set([added].compactMap { $0 }))
            let changes = entries.filter { $0.kind == "didChange" }
            #expect(changes.reduce(into: Set()) { $0.formUnion($1.updated) } == [a, b])
            #expect(changes.reduce(into: Set()) { $0.formUnion($1.inserted) } == saved.inserted)
            #expect(changes.reduce(into: Set()) { $0.formUnion($1.deleted) } == [c])
            #expect(entries.lastIndex { $0.kind == "didChange" } ?? 9 < entries.firstIndex { $0.kind == "didSave" } ?? 0)
            #expect(!context.hasChanges)
            #expect((added as? Recorder)?.calls.filter { $0 == "willSave" }.count == 1)
            _ = observer
        }
        #expect(try stack.savedNames("Person") == ["A", "B", "added"])
    }

    @Test("NTF-113: WillSave and DidSave come on the thread of the save", arguments: StackKind.allCases)
    func thread(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            _ = context.make("Person")
            try context.save()
            #expect(log.take().allSatisfy { $0.thread == currentThread })
        }
    }

    @Test(
        "NTF-114, NTF-124: DidSave has everything since the last save, DidSaveObjectIDs the same as IDs",
        arguments: StackKind.allCases)
    func contents(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let changed = context.make("Person")
            let deleted = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            let new = [context.make("Person")]
            context.processPendingChanges()
            changed.set("name", "A")
            context.processPendingChanges()
            let newer = context.make("Manager")
            context.delete(deleted)
            let id = deleted.objectID
            try context.save()
            let entries = log.take()
            #expect(entries.suffix(2).map(\.kind) == ["didSave", "didSaveIDs"])
            let saved = entries[entries.count - 2]
            let ids = entries[entries.count - 1]
            #expect(saved.inserted == Set(new + [newer]) && saved.updated == [changed] && saved.deleted == [deleted])
            #expect(ids.ids(.insertedObjectIDs) == Set((new + [newer]).map(\.objectID)))
            #expect(ids.ids(.updatedObjectIDs) == [changed.objectID])
            #expect(ids.ids(.deletedObjectIDs) == [id])
            #expect(ids.keys == ["deleted_objectIDs", "inserted_objectIDs", "updated_objectIDs"])
        }
    }

    @Test("NTF-115, NTF-116: an object is in the strongest set only", arguments: StackKind.allCases)
    func strongest(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let deleted = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            let new = context.make("Person")
            context.processPendingChanges()
            new.set("name", "A")
            deleted.set("name", "B")
            context.processPendingChanges()
            context.delete(deleted)
            try context.save()
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted == [new] && saved.updated.isEmpty && saved.deleted == [deleted])
        }
    }

    @Test("NTF-117: objects touched by an inverse only are updated", arguments: StackKind.allCases)
    func inverses(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let team = context.make("Team")
            let skill = context.make("Skill")
            try context.save()
            let log = NotificationLog(context)
            let person = context.make("Person", ["team": team, "skills": [skill]])
            try context.save()
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted == [person] && saved.updated == [team, skill])
        }
    }

    @Test(
        "NTF-119, CTX-102: a save without changes posts WillSave and DidSave with nothing, and writes nothing",
        arguments: StackKind.allCases)
    func withoutChanges(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            let log = NotificationLog(context)
            try context.save()
            let entries = log.take()
            #expect(entries.map(\.kind) == ["willSave", "didSave", "didSaveIDs"])
            for entry in entries {
                #expect(entry.inserted.isEmpty && entry.updated.isEmpty && entry.deleted.isEmpty)
                #expect(
                    entry.ids(.insertedObjectIDs).isEmpty && entry.ids(.updatedObjectIDs).isEmpty
                        && entry.ids(.deletedObjectIDs).isEmpty)
            }
            #expect(person.rowVersion == 1)
        }
    }

    @Test("NTF-120: refreshed objects are not part of a save", arguments: StackKind.allCases)
    func refreshed(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let people = [context.make("Person"), context.make("Person")]
            try context.save()
            let log = NotificationLog(context)
            people[0].set("name", "A")
            context.refreshAllObjects()
            try context.save()
            let entries = log.take()
            #expect(entries.first?.refreshed == Set(people))
            let saved = try #require(entries.first { $0.kind == "didSave" })
            #expect(saved.keys == ["updated"] && saved.updated == [people[0]])
        }
    }

    @Test("NTF-121, CTX-94: IDs are permanent in didSave, DidSave and DidSaveObjectIDs", arguments: StackKind.allCases)
    func permanentIDs(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            var temporary: [String] = []
            let observers = [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs].map {
                name in
                Observer(name, of: context) { notification in
                    let objects = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                    let ids = notification.userInfo?["inserted_objectIDs"] as? Set<NSManagedObjectID> ?? []
                    if objects.contains(where: { $0.objectID.isTemporaryID }) || ids.contains(where: \.isTemporaryID) {
                        temporary.append(name.rawValue)
                    }
                }
            }
            context.react { object, hook in if hook == "didSave", object.objectID.isTemporaryID { temporary.append(hook) } }
            for _ in 0..<3 { _ = context.make("Person") }
            try context.save()
            #expect(temporary.isEmpty)
            _ = observers
        }
    }

    @Test(
        "NTF-123, CTX-99: a save that fails in the store posts no DidSave and leaves everything pending",
        arguments: StackKind.allCases)
    func failure(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let person = context.make("Person", ["name": "A", "team": team])
            try context.save()
            try stack.fresh { other throws in
                try other.named("A", "Person").set("age", 99)
                try other.save()
            }
            person.set("name", "B")
            let new = context.make("Person", ["name": "new", "team": team, "boss": person])
            person.set("spouse", new)
            let newID = new.objectID
            let log = NotificationLog(context)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
            #expect(log.take().map(\.kind) == ["didChange", "willSave"])
            #expect(context.updatedObjects == [person, team] && context.insertedObjects == [new])
            #expect(person.text("name") == "B" && person.isUpdated && new.objectID == newID)
            #expect(person.one("spouse") === new && new.one("boss") === person && team.names("members") == ["B", "new"])
            context.check()
            #expect(try stack.savedNames("Person") == ["A"])
            context.refresh(person, mergeChanges: true)
            try context.save()
            #expect(!new.objectID.isTemporaryID && person.number("age") == 99)
        }
        try stack.fresh { context throws in
            #expect(try context.named("B", "Person").one("spouse")?.text("name") == "new")
            #expect(try context.named("Blue", "Team").names("members") == ["B", "new"])
        }
    }

    @Test("NTF-125: at DidSave the context has no changes", arguments: StackKind.allCases)
    func cleanAtDidSave(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let person = context.make("Person")
            var hadChanges: [Bool] = []
            context.react { object, hook in if hook == "didSave" { hadChanges.append(object.hasChanges || context.hasChanges) } }
            try context.save()
            person.set("name", "A")
            try context.save()
            context.delete(person)
            try context.save()
            #expect(log.take().filter { $0.kind.hasPrefix("didSave") }.allSatisfy { !$0.hadChanges })
            #expect(hadChanges == [false, false], "the deleted object has no context any more")
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
        }
    }

    @Test("NTF-126: changes made in didSave or by a DidSave observer are for the next save", arguments: StackKind.allCases)
    func changesAfterwards(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            let log = NotificationLog(context)
            var isFirst = true
            context.react { object, hook in if hook == "didSave", isFirst { object.set("name", "B") } }
            let observer = Observer(.NSManagedObjectContextDidSave, of: context) { _ in
                if isFirst { _ = context.make("Person", ["name": "C"]) }
                isFirst = false
            }
            try context.save()
            var saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted == [person] && saved.updated.isEmpty)
            #expect(context.hasChanges && context.updatedObjects == [person] && context.insertedObjects.count == 1)
            #expect(try stack.savedNames("Person") == ["A"])
            try context.save()
            saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted.count == 1 && saved.updated == [person])
            _ = observer
        }
        #expect(try stack.savedNames("Person") == ["B", "C"])
    }
}
