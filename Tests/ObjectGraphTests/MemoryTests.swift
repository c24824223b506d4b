import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("What keeps objects alive")
struct MemoryTests {
    private final class Weak {
        private(set) weak var object: NSManagedObject?

        init(_ object: NSManagedObject) { self.object = object }
    }

    private static func stack(_ kind: StackKind, people count: Int = 20) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.fresh { context throws in
            let team = context.make("Team", ["name": "Blue"])
            for index in 0..<count { context.make("Person", ["name": "\(index)", "team": team, "tags": [index]]) }
            try context.save()
        }
        return stack
    }

    @Test("OG-53: clean objects that nobody holds leave the context", arguments: StackKind.allCases)
    func cleanObjects(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            var people = try context.all("Person")
            #expect(context.registeredObjects.count == 20)
            let ids = people.map(\.objectID)
            #expect(people.allSatisfy { $0.text("name") != nil })
            people.removeLast(19)
            #expect(context.registeredObjects == Set(people))
            people = []
            #expect(context.registeredObjects.isEmpty)
            #expect(ids.allSatisfy { context.registeredObject(for: $0) == nil })
        }
    }

    @Test(
        "OG-53, OG-54: new, changed and deleted objects stay, with their changes, until they are saved",
        arguments: StackKind.allCases)
    func unsavedObjects(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            try context.named("3", "Person").set("name", "three")
            context.delete(try context.named("4", "Person"))
            context.make("Person", ["name": "new"])
            context.processPendingChanges()
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(context.updatedObjects.map { $0.text("name") }.contains("three"))
            #expect(context.insertedObjects.map { $0.text("name") } == ["new"])
            #expect(context.deletedObjects.count == 1)
            try context.save()
        }
        let names = try stack.savedNames("Person")
        #expect(names.contains("three") && names.contains("new") && !names.contains("4") && names.count == 20)
    }

    @Test("OG-53: what a processing of changes reported is not kept because of that", arguments: StackKind.allCases)
    func reportedObjects(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            var people = try context.all("Person")
            for person in people { _ = person.text("name") }
            context.refreshAllObjects()
            context.processPendingChanges()
            people = []
            #expect(context.registeredObjects.isEmpty, "refreshed")

            try context.named("3", "Person").set("name", "three")
            context.processPendingChanges()
            context.rollback()
            context.processPendingChanges()
            #expect(context.registeredObjects.isEmpty, "rolled back")

            try { () throws in
                let person = try context.named("3", "Person")
                person.set("name", "three")
                context.processPendingChanges()
                context.refresh(person, mergeChanges: false)
                context.processPendingChanges()
            }()
            #expect(context.registeredObjects.isEmpty, "refreshed with loss of changes")

            let new = Weak(context.make("Person"))
            context.processPendingChanges()
            if let object = new.object { context.delete(object) }
            context.processPendingChanges()
            #expect(new.object == nil, "deleted before it was saved")
        }
    }

    @Test("OG-55: a loaded relationship keeps its destinations, until its owner becomes a fault", arguments: StackKind.allCases)
    func relationshipsHold(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let team = try context.named("Blue", "Team")
            #expect(team.many("members").count == 20)
            #expect(context.registeredObjects.count == 21)
            context.refresh(team, mergeChanges: false)
            context.processPendingChanges()
            #expect(context.registeredObjects == [team])
        }
    }

    @Test("OG-55: cycles of loaded relationships are broken by refresh and by reset", arguments: StackKind.allCases)
    func cycles(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            func load() throws -> Weak {
                let team = try context.named("Blue", "Team")
                for member in team.many("members") { #expect(member.one("team") === team) }
                return Weak(team)
            }
            var team = try load()
            #expect(team.object != nil)
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(team.object == nil)
            #expect(context.registeredObjects.isEmpty)
            team = try load()
            context.reset()
            #expect(team.object == nil)
        }
    }

    @Test("OG-56: after a save objects that nobody holds are released", arguments: StackKind.allCases)
    func afterSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            for index in 0..<20 { context.make("Person", ["name": "\(index)"]) }
            #expect(context.registeredObjects.count == 20)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            for person in try context.all("Person") { person.set("age", 1) }
            #expect(context.registeredObjects.count == 20)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test("deleted objects are released after the save, even if they point at each other", arguments: StackKind.allCases)
    func deletedCycles(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            func deleteAll() throws -> [Weak] {
                let team = try context.named("Blue", "Team")
                let objects = Array(team.many("members")) + [team]
                for object in objects { context.delete(object) }
                return objects.map(Weak.init)
            }
            let objects = try deleteAll()
            try context.save()
            #expect(objects.filter { $0.object != nil }.isEmpty)
        }
    }

    @Test("new objects that were rolled back are released, even if they point at each other")
    func rolledBackCycles() throws {
        try TestStack.people().run { context throws in
            func insert() -> [Weak] {
                let team = context.make("Team")
                return [team, context.make("Person", ["team": team])].map(Weak.init)
            }
            var objects = insert()
            context.rollback()
            #expect(objects.allSatisfy { $0.object == nil })
            objects = insert()
            context.processPendingChanges()
            for case let object? in objects.map(\.object) { context.delete(object) }
            context.processPendingChanges()
            #expect(objects.allSatisfy { $0.object == nil })
        }
    }

    @Test("CTX-25, OG-55: a context that ends drops unsaved changes and breaks all cycles", arguments: StackKind.allCases)
    func contextEnds(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        func use(_ context: NSManagedObjectContext) throws -> [Weak] {
            try context.run { context throws in
                let team = try context.named("Blue", "Team")
                let new = context.make("Person", ["name": "new", "team": team, "friends": team.many("members")])
                team.set("name", "Red")
                context.delete(try context.named("3", "Person"))
                return (Array(team.many("members")) + [team, new]).map(Weak.init)
            }
        }
        weak var ended: NSManagedObjectContext?
        var objects: [Weak] = []
        try {
            let context = stack.newContext()
            ended = context
            objects = try use(context)
            #expect(objects.allSatisfy { $0.object != nil })
        }()
        #expect(ended == nil)
        #expect(objects.filter { $0.object != nil }.isEmpty)
        #expect(try stack.savedNames("Team") == ["Blue"])
        #expect(try stack.savedNames("Person").count == 20)
    }

    @Test(
        "OG-190: an object that outlives its context has none any more; its values can still be read",
        arguments: StackKind.allCases)
    func objectOutlivesContext(_ kind: StackKind) throws {
        var stack: TestStack? = try Self.stack(kind)
        var held: [NSManagedObject] = []
        try stack?.fresh { context throws in
            let people = try context.all("Person")
            people[0].set("name", "a name that is too long to stand inside a string value")
            people[0].set("photo", Data(repeating: 7, count: 1000))
            people[1].set("tags", ["x": 1])
            held = [people[0], people[1], context.make("Person", ["name": "a new object with a name that is long as well"])]
        }
        // Everything that the objects' layout and rows could borrow from goes away: model, coordinator, store.
        stack = nil
        for object in held {
            #expect(object.managedObjectContext == nil)
            #expect(object.objectID.entity.name == "Person")
        }
        #expect(held[0].text("name") == "a name that is too long to stand inside a string value")
        #expect((held[0].value(forKey: "photo") as? Data)?.count == 1000)
        #expect(held[1].value(forKey: "tags") as? [String: Int] == ["x": 1])
        #expect(held[0].one("team") == nil)
        held.removeAll()
    }

    @Test("OG-190: a fault that outlives its context can't be fired")
    func faultOutlivesContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try MemoryTests.stack(.inMemory)
            let fault = try stack.fresh { context throws in
                let person = try context.named("3", "Person")
                context.refresh(person, mergeChanges: false)
                context.processPendingChanges()
                return person
            }
            if fault.managedObjectContext != nil { exit(0) }
            _ = fault.text("name")
        }
        #expect(result.message.contains("its context is gone"))
    }
}
