import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Conflicts of versions")
struct VersionConflictTests {
    static let trumps: [NSMergePolicyType] = [
        .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    ]

    // MARK: The error policy

    @Test(
        "CTX-110, CTX-112, CTX-113, CTX-115: another context's save is a conflict with the context's committed and the newer values",
        arguments: StackKind.allCases)
    func errorPolicy(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("name", "FromCtx1") }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            let error = try thrownError { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
            #expect(error.code == 133020)
            #expect(error.userInfo["conflictList"] is [NSMergeConflict])
            let conflict = try #require(error.mergeConflicts.first)
            #expect(error.mergeConflicts.count == 1)
            #expect(conflict.sourceObject === alice)
            #expect(conflict.objectSnapshot?["name"] as? String == "Alice")
            #expect(conflict.objectSnapshot?["age"] as? Int == 10)
            #expect(conflict.cachedSnapshot?["name"] as? String == "FromCtx1")
            #expect(conflict.persistedSnapshot == nil)
            #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
            // NTF-123: the changes stay pending, and the context can be used.
            #expect(context.hasChanges && alice.isUpdated && alice.text("name") == "FromCtx2")
            context.rollback()
            try context.save()
        }
        try #expect(rivals.people() == ["FromCtx1": 10])
    }

    @Test("CTX-114, CTX-130: another coordinator's save is a conflict between what was read and what is in the file")
    func otherCoordinator() throws {
        let rivals = try Rivals(.sqlite, attachment: .otherCoordinator)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("name", "FromCtx1") }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            let conflict = try #require(try thrownError { try context.save() }.mergeConflicts.first)
            #expect(conflict.objectSnapshot == nil)
            #expect(conflict.cachedSnapshot?["name"] as? String == "Alice")
            #expect(conflict.persistedSnapshot?["name"] as? String == "FromCtx1")
            #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
        }
    }

    @Test("FET-195, CTX-114: a batch request of the same coordinator is a conflict with another context, not with the file")
    func batchRequests() throws {
        let rivals = try Rivals(.sqlite)
        let alice = try rivals.object(in: rivals.second)
        try rivals.first.run { context in
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.propertiesToUpdate = ["name": "FromBatch"]
            _ = try context.execute(update)
        }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            let conflict = try #require(try thrownError { try context.save() }.mergeConflicts.first)
            #expect(conflict.cachedSnapshot?["name"] as? String == "FromBatch" && conflict.persistedSnapshot == nil)
            #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Recorder>(entityName: "Person")))
            let deleted = try #require(try thrownError { try context.save() }.mergeConflicts.first)
            #expect(
                deleted.newVersionNumber == 0 && deleted.persistedSnapshot == nil
                    && deleted.objectSnapshot?["name"] as? String == "Alice")
            context.rollback()
        }
    }

    @Test("CTX-113: snapshots have attributes and to-one relationships, nil as NSNull and destinations as IDs")
    func snapshots() throws {
        let rivals = try Rivals(.inMemory) { context in
            _ = context.make("Person", ["name": "Alice", "team": context.make("Team", ["name": "Blue"])])
        }
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("score", 1.5) }
        try rivals.second.run { context in
            alice.set("age", 1)
            let conflict = try #require(try thrownError { try context.save() }.mergeConflicts.first)
            #expect(conflict.objectSnapshot?["team"] as? NSManagedObjectID == alice.one("team")?.objectID)
            #expect(conflict.objectSnapshot?["boss"] is NSNull && conflict.objectSnapshot?["score"] is NSNull)
            #expect(conflict.cachedSnapshot?["score"] as? Double == 1.5)
            #expect(conflict.objectSnapshot?["skills"] == nil && conflict.objectSnapshot?["mood"] == nil)
        }
    }

    @Test("CTX-112: the error has all conflicts of a save, deleted objects' too", arguments: StackKind.allCases)
    func allConflicts(_ kind: StackKind) throws {
        let rivals = try Rivals(kind) { context in
            for index in 0..<6 { _ = context.make("Person", ["name": "P\(index)", "age": index]) }
            _ = context.make("Team", ["name": "Blue"])
        }
        let people = try rivals.second.run { try $0.all("Person").loaded }
        let team = try rivals.object("Blue", "Team", in: rivals.second)
        try rivals.second.run { _ in #expect(team.text("name") == "Blue") }
        try rivals.first.run { context in
            for person in try context.all("Person").prefix(4) { person.set("age", 100) }
            try context.named("Blue", "Team").set("name", "Red")
            try context.save()
        }
        try rivals.second.run { context in
            for person in people { person.set("score", 1.0) }
            context.delete(people[0])
            team.set("name", "Green")
            let error = try thrownError { try context.save() }
            #expect(Set(error.mergeConflicts.map(\.sourceObject)) == Set(people.prefix(4)).union([team]))
        }
    }

    @Test("CTX-120: changes of different objects are no conflict, also under the error policy", arguments: StackKind.allCases)
    func differentObjects(_ kind: StackKind) throws {
        let rivals = try Rivals(kind) { context in
            for name in ["Alice", "Bob"] { _ = context.make("Person", ["name": name, "age": 10]) }
        }
        let bob = try rivals.object("Bob", in: rivals.second)
        _ = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            bob.set("age", 12)
            try context.save()
        }
        try #expect(rivals.people() == ["Alice": 11, "Bob": 12])
    }

    @Test(
        "CTX-121: changes of different properties of one object are a conflict under the error policy",
        arguments: StackKind.allCases)
    func differentProperties(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("name", "FromCtx1") }
        try rivals.second.run { context in
            alice.set("age", 99)
            try #expect(thrownError { try context.save() }.code == NSManagedObjectMergeError)
        }
    }

    // MARK: The other policies

    @Test(
        "CTX-116: by store trump what was changed in the store wins, the rest stays", arguments: Rivals.places)
    func storeTrump(_ kind: StackKind, _ attachment: RivalAttachment) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyStoreTrump, attachment: attachment)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("name", "FromCtx1") }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            alice.set("age", 99)
            try context.save()
            #expect(alice.text("name") == "FromCtx1" && alice.number("age") == 99)
            #expect(!context.hasChanges && !alice.hasChanges)
        }
        try #expect(rivals.people() == ["FromCtx1": 99])
    }

    @Test(
        "CTX-117: by object trump what the context changed wins, the rest is the store's", arguments: Rivals.places)
    func objectTrump(_ kind: StackKind, _ attachment: RivalAttachment) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump, attachment: attachment)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst {
            $0.set("name", "FromCtx1")
            $0.set("age", 50)
        }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            try context.save()
            #expect(alice.text("name") == "FromCtx2" && alice.number("age") == 50)
        }
        try #expect(rivals.people() == ["FromCtx2": 50])
    }

    @Test("CTX-118: by overwrite the whole object is written, unchanged old values too", arguments: StackKind.allCases)
    func overwrite(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .overwrite)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst {
            $0.set("name", "FromCtx1")
            $0.set("age", 77)
        }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            try context.save()
            #expect(alice.number("age") == 10)
        }
        try #expect(rivals.people() == ["FromCtx2": 10])
    }

    @Test(
        "CTX-119: by rollback the object's changes are dropped, and other objects of the save are written",
        arguments: StackKind.allCases)
    func rollback(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .rollback) { context in
            for name in ["Alice", "Bob"] { _ = context.make("Person", ["name": name, "age": 10]) }
        }
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        try rivals.saveInFirst { $0.set("name", "FromCtx1") }
        try rivals.second.run { context in
            alice.set("name", "FromCtx2")
            alice.set("age", 99)
            bob.set("age", 20)
            _ = context.make("Person", ["name": "New", "age": 30])
            let log = NotificationLog(context)
            try context.save()
            #expect(alice.changedValues().isEmpty && !alice.hasChanges && !context.hasChanges)
            #expect(alice.text("name") == "FromCtx1" && alice.number("age") == 10)
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.updated == [bob] && saved.inserted.count == 1)
        }
        try #expect(rivals.people() == ["FromCtx1": 10, "Bob": 20, "New": 30])
    }

    @Test(
        "CTX-116…119: what a policy did holds for the next save too", arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType,
            .rollbackMergePolicyType,
        ])
    func nextSave(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type))
        let alice = try rivals.object(in: rivals.second)
        for round in 1...3 {
            let name = try rivals.stored { try $0.all("Person")[0].text("name") ?? "" }
            try rivals.saveInFirst(name) { $0.set("age", round) }
            try rivals.second.run { context in
                alice.set("name", "Round \(round)")
                try context.save()
                alice.set("score", Double(round))
                // Without another save in between there is no conflict.
                context.mergePolicy = NSErrorMergePolicy
                try context.save()
                context.mergePolicy = NSMergePolicy(merge: type)
            }
            try rivals.first.run { $0.refreshAllObjects() }
        }
        try #expect(rivals.stored { try $0.all("Person")[0].value(forKey: "score") as? Double } == 3)
    }

    @Test("CTX-117: every kind of attribute comes through a merge", arguments: StackKind.allCases, trumps)
    func attributeKinds(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let values: [String: Any] = [
            "score": 1.5, "small": 7, "big": 1 << 40, "ratio": Float(0.5), "price": Decimal(string: "10.11") ?? 0, "flag": true,
            "born": Date(timeIntervalSinceReferenceDate: 1000.5), "photo": Data([1, 2, 3]), "code": UUID(),
            "page": URL(string: "https://swift.org") as Any, "tags": ["a", "b"],
        ]
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type))
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { alice in for (key, value) in values { alice.set(key, value) } }
        try rivals.second.run { context in
            alice.set("name", "Changed")
            alice.set("mood", 3)
            try context.save()
            // Transient values are the object's own.
            #expect(alice.number("mood") == 3)
            for (key, value) in values { #expect((alice.value(forKey: key) as? NSObject) == (value as? NSObject), "\(key)") }
        }
        try rivals.stored { context in
            let alice = try context.named("Changed", "Person")
            for (key, value) in values { #expect((alice.value(forKey: key) as? NSObject) == (value as? NSObject), "\(key)") }
        }
    }

    @Test("CTX-117: nil is a value as any other", arguments: StackKind.allCases)
    func nilValues(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump) { context in
            _ = context.make("Person", ["name": "Alice", "score": 1.0, "big": 5])
        }
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("score", nil) }
        try rivals.second.run { context in
            alice.set("big", nil)
            try context.save()
            #expect(alice.value(forKey: "score") == nil && alice.value(forKey: "big") == nil)
        }
        try rivals.stored { context in
            let alice = try context.named("Alice", "Person")
            #expect(alice.value(forKey: "score") == nil && alice.value(forKey: "big") == nil)
        }
    }

    // MARK: Deleted rows

    @Test(
        "CTX-123, CTX-115: changing what another context deleted is a merge error with version 0 under the error policy",
        arguments: StackKind.allCases)
    func changedAfterDeletion(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.first.run { context in
            context.delete(try context.named("Alice", "Person"))
            try context.save()
        }
        try rivals.second.run { context in
            alice.set("age", 11)
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            let conflict = try #require(error.mergeConflicts.first)
            #expect(conflict.newVersionNumber == 0 && conflict.oldVersionNumber == 1)
            #expect(
                conflict.objectSnapshot?["age"] as? Int == 10 && conflict.cachedSnapshot == nil
                    && conflict.persistedSnapshot == nil)
            context.rollback()
        }
    }

    @Test(
        "CTX-123 (choice): by object trump and overwrite a row that another context deleted comes back",
        arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
        ])
    func writtenAgain(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type)) { context in
            let skill = context.make("Skill", ["name": "Swift"])
            _ = context.make(
                "Person", ["name": "Alice", "age": 10, "team": context.make("Team", ["name": "Blue"]), "skills": Set([skill])])
        }
        let alice = try rivals.object(in: rivals.second)
        let third = rivals.stack.newContext()
        let stale = try rivals.object(in: third)
        _ = try rivals.second.run { _ in alice.names("skills") }
        let id = alice.objectID
        try rivals.first.run { context in
            context.delete(try context.named("Alice", "Person"))
            context.delete(try context.named("Blue", "Team"))
            try context.save()
        }
        try rivals.second.run { context in
            alice.set("age", 11)
            try context.save()
            #expect(alice.objectID == id && !alice.isDeleted && !alice.hasChanges)
            // Its team went with the other save, so it has none.
            #expect(alice.one("team") == nil)
            alice.set("age", 12)
            try context.save()
        }
        try rivals.stored { context in
            let found = try context.named("Alice", "Person")
            #expect(found.objectID == id && found.number("age") == 12 && found.one("team") == nil)
            #expect(found.names("skills") == ["Swift"])
        }
        // Who still has the first version does not take the new row for it.
        try third.run { context in
            stale.set("age", 1)
            try #expect(thrownError { try context.save() }.code == NSManagedObjectMergeError)
        }
    }

    @Test(
        "CTX-123: by store trump and rollback an object whose row is gone counts as deleted", arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType,
        ])
    func givenUp(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type)) { context in
            _ = context.make("Person", ["name": "Alice", "team": context.make("Team", ["name": "Blue"])])
            _ = context.make("Person", ["name": "Bob"])
        }
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        let blue = try rivals.object("Blue", "Team", in: rivals.second)
        _ = try rivals.second.run { _ in blue.names("members") }
        try rivals.first.run { context in
            context.delete(try context.named("Alice", "Person"))
            try context.save()
        }
        try rivals.second.run { context in
            alice.set("age", 11)
            bob.set("age", 12)
            let log = NotificationLog(context)
            try context.save()
            #expect(!context.hasChanges && alice.managedObjectContext == nil)
            #expect(blue.names("members").isEmpty)
            #expect(log.takeChanges().contains { $0.deleted == [alice] })
        }
        try #expect(rivals.people() == ["Bob": 12])
    }

    @Test("CTX-124: deleting what another context changed is a merge error under the error policy", arguments: StackKind.allCases)
    func deletedAfterChange(_ kind: StackKind) throws {
        let rivals = try Rivals(kind)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            context.delete(alice)
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError && error.mergeConflicts.first?.newVersionNumber == 2)
            #expect(alice.isDeleted && context.deletedObjects == [alice])
        }
        try #expect(rivals.people() == ["Alice": 11])
    }

    @Test(
        "CTX-124: by all other policies but rollback the row is deleted", arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType,
        ])
    func deletedAllTheSame(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type))
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { _ in alice.set("age", 5) }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            context.delete(alice)
            try context.save()
            #expect(!context.hasChanges)
        }
        try #expect(rivals.people().isEmpty)
    }

    @Test("CTX-124: by rollback the row stays, and what it was related to has it again", arguments: StackKind.allCases)
    func deletionTakenBack(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .rollback) { context in
            let alice = context.make("Person", ["name": "Alice", "age": 10, "team": context.make("Team", ["name": "Blue"])])
            alice.set("skills", Set([context.make("Skill", ["name": "Swift"])]))
            alice.set("desk", context.make("Desk", ["name": "Oak"]))
            _ = context.make("Person", ["name": "Bob", "boss": alice])
        }
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        let blue = try rivals.object("Blue", "Team", in: rivals.second)
        let oak = try rivals.object("Oak", "Desk", in: rivals.second)
        try rivals.second.run { _ in
            _ = (blue.names("members"), alice.names("skills"), bob.one("boss"), oak.one("owner"), alice.names("reports"))
        }
        try rivals.saveInFirst { $0.set("age", 11) }
        try rivals.second.run { context in
            context.delete(alice)
            try context.save()
            #expect(!alice.isDeleted && alice.number("age") == 11 && !context.hasChanges)
            #expect(blue.names("members") == ["Alice"] && bob.one("boss") === alice && oak.one("owner") === alice)
            #expect(alice.names("skills") == ["Swift"] && alice.names("reports") == ["Bob"])
        }
        try rivals.stored { context in
            let alice = try context.named("Alice", "Person")
            #expect(alice.one("team")?.text("name") == "Blue" && alice.names("skills") == ["Swift"])
            #expect(alice.names("reports") == ["Bob"] && alice.one("desk")?.text("name") == "Oak")
        }
    }

    @Test(
        "CTX-125 (choice): an object that both contexts delete is no conflict under any policy", arguments: StackKind.allCases,
        [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType,
        ])
    func bothDeleted(_ kind: StackKind, _ type: NSMergePolicyType) throws {
        let rivals = try Rivals(kind, policy: NSMergePolicy(merge: type)) { context in
            for name in ["Alice", "Bob"] { _ = context.make("Person", ["name": name]) }
        }
        let alice = try rivals.object(in: rivals.second)
        let bob = try rivals.object("Bob", in: rivals.second)
        try rivals.second.run { _ in _ = alice.text("name") }
        try rivals.first.run { context in
            for person in try context.all("Person") { context.delete(person) }
            try context.save()
        }
        try rivals.second.run { context in
            context.delete(alice)
            context.delete(bob)
            try context.save()
            #expect(!context.hasChanges)
        }
        try #expect(rivals.people().isEmpty)
    }

    // MARK: Policies of one's own

    @Test("CTX-126: what a subclass sets after super is saved", arguments: StackKind.allCases)
    func customPolicy(_ kind: StackKind) throws {
        final class Adding: NSMergePolicy {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                for conflict in list {
                    let theirs = conflict.cachedSnapshot?["age"] as? Int ?? 0
                    let ours =
                        (conflict.sourceObject.value(forKey: "age") as? Int ?? 0) - (conflict.objectSnapshot?["age"] as? Int ?? 0)
                    conflict.sourceObject.setValue(theirs + ours, forKey: "age")
                }
            }
        }
        let rivals = try Rivals(kind, policy: Adding(merge: .mergeByPropertyObjectTrumpMergePolicyType))
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("age", 13)
            try context.save()
            #expect(alice.number("age") == 18 && !context.hasChanges)
        }
        try #expect(rivals.people() == ["Alice": 18])
    }

    @Test("CTX-126: a subclass of the older kind overrides resolve(mergeConflicts:) only", arguments: StackKind.allCases)
    func olderPolicy(_ kind: StackKind) throws {
        final class Older: NSMergePolicy {
            var count = 0

            override func resolve(mergeConflicts list: [Any]) throws {
                count += list.count
                try super.resolve(mergeConflicts: list)
            }
        }
        let policy = Older(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let rivals = try Rivals(kind, policy: policy)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("name", "Changed")
            try context.save()
        }
        #expect(policy.count == 1)
        try #expect(rivals.people() == ["Changed": 15])
    }

    @Test("CTX-126: a subclass whose methods call each other comes to an end")
    func circularPolicy() throws {
        final class Circular: NSMergePolicy {
            override func resolve(mergeConflicts list: [Any]) throws {
                try resolve(optimisticLockingConflicts: list.compactMap { $0 as? NSMergeConflict })
            }

            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
            }
        }
        let rivals = try Rivals(.inMemory, policy: Circular(merge: .mergeByPropertyObjectTrumpMergePolicyType))
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("name", "Changed")
            try context.save()
        }
        try #expect(rivals.people() == ["Changed": 15])
    }

    @Test("CTX-126: an error that a policy throws ends the save; nothing is written", arguments: StackKind.allCases)
    func throwingPolicy(_ kind: StackKind) throws {
        struct Refusal: Error {}
        final class Refusing: NSMergePolicy {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { throw Refusal() }
        }
        let rivals = try Rivals(kind, policy: Refusing(merge: .overwriteMergePolicyType))
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("age", 16)
            _ = context.make("Person", ["name": "New"])
            #expect(throws: Refusal.self) { try context.save() }
            #expect(context.insertedObjects.count == 1 && context.updatedObjects == [alice])
        }
        try #expect(rivals.people() == ["Alice": 15])
    }

    @Test(
        "CTX-127: conflicts that a policy leaves alone are an error, and so are ones that come back for ever",
        arguments: StackKind.allCases)
    func unresolved(_ kind: StackKind) throws {
        final class Lazy: NSMergePolicy {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {}
        }
        /// Somebody is always faster.
        final class Late: NSMergePolicy {
            var rival: (() throws -> Void)?

            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                try rival?()
            }
        }
        let rivals = try Rivals(kind, policy: Lazy(merge: .overwriteMergePolicyType))
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("age", 16)
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError && error.mergeConflicts.map(\.sourceObject) == [alice])
        }
        let late = Late(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        rivals.second.mergePolicy = late
        var age = 20
        late.rival = {
            age += 1
            try rivals.saveInFirst { $0.set("age", age) }
        }
        try rivals.second.run { context in
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            late.rival = nil
            try context.save()
        }
        try #expect(rivals.people() == ["Alice": 16])
    }

    @Test("CTX-126: merged values are validated before they are written", arguments: StackKind.allCases)
    func validation(_ kind: StackKind) throws {
        let tooOld = NSError(domain: "Tests", code: 120)
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 150) }
        try rivals.second.run { context in
            context.react { object, hook in
                if hook == "validateForUpdate", object.number("age") ?? 0 > 120 { throw tooOld }
            }
            alice.set("name", "Changed")
            try #expect(thrownError { try context.save() } === tooOld)
            #expect(context.updatedObjects == [alice])
            alice.set("age", 100)
            try context.save()
        }
        try #expect(rivals.people() == ["Changed": 100])
    }

    @Test("Objects that a merge policy changed are told by awake(fromSnapshotEvents:) and in ObjectsDidChange (NTF-128)")
    func hooks() throws {
        let rivals = try Rivals(.inMemory, policy: .mergeByPropertyStoreTrump)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 15) }
        try rivals.second.run { context in
            alice.set("name", "Changed")
            context.processPendingChanges()
            _ = alice.takeCalls()
            let log = NotificationLog(context)
            try context.save()
            #expect(alice.calls.contains("awakeFromSnapshotEvents \(NSSnapshotEventType.mergePolicy.rawValue)"))
            #expect(log.takeChanges().map(\.refreshed) == [[alice]])
        }
    }

    // MARK: Many at once

    @Test("CTX-127: threads that change one row over and over lose nothing", arguments: StackKind.allCases)
    func manyThreads(_ kind: StackKind) async throws {
        /// Adds what the context added to what the store has.
        final class Counting: NSMergePolicy {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                for conflict in list {
                    guard let theirs = conflict.cachedSnapshot?["age"] as? Int else { continue }
                    conflict.sourceObject.setValue(theirs + 1, forKey: "age")
                }
            }
        }
        let stack = try TestStack.people(kind)
        let id = try stack.run { context in
            let person = context.make("Person", ["name": "Alice", "age": 0])
            try context.save()
            return person.objectID
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let context = stack.newContext()
                context.mergePolicy = Counting(merge: .mergeByPropertyObjectTrumpMergePolicyType)
                group.addTask {
                    for _ in 0..<25 {
                        try await context.perform {
                            let person = try context.existingObject(with: id)
                            person.setValue((person.value(forKey: "age") as? Int ?? 0) + 1, forKey: "age")
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try #expect(stack.fresh { try $0.named("Alice", "Person").number("age") } == 100)
    }

    @Test(
        "CTX-123, CTX-127: a row that two contexts bring back at the same time is there once, and none of the saves fails",
        arguments: StackKind.allCases)
    func broughtBackTwice(_ kind: StackKind) throws {
        /// Does something after the first conflict is resolved and before the store is written again.
        final class Interrupted: NSMergePolicy {
            var interruption: (() throws -> Void)?

            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                let next = interruption
                interruption = nil
                try next?()
            }
        }
        let policy = Interrupted(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let rivals = try Rivals(kind, policy: policy)
        let third = rivals.stack.newContext()
        third.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let (alice, other) = try (rivals.object(in: rivals.second), rivals.object(in: third))
        try rivals.first.run { context throws in
            context.delete(try context.named("Alice", "Person"))
            try context.save()
        }
        policy.interruption = {
            try third.runUnchecked {
                other.set("score", 7)
                try third.save()
            }
        }
        try rivals.second.run { context throws in
            alice.set("age", 50)
            try context.save()
            #expect(!context.hasChanges && alice.value(forKey: "score") as? Double == 7)
            alice.set("age", 51)
            try context.save()
        }
        try rivals.stored { context throws in
            #expect(try context.all("Person").map { $0.number("age") } == [51])
            #expect(try context.named("Alice", "Person").value(forKey: "score") as? Double == 7)
        }
    }
}
