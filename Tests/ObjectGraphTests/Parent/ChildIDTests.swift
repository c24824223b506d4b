import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("IDs of new objects in parents and children")
struct ChildIDTests {
    @Test(
        "CTX-44: a child's new object has one temporary ID on all levels until the root saves; then the child finds its own instance",
        arguments: StackKind.allCases)
    func refetched(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        let id = object.objectID
        try family.child.run { try $0.save() }
        try family.middle.run { context throws in
            let inMiddle = try #require(context.insertedObjects.first)
            #expect(inMiddle.objectID == id && inMiddle.objectID.isTemporaryID)
            try context.save()
        }
        try family.root.run { context throws in
            let inRoot = try #require(context.insertedObjects.first)
            #expect(inRoot.objectID == id)
            try context.save()
            #expect(!inRoot.objectID.isTemporaryID)
        }
        #expect(object.objectID == id, "nothing was asked of the parent yet")
        try family.child.run { context throws in
            #expect(try context.all("Person") == [object])
            #expect(context.registeredObjects == [object])
            #expect(!object.objectID.isTemporaryID && object.text("name") == "A")
        }
        try family.middle.run { context throws in #expect(try context.all("Person").map(\.objectID) == [object.objectID]) }
        #expect(try family.stack.fresh { try $0.all("Person").map(\.objectID) } == [object.objectID])
    }

    @Test("CTX-44: refreshing in the child gives the permanent ID, too", arguments: StackKind.allCases)
    func refreshed(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        try family.save(from: family.child)
        try family.root.run { context throws in
            try context.named("A", "Person").set("name", "B")
            try context.save()
        }
        try family.child.run { context throws in
            #expect(object.text("name") == "A" && object.objectID.isTemporaryID)
            context.refresh(object, mergeChanges: false)
            // The middle context's object is a loaded one: it has to be refreshed first.
            try family.middle.run { $0.refreshAllObjects() }
            #expect(object.text("name") == "B" && !object.objectID.isTemporaryID)
            #expect(try context.all("Person") == [object])
        }
    }

    @Test(
        "OG-65: after the save the old temporary ID still names the object, on all levels",
        arguments: StackKind.allCases)
    func oldIDs(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        let old = object.objectID
        try family.save(from: family.child)
        for context in family.contexts {
            try context.run { context throws in
                let found = context.object(with: old)
                #expect(context.registeredObject(for: old) === found)
                #expect(try context.existingObject(with: old) === found)
                #expect(found.value(forKey: "name") as? String == "A")
                #expect(try context.all("Person") == [found])
                #expect(context.registeredObjects == [found])
                #expect(context.object(with: found.objectID) === found && !found.objectID.isTemporaryID)
            }
        }
        #expect(try family.child.run { $0.registeredObject(for: old) } === object)
    }

    @Test("OG-65: the same in a context on the coordinator, and not after a save that failed", arguments: StackKind.allCases)
    func oldIDsInRoot(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let object = context.make("Person", ["name": "A"])
            let old = object.objectID
            context.react { _, hook in if hook == "validateForInsert" { throw CocoaError(.validationMissingMandatoryProperty) } }
            #expect(throws: (any Error).self) { try context.save() }
            context.stopReacting()
            #expect(object.objectID == old && context.registeredObject(for: old) === object)
            try context.save()
            #expect(object.objectID != old)
            #expect(context.registeredObject(for: old) === object && context.object(with: old) === object)
            #expect(try context.existingObject(with: old) === object)
            #expect(context.registeredObjects == [object])
            context.delete(object)
            try context.save()
            #expect(context.registeredObject(for: old) == nil)
            #expect(throws: (any Error).self) { try context.existingObject(with: old) }
        }
    }

    @Test("OG-65: obtaining a permanent ID keeps the temporary one as a second name")
    func oldIDAfterObtaining() throws {
        try TestStack.people().run { context throws in
            let object = context.make("Person", ["name": "A"])
            let old = object.objectID
            try context.obtainPermanentIDs(for: [object])
            #expect(object.objectID != old && context.object(with: old) === object)
            try context.save()
            #expect(context.object(with: old) === object && context.registeredObjects == [object])
        }
    }

