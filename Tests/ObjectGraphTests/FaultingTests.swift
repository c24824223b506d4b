import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Faulting and uniquing")
struct FaultingTests {
    /// A store with Ada (36, team Blue with Ada and Bob, desk One, tasks a, b) and Bob.
    private static func stack(_ kind: StackKind) throws -> (stack: TestStack, ada: NSManagedObjectID, team: NSManagedObjectID) {
        let stack = try TestStack.people(kind)
        let ids = try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let ada = context.make("Person", ["name": "Ada", "age": 36, "team": team])
            ada.set("desk", context.make("Desk", ["name": "One"]))
            ada.set("tasks", NSOrderedSet(array: [context.make("Task", ["name": "a"]), context.make("Task", ["name": "b"])]))
            _ = context.make("Person", ["name": "Bob", "team": team])
            try context.save()
            return (ada.objectID, team.objectID)
        }
        return (stack, ids.0, ids.1)
    }

    /// Deletes an object's row behind the back of the stack's own context.
    private static func deleteRow(_ id: NSManagedObjectID, _ stack: TestStack) throws {
        try stack.fresh { context throws in
            context.delete(try context.existingObject(with: id))
            try context.save()
        }
    }

    @Test("OG-40, OG-50: a fault has ID, entity, context and state without being fired", arguments: StackKind.allCases)
    func identity(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try stack.fresh { context throws in
            let fault = context.object(with: id)
            #expect(fault.objectID == id)
            #expect(fault.entity.name == "Person")
            #expect(fault.managedObjectContext === context)
            #expect(fault.faultingState != 0)
            #expect(
                !fault.hasChanges && !fault.isInserted && !fault.isUpdated && !fault.isDeleted
                    && !fault.hasPersistentChangedValues)
            #expect(fault == context.object(with: id) && Set([fault, context.object(with: id)]).count == 1)
            #expect(fault.changedValues().isEmpty)
            #expect(fault.isFault)
        }
    }

    @Test("OG-41: reading a property by any way fires the fault", arguments: StackKind.allCases)
    func firing(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        let ways: [(String, (NSManagedObject) -> Void)] = [
            ("attribute", { _ = $0.value(forKey: "name") }), ("to-one", { _ = $0.value(forKey: "team") }),
            ("to-many", { _ = $0.value(forKey: "friends") }), ("ordered", { _ = $0.value(forKey: "tasks") }),
            ("transient", { _ = $0.value(forKey: "mood") }), ("willAccessValue", { $0.willAccessValue(forKey: "name") }),
            ("willAccessValue(nil)", { $0.willAccessValue(forKey: nil) }),
            ("key path", { _ = $0.value(forKeyPath: "team.name") }),
        ]
        for (name, read) in ways {
            try stack.fresh { context throws in
                let fault = context.object(with: id)
                read(fault)
                #expect(!fault.isFault, "\(name)")
                #expect(fault.faultingState == 0)
                #expect(fault.text("name") == "Ada" && fault.number("age") == 36)
            }
        }
    }

    @Test("OG-42: primitiveValue fires nothing", arguments: StackKind.allCases)
    func primitive(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try stack.fresh { context throws in
            let fault = context.object(with: id)
            #expect(fault.primitiveValue(forKey: "name") == nil)
            #expect(fault.primitiveValue(forKey: "team") == nil)
            #expect(fault.isFault)
            fault.willAccessValue(forKey: "name")
            #expect(fault.primitiveValue(forKey: "name") as? String == "Ada")
        }
    }

    @Test("OG-43: setting a property fires the fault first", arguments: StackKind.allCases)
    func setting(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try stack.fresh { context throws in
            let fault = try #require(context.object(with: id) as? Recorder)
            fault.set("name", "Countess")
            #expect(!fault.isFault)
            #expect(fault.calls == ["awakeFromFetch"])
            #expect(fault.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
            #expect(fault.number("age") == 36)
        }
    }

    @Test("OG-44, OG-45: a to-many is a fault of its own until it is read, a to-one gives a fault", arguments: StackKind.allCases)
    func relationshipFaults(_ kind: StackKind) throws {
        let (stack, id, teamID) = try Self.stack(kind)
        try stack.fresh { context throws in
            let ada = context.object(with: id)
            #expect(ada.hasFault(forRelationshipNamed: "tasks"))
            #expect(ada.isFault)
            #expect(ada.text("name") == "Ada")
            #expect(ada.hasFault(forRelationshipNamed: "tasks") && ada.hasFault(forRelationshipNamed: "skills"))
            let team = try #require(ada.one("team"))
            #expect(team.isFault)
            #expect(team.objectID == teamID)
            #expect(team.hasFault(forRelationshipNamed: "members"))
            #expect(ada.nameList("tasks") == ["a", "b"])
            #expect(!ada.hasFault(forRelationshipNamed: "tasks"))
            #expect(ada.hasFault(forRelationshipNamed: "skills"))
            #expect(team.text("name") == "Blue")
            #expect(team.hasFault(forRelationshipNamed: "members"))
            #expect(team.names("members") == ["Ada", "Bob"])
            #expect(!team.hasFault(forRelationshipNamed: "members"))
        }
    }

    @Test("OG-45: reading a to-one asks the store for nothing: the destination may even be gone", arguments: StackKind.allCases)
    func toOneWithoutRoundTrip(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Source", [ModelMaker.attribute("name", .string)])
        maker.entity("Target", [ModelMaker.attribute("name", .string)])
        maker.point("Source", "target", .one, "Target")
        let stack = try TestStack(kind, maker.model())
        let ids = try stack.run { context throws in
            let target = context.make("Target", ["name": "t"])
            let source = context.make("Source", ["name": "s", "target": target])
            try context.save()
            return (source.objectID, target.objectID)
        }
        try Self.deleteRow(ids.1, stack)
        try stack.fresh { context throws in
            let target = try #require(context.object(with: ids.0).one("target"))
            #expect(target.isFault && target.objectID == ids.1)
            #expect(target.text("name") == nil)
            #expect(target.isDeleted)
        }
    }

    @Test("OG-46: a new object can be made a fault, which loses its values and is no error")
    func newObjectAsFault() throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada", "age": 36])
            context.processPendingChanges()
            context.refresh(person, mergeChanges: false)
            #expect(person.isFault)
            #expect(person.isInserted)
            person.willAccessValue(forKey: nil)
            #expect(!person.isFault)
            #expect(person.text("name") == nil)
            person.set("name", "Bob")
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["Bob"])
    }

    @Test("OG-47: a fault whose row is gone becomes a deleted object without values", arguments: StackKind.allCases)
    func inaccessible(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try stack.run { context throws in
            // The objects that the stack's context still has from before.
            context.refreshAllObjects()
            context.processPendingChanges()
        }
        try Self.deleteRow(id, stack)
        try stack.run { context throws in
            #expect(context.shouldDeleteInaccessibleFaults)
            let fault = context.object(with: id)
            #expect(fault.isFault)
            #expect(fault.value(forKey: "name") == nil)
            #expect(!fault.isFault)
            #expect(fault.isDeleted)
            #expect(fault.value(forKey: "age") == nil)
            #expect(fault.one("team") == nil)
            #expect(fault.many("friends").isEmpty && fault.list("tasks").isEmpty)
            try context.save()
            #expect(context.registeredObject(for: id) == nil || fault.isDeleted)
        }
    }

    @Test("OG-47: without shouldDeleteInaccessibleFaults firing such a fault stops the program")
    func inaccessibleStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, id, _) = try FaultingTests.stack(.inMemory)
            try FaultingTests.deleteRow(id, stack)
            try stack.fresh { context throws in
                context.shouldDeleteInaccessibleFaults = false
                _ = context.object(with: id).text("name")
            }
        }
        #expect(result.message.contains("object inaccessible"))
    }

    @Test("OG-48: existingObject throws 133000 if there is no row", arguments: StackKind.allCases)
    func missingObject(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try Self.deleteRow(id, stack)
        try stack.fresh { context throws in
            for known in [false, true] {
                let held = known ? context.object(with: id) : nil
                let error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectReferentialIntegrityError)
                #expect(held?.isFault != false)
            }
        }
    }

    @Test("OG-49: existingObject gives the registered object, else one with values", arguments: StackKind.allCases)
    func existingObject(_ kind: StackKind) throws {
        let (stack, id, teamID) = try Self.stack(kind)
        try stack.fresh { context throws in
            let ada = try context.existingObject(with: id)
            #expect(!ada.isFault)
            #expect(try context.existingObject(with: id) === ada)
            let team = context.object(with: teamID)
            #expect(try context.existingObject(with: teamID) === team)
            #expect(team.text("name") == "Blue")
            let new = context.make("Person")
            #expect(try context.existingObject(with: new.objectID) === new)
        }
    }

    @Test("OG-50: object(with:) gives an object even for an ID without row", arguments: StackKind.allCases)
    func objectWithUnknownID(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        let url = try #require(URL(string: "x-coredata://\(stack.store.identifier ?? "")/Person/p4711"))
        let unknown = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
        try stack.fresh { context throws in
            let object = context.object(with: unknown)
            #expect(object.isFault && object.objectID == unknown)
            #expect(context.object(with: unknown) === object)
            #expect(context.object(with: id) !== object)
        }
    }

    @Test("OG-51: registeredObject is nil for an ID that the context does not know", arguments: StackKind.allCases)
    func registeredObject(_ kind: StackKind) throws {
        let (stack, id, _) = try Self.stack(kind)
        try stack.fresh { context throws in
            #expect(context.registeredObject(for: id) == nil)
            let ada = context.object(with: id)
            #expect(context.registeredObject(for: id) === ada)
            #expect(ada.isFault)
            #expect(context.registeredObjects == [ada])
        }
    }

    @Test("OG-52: one row is one object, however it is reached", arguments: StackKind.allCases)
    func uniquing(_ kind: StackKind) throws {
        let (stack, id, teamID) = try Self.stack(kind)
        try stack.fresh { context throws in
            let ada = try context.named("Ada", "Person")
            #expect(context.object(with: id) === ada)
            #expect(try context.existingObject(with: id) === ada)
            #expect(try context.all("Person").first === ada)
            let team = try #require(ada.one("team"))
            #expect(team.many("members").contains(ada))
            #expect(try context.all("Team") == [team])
            #expect(context.object(with: teamID) === team)
            #expect(ada.list("tasks").allSatisfy { $0.one("worker") === ada })
            #expect(ada.one("desk")?.one("owner") === ada)
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            request.resultType = .managedObjectIDResultType
            #expect(try context.fetch(request).contains(ada.objectID))
        }
    }

    @Test("OG-52: subentity objects are unique under the parent's relationships and fetches", arguments: StackKind.allCases)
    func uniquingOfSubentities(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let boss = context.make("Manager", ["name": "Eve", "level": 3])
            _ = context.make("Person", ["name": "Ada", "boss": boss, "hero": boss, "friends": NSSet(object: boss)])
            try context.save()
            return boss.objectID
        }
        try stack.fresh { context throws in
            let ada = try context.named("Ada", "Person")
            let boss = try #require(ada.one("boss"))
            #expect(boss.entity.name == "Manager")
            #expect(boss.objectID == id)
            #expect(ada.one("hero") === boss)
            #expect(ada.many("friends") == [boss])
            #expect(try context.named("Eve", "Person") === boss)
            #expect(try context.named("Eve", "Manager") === boss)
            #expect(boss.number("level") == 3)
            #expect(boss.many("reports") == [ada])
        }
    }
}
