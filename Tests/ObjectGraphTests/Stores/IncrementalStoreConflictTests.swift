import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// The service is written by others after the coordinator has compared the versions, and refuses the save.
@Suite("Conflicts that an incremental store reports")
struct IncrementalStoreConflictTests {
    typealias Stack = OwnStack<DictionaryStore>

    private func seeded(_ names: String...) throws -> Stack {
        let service = DictionaryService()
        for name in names { service["Person", name] = .init(values: ["name": name, "age": 10, "small": 1, "score": 1.5]) }
        return try Stack(
            People.model(), DictionaryStore.storeType, at: URL(fileURLWithPath: "/nowhere/service"), options: ["service": service]
        )
    }

    private func conflict(_ object: NSManagedObject) -> NSError {
        let conflicts = [
            NSMergeConflict(source: object, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
        ]
        return NSError(domain: "org.example.service", code: 409, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    /// Does something before the next save only, and has it fail with a conflict of the object.
    private func refuseOnce(_ stack: Stack, _ object: NSManagedObject, change: @escaping (DictionaryService) -> Void) {
        var isFirst = true
        stack.store.beforeSaving = { [unowned store = stack.store] _ in
            guard isFirst else { return }
            isFirst = false
            change(store.service)
            throw conflict(object)
        }
    }

    private func changeAnn(_ service: DictionaryService) {
        service["Person", "Ann"]?.values["age"] = 50
        service["Person", "Ann"]?.values["score"] = 9.5
        service["Person", "Ann"]?.version += 1
    }

    @Test("The error policy fails with the conflict, its values on both sides, and the changes are kept")
    func errorPolicy() throws {
        let stack = try seeded("Ann")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            ann.set("age", 3)
            refuseOnce(stack, ann, change: changeAnn)
            let error = try #require(caught { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
            let conflict = try #require(error.mergeConflicts.first)
            #expect(error.mergeConflicts.count == 1 && conflict.sourceObject === ann)
            #expect(conflict.persistedSnapshot?["age"] as? Int == 50 && conflict.cachedSnapshot?["age"] as? Int == 10)
            #expect(ann.number("age") == 3 && ann.isUpdated)
            #expect(stack.store.service["Person", "Ann"]?.values["age"] as? Int == 50)
            // The conflict is still there: the context's values belong to an older version.
            #expect(caught { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(stack.store.service["Person", "Ann"]?.values["age"] as? Int == 3)
        }
    }

    @Test(
        "Other policies decide on the values, and the save is asked for again",
        arguments: [
            (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, 50, 7, 9.5),
            (.mergeByPropertyObjectTrumpMergePolicyType, 3, 7, 9.5), (.overwriteMergePolicyType, 3, 7, 1.5),
            (.rollbackMergePolicyType, 50, 1, 9.5),
        ])
    func policies(_ type: NSMergePolicyType, age: Int, small: Int, score: Double) throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = NSMergePolicy(merge: type)
            let (ann, bob) = try (context.named("Ann", "Person"), context.named("Bob", "Person"))
            ann.set("age", 3)
            ann.set("small", 7)
            bob.set("age", 4)
            let new = context.make("Person", ["name": "Cy"])
            refuseOnce(stack, ann, change: changeAnn)
            try context.save()
            #expect(stack.store.saves.count == 2)
            let saved = try #require(stack.store.service["Person", "Ann"]).values
            #expect(saved["age"] as? Int == age && saved["small"] as? Int == small && saved["score"] as? Double == score)
            #expect(ann.number("age") == age && ann.number("small") == small && ann.value(forKey: "score") as? Double == score)
            #expect(stack.store.service["Person", "Bob"]?.values["age"] as? Int == 4)
            #expect(!new.objectID.isTemporaryID && stack.store.service.references("Person").contains("Cy"))
            #expect(!context.hasChanges)
            ann.set("age", 61)
            try context.save()
            #expect(stack.store.service["Person", "Ann"]?.values["age"] as? Int == 61)
        }
    }

    @Test("An object that others have deleted is deleted here, or comes back, as the policy says", arguments: [true, false])
    func deletedElsewhere(comesBack: Bool) throws {
        let stack = try seeded("Ann")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = comesBack ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
            let ann = try context.named("Ann", "Person")
            ann.set("age", 3)
            refuseOnce(stack, ann) { $0["Person", "Ann"] = nil }
            try context.save()
            #expect(stack.store.service["Person", "Ann"]?.values["age"] as? Int == (comesBack ? 3 : nil))
            #expect((ann.managedObjectContext == nil) == !comesBack)
            #expect(!context.hasChanges)
        }
    }

    @Test("A deletion meets another program's change, or its deletion", arguments: [true, false])
    func deletedHere(isDeletedThere: Bool) throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let ann = try context.named("Ann", "Person")
            _ = ann.number("age")
            context.delete(ann)
            refuseOnce(stack, ann) { if isDeletedThere { $0["Person", "Ann"] = nil } else { changeAnn($0) } }
            try context.save()
            #expect(stack.store.service.references("Person") == ["Bob"])
            #expect(!context.hasChanges && ann.managedObjectContext == nil)
        }
    }

    @Test("A service that refuses each time ends the save with its conflicts")
    func endless() throws {
        let stack = try seeded("Ann")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = NSMergePolicy.overwrite
            let ann = try context.named("Ann", "Person")
            ann.set("age", 3)
            stack.store.beforeSaving = { [unowned store = stack.store] _ in
                changeAnn(store.service)
                throw conflict(ann)
            }
            let error = caught { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError && error?.mergeConflicts.first?.sourceObject === ann)
            #expect(ann.number("age") == 3 && ann.isUpdated)
        }
    }

    @Test("An error whose conflicts are not about saved objects comes out as it is")
    func otherErrors() throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = NSMergePolicy.overwrite
            let (ann, bob) = try (context.named("Ann", "Person"), context.named("Bob", "Person"))
            ann.set("age", 3)
            for given in [[], ["Ann"], "Ann", conflict(bob).userInfo[NSPersistentStoreSaveConflictsErrorKey] ?? ""] as [Any] {
                let userInfo = [NSPersistentStoreSaveConflictsErrorKey: given]
                stack.store.beforeSaving = { _ in throw NSError(domain: "org.example", code: 409, userInfo: userInfo) }
                let error = caught { try context.save() }
                #expect(error?.domain == "org.example" && error?.code == 409)
            }
            stack.store.beforeSaving = { _ in }
            try context.save()
            #expect(stack.store.service["Person", "Ann"]?.values["age"] as? Int == 3)
        }
    }

    @Test("A conflict of a new object can't be resolved, and the object stays new")
    func newObject() throws {
        let stack = try seeded()
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.mergePolicy = NSMergePolicy.overwrite
            let ann = context.make("Person", ["name": "Ann"])
            stack.store.beforeSaving = { _ in throw conflict(ann) }
            #expect(caught { try context.save() }?.code == NSManagedObjectMergeError)
            #expect(ann.isInserted && ann.objectID.isTemporaryID)
            stack.store.beforeSaving = { _ in }
            try context.save()
            #expect(stack.store.service.references("Person") == ["Ann"])
        }
    }
}
