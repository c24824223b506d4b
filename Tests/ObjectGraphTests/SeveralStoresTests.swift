import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Several stores")
struct SeveralStoresTests {
    /// Entities A and B each in a configuration of its own, C in both.
    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        for name in ["A", "B", "C"] {
            maker.entity(
                name, [ModelMaker.attribute("name", .string, isOptional: false), ModelMaker.attribute("age", .integer32)])
        }
        let model = maker.model()
        let byName = model.entitiesByName
        model.setEntities(["A", "C"].compactMap { byName[$0] }, forConfigurationName: "First")
        model.setEntities(["B", "C"].compactMap { byName[$0] }, forConfigurationName: "Second")
        return model
    }

    private struct Setting {
        let folder: TemporaryFolder
        let model: NSManagedObjectModel
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext

        init(
            _ kind: StackKind, folder: TemporaryFolder? = nil, model: NSManagedObjectModel? = nil, secondIsReadOnly: Bool = false
        ) throws {
            let place = try folder ?? TemporaryFolder()
            self.folder = place
            self.model = model ?? SeveralStoresTests.model()
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.model)
            for name in ["First", "Second"] {
                try coordinator.addPersistentStore(
                    ofType: kind == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType, configurationName: name,
                    at: kind == .sqlite ? place.file("\(name).sqlite") : nil,
                    options: name == "Second" && secondIsReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
            }
            context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
        }
    }

    @Test(
        "CTX-77, CTX-90: a new object goes to the first store whose configuration has its entity", arguments: StackKind.allCases)
    func placement(_ kind: StackKind) throws {
        let setting = try Setting(kind)
        let stores = setting.coordinator.persistentStores
        #expect(stores.map(\.configurationName) == ["First", "Second"])
        try setting.context.run { context throws in
            let objects = ["A", "B", "C"].map { context.make($0, ["name": "new \($0)"]) }
            try context.save()
            #expect(objects.map { $0.objectID.persistentStore } == [stores[0], stores[1], stores[0]])
            for object in objects {
                #expect(
                    setting.coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation())
                        == object.objectID)
                object.set("age", 1)
            }
            context.delete(objects[0])
            try context.save()
            for entity in ["A", "B", "C"] {
                #expect(try context.all(entity).map { $0.text("name") } == (entity == "A" ? [] : ["new \(entity)"]))
            }
        }
    }

    @Test("FET-7: a fetch gives the objects of all stores together, sorted, limited and counted", arguments: [StackKind.sqlite])
    func union(_ kind: StackKind) throws {
        let folder = try TemporaryFolder()
        let model = Self.model()
        // Each store gets objects of C while it is the only one.
        for (store, names) in [("First", ["a", "d"]), ("Second", ["b", "c", "e"])] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: store, at: folder.file("\(store).sqlite"))
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            try context.run { context throws in
                for name in names { context.make("C", ["name": name]) }
                try context.save()
            }
        }
        let setting = try Setting(kind, folder: folder, model: model)
        try setting.context.run { context throws in
            let all = try context.all("C")
            #expect(all.map { $0.text("name") } == ["a", "b", "c", "d", "e"])
            #expect(Set(all.map(\.objectID)).count == 5)
            let request = NSFetchRequest<Recorder>(entityName: "C")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchOffset = 1
            request.fetchLimit = 3
            #expect(try context.fetch(request).map { $0.text("name") } == ["d", "c", "b"])
            #expect(try context.count(for: request) == 3)
            for object in all { object.set("age", 7) }
            context.delete(all[1])
            try context.save()
            #expect(try context.all("C").map { $0.number("age") } == [7, 7, 7, 7])
        }
    }

    @Test("CTX-78: a read-only store gets no new objects; without another one the save fails")
    func readOnlyStore() throws {
        let folder = try TemporaryFolder()
        let model = Self.model()
        _ = try Setting(.sqlite, folder: folder, model: model)
        let setting = try Setting(.sqlite, folder: folder, model: model, secondIsReadOnly: true)
        try setting.context.run { context throws in
            let b = context.make("B", ["name": "b"])
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.localizedDescription.contains("read-only") == true)
            context.delete(b)
            let c = context.make("C", ["name": "c"])
            try context.save()
            #expect(c.objectID.persistentStore === setting.coordinator.persistentStores[0])
        }
    }

    @Test("CTX-90, CTX-99: if the second store fails, a later save writes everything, once")
    func partialFailure() throws {
        let folder = try TemporaryFolder()
        let model = Self.model()
        let first = try Setting(.sqlite, folder: folder, model: model)
        try first.context.run { context throws in
            context.make("A", ["name": "deleted"])
            context.make("A", ["name": "changed"])
            context.make("B", ["name": "b"])
            try context.save()
        }
        let setting = try Setting(.sqlite, folder: folder, model: model, secondIsReadOnly: true)
        try setting.context.run { context throws in
            let b = try context.named("b", "B")
            b.set("age", 1)
            let new = context.make("A", ["name": "new"])
            let changed = try context.named("changed", "A")
            changed.set("age", 5)
            context.delete(try context.named("deleted", "A"))
            #expect(throws: NSError.self) { try context.save() }
            context.check()
            #expect(b.isUpdated && context.updatedObjects.contains(b))
            context.refresh(b, mergeChanges: false)
            try context.save()
            new.set("age", 3)
            changed.set("age", 6)
            try context.save()
            #expect(try context.all("A").map { $0.text("name") } == ["changed", "new"])
        }
        try Setting(.sqlite, folder: folder, model: model).context.run { context throws in
            #expect(try context.all("A").map { $0.text("name") } == ["changed", "new"])
            #expect(try context.all("A").map { $0.number("age") } == [6, 3])
            #expect(try context.named("b", "B").number("age") == nil)
        }
    }

    @Test("NTF-98, STO-29: objects of a removed store keep loaded values and can't be saved; those of other stores are untouched")
    func removedStore() throws {
        let stack = try TestStack.people()
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context in
            let (here, there) = (context.make("Person", ["name": "here"]), context.make("Person", ["name": "there"]))
            context.assign(there, to: second)
            try context.save()
            let log = NotificationLog(context)
            try stack.coordinator.remove(second)
            // On the context's own queue at once.
            #expect(log.take().count == 1)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            #expect(there.text("name") == "there" && there.objectID.persistentStore == nil && here.text("name") == "here")
            // The context has it still, and who asks by its ID gets it.
            #expect(context.registeredObject(for: there.objectID) === there && context.object(with: there.objectID) === there)
            #expect(try context.existingObject(with: there.objectID) === there)
            here.set("age", 20)
            try context.save()
            there.set("age", 20)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSPersistentStoreSaveError && there.number("age") == 20 && there.hasChanges)
            context.rollback()
            #expect(!context.hasChanges && there.number("age") == 18)
            #expect(try context.all("Person").map { $0.text("name") } == ["here"])
        }
    }

    @Test(
        "STO-202: a relationship to an object of another store is error 133010 that names both, and nothing is saved",
        arguments: StackKind.allCases)
    func acrossStores(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context in
            let (here, there) = (context.make("Person", ["name": "here"]), context.make("Person", ["name": "there"]))
            let team = context.make("Team", ["name": "Blue", "members": NSSet(object: here)])
            context.assign(there, to: second)
            try context.save()
            func refuse(_ objects: Set<NSManagedObject>) {
                let error = #expect(throws: NSError.self) { try context.save() }
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectExternalRelationshipError)
                #expect((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]).map { Set($0) } == objects)
                #expect(context.hasChanges)
                context.rollback()
            }
            there.set("team", team)
            refuse([there, team])
            let skill = context.make("Skill", ["name": "rope"])
            there.add(skill, to: "skills")
            refuse([there, skill])
            // Within one store all is well.
            let rope = context.make("Skill", ["name": "knot"])
            context.assign(rope, to: second)
            there.add(rope, to: "skills")
            try context.save()
        }
        #expect(try stack.savedNames("Skill") == ["knot"])
    }
}
