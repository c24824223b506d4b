import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Object IDs")
struct ObjectIDTests {
    @Test("OG-60: an ID is temporary until the save; the permanent one is another", arguments: StackKind.allCases)
    func temporary(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            let temporary = person.objectID
            #expect(temporary.isTemporaryID)
            #expect(person.objectID == temporary)
            try context.save()
            #expect(!person.objectID.isTemporaryID)
            #expect(person.objectID != temporary)
            #expect(temporary.isTemporaryID)
            #expect(context.make("Person").objectID != context.make("Person").objectID)
        }
    }

    @Test("OG-61, CTX-79: obtainPermanentIDs gives an unsaved object the ID that it keeps", arguments: StackKind.allCases)
    func permanent(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let person = context.make("Person", ["name": "Ada", "team": team])
            let temporary = person.objectID
            try context.obtainPermanentIDs(for: [person])
            let permanent = person.objectID
            #expect(!permanent.isTemporaryID && permanent != temporary)
            #expect(person.isInserted && context.insertedObjects == [person, team])
            #expect(team.objectID.isTemporaryID)
            #expect(team.many("members") == [person] && person.one("team") === team)
            #expect(context.registeredObject(for: permanent) === person)
            context.check()
            try context.obtainPermanentIDs(for: [person, team])
            #expect(person.objectID == permanent)
            try context.save()
            #expect(person.objectID == permanent)
            try context.obtainPermanentIDs(for: [person])
            #expect(person.objectID == permanent)
            return permanent
        }
        try stack.fresh { context throws in
            let person = try context.existingObject(with: id)
            #expect(person.text("name") == "Ada" && person.one("team")?.text("name") == "Blue")
        }
    }

    @Test("OG-62, OG-66: the URL of a permanent ID and back", arguments: StackKind.allCases)
    func url(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let objects = [context.make("Person"), context.make("Manager"), context.make("Team")]
            try context.save()
            let uuid = try #require(stack.store.metadata[NSStoreUUIDKey] as? String)
            for object in objects {
                let url = object.objectID.uriRepresentation()
                let path = url.absoluteString.split(separator: "/")
                #expect(path.count == 4 && path[0] == "x-coredata:" && path[1] == uuid)
                #expect(path[2] == object.entity.name ?? "")
                #expect(path[3].first == "p" && Int(path[3].dropFirst()) ?? 0 > 0)
                let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
                #expect(id == object.objectID)
                #expect(id.entity === object.entity)
                #expect(context.object(with: id) === object)
            }
        }
    }

    @Test("OG-62: a URL stays good when the store is opened again")
    func urlAfterReopening() throws {
        let stack = try TestStack.people(.sqlite)
        let url = try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            return person.objectID.uriRepresentation()
        }
        let again = try stack.reopened()
        try again.run { context throws in
            let id = try #require(again.coordinator.managedObjectID(forURIRepresentation: url))
            #expect(try context.existingObject(with: id).text("name") == "Ada")
        }
    }

    @Test("OG-63: the URL of a temporary ID")
    func temporaryURL() throws {
        try TestStack.people().run { context throws in
            let urls = [context.make("Manager"), context.make("Manager")].map { $0.objectID.uriRepresentation() }
            for url in urls {
                #expect(url.scheme == "x-coredata")
                #expect(url.pathComponents.count == 3 && url.pathComponents[1] == "Manager")
                #expect(url.lastPathComponent.first == "t" && UUID(uuidString: String(url.lastPathComponent.dropFirst())) != nil)
            }
            #expect(urls[0] != urls[1])
        }
    }

    @Test("OG-64: no ID for the URL of an unknown store, or for no such URL", arguments: StackKind.allCases)
    func unknownURL(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let uuid = stack.store.identifier ?? ""
        let texts = [
            "x-coredata://\(UUID().uuidString)/Person/p1", "x-coredata://\(uuid)/Nobody/p1", "x-coredata://\(uuid)/Person/q1",
            "x-coredata://\(uuid)/Person", "https://\(uuid)/Person/p1", "x-coredata://\(uuid)/Person/p",
            "x-coredata://\(uuid)/Person/p1/2",
            "x-coredata://\(uuid)/Person/p-1", "x-coredata:///Person/t\(UUID().uuidString)", "file:///",
        ]
        for text in texts {
            let url = try #require(URL(string: text))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil, "\(text)")
        }
    }

    @Test("OG-67: keys are never used again, even after deletes and reopening")
    func keysGrow() throws {
        let stack = try TestStack.people(.sqlite)
        func key(_ object: NSManagedObject) -> Int {
            Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
        }
        let first = try stack.run { context throws in
            let people = (0..<3).map { _ in context.make("Person") }
            try context.save()
            let highest = people.map(key).max() ?? 0
            for person in people { context.delete(person) }
            try context.save()
            return highest
        }
        #expect(first == 3)
        let second = try stack.run { context throws in
            let person = context.make("Manager")
            try context.save()
            return key(person)
        }
        #expect(second > first)
        try stack.reopened().run { context throws in
            let person = context.make("Person")
            try context.save()
            #expect(key(person) > second)
        }
    }

    @Test("OG-68: IDs can be used on other threads and as keys", arguments: StackKind.allCases)
    func sendable(_ kind: StackKind) async throws {
        let stack = try TestStack.people(kind)
        let ids: [NSManagedObjectID] = try stack.run { context throws in
            let people = (0..<50).map { context.make("Person", ["name": "\($0)"]) }
            try context.save()
            return people.map(\.objectID)
        }
        let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        let context = stack.newContext()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    let name = try await context.perform { try context.existingObject(with: id).text("name") }
                    #expect(name == places[id].map(String.init))
                    #expect(id.entity.name == "Person" && !id.isTemporaryID)
                }
            }
            try await group.waitForAll()
        }
        #expect(ids[0].copy() as? NSManagedObjectID == ids[0])
    }

    @Test("OG-69: a temporary ID has no store, a permanent one has it while it is open", arguments: StackKind.allCases)
    func store(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person")
            #expect(person.objectID.persistentStore == nil)
            try context.save()
            #expect(person.objectID.persistentStore === stack.store)
            return person.objectID
        }
        try stack.coordinator.remove(stack.store)
        #expect(id.persistentStore == nil)
    }

    @Test(
        "OG-65, B09: a temporary ID that was kept finds the object after the save, with its permanent ID",
        arguments: StackKind.allCases)
    func keptTemporaryID(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        var kept: NSManagedObjectID?
        var later: NSManagedObjectID?
        try stack.run { context in
            let log = NotificationLog(context)
            let (one, two) = (context.make("Person", ["name": "A"]), context.make("Person", ["name": "B"]))
            context.processPendingChanges()
            // As an observer of the insertion keeps it.
            let told = try #require(log.take().first?.inserted.first { $0 === one })
            kept = told.objectID
            let early = two.objectID
            try context.obtainPermanentIDs(for: [two])
            #expect(context.object(with: early) === two && early.isTemporaryID && !two.objectID.isTemporaryID)
            try context.save()
            later = one.objectID
            #expect(kept != later && kept?.isTemporaryID == true && later?.isTemporaryID == false)
            let old = try #require(kept)
            #expect(context.registeredObject(for: old) === one && context.object(with: old) === one)
            #expect(try context.existingObject(with: old) === one)
            // Brought to their permanent form, IDs kept before and after the save name each object once.
            #expect(Set([old, early, one.objectID, two.objectID].map { context.object(with: $0).objectID }).count == 2)
        }
        let old = try #require(kept)
        try stack.fresh { context in
            let found = try context.existingObject(with: old)
            #expect(found.text("name") == "A" && found.objectID == later)
            context.delete(found)
            try context.save()
            let error = #expect(throws: NSError.self) { _ = try context.existingObject(with: old) }
            #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("OG-65: a save that fails leaves temporary IDs what they were", arguments: StackKind.allCases)
    func failedSave(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            let person = context.make("Person", ["name": "A", "small": 40_000])
            let id = person.objectID
            #expect(throws: NSError.self) { try context.save() }
            #expect(person.objectID == id && context.object(with: id) === person && person.objectID.isTemporaryID)
            person.set("small", 4)
            try context.save()
            #expect(context.object(with: id) === person && !person.objectID.isTemporaryID)
        }
    }
}