    @Test("OG-47, OG-50: a temporary ID that names nothing here gives an object that turns out to be gone")
    func foreignTemporaryID() throws {
        let stack = try TestStack.people()
        let foreign = try stack.fresh { $0.make("Person", ["name": "elsewhere"]).objectID }
        try stack.run { context throws in
            #expect(context.registeredObject(for: foreign) == nil)
            #expect(throws: (any Error).self) { try context.existingObject(with: foreign) }
            let object = context.object(with: foreign)
            #expect(object.isFault && object.value(forKey: "age") == nil && object.isDeleted)
            context.processPendingChanges()
            try context.save()
        }
        #expect(try stack.savedNames("Person").isEmpty)
    }

    @Test("CTX-45: permanent IDs obtained in a child before its save are those of the rows", arguments: StackKind.allCases)
    func obtainedBefore(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        try family.child.run { try $0.obtainPermanentIDs(for: [object]) }
        let id = object.objectID
        #expect(!id.isTemporaryID)
        // Who is given the ID too early has a fault, which becomes the object.
        let early = try family.middle.runUnchecked { family.middle.object(with: id) }
        try family.save(from: family.child)
        #expect(object.objectID == id)
        for context in family.contexts {
            try context.run { context throws in #expect(try context.all("Person").map(\.objectID) == [id]) }
        }
        try family.middle.run { context throws in #expect(try context.all("Person") == [early]) }
        #expect(try family.stack.fresh { try $0.all("Person").map(\.objectID) } == [id])
    }

    @Test("CTX-45: obtained after its save they are those that the parent's object gets", arguments: StackKind.allCases)
    func obtainedAfter(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        try family.child.run { context throws in
            try context.save()
            try context.obtainPermanentIDs(for: [object])
        }
        let id = object.objectID
        #expect(!id.isTemporaryID)
        try family.middle.run { #expect($0.insertedObjects.map(\.objectID) == [id]) }
        try family.child.run { context throws in
            object.set("name", "B")
            try context.save()
        }
        try family.save(from: family.middle)
        #expect(try family.stack.fresh { try $0.all("Person").map(\.objectID) } == [id])
        #expect(try family.stack.savedNames("Person") == ["B"])
    }

    @Test("CTX-44: the child goes on working with the object after the parents' saves, before it has its permanent ID")
    func worksOn() throws {
        let family = try Family { $0.make("Team", ["name": "red"]) }
        let (object, boss) = try family.child.run { context throws in
            let boss = context.make("Person", ["name": "boss"])
            return (context.make("Person", ["name": "A", "boss": boss, "team": try context.named("red", "Team")]), boss)
        }
        try family.save(from: family.child)
        #expect(object.objectID.isTemporaryID)
        try family.child.run { context throws in
            object.set("name", "B")
            boss.add(context.make("Person", ["name": "C"]), to: "reports")
            try context.save()
        }
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["B", "C", "boss"])
        try family.stack.fresh { context throws in
            #expect(try context.named("boss", "Person").names("reports") == ["B", "C"])
            #expect(try context.named("red", "Team").names("members") == ["B"])
        }
        try family.child.run { context throws in
            context.delete(object)
            try context.save()
        }
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["C", "boss"])
    }

    @Test(
        "CTX-50, NTF-152: a child that merges its parent's saves is told of its own new object once, and has it once",
        arguments: StackKind.allCases)
    func mergedOnce(_ kind: StackKind) throws {
        let family = try Family(kind)
        let log = NotificationLog(family.child)
        let object = try family.child.run { $0.make("Person", ["name": "A"]) }
        try family.child.run { try $0.save() }
        #expect(log.takeChanges().map(\.inserted) == [Set<NSManagedObject>([object])])
        let saved = try notification(of: family)
        try family.child.run { context throws in
            context.mergeChanges(fromContextDidSave: saved)
            let entries = log.take()
            let changes = entries.filter { $0.kind == "didChange" }
            #expect(changes.count == 1 && changes.allSatisfy { $0.inserted.isEmpty && $0.refreshed == [object] })
            let merge = try #require(entries.first { $0.kind != "didChange" })
            #expect(merge.ids(.insertedObjectIDs) == [object.objectID] && !object.objectID.isTemporaryID)
            #expect(context.registeredObjects == [object] && !context.hasChanges)
            #expect(try context.all("Person") == [object])
            // A second notice is of no interest.
            context.mergeChanges(fromContextDidSave: saved)
            #expect(context.registeredObjects == [object])
        }
    }

    /// Saves the middle context and the root, and answers the middle context's merged notice of it.
    private func notification(of family: Family) throws -> Notification {
        try family.middle.run { try $0.save() }
        var found: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: family.root) { found = $0 }
        try family.root.run { try $0.save() }
        withExtendedLifetime(observer) {}
        return try #require(found)
    }

