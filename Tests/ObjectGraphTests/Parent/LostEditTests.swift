import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Changes of a child that its parent has no object for")
struct LostEditTests {
    @Test("R09: the child's change of an object whose deletion the parent saved is error 133020", arguments: StackKind.allCases)
    func deletedInParent(_ kind: StackKind) throws {
        for isSaved in [false, true] {
            let family = try Family(kind) { context in for name in ["a", "b"] { context.make("Person", ["name": name]) } }
            let (a, b) = try (family.object("a", in: family.middle), family.object("b", in: family.middle))
            try family.root.run { context throws in
                context.delete(try context.named("a", "Person"))
                if isSaved { try context.save() }
            }
            try family.middle.run { context throws in
                a.set("age", 50)
                b.set("age", 51)
                let new = context.make("Team", ["name": "new"])
                let error = #expect(throws: NSError.self) { try context.save() }
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
                #expect(error?.mergeConflicts.map(\.sourceObject) == [a])
                #expect(a.isUpdated && b.isUpdated && new.isInserted)
                // Nothing was pushed. Given up, the rest goes through.
                try family.root.runUnchecked {
                    #expect(family.root.insertedObjects.isEmpty && family.root.updatedObjects.isEmpty)
                }
                context.refresh(a, mergeChanges: false)
                try context.save()
            }
            try family.root.run { try $0.save() }
            try family.stack.fresh { context throws in
                #expect(try context.all("Person").map { $0.number("age") } == [51])
                #expect(try context.all("Team").count == 1)
            }
        }
    }

    @Test(
        "R09: so it is for a relationship, and where the object is gone from the store by another context's save",
        arguments: StackKind.allCases)
    func relationship(_ kind: StackKind) throws {
        let family = try Family(kind) { context in
            context.make("Person", ["name": "a"])
            context.make("Team", ["name": "t"])
        }
        let person = try family.object("a", in: family.child)
        let team = try family.object("t", "Team", in: family.child)
        try family.root.run { $0.refreshAllObjects() }
        try family.middle.run { $0.refreshAllObjects() }
        try family.stack.fresh { context throws in
            context.delete(try context.named("t", "Team"))
            try context.save()
        }
        try family.child.run { context throws in
            person.set("team", team)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError && error?.mergeConflicts.map(\.sourceObject) == [team])
            context.rollback()
        }
    }

    @Test("R09: a child's new object that the parent's save made one with another row can't be changed any more without an error")
    func merged() throws {
        let stack = try TestStack(.sqlite, ConstraintConflictTests.model())
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try stack.fresh { context throws in
            context.make("Country", ["code": "it", "name": "Italy", "people": 59])
            try context.save()
        }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let new = try child.run { context throws in
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            try context.save()
            return new
        }
        try stack.run { try $0.save() }
        try child.run { context throws in
            new.set("people", 60)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError && error?.mergeConflicts.map(\.sourceObject) == [new])
            context.refresh(new, mergeChanges: false)
            #expect(new.text("name") == nil && new.isDeleted)
            try context.save()
            let country = try context.all("Country")[0]
            country.set("people", 60)
            try context.save()
        }
        try stack.run { try $0.save() }
        try stack.fresh { context throws in
            #expect(try context.all("Country").map { "\($0.text("name") ?? "") \($0.number("people") ?? 0)" } == ["Italia 60"])
        }
    }
}
