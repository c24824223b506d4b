import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Checking unchanged objects, staleness, choosing stores")
struct ConflictDetectionTests {
    // MARK: detectConflicts(for:)

    @Test(
        "OG-191, CTX-110: an unchanged object that is to be checked makes the next save a conflict",
        arguments: Rivals.places)
    func detect(_ kind: StackKind, _ attachment: RivalAttachment) throws {
        let rivals = try Rivals(kind, attachment: attachment) { context in
            for name in ["Alice", "Bob"] { _ = context.make("Person", ["name": name, "age": 10]) }
        }
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            bob.set("age", 20)
            context.detectConflicts(for: alice)
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError && error.mergeConflicts.map(\.sourceObject) == [alice])
            #expect(error.mergeConflicts.first?.newVersionNumber == 2)
            // It still is to be checked, so the save fails until the object is fresh.
            try #expect(thrownError { try context.save() }.code == NSManagedObjectMergeError)
            context.refresh(alice, mergeChanges: true)
            #expect(alice.number("age") == 11)
            try context.save()
        }
        try #expect(rivals.people() == ["Alice": 11, "Bob": 20])
    }

    @Test("OG-191: an object that nobody changed is no conflict, and is checked once")
    func noConflict() throws {
        let rivals = try Rivals(.sqlite)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { context in
            _ = alice.text("name")
            context.detectConflicts(for: alice)
            try context.save()
        }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            _ = context.make("Person", ["name": "New"])
            try context.save()
        }
    }

    @Test(
        "OG-191: the merge policy decides for a checked object as for a changed one", arguments: StackKind.allCases,
        [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, 11), (.mergeByPropertyStoreTrumpMergePolicyType, 11),
            (.rollbackMergePolicyType, 11), (.overwriteMergePolicyType, 10),
        ])
    func policies(_ kind: StackKind, _ expectation: (NSMergePolicyType, Int)) throws {
        let (type, age) = expectation
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type))
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            context.detectConflicts(for: alice)
            try context.save()
            #expect(alice.number("age") == age && !alice.hasChanges)
        }
        try #expect(rivals.people() == ["Alice": age])
    }

    @Test("OG-191: a checked object whose row is gone is a conflict with version 0", arguments: StackKind.allCases)
    func deleted(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.first.run { context in
            context.delete(try context.named("Alice", "Person"))
            try context.save()
        }
        try rivals.second.run { context in
            context.detectConflicts(for: alice)
            try #expect(thrownError { try context.save() }.mergeConflicts.first?.newVersionNumber == 0)
            context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
            try context.save()
            #expect(alice.managedObjectContext == nil)
        }
    }

    @Test(
        "OG-191: faults, new objects and objects of other contexts have nothing to check; a reset forgets what was to be checked")
    func nothing() throws {
        let rivals = try Rivals(.inMemory)
        let alice = try rivals.object(in: rivals.second)
        let other = try rivals.object(in: rivals.first)
        try rivals.second.run { context in
            let new = context.make("Person")
            context.refresh(alice, mergeChanges: false)
            for object in [alice, new, other] { context.detectConflicts(for: object) }
            try context.save()
            _ = alice.text("name")
            context.detectConflicts(for: alice)
            context.reset()
            try context.save()
        }
    }

    // MARK: stalenessInterval

    @Test("CTX-197: the staleness interval is −1 unless set")
    func stalenessDefault() { #expect(NSManagedObjectContext(.privateQueue).stalenessInterval == -1) }

    @Test(
        "CTX-197: with 0 a fault reads the store when it fires, without it the values that the fetch brought; CTX-198: unless the coordinator has saved newer ones",
        arguments: RivalAttachment.allCases)
    func staleness(_ attachment: RivalAttachment) throws {
        let rivals = try Rivals(.sqlite, attachment: attachment)
        for (interval, age) in [(-1.0, attachment == .otherCoordinator ? 10 : 11), (0, 12), (5, 13)] {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = rivals.second.persistentStoreCoordinator
            context.stalenessInterval = interval
            let fault = try context.run { context in try context.fetch(NSFetchRequest<Recorder>(entityName: "Person"))[0] }
            try rivals.saveInFirst { $0.set("age", ($0.number("age") ?? 0) + 1) }
            try #expect(context.run { _ in fault.isFault ? fault.number("age") : -1 } == age)
        }
    }

    @Test(
        "OG-185 (choice): without a row cache a refreshed object reads the store, whatever the interval",
        arguments: StackKind.allCases)
    func refreshReads(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            #expect(alice.number("age") == 10)
            context.refresh(alice, mergeChanges: true)
            #expect(alice.number("age") == 11)
        }
    }

    // MARK: assign(_:to:)

    @Test("CTX-77: a new object goes to the store it is assigned to, else to the first that holds its entity")
    func assign() throws {
        let stack = try TestStack.people()
        let other = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context in
            let people = ["A", "B", "C"].map { context.make("Person", ["name": $0]) }
            context.assign(people[1], to: other)
            context.assign(people[2], to: other)
            context.assign(people[2], to: stack.store)
            try context.obtainPermanentIDs(for: [people[1]])
            #expect(people[1].objectID.persistentStore === other)
            try context.save()
            #expect(people.map { $0.objectID.persistentStore === other } == [false, true, false])
            // Only those objects were assigned.
            let next = context.make("Person", ["name": "D"])
            try context.save()
            #expect(next.objectID.persistentStore === stack.store)
        }
    }

    @Test("CTX-77: assigning a saved object, or to a store that can't take it, stops the program and says why")
    func wrongAssignment() async {
        let saved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context in
                let person = context.make("Person")
                try context.save()
                if let store = person.objectID.persistentStore { context.assign(person, to: store) }
            }
        }
        #expect(saved.message.contains("it already has one"))
        let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let other = try TestStack.people()
            try TestStack.people().run { context in context.assign(context.make("Person"), to: other.store) }
        }
        #expect(foreign.message.contains("the coordinator does not have"))
    }

    @Test("CTX-90: with several stores a conflict in one leaves all unwritten")
    func severalStores() throws {
        let stack = try TestStack(.sqlite, ConstraintConflictTests.model())
        let other = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("other.sqlite"))
        try stack.run { context in
            context.assign(context.make("Country", ["code": "it"]), to: other)
            try context.save()
            _ = context.make("Language", ["name": "Latin"])
            context.assign(context.make("Country", ["code": "it", "name": "x"]), to: other)
            try #expect(thrownError { try context.save() }.code == NSManagedObjectConstraintMergeError)
            #expect(context.insertedObjects.count == 2)
        }
        try #expect(stack.fresh { try $0.all("Language").count } == 0)
        try stack.run { context in
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            for object in context.insertedObjects where object.entity.name == "Country" { context.assign(object, to: other) }
            try context.save()
        }
        try stack.fresh { context in
            try #expect(context.all("Language").count == 1 && context.all("Country").map { $0.text("name") } == ["x"])
        }
    }
}
