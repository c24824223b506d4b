import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Atomic stores of a program")
struct AtomicStoreTests {
    typealias Stack = OwnStack<ListStore>

    private let folder: TemporaryFolder
    private var url: URL { folder.file("people.plist") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ model: NSManagedObjectModel = People.model(), _ options: [AnyHashable: Any]? = nil) throws -> Stack {
        try Stack(model, ListStore.storeType, at: url, options: options)
    }

    @Test("STO-20: a store is asked for metadata and contents when it is added; its file is written by the first save")
    func adding() throws {
        let stack = try open()
        #expect(stack.store.calls == ["loadMetadata", "load", "didAdd"])
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(stack.store.identifier == stack.store.metadata[NSStoreUUIDKey] as? String)
        #expect(
            stack.store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
                == stack.store.persistentStoreCoordinator?.managedObjectModel.entityVersionHashesByName)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann"])
            try context.save()
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
        try stack.coordinator.remove(stack.store)
        #expect(stack.store.calls.suffix(2) == ["save", "willRemove"])
        #expect(
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: ListStore.storeType, at: url)["owner"] as? String
                == "nobody")
    }

    @Test("API-108: everything that was saved is there when the store is opened again", arguments: [false, true])
    func roundTrip(usesNumbers: Bool) throws {
        let options = ["numbers": usesNumbers]
        let uri = try { () -> URL in
            let stack = try open(People.model(), options)
            return try stack.context.run { (context: NSManagedObjectContext) throws in
                let ann = context.make(
                    "Manager", ["name": "Ann", "age": 40, "score": 1.5, "price": Decimal(string: "9.99"), "flag": true])
                let bob = context.make(
                    "Person", ["name": "Bob", "born": Date(timeIntervalSinceReferenceDate: 5), "photo": Data([1, 2])])
                let team = context.make("Team", ["name": "Red"])
                bob.set("boss", ann)
                team.set("members", [ann, bob] as Set<NSManagedObject>)
                ann.set("spouse", bob)
                bob.set("friends", [ann] as Set<NSManagedObject>)
                bob.set("hero", ann)
                let tasks = ["b", "a", "c"].map { context.make("Task", ["name": $0]) }
                bob.set("tasks", NSOrderedSet(array: tasks))
                ann.set("badges", [context.make("Badge", ["name": "gold"])] as Set<NSManagedObject>)
                ann.set("skills", Set(["x", "y"].map { context.make("Skill", ["name": $0]) }) as Set<NSManagedObject>)
                try context.save()
                return bob.objectID.uriRepresentation()
            }
        }()
        let stack = try open(People.model(), options)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
            let bob = try context.existingObject(with: id)
            #expect(id.uriRepresentation() == uri)
            #expect(bob.text("name") == "Bob")
            #expect(bob.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 5))
            #expect(bob.value(forKey: "photo") as? Data == Data([1, 2]))
            #expect(bob.nameList("tasks") == ["b", "a", "c"])
            let ann = try #require(bob.one("boss"))
            #expect(ann.entity.name == "Manager")
            #expect(ann.number("age") == 40)
            #expect(ann.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "9.99"))
            #expect(ann.one("spouse") === bob && bob.one("spouse") === ann)
            #expect(ann.names("friends") == ["Bob"])
            #expect(bob.one("hero") === ann)
            #expect(ann.names("badges") == ["gold"])
            #expect(ann.names("skills") == ["x", "y"])
            #expect(ann.one("team")?.names("members") == ["Ann", "Bob"])
        }
    }

    @Test("PRD-142: predicates, order and window are evaluated over saved values and unsaved changes")
    func queries() throws {
        let stack = try open()
        try stack.context.run { (context: NSManagedObjectContext) throws in
            for (index, name) in ["Ann", "Bob", "Cy", "Di"].enumerated() { context.make("Person", ["name": name, "age": index]) }
            try context.save()
            try context.named("Bob", "Person").set("age", 9)
            context.make("Person", ["name": "Ed", "age": 2])
            let request = NSFetchRequest<Recorder>(entityName: "Person")
            request.predicate = NSPredicate(format: "age >= 2 AND name != %@", "Cy")
            request.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
            ]
            #expect(try context.fetch(request).map { $0.text("name") } == ["Bob", "Di", "Ed"])
            request.fetchLimit = 1
            request.fetchOffset = 1
            #expect(try context.fetch(request).map { $0.text("name") } == ["Di"])
            #expect(try context.count(for: NSFetchRequest<Recorder>(entityName: "Person")) == 5)
        }
    }

    @Test("API-108: updates and deletions reach the nodes before the file is written")
    func changing() throws {
        let stack = try open()
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = context.make("Person", ["name": "Ann"])
            let team = context.make("Team", ["name": "Red"])
            ann.set("team", team)
            try context.save()
            let node = try #require(stack.store.cacheNode(for: ann.objectID))
            #expect(node.value(forKey: "name") as? String == "Ann")
            #expect((node.value(forKey: "team") as? NSAtomicStoreCacheNode)?.objectID == team.objectID)
            ann.set("name", "Anna")
            context.delete(team)
            try context.save()
            #expect(node.value(forKey: "name") as? String == "Anna")
            #expect(node.value(forKey: "team") == nil)
            #expect(stack.store.cacheNodes() == [node])
            #expect(stack.store.calls.suffix(2) == ["remove 1", "save"])
        }
        #expect(try open().context.run { try $0.all("Person").map { $0.text("name") } } == ["Anna"])
    }

    @Test("The deletion of an object takes it out of relationships without inverse, so that the store can be opened again")
    func deletedDestination() throws {
        let stack = try open()
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = context.make("Person", ["name": "Ann"])
            let bob = context.make("Person", ["name": "Bob"])
            let badge = context.make("Badge", ["name": "gold"])
            ann.set("hero", bob)
            ann.set("badges", [badge] as Set<NSManagedObject>)
            try context.save()
            context.delete(bob)
            context.delete(badge)
            try context.save()
        }
        try open().context.run { (context: NSManagedObjectContext) throws in
            let ann = try context.named("Ann", "Person")
            #expect(ann.one("hero") == nil && ann.names("badges") == [])
        }
    }

    @Test("A store's error comes out of the save as it is, and nothing has changed")
    func failingSave() throws {
        let stack = try open()
        let error = NSError(domain: "org.example.list", code: 42)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let ann = context.make("Person", ["name": "Ann"])
            try context.save()
            let node = try #require(stack.store.cacheNode(for: ann.objectID))
            stack.store.failure = error
            ann.set("name", "Anna")
            let bob = context.make("Person", ["name": "Bob"])
            let found = caught { try context.save() }
            #expect(found?.domain == "org.example.list" && found?.code == 42)
            #expect(node.value(forKey: "name") as? String == "Ann")
            #expect(stack.store.cacheNodes() == [node])
            #expect(bob.objectID.isTemporaryID)
            #expect(context.hasChanges)
            #expect(try stack.newContext().run { try $0.all("Person").map { $0.text("name") } } == ["Ann"])
            stack.store.failure = nil
            try context.save()
            #expect(!bob.objectID.isTemporaryID)
        }
        #expect(try open().context.run { try $0.all("Person").map { $0.text("name") } } == ["Anna", "Bob"])
    }

    @Test("Two contexts that change one object are in conflict, and the merge policy decides")
    func conflicts() throws {
        let stack = try open()
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann", "age": 1])
            try context.save()
        }
        let other = stack.newContext()
        let theirs = try other.run { try $0.named("Ann", "Person") }
        nonisolated(unsafe) let object = theirs
        try stack.context.run { (context: NSManagedObjectContext) throws in
            try context.named("Ann", "Person").set("age", 2)
            try context.save()
        }
        try other.run { (context: NSManagedObjectContext) throws in
            object.set("age", 3)
            #expect(caught { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        #expect(try open().context.run { try $0.all("Person").map { $0.number("age") } } == [3])
    }

    @Test("STO-22, STO-23, STO-35: types are known once registered; a store of another type than asked for is not added")
    func types() throws {
        _ = try open()
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes.keys.contains(ListStore.storeType))
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes.keys.contains(NSSQLiteStoreType))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        let unknown = caught { try coordinator.addPersistentStore(ofType: "Tests.Nothing", configurationName: nil, at: url) }
        #expect(unknown?.code == NSPersistentStoreInvalidTypeError)
        let mismatch = caught { try open(People.model(), ["type": "Tests.Other"]) }
        #expect(mismatch?.code == NSPersistentStoreTypeMismatchError)
        #expect(mismatch?.localizedDescription.contains("Tests.Other") == true)
        NSPersistentStoreCoordinator.registerStoreClass(
            ListStore.self, type: NSPersistentStore.StoreType(rawValue: "Tests.Twice"))
        let twice = caught { try coordinator.addPersistentStore(ofType: "Tests.Twice", configurationName: nil, at: url) }
        #expect(twice?.code == NSPersistentStoreTypeMismatchError)
        #expect(coordinator.persistentStores.isEmpty)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Tests.Twice")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Tests.Twice"] == nil)
    }

    private var otherPeople: NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Person", [ModelMaker.attribute("name", .string)])
        return maker.model()
    }

    @Test("A store of another model is refused")
    func otherModel() throws {
        try open().context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann"])
            try context.save()
        }
        #expect(caught { try open(otherPeople) }?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(throws: Never.self) { try open() }
    }

    @Test("STO-36, STO-37: derived and composite attributes are refused, and ordered relationships are not")
    func derived() throws {
        var maker = ModelMaker()
        let name = ModelMaker.attribute("name", .string)
        let derived = NSDerivedAttributeDescription()
        derived.name = "upper"
        derived.type = .string
        derived.derivationExpression = NSExpression(format: "uppercase:(name)")
        maker.entity("Thing", [name, derived])
        let error = caught { try open(maker.model()) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(error?.localizedDescription.contains("atomic stores do not support derived properties") == true)
        #expect(error?.localizedDescription.contains("upper") == true)
    }

    @Test("A reference that another object has is an error that names store and entity")
    func takenReference() throws {
        let stack = try open()
        stack.store.nextReference = "same"
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann"])
            try context.save()
            context.make("Person", ["name": "Bob"])
            let error = caught { try context.save() }
            #expect(error?.code == NSPersistentStoreOperationError)
            #expect(
                error?.localizedDescription.contains("ListStore") == true
                    && error?.localizedDescription.contains("Person") == true)
            stack.store.nextReference = nil
            try context.save()
            #expect(try context.all("Person").count == 2)
        }
    }

    @Test(
        "Nodes that make no sense are errors that name store, entity and property",
        arguments: [
            ("age", "young" as any Sendable), ("name", 5), ("code", "x"),
            ("boss", [["Team", "t"]]), ("team", [["Team", "missing"]]), ("age", 1.5),
        ])
    func wrongNodes(property: String, value: any Sendable) throws {
        let values: [String: Any] = [property: value]
        let list: [String: Any] = [
            "objects": [["entity": "Person", "reference": "p1", "values": values] as [String: Any]]
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list as NSDictionary, format: .xml, options: 0)
        try data.write(to: url)
        let error = caught { try open() }
        #expect(error?.code == NSPersistentStoreOperationError)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("ListStore") && text.contains("Person") && text.contains(property), "\(text)")
    }

    @Test("The ends of a relationship that contradict each other are an error")
    func contradiction() throws {
        func object(_ entity: String, _ reference: String, _ values: [String: Any]) -> [String: Any] {
            ["entity": entity, "reference": reference, "values": values]
        }
        func write(_ objects: [[String: Any]]) throws {
            let data = try PropertyListSerialization.data(
                fromPropertyList: ["objects": objects] as NSDictionary, format: .xml, options: 0)
            try data.write(to: url)
        }
        try write([
            object("Team", "t1", ["members": [["Person", "p1"]]]), object("Team", "t2", [:]),
            object("Person", "p1", ["name": "Ann", "team": [["Team", "t2"]]]),
        ])
        #expect(caught { try open() }?.localizedDescription.contains("contradict") == true)
        // One end is enough.
        try write([
            object("Team", "t1", ["name": "Red", "members": [["Person", "p1"]]]), object("Person", "p1", ["name": "Ann"]),
        ])
        #expect(try open().context.run { try $0.named("Ann", "Person").one("team")?.text("name") } == "Red")
    }

    @Test("Child contexts, merging and refreshing work as with other stores")
    func contexts() throws {
        let stack = try open()
        let other = stack.newContext()
        try other.run { $0.automaticallyMergesChangesFromParent = true }
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.run { (child: NSManagedObjectContext) throws in
                child.make("Person", ["name": "Ann"])
                try child.save()
            }
            try context.save()
        }
        nonisolated(unsafe) let seen = try other.run { try $0.named("Ann", "Person") }
        try stack.context.run { (context: NSManagedObjectContext) throws in
            try context.named("Ann", "Person").set("age", 77)
            try context.save()
        }
        try other.run { _ in #expect(seen.number("age") == 77) }
    }

    @Test("A store that was opened read-only refuses to save")
    func readOnly() throws {
        try open().context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann"])
            try context.save()
        }
        let stack = try open(People.model(), [NSReadOnlyPersistentStoreOption: true])
        #expect(stack.store.isReadOnly)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            try context.named("Ann", "Person").set("age", 2)
            #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(!stack.store.calls.contains("save"))
    }

    @Test(
        "A store of a program's class is copied into a built-in one, and can't be made, destroyed or replaced by the coordinator")
    func copying() throws {
        let stack = try open()
        let target = folder.file("copy.sqlite")
        try stack.context.run { (context: NSManagedObjectContext) throws in
            context.make("Person", ["name": "Ann"]).set("team", context.make("Team", ["name": "Red"]))
            try context.save()
        }
        #expect(
            caught { try stack.coordinator.destroyPersistentStore(at: url, ofType: ListStore.storeType) }?.code
                == NSPersistentStoreUnsupportedRequestTypeError)
        let copy = try stack.coordinator.migratePersistentStore(stack.store, to: target, withType: NSSQLiteStoreType)
        #expect(copy.metadata["owner"] as? String == "nobody")
        #expect(try stack.newContext().run { try $0.named("Ann", "Person").one("team")?.text("name") } == "Red")
        let back = caught {
            try stack.coordinator.migratePersistentStore(copy, to: folder.file("back.plist"), withType: ListStore.storeType)
        }
        #expect(back?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("Metadata that were set are saved without changes to objects")
    func metadata() throws {
        let stack = try open()
        stack.store.metadata["owner"] = "Ann"
        try stack.context.run { try $0.save() }
        #expect(try open().store.metadata["owner"] as? String == "Ann")
    }

    @Test("A save of several stores that one of them refuses leaves the files of the others as they were")
    func severalStores() throws {
        let stack = try open()
        let second = try #require(
            try stack.coordinator.addPersistentStore(
                ofType: ListStore.storeType, configurationName: nil, at: folder.file("more.plist")) as? ListStore)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            let old = context.make("Person", ["name": "old"])
            for store in [stack.store, second] {
                let person = context.make("Person", ["name": "old"])
                context.assign(person, to: store)
            }
            context.assign(old, to: stack.store)
            try context.save()
            second.failure = CocoaError(.fileWriteOutOfSpace)
            old.set("name", "new")
            for store in [stack.store, second] {
                context.assign(context.make("Person", ["name": "new"]), to: store)
            }
            #expect(caught { try context.save() }?.code == CocoaError.fileWriteOutOfSpace.rawValue)
            #expect(context.insertedObjects.count == 2 && context.updatedObjects == [old])
            second.failure = nil
            let fresh = try Stack(People.model(), ListStore.storeType, at: url)
            let names = try fresh.context.run { try $0.all("Person").map { $0.text("name") } }
            #expect(names == ["old", "old"])
            try context.save()
        }
        let fresh = try Stack(People.model(), ListStore.storeType, at: url)
        #expect(try fresh.context.run { try $0.all("Person").map { $0.text("name") } } == ["new", "new", "old"])
    }

    @Test("A store that can undo its transaction is written before one that can't, whatever their order in the coordinator")
    func undoableFirst() throws {
        let stack = try open()
        let file = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("more.sqlite"))
        try stack.context.run { (context: NSManagedObjectContext) throws in
            for store in [stack.store, file] { context.assign(context.make("Person", ["name": "a"]), to: store) }
            try context.save()
            let calls = stack.store.calls.count
            for store in [stack.store, file] { context.assign(context.make("Person", ["name": "b"]), to: store) }
            file.isReadOnly = true
            #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
            #expect(stack.store.calls.count == calls, "its file was not touched")
            file.isReadOnly = false
            try context.save()
            stack.store.failure = CocoaError(.fileWriteOutOfSpace)
            for store in [stack.store, file] { context.assign(context.make("Person", ["name": "c"]), to: store) }
            #expect(caught { try context.save() }?.code == CocoaError.fileWriteOutOfSpace.rawValue)
        }
        let other = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("more.sqlite"))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = other
        #expect(try context.run { try $0.all("Person").map { $0.text("name") } } == ["a", "b"])
    }
}