    @Test("CTX-50: a child that merges automatically has each of its new objects once")
    func mergedAutomatically() async throws {
        let family = try Family()
        family.middle.automaticallyMergesChangesFromParent = true
        family.child.automaticallyMergesChangesFromParent = true
        let log = NotificationLog(family.child)
        let objects = try family.child.run { context in (0..<3).map { context.make("Person", ["name": "\($0)"]) } }
        try family.save(from: family.child)
        for context in [family.middle, family.child] {
            await withCheckedContinuation { next in context.perform { next.resume() } }
        }
        try family.child.run { context throws in
            #expect(try context.all("Person") == objects && context.registeredObjects == Set(objects))
        }
        let told = log.takeChanges().map(\.inserted).filter { !$0.isEmpty }
        #expect(told == [Set<NSManagedObject>(objects)])
    }

    @Test("NTF-136, NTF-141: a sibling that merges hears of the child's new object as inserted, and has it once")
    func sibling() throws {
        let family = try Family()
        let sibling = family.sibling()
        let log = NotificationLog(sibling)
        let object = try family.middle.run { $0.make("Person", ["name": "A"]) }
        var found: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: family.middle) { found = $0 }
        try family.middle.run { try $0.save() }
        withExtendedLifetime(observer) {}
        #expect(log.take().isEmpty)
        let pushed = try #require(found)
        try sibling.run { context throws in
            context.mergeChanges(fromContextDidSave: pushed)
            let inserted = try #require(log.takeChanges().first?.inserted)
            #expect(inserted.map(\.objectID) == [object.objectID] && object.objectID.isTemporaryID)
            let own = try #require(inserted.first)
            #expect(try context.all("Person") == [own])
            try family.root.run { try $0.save() }
            #expect(try context.all("Person") == [own] && !own.objectID.isTemporaryID)
        }
    }

    @Test("NTF-122, NTF-121: the inserted IDs in a child's DidSaveObjectIDs are temporary, in the root's permanent")
    func savedIDs() throws {
        let family = try Family()
        let log = NotificationLog(family.middle)
        let rootLog = NotificationLog(family.root)
        let object = try family.middle.run { $0.make("Person", ["name": "A"]) }
        let id = object.objectID
        try family.save(from: family.middle)
        #expect(log.take().last?.ids(.insertedObjectIDs) == [id] && id.isTemporaryID)
        let saved = try #require(rootLog.take().last?.ids(.insertedObjectIDs))
        #expect(saved.count == 1 && saved.allSatisfy { !$0.isTemporaryID })
    }

    @Test("An undone and redone insertion that was saved between is one object on all levels", arguments: StackKind.allCases)
    func undoneInsertion(_ kind: StackKind) throws {
        let family = try Family(kind)
        let object = try family.middle.run { context throws in
            context.undoManager = UndoManager()
            let object = context.make("Person", ["name": "A"])
            context.processPendingChanges()
            return object
        }
        try family.save(from: family.middle)
        try family.middle.run { $0.undo() }
        #expect(object.isDeleted)
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person").isEmpty)
        try family.middle.run { $0.redo() }
        #expect(object.isInserted)
        try family.save(from: family.middle)
        #expect(try family.stack.savedNames("Person") == ["A"])
        try family.middle.run { context throws in #expect(try context.all("Person") == [object]) }
        #expect(try family.root.run { try $0.all("Person").count } == 1)
    }

    @Test("CTX-77: a store assigned in a child is that of the row")
    func assignedStore() throws {
        let family = try Family()
        let second = try family.stack.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let object = try family.middle.run { context throws in
            let object = context.make("Person", ["name": "A"])
            context.assign(object, to: second)
            try context.save()
            return object
        }
        try family.root.run { try $0.save() }
        try family.middle.run { context throws in
            #expect(try context.all("Person") == [object])
            #expect(object.objectID.persistentStore === second)
        }
    }
}
