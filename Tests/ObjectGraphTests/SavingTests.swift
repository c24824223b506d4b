import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Saving")
struct SavingTests {
    @Test(
        "CTX-91, CTX-92: objects dirtied, inserted or deleted in willSave get their own willSave and are in the same save",
        arguments: StackKind.allCases)
    func willSaveRounds(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let chain = (0..<5).map { context.make("Person", ["name": "\($0)"]) }
            for (person, next) in zip(chain, chain.dropFirst()) { person.set("hero", next) }
            let victim = context.make("Person", ["name": "victim"])
            try context.save()
            for person in chain + [victim] { _ = person.takeCalls() }
            var isFirst = true
            chain[0].set("age", 0)
            context.react { object, hook in
                guard hook == "willSave" else { return }
                if let next = object.one("hero"), next.number("age") != 1 { next.set("age", 1) }
                guard isFirst else { return }
                isFirst = false
                _ = context.make("Person", ["name": "new"])
                context.delete(victim)
            }
            try context.save()
            #expect(chain.allSatisfy { $0.calls.contains("willSave") && $0.calls.contains("didSave") })
            #expect(victim.calls.contains("willSave") && victim.calls.contains("didSave"))
            #expect(!context.hasChanges)
        }
        try stack.fresh { context throws in
            let people = try context.all("Person")
            #expect(people.map { $0.text("name") } == ["0", "1", "2", "3", "4", "new"])
            #expect(people.map { $0.number("age") } == [0, 1, 1, 1, 1, 18])
        }
    }

    @Test("CTX-93: a row may point at another that is new, changed or deleted in the same save", arguments: StackKind.allCases)
    func mixedSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let old = context.make("Team", ["name": "old"])
            let people = (0..<4).map { context.make("Person", ["name": "\($0)", "team": old]) }
            try context.save()
            let new = context.make("Team", ["name": "new"])
            people[0].set("team", new)
            new.set("members", [people[0], context.make("Person", ["name": "4"])])
            context.delete(old)
            context.delete(people[3])
            people[1].set("spouse", people[2])
            try context.save()
        }
        try stack.fresh { context throws in
            #expect(try context.all("Team").map { $0.text("name") } == ["new"])
            #expect(try context.named("new", "Team").names("members") == ["0", "4"])
            #expect(try context.named("1", "Person").one("spouse")?.text("name") == "2")
            #expect(try context.named("2", "Person").one("team") == nil)
            #expect(try context.all("Person").count == 4)
        }
    }

    @Test("CTX-94, CTX-95: each object of a save gets a permanent ID of its own", arguments: StackKind.allCases)
    func ids(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let objects = (0..<50).map { context.make(["Person", "Manager", "Team"][$0 % 3]) }
            try context.save()
            #expect(Set(objects.map(\.objectID)).count == 50)
            #expect(objects.allSatisfy { !$0.objectID.isTemporaryID && context.registeredObject(for: $0.objectID) === $0 })
        }
    }

    @Test("CTX-96: saving changes without a store throws and keeps them")
    func withoutStore() throws {
        let stack = try TestStack.people()
        try stack.coordinator.remove(stack.store)
        try stack.run { context throws in
            let person = context.make("Person")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.localizedDescription.contains("no stores") == true)
            #expect(context.insertedObjects == [person] && person.objectID.isTemporaryID)
        }
    }

    @Test("CTX-96: a store that was removed under changed objects: the save throws, nothing is lost")
    func removedStore() throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            person.set("name", "B")
            try stack.coordinator.remove(stack.store)
            #expect(throws: NSError.self) { try context.save() }
            #expect(person.text("name") == "B" && context.updatedObjects == [person])
        }
        #expect(try stack.reopened().savedNames("Person") == ["A"])
    }

    @Test("CTX-97: a context without coordinator has nothing to save")
    func withoutCoordinator() throws {
        let context = NSManagedObjectContext(.privateQueue)
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        try context.performAndWait {
            try context.save()
            context.reset()
            context.rollback()
            context.processPendingChanges()
        }
    }

    @Test("CTX-98: changes to objects of a read-only store can't be saved; the context stays usable")
    func readOnly() throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            _ = context.make("Person", ["name": "A"])
            try context.save()
        }
        try stack.coordinator.remove(stack.store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("store.sqlite"),
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.isReadOnly)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.run { context throws in
            let person = try context.named("A", "Person")
            person.set("name", "B")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreSaveError)
            #expect(person.text("name") == "B" && person.isUpdated)
            context.rollback()
            #expect(person.text("name") == "A")
            _ = context.make("Person")
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
            try context.save()
        }
    }

    @Test("CTX-99: after a failed save IDs that were obtained stay, others are temporary again", arguments: StackKind.allCases)
    func obtainedIDs(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let obtained = context.make("Person", ["name": "obtained"])
            let other = context.make("Person", ["name": "other", "boss": obtained])
            try context.obtainPermanentIDs(for: [obtained])
            let id = obtained.objectID
            try stack.fresh { other throws in
                try other.named("A", "Person").set("age", 1)
                try other.save()
            }
            person.set("age", 2)
            #expect(throws: NSError.self) { try context.save() }
            #expect(obtained.objectID == id && other.objectID.isTemporaryID)
            #expect(other.one("boss") === obtained && obtained.many("reports") == [other])
            #expect(try stack.savedNames("Person") == ["A"])
            context.refresh(person, mergeChanges: false)
            try context.save()
            #expect(obtained.objectID == id)
        }
        #expect(try stack.savedNames("Person") == ["A", "obtained", "other"])
    }

    @Test("CTX-100: saves of several contexts take turns", arguments: StackKind.allCases)
    func concurrentSaves(_ kind: StackKind) async throws {
        let stack = try TestStack.people(kind)
        await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                let context = stack.newContext()
                group.addTask {
                    for round in 0..<10 {
                        try await context.perform {
                            let person = context.make("Person", ["name": "\(worker) \(round)"])
                            try context.save()
                            person.set("age", round)
                            try context.save()
                        }
                    }
                }
            }
        }
        let names = try stack.savedNames("Person")
        #expect(names.count == 60 && Set(names).count == 60)
    }

    @Test("CTX-101, R43: a save before a save has written throws, and the save under way goes on", arguments: StackKind.allCases)
    func nestedSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            var codes: [Int] = []
            context.react { _, hook in
                guard hook == "willSave" else { return }
                do { try context.save() } catch { codes.append((error as NSError).code) }
            }
            _ = context.make("Person", ["name": "A"])
            try context.save()
            #expect(codes == [NSPersistentStoreSaveError] && !context.hasChanges)
        }
        #expect(try stack.savedNames("Person") == ["A"])
    }

    @Test("metadata set on a store is written by the next save, even one without changes")
    func metadata() throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            var metadata = stack.coordinator.metadata(for: stack.store)
            metadata["mine"] = "hello"
            stack.coordinator.setMetadata(metadata, for: stack.store)
            try context.save()
        }
        try stack.coordinator.remove(stack.store)
        #expect(try stack.reopened().store.metadata["mine"] as? String == "hello")
    }

    @Test("many objects in one save: all of them are there again", arguments: StackKind.allCases)
    func many(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let teams = (0..<10).map { context.make("Team", ["name": "\($0)"]) }
            for index in 0..<2000 { context.make("Person", ["name": "\(index)", "age": index, "team": teams[index % 10]]) }
            try context.save()
        }
        try stack.fresh { context throws in
            let people = try context.all("Person", by: "age")
            #expect(people.count == 2000)
            #expect(people.enumerated().allSatisfy { $1.number("age") == $0 && $1.one("team")?.text("name") == "\($0 % 10)" })
            #expect(try context.all("Team").allSatisfy { $0.many("members").count == 200 })
        }
    }
}
