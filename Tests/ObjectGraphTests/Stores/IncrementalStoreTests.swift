import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Synchronization
import TestSupport
import Testing

@Suite("Incremental stores of a program")
struct IncrementalStoreTests {
    typealias Stack = OwnStack<DictionaryStore>

    private func open(
        _ service: DictionaryService = DictionaryService(), _ options: [AnyHashable: Any] = [:],
        _ model: NSManagedObjectModel = People.model()
    ) throws -> Stack {
        var options = options
        options["service"] = service
        return try Stack(model, DictionaryStore.storeType, at: URL(fileURLWithPath: "/nowhere/service"), options: options)
    }

    private func seeded(_ names: String...) throws -> Stack {
        let service = DictionaryService()
        for (index, name) in names.enumerated() { service["Person", name] = .init(values: ["name": name, "age": 10 + index]) }
        return try open(service)
    }

    @Test("API-110: the store loads its metadata once, and its UUID is theirs")
    func adding() throws {
        let stack = try open()
        #expect(stack.store.calls == ["loadMetadata"])
        #expect(stack.store.identifier == stack.coordinator.metadata(for: stack.store)[NSStoreUUIDKey] as? String)
        #expect(stack.coordinator.persistentStores == [stack.store])
        let failure = caught { try open(DictionaryService(), ["failure": NSError(domain: "org.example", code: 7)]) }
        #expect(failure?.domain == "org.example" && failure?.code == 7)
        #expect(caught { try open(DictionaryService(), ["type": "Tests.Other"]) }?.code == NSPersistentStoreTypeMismatchError)
        #expect(caught { try open(DictionaryService(), ["uuid": "a/b"]) }?.localizedDescription.contains("a/b") == true)
    }

    @Test(
        "IDs are equal by reference, and their URLs lead back to them",
        arguments: [
            "r1", "", "=", "=AAA", "42", "-7", "key with/slash", "ä?#%", "'", "'42", "007",
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "..",
        ])
    func textReferences(text: String) throws {
        let stack = try open()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
        let id = stack.store.newObjectID(for: entity, referenceObject: text)
        #expect(!id.isTemporaryID && id.entity === entity && id.persistentStore === stack.store)
        #expect(stack.store.newObjectID(for: entity, referenceObject: text) == id)
        #expect(stack.store.newObjectID(for: entity, referenceObject: text + "x") != id)
        #expect(stack.store.referenceObject(for: id) as? String == text)
        let again = try #require(stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        #expect(again == id && stack.store.referenceObject(for: again) as? String == text)
    }

    @Test("Numbers and UUIDs are references, too, and differ from texts that look like them")
    func otherReferences() throws {
        let stack = try open()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
        let manager = try #require(stack.coordinator.managedObjectModel.entitiesByName["Manager"])
        let number = stack.store.newObjectID(for: entity, referenceObject: 42)
        #expect(number.uriRepresentation().lastPathComponent == "p42")
        #expect(stack.store.referenceObject(for: number) as? Int == 42)
        #expect(number == stack.store.newObjectID(for: entity, referenceObject: NSNumber(value: Int16(42))))
        #expect(number != stack.store.newObjectID(for: entity, referenceObject: "42"))
        #expect(number != stack.store.newObjectID(for: manager, referenceObject: 42))
        let negative = stack.store.newObjectID(for: entity, referenceObject: -42)
        #expect(stack.store.referenceObject(for: negative) as? Int == -42)
        let uuid = UUID()
        let id = stack.store.newObjectID(for: entity, referenceObject: uuid)
        #expect(stack.store.referenceObject(for: id) as? UUID == uuid)
        #expect(id != stack.store.newObjectID(for: entity, referenceObject: uuid.uuidString))
        let data = Data([0, 251, 255, 190, 63])
        let bytes = stack.store.newObjectID(for: entity, referenceObject: data)
        #expect(stack.store.referenceObject(for: bytes) as? Data == data)
        #expect(bytes.uriRepresentation().lastPathComponent == "p=APv_vj8")
        #expect(bytes == stack.store.newObjectID(for: entity, referenceObject: NSData(data: data)))
        let empty = stack.store.newObjectID(for: entity, referenceObject: Data())
        #expect(empty != bytes && empty != stack.store.newObjectID(for: entity, referenceObject: ""))
        for id in [number, negative, id, bytes, empty] {
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
        }
        for end in ["Person/t1", "Person/p'x", "Person/p=A", "Person/p=AB", "Person/p=AA==", "Nobody/p1", "Person/p1/2"] {
            let url = URL(string: "x-coredata://\(stack.store.identifier ?? "")/\(end)")
            #expect(url.flatMap { stack.coordinator.managedObjectID(forURIRepresentation: $0) } == nil)
        }
    }

