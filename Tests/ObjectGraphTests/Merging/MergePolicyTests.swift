import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Merge policies")
struct MergePolicyTests {
    private func same(_ a: AnyObject, _ b: AnyObject) -> Bool { a === b }

    @Test("API-184, API-185, CTX-129: the five policies and their types have Apple's raw values")
    func types() {
        #expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
        #expect(NSMergePolicy.mergeByPropertyStoreTrump.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
        #expect(NSMergePolicy.mergeByPropertyObjectTrump.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
        #expect(NSMergePolicy.overwrite.mergeType == .overwriteMergePolicyType)
        #expect(NSMergePolicy.rollback.mergeType == .rollbackMergePolicyType)
        let types: [NSMergePolicyType] = [
            .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType,
        ]
        #expect(types.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(NSMergePolicy(merge: .rollbackMergePolicyType).mergeType == .rollbackMergePolicyType)
    }

    @Test("API-186: the older names are the same instances")
    func names() {
        #expect(same(NSErrorMergePolicy, NSMergePolicy.error))
        #expect(same(NSMergeByPropertyStoreTrumpMergePolicy, NSMergePolicy.mergeByPropertyStoreTrump))
        #expect(same(NSMergeByPropertyObjectTrumpMergePolicy, NSMergePolicy.mergeByPropertyObjectTrump))
        #expect(same(NSOverwriteMergePolicy, NSMergePolicy.overwrite))
        #expect(same(NSRollbackMergePolicy, NSMergePolicy.rollback))
    }

    @Test("CTX-111, CTX-128, API-57: each context has a policy of its own; it is the error policy unless set")
    func defaults() throws {
        let stack = try TestStack.people()
        #expect(same(stack.context.mergePolicy as AnyObject, NSMergePolicy.error))
        stack.context.mergePolicy = NSOverwriteMergePolicy
        #expect(same(stack.context.mergePolicy as AnyObject, NSMergePolicy.overwrite))
        #expect(same(stack.newContext().mergePolicy as AnyObject, NSMergePolicy.error))
    }

    @Test("CTX-4: the contexts of a container have the error policy and merge nothing by themselves")
    func container() {
        let container = NSPersistentContainer(name: "People", managedObjectModel: People.model())
        for context in [container.viewContext, container.newBackgroundContext()] {
            #expect(same(context.mergePolicy as AnyObject, NSMergePolicy.error))
            #expect(!context.automaticallyMergesChangesFromParent)
        }
    }

    @Test("A merge policy that is none stops the program and says why")
    func wrongPolicy() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSManagedObjectContext(.privateQueue).mergePolicy = "overwrite"
        }
        #expect(result.message.contains("must be an NSMergePolicy, and was set to a String"))
    }

    @Test("API-187: a conflict made by hand has the object's saved values unless there are both other snapshots")
    func conflictByHand() throws {
        try TestStack.people().run { context in
            let person = context.make("Person", ["name": "Ada", "age": 3])
            try context.save()
            person.set("age", 4)
            let conflict = NSMergeConflict(
                source: person, newVersion: 3, oldVersion: 1, cachedSnapshot: ["age": 5], persistedSnapshot: nil)
            #expect(conflict.sourceObject === person)
            #expect(conflict.newVersionNumber == 3 && conflict.oldVersionNumber == 1)
            #expect(conflict.objectSnapshot?["age"] as? Int == 3)
            #expect(conflict.cachedSnapshot?["age"] as? Int == 5)
            #expect(conflict.persistedSnapshot == nil)
            let both = NSMergeConflict(
                source: person, newVersion: 3, oldVersion: 1, cachedSnapshot: ["age": 5], persistedSnapshot: ["age": 6])
            #expect(both.objectSnapshot == nil)
        }
    }

    @Test("API-188: a constraint conflict made by hand has its values from the first object")
    func constraintByHand() throws {
        try TestStack.people().run { context in
            let person = context.make("Person", ["name": "Ada"])
            let conflict = NSConstraintConflict(
                constraint: ["name", "age"], database: nil, databaseSnapshot: nil, conflicting: [person],
                conflictingSnapshots: [["name": "Ada"]])
            #expect(conflict.constraint == ["name", "age"])
            #expect(conflict.constraintValues["name"] as? String == "Ada" && conflict.constraintValues["age"] as? Int == 18)
            #expect(conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
            #expect(conflict.conflictingObjects == [person])
            #expect(conflict.conflictingSnapshots.first?["name"] as? String == "Ada")
        }
    }
}
