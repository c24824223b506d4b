import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Life-cycle hooks")
struct HookTests {
    @Test(
        "OG-11, OG-12: prepareForDeletion comes once, inside delete, and again with a second delete",
        arguments: StackKind.allCases)
    func prepareForDeletion(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            _ = person.takeCalls()
            context.delete(person)
            #expect(person.isDeleted)
            #expect(person.takeCalls() == ["prepareForDeletion"])
            context.processPendingChanges()
            #expect(person.takeCalls().isEmpty)
            context.delete(person)
            #expect(person.takeCalls() == ["prepareForDeletion"])
            try context.save()
            #expect(!person.calls.contains("prepareForDeletion"))
        }
    }

    @Test("OG-13: objects reached by cascade are prepared for deletion while changes are processed")
    func cascadePreparation() throws {
        var maker = ModelMaker()
        maker.entity("Parent")
        maker.entity("Child")
        maker.relate("Parent", "children", .many.cascade, "Child", "parent", .one)
        try TestStack(.inMemory, maker.model()).run { context throws in
            let parent = context.make("Parent")
            let child = context.make("Child", ["parent": parent])
            try context.save()
            _ = child.takeCalls()
            context.delete(parent)
            #expect(child.takeCalls().isEmpty && !child.isDeleted)
            context.processPendingChanges()
            #expect(child.takeCalls() == ["prepareForDeletion"])
            #expect(child.isDeleted)
        }
    }

    @Test("OG-14: relationships are intact in prepareForDeletion")
    func relationshipsAtDeletion() throws {
        try TestStack.people().run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let ada = context.make("Person", ["name": "Ada", "team": team])
            _ = context.make("Person", ["name": "Bob", "team": team])
            try context.save()
            var seen: [String] = []
            context.react { object, hook in
                guard hook == "prepareForDeletion" else { return }
                seen +=
                    object.entity.name == "Team" ? object.names("members").sorted() : [object.one("team")?.text("name") ?? "nil"]
            }
            context.delete(ada)
            context.delete(team)
            #expect(seen == ["Blue", "Ada", "Bob"])
        }
    }

    @Test("OG-15: after a saved delete the object is not deleted any more and has no context", arguments: StackKind.allCases)
    func savedDelete(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            let id = person.objectID
            context.delete(person)
            try context.save()
            #expect(!person.isDeleted)
            #expect(person.managedObjectContext == nil)
            #expect(context.registeredObject(for: id) == nil)
            #expect(person.objectID == id)
            #expect(!context.hasChanges)
            #expect(try context.all("Person").isEmpty)
        }
    }

    @Test("OG-16: a new object that is deleted before it was saved leaves the context when that is processed")
    func deletedNew() throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            let person = context.make("Person")
            let id = person.objectID
            context.processPendingChanges()
            context.delete(person)
            #expect(person.isDeleted)
            context.processPendingChanges()
            #expect(context.registeredObject(for: id) == nil)
            #expect(person.managedObjectContext == nil)
            #expect(!context.hasChanges)
            #expect(context.registeredObjects.isEmpty)
            try context.save()
            #expect(!person.calls.contains("willSave") && !person.calls.contains("didSave"))
        }
        #expect(try stack.savedNames("Person").isEmpty)
    }

    @Test("OG-17: willSave and didSave come once for a new and for a changed object", arguments: StackKind.allCases)
    func saveHooks(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            let bystander = context.make("Person")
            _ = person.takeCalls()
            try context.save()
            #expect(person.takeCalls() == ["willSave", "validateForInsert", "didSave"])
            _ = bystander.takeCalls()
            person.set("name", "Ada")
            try context.save()
            #expect(person.takeCalls() == ["willSave", "validateForUpdate", "didSave"])
            #expect(bystander.takeCalls().isEmpty)
        }
    }

    @Test(
        "OG-18: willSave and didSave come for deleted objects, which know in willSave that they are",
        arguments: StackKind.allCases)
    func saveHooksOfDeleted(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            try context.save()
            _ = person.takeCalls()
            var wasDeleted: [Bool] = []
            context.react { object, hook in if hook == "willSave" { wasDeleted.append(object.isDeleted) } }
            context.delete(person)
            try context.save()
            #expect(wasDeleted == [true])
            #expect(person.calls == ["prepareForDeletion", "willSave", "validateForDelete", "didSave"])
        }
    }

    @Test("OG-19: a change in willSave brings another willSave and is saved", arguments: StackKind.allCases)
    func changeInWillSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            _ = person.takeCalls()
            context.react { object, hook in
                if hook == "willSave", object.text("name") != "ADA" { object.set("name", "ADA") }
            }
            person.set("age", 36)
            try context.save()
            #expect(person.takeCalls() == ["willSave", "willSave", "validateForUpdate", "didSave"])
            #expect(!context.hasChanges)
            let new = context.make("Person")
            try context.save()
            #expect(new.calls.filter { $0 == "willSave" }.count == 2)
        }
        #expect(try stack.savedNames("Person") == ["ADA", "ADA"])
    }

    @Test("OG-20: a willSave that always changes something stops the program")
    func endlessWillSave() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                context.react { object, hook in if hook == "willSave" { object.set("age", (object.number("age") ?? 0) + 1) } }
                _ = context.make("Person")
                try context.save()
            }
        }
        #expect(result.message.contains("willSave() of Recorder"))
    }

    @Test("OG-21: a primitive set in willSave is saved and brings no other round", arguments: StackKind.allCases)
    func primitiveInWillSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            _ = person.takeCalls()
            context.react { object, hook in if hook == "willSave" { object.setPrimitiveValue("stamped", forKey: "name") } }
            person.set("age", 36)
            try context.save()
            #expect(person.takeCalls() == ["willSave", "validateForUpdate", "didSave"])
            _ = context.make("Person")
            try context.save()
        }
        #expect(try stack.savedNames("Person") == ["stamped", "stamped"])
    }

    @Test("OG-22: willSave comes before validation", arguments: StackKind.allCases)
    func fillInWillSave(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Strict", [ModelMaker.attribute("name", .string, isOptional: false)])
        let stack = try TestStack(kind, maker.model())
        try stack.run { context throws in
            context.react { object, hook in if hook == "willSave", object.text("name") == nil { object.set("name", "filled") } }
            _ = context.make("Strict")
            try context.save()
        }
        #expect(try stack.savedNames("Strict") == ["filled"])
    }

    @Test("OG-23: firing a fault loads the values, then calls awakeFromFetch, once", arguments: StackKind.allCases)
    func awakeFromFetch(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            var seen: [String?] = []
            context.react { object, hook in
                if hook == "awakeFromFetch" { seen.append(object.isFault ? "fault" : object.text("name")) }
            }
            let person = try #require(context.object(with: id) as? Recorder)
            #expect(person.calls.isEmpty)
            #expect(person.text("name") == "Ada")
            #expect(person.number("age") == 18)
            #expect(person.calls == ["awakeFromFetch"])
            #expect(seen == ["Ada"])
            context.refresh(person, mergeChanges: false)
            _ = person.takeCalls()
            #expect(person.text("name") == "Ada")
            #expect(person.takeCalls() == ["awakeFromFetch"])
        }
    }

    @Test(
        "OG-24: turning into a fault calls willTurnIntoFault with the values, didTurnIntoFault without them",
        arguments: StackKind.allCases)
    func turningIntoFault(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            _ = person.takeCalls()
            var seen: [String?] = []
            context.react { object, hook in
                if hook.hasSuffix("TurnIntoFault") { seen.append(object.primitiveValue(forKey: "name") as? String) }
            }
            context.refresh(person, mergeChanges: true)
            #expect(person.isFault)
            #expect(person.takeCalls() == ["willTurnIntoFault", "didTurnIntoFault"])
            #expect(seen == ["Ada", nil])
            context.refresh(person, mergeChanges: false)
            #expect(person.calls.isEmpty)
        }
    }

    @Test("OG-25: rollback calls awake(fromSnapshotEvents:) in place of awakeFromFetch", arguments: StackKind.allCases)
    func awakeAfterRollback(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            person.set("name", "Bob")
            _ = person.takeCalls()
            context.rollback()
            #expect(person.text("name") == "Ada")
            #expect(person.takeCalls() == ["awakeFromSnapshotEvents \(NSSnapshotEventType.rollback.rawValue)"])
        }
    }

    @Test("OG-26: refresh with merging calls awake(fromSnapshotEvents: .refresh)", arguments: StackKind.allCases)
    func awakeAfterRefresh(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            person.set("name", "Bob")
            _ = person.takeCalls()
            context.refresh(person, mergeChanges: true)
            #expect(person.takeCalls() == ["awakeFromSnapshotEvents \(NSSnapshotEventType.refresh.rawValue)"])
            #expect(person.text("name") == "Bob")
        }
    }

    @Test(
        "A hook that resets its context: fetching and saving end without a stop, and the store has the whole save or nothing of it",
        arguments: StackKind.allCases,
        [
            "awakeFromFetch", "willSave", "validateForInsert", "validateForUpdate", "validateForDelete", "prepareForDeletion",
            "didSave", "willTurnIntoFault", "didTurnIntoFault",
        ])
    func resetting(_ kind: StackKind, _ hook: String) throws {
        let stack = try TestStack.people(kind)
        let before: Set<String> = ["a", "b", "c", "d", "e"]
        try stack.run { context throws in
            for name in before { context.make("Person", ["name": name]) }
            try context.save()
            context.reset()
            context.react { object, called in if called == hook { object.managedObjectContext?.reset() } }
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.returnsObjectsAsFaults = false
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.count == 5)
            if found[0].managedObjectContext != nil {
                found[0].set("name", "changed")
                for _ in 0..<2 { context.make("Person", ["name": "new"]) }
                context.delete(found[1])
            }
            if found[2].managedObjectContext != nil { context.refresh(found[2], mergeChanges: false) }
            do { try context.save() } catch { context.rollback() }
        }
        let other = stack.newContext()
        try other.performAndWait {
            let names = Set(try other.all("Person").compactMap { $0.text("name") })
            let after: Set<String> = ["changed", "c", "d", "e", "new"]
            #expect(names == before || names == after, "\(names)")
        }
    }
}