    @Test("An ID's URL leads to the same object when the store is opened again")
    func reopening() throws {
        let service = DictionaryService()
        let uuid = ["uuid": UUID().uuidString]
        let uri = try { () -> URL in
            let stack = try open(service, uuid)
            return try stack.context.run { (context: NSManagedObjectContext) throws in
                context.make("Person", ["name": "Zoe"])
                let ann = context.make("Person", ["name": "Ann"])
                try context.save()
                return ann.objectID.uriRepresentation()
            }
        }()
        let stack = try open(service, uuid)
        let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try stack.context.run { try $0.existingObject(with: id).text("name") } == "Ann")
    }

    @Test("API-110: a fetch is the store's; what it finds are faults, filled one by one")
    func fetching() throws {
        let stack = try seeded("Ann", "Bob", "Cy")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.predicate = NSPredicate(format: "age > 10")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            #expect(try context.fetch(request).map { $0.text("name") } == ["Cy", "Bob"])
            let asked = try #require(stack.store.fetches.last)
            #expect(asked.entity?.name == "Person" && asked.predicate == request.predicate)
            #expect(asked.sortDescriptors?.count == 1 && asked.resultType == .managedObjectResultType)
            request.fetchLimit = 1
            request.fetchOffset = 1
            #expect(try context.fetch(request).map { $0.text("name") } == ["Bob"])
            #expect(stack.store.fetches.last?.fetchLimit == 1 && stack.store.fetches.last?.fetchOffset == 1)
            #expect(try context.count(for: request) == 1)
            #expect(stack.store.fetches.last?.resultType == .countResultType)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).count == 3)
            context.reset()
            stack.store.forgetCalls()
            let objects = try context.fetch(NSFetchRequest<Recorder>(entityName: "Person"))
            #expect(stack.store.calls == ["fetch"])
            #expect(objects[0].isFault && objects[0].number("age") == 10)
            #expect(stack.store.calls.filter { $0.hasPrefix("values") } == ["values Ann"])
            #expect(objects[1].isFault)
        }
    }

    @Test("A fetch of dictionaries is answered by the store")
    func dictionaries() throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            #expect(try context.fetch(request) == [["name": "Ann"], ["name": "Bob"]])
            #expect(stack.store.fetches.map(\.resultType) == [.dictionaryResultType])
        }
    }

    @Test("Unsaved changes are seen by a fetch, whatever the store finds")
    func pendingChanges() throws {
        let stack = try seeded("Ann", "Bob", "Cy", "Di")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            try context.named("Bob", "Person").set("age", 99)
            context.delete(try context.named("Cy", "Person"))
            context.make("Person", ["name": "Ed", "age": 98])
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.predicate = NSPredicate(format: "age > 11")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            #expect(try context.fetch(request).map { $0.text("name") } == ["Di", "Ed", "Bob"])
            request.fetchLimit = 2
            #expect(try context.fetch(request).map { $0.text("name") } == ["Di", "Ed"])
            #expect(try context.count(for: request) == 2)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.run { (child: NSManagedObjectContext) throws in
                request.fetchLimit = 0
                #expect(try child.fetch(request).map { $0.text("name") } == ["Di", "Ed", "Bob"])
                #expect(try child.named("Ann", "Person").number("age") == 10)
            }
        }
    }

    @Test("API-111: a to-one that the node has not is asked for with the row, a to-many when it is first read")
    func relationships() throws {
        let service = DictionaryService()
        service["Person", "Ann"] = .init(values: ["name": "Ann"], links: ["reports": [("Person", "Bob")]])
        service["Person", "Bob"] = .init(values: ["name": "Bob"], links: ["boss": [("Person", "Ann")]])
        let stack = try open(service)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            #expect(stack.store.calls.filter { $0 == "relationship boss" }.count >= 1)
            #expect(!stack.store.calls.contains("relationship reports"))
            #expect(ann.names("reports") == ["Bob"] && ann.names("reports") == ["Bob"])
            #expect(stack.store.calls.filter { $0 == "relationship reports" }.count == 1)
            #expect(ann.many("reports").first?.one("boss") === ann)
            context.reset()
            stack.store.forgetCalls()
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.relationshipKeyPathsForPrefetching = ["reports"]
            let objects = try context.fetch(request)
            #expect(stack.store.calls.filter { $0 == "relationship reports" }.count == 2)
            #expect(objects.first?.names("reports") == ["Bob"])
            #expect(stack.store.calls.filter { $0 == "relationship reports" }.count == 2, "they were prefetched")
        }
    }

    @Test("API-162: a save is one request with the objects of each kind")
    func saving() throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let (ann, bob) = try (context.named("Ann", "Person"), context.named("Bob", "Person"))
            let cy = context.make("Person", ["name": "Cy"])
            cy.set("boss", ann)
            context.delete(bob)
            try context.save()
            let save = try #require(stack.store.saves.first)
            #expect(stack.store.saves.count == 1 && save.requestType == .saveRequestType)
            #expect(
                save.insertedObjects == [cy] && save.updatedObjects == [ann] && save.deletedObjects == [bob]
                    && save.lockedObjects == nil)
            #expect(stack.store.calls.contains("ids 1"))
            #expect(stack.store.referenceObject(for: cy.objectID) as? String == "Cy")
            cy.set("age", 5)
            try context.save()
            cy.set("age", 6)
            try context.save()
            #expect(stack.store.saves.count == 3)
        }
        #expect(stack.store.service.references("Person") == ["Ann", "Cy"])
        try stack.newContext().run { (context: NSManagedObjectContext) throws in
            #expect(try context.named("Cy", "Person").number("age") == 6)
            #expect(try context.named("Ann", "Person").names("reports") == ["Cy"])
        }
    }

    @Test("NTF-119: a save without changes sends a request with empty sets")
    func emptySave() throws {
        let stack = try open()
        try stack.context.run { try $0.save() }
        let save = try #require(stack.store.saves.first)
        #expect(save.insertedObjects == [] && save.updatedObjects == [] && save.deletedObjects == [] && save.lockedObjects == nil)
    }

    @Test("Errors of the store come out as they are")
    func errors() throws {
        let stack = try seeded("Ann")
        let error = NSError(domain: "org.example.store", code: 42, userInfo: [NSLocalizedDescriptionKey: "Refused"])
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            ann.set("age", 3)
            stack.store.beforeSaving = { _ in throw error }
            let save = caught { try context.save() }
            #expect(save?.domain == "org.example.store" && save?.code == 42)
            stack.store.beforeSaving = { _ in }
            try context.save()
            stack.store.answer = { $0 == "ids" ? error : nil }
            let new = context.make("Person", ["name": "Bob"])
            #expect(caught { try context.save() }?.domain == "org.example.store")
            #expect(caught { try context.obtainPermanentIDs(for: [new]) }?.domain == "org.example.store")
            #expect(new.objectID.isTemporaryID)
            stack.store.answer = { _ in nil }
            try context.obtainPermanentIDs(for: [new])
            #expect(!new.objectID.isTemporaryID)
            try context.save()
            stack.store.fetchFailure = error
            #expect(caught { try context.fetch(NSFetchRequest<Recorder>(entityName: "Person")) }?.domain == "org.example.store")
            #expect(caught { try context.count(for: NSFetchRequest<Recorder>(entityName: "Person")) }?.code == 42)
            context.reset()
            let id = stack.store.newObjectID(
                for: try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"]), referenceObject: "Ann")
            let failure = caught { try context.existingObject(with: id) }
            #expect((failure as? ReadingFailure)?.storeError == error)
            stack.store.fetchFailure = nil
            stack.store.service["Person", "Ann"] = nil
            #expect(caught { try context.existingObject(with: id) }?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("Another version of the node than the one that was read is a conflict, whoever has changed it")
    func conflicts() throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let (ann, bob) = try (context.named("Ann", "Person"), context.named("Bob", "Person"))
            #expect(bob.number("age") == 11)
            stack.store.service["Person", "Ann"]?.values["age"] = 50
            stack.store.service["Person", "Ann"]?.version += 7
            ann.set("age", 3)
            let error = caught { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            #expect(stack.store.saves.isEmpty)
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            ann.set("small", 4)
            try context.save()
            #expect(ann.number("age") == 50)
            #expect(stack.store.service["Person", "Ann"]?.values["small"] as? Int == 4)
            stack.store.service["Person", "Bob"] = nil
            bob.set("age", 4)
            context.mergePolicy = NSMergePolicy.error
            #expect(caught { try context.save() }?.code == NSManagedObjectMergeError)
            context.rollback()
            ann.set("age", 60)
            try context.save()
            // What another program writes after a save is not taken for the save's own.
            stack.store.service["Person", "Ann"]?.version += 1
            ann.set("age", 61)
            #expect(caught { try context.save() }?.code == NSManagedObjectMergeError)
        }
    }

    @Test("A refresh reads the object anew, and contexts merge what others save")
    func refreshing() throws {
        let stack = try seeded("Ann")
        let other = stack.newContext()
        try other.run { $0.automaticallyMergesChangesFromParent = true }
        nonisolated(unsafe) let seen = try other.run { try $0.named("Ann", "Person") }
        try other.run { (context: NSManagedObjectContext) throws in
            stack.store.service["Person", "Ann"]?.values["age"] = 50
            stack.store.service["Person", "Ann"]?.version = 9
            context.refresh(seen, mergeChanges: true)
            #expect(seen.number("age") == 50)
        }
        try stack.context.run { (context: NSManagedObjectContext) throws in
            try context.named("Ann", "Person").set("age", 51)
            try context.save()
        }
        try other.run { _ in #expect(seen.number("age") == 51) }
    }

    @Test(
        "Answers that make no sense are errors that name the store and what it was asked for",
        arguments: [
            "text", "nothing", "entity", "temporary", "strings", "count", "values", "type", "number", "team", "members", "ids",
            "idEntity", "idTwice",
        ])
    func nonsense(kind: String) throws {
        let stack = try seeded("Ann", "Bob")
        let entities = stack.coordinator.managedObjectModel.entitiesByName
        let (person, team) = try (#require(entities["Person"]), #require(entities["Team"]))
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let (ann, bob) = try (context.named("Ann", "Person"), context.named("Bob", "Person"))
            let teamID = stack.store.newObjectID(for: team, referenceObject: "t")
            let temporary = context.make("Person", ["name": "Cy"]).objectID
            func node(_ id: NSManagedObjectID, _ values: [String: Any]) -> NSIncrementalStoreNode {
                NSIncrementalStoreNode(objectID: id, withValues: values, version: 99)
            }
            let answers: [String: (String, Any)] = [
                "text": ("fetch", "x"), "nothing": ("fetch", NSNull()), "entity": ("fetch", [teamID]),
                "temporary": ("fetch", [temporary]),
                "strings": ("fetch", ["x"]), "count": ("fetch", ["x"]), "values": ("values", node(bob.objectID, [:])),
                "type": ("values", node(ann.objectID, ["age": "young"])), "number": ("values", node(ann.objectID, ["age": 1.5])),
                "team": ("values", node(ann.objectID, ["team": bob.objectID])), "members": ("reports", [teamID]),
                "ids": ("ids", [NSManagedObjectID]()), "idEntity": ("ids", [teamID]), "idTwice": ("ids", [ann.objectID]),
            ]
            let (question, answer) = try #require(answers[kind])
            stack.store.answer = { $0 == question ? answer : nil }
            let error = caught {
                switch question {
                case "fetch" where kind == "count":
                    let request = NSFetchRequest<Recorder>(entityName: "Person")
                    request.includesPendingChanges = false
                    _ = try context.count(for: request)
                case "fetch": _ = try context.fetch(NSFetchRequest<Recorder>(entityName: "Person"))
                case "values":
                    context.refresh(ann, mergeChanges: false)
                    try ann.load()
                case "ids": try context.save()
                default: try context.load([ann], relationships: ["reports"])
                }
            }
            let found = (error as? ReadingFailure)?.storeError ?? error
            #expect(found?.domain == NSCocoaErrorDomain && found?.code == NSPersistentStoreOperationError)
            #expect(found?.localizedDescription.contains("DictionaryStore") == true, "\(found?.localizedDescription ?? "none")")
            if ["type", "number"].contains(kind) { #expect(found?.localizedDescription.contains("“age” of Person") == true) }
            stack.store.answer = { _ in nil }
            #expect(person.name == "Person")
        }
    }

    @Test("Methods that a store does not override are errors that name them")
    func notOverridden() throws {
        let stack = try OwnStack<BareStore>(People.model(), "Tests.Bare", at: URL(fileURLWithPath: "/nowhere"))
        #expect(UUID(uuidString: stack.store.identifier) != nil)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let error = caught { try context.fetch(NSFetchRequest<Recorder>(entityName: "Person")) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error?.localizedDescription.contains("BareStore does not override execute(_:with:)") == true)
        }
    }

    @Test("The store may fetch in another context of its coordinator, and in that of the request, while it is asked")
    func reentrance() throws {
        let stack = try seeded("Ann")
        let other = stack.newContext()
        let context = stack.context
        try context.run { (context: NSManagedObjectContext) throws in
            stack.store.duringFetch = { [weak store = stack.store] () throws in
                store?.duringFetch = {}
                #expect(try other.performAndWait { try other.fetch(NSFetchRequest<Recorder>(entityName: "Person")).count } == 1)
                #expect(try context.count(for: NSFetchRequest<Recorder>(entityName: "Person")) == 1)
            }
            #expect(try context.fetch(NSFetchRequest<Recorder>(entityName: "Person")).count == 1)
        }
    }

    @Test("The store is told which objects contexts have, and which they have no more")
    func registrations() throws {
        let stack = try seeded("Ann", "Bob")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            #expect(Set(stack.store.registered.withLock { $0 }) == ["Ann", "Bob"])
            #expect(ann.text("name") == "Ann")
            context.make("Person", ["name": "Cy"])
            try context.save()
            #expect(stack.store.registered.withLock { $0 }.contains("Cy"))
            context.reset()
        }
        while stack.store.unregistered.withLock({ $0.count }) < 3 { Thread.sleep(forTimeInterval: 0.001) }
        #expect(Set(stack.store.unregistered.withLock { $0 }) == ["Ann", "Bob", "Cy"])
        #expect(stack.store.registered.withLock { $0.count } == stack.store.unregistered.withLock { $0.count })
    }

    @Test("A batch request is the store's")
    func batches() throws {
        let stack = try seeded("Ann", "Bob", "Cy")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let found = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            found.predicate = NSPredicate(format: "age > 10")
            found.entity = stack.coordinator.managedObjectModel.entitiesByName["Person"]
            let request = NSBatchDeleteRequest(fetchRequest: found)
            request.resultType = .resultTypeCount
            #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
            #expect(stack.store.service.count("Person") == 1)
            stack.store.answer = { $0 == "batch" ? "many" : nil }
            #expect(caught { try context.execute(request) }?.code == NSPersistentStoreOperationError)
        }
    }

    @Test("Constant versions, as simple stores give them, are no conflict")
    func constantVersions() throws {
        let stack = try seeded("Ann")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            for age in 1...3 {
                ann.set("age", age)
                try context.save()
                stack.store.service["Person", "Ann"]?.version = 1
                context.refresh(ann, mergeChanges: false)
                #expect(ann.number("age") == age)
            }
        }
    }
}

/// A store that overrides nothing.
final class BareStore: NSIncrementalStore, @unchecked Sendable {}
