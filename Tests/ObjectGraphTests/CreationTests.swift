import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Creating managed objects")
struct CreationTests {
    @Test("OG-1: init(context:) inserts an object of the class's entity and calls awakeFromInsert once, awakeFromFetch never")
    func initializer() throws {
        try TestStack.people().run { context throws in
            let pet = Pet(context: context)
            #expect(pet.entity.name == "Pet")
            #expect(pet.managedObjectContext === context)
            #expect(context.insertedObjects == [pet])
            #expect(pet.text("name") == nil)
            context.processPendingChanges()
            #expect(pet.calls == ["awakeFromInsert"])
        }
    }

    @Test(
        "OG-2: insertNewObject and init(entity:insertInto:) make objects of the class that the model names, else NSManagedObject")
    func classNames() throws {
        var maker = ModelMaker()
        maker.entity("Named", class: "GraphTestSupport.Pet")
        maker.entity("Plain", class: "NSManagedObject")
        maker.entity("Unset").managedObjectClassName = nil
        maker.entity("Unknown", class: "Nowhere.Nothing")
        let model = maker.model()
        try TestStack(.inMemory, model).run { context throws in
            #expect(type(of: NSEntityDescription.insertNewObject(forEntityName: "Named", into: context)) == Pet.self)
            for name in ["Plain", "Unset", "Unknown"] {
                #expect(type(of: NSEntityDescription.insertNewObject(forEntityName: name, into: context)) == NSManagedObject.self)
            }
            let entity = try #require(model.entitiesByName["Named"])
            let made = NSManagedObject(entity: entity, insertInto: context)
            #expect(made is Pet)
            #expect((made as? Pet)?.calls == ["awakeFromInsert"])
            #expect(made.isInserted)
        }
    }

    @Test("OG-3: an unknown entity name stops the program")
    func unknownEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Nobody", into: context)
            }
        }
        #expect(result.message.contains("could not locate an entity named “Nobody”"))
    }

    @Test("OG-4: default values are there inside and after awakeFromInsert")
    func defaults() throws {
        try TestStack.people().run { context throws in
            var seen: [Int?] = []
            context.react { object, hook in if hook == "awakeFromInsert" { seen.append(object.number("age")) } }
            let person = context.make("Person")
            #expect(seen == [18])
            #expect(person.number("age") == 18)
            #expect(person.number("mood") == 7)
            #expect(person.number("score") == nil)
            let manager = context.make("Manager")
            #expect(manager.number("age") == 18 && manager.number("level") == 1)
        }
    }

    @Test("OG-5: an object without context has a temporary ID, is a fault until touched, and awakes when it is inserted")
    func detached() throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            let entity = try #require(stack.model.entitiesByName["Person"])
            let person = Recorder(entity: entity, insertInto: nil)
            #expect(person.managedObjectContext == nil)
            #expect(person.objectID.isTemporaryID)
            #expect(person.isFault)
            #expect(person.calls.isEmpty)
            person.willAccessValue(forKey: nil)
            #expect(!person.isFault)
            #expect(person.number("age") == 18)
            person.set("name", "Ada")
            #expect(!person.calls.contains("awakeFromInsert"))
            let id = person.objectID
            context.insert(person)
            #expect(person.calls == ["awakeFromInsert"])
            #expect(person.managedObjectContext === context)
            #expect(context.insertedObjects == [person])
            #expect(person.text("name") == "Ada")
            #expect(person.objectID == id)
            try context.save()
            #expect(!person.objectID.isTemporaryID)
        }
        #expect(try stack.savedNames("Person") == ["Ada"])
    }

    @Test("OG-7, OG-8, OG-9: state flags of a new, a saved, an edited object", arguments: StackKind.allCases)
    func flags(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            #expect(person.isInserted && !person.isUpdated && !person.isDeleted && !person.isFault && person.hasChanges)
            #expect(person.objectID.isTemporaryID)
            try context.save()
            #expect(!person.isInserted && !person.isUpdated && !person.isDeleted && !person.hasChanges)
            #expect(!person.objectID.isTemporaryID)
            person.set("name", "Ada")
            #expect(person.isUpdated && !person.isInserted && person.hasChanges)
            try context.save()
            #expect(!person.isUpdated && !person.hasChanges)
        }
    }

    @Test("OG-10: editing a new object makes it no updated one")
    func editedNew() throws {
        try TestStack.people().run { context throws in
            let person = context.make("Person")
            context.processPendingChanges()
            person.set("name", "Ada")
            #expect(context.updatedObjects.isEmpty)
            #expect(!person.isUpdated)
            #expect(context.insertedObjects == [person])
        }
    }

    @Test("OG-27: objects are equal by identity, their IDs by what they name", arguments: StackKind.allCases)
    func equality(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let ada = context.make("Person", ["name": "Ada"])
            _ = context.make("Person", ["name": "Ada"])
            try context.save()
            try stack.fresh { other throws in
                let same = try other.existingObject(with: ada.objectID)
                #expect(same !== ada)
                #expect(same != ada)
                #expect(same.objectID == ada.objectID)
                #expect(same.objectID.hash == ada.objectID.hash)
                #expect(Set([same, ada]).count == 2)
                #expect(Set([same.objectID, ada.objectID]).count == 1)
            }
            #expect(Set(try context.all("Person")).count == 2)
        }
    }

    @Test("OG-28, OG-29: a class finds its entity and a request for it through the models in use")
    func entityOfClass() throws {
        let stack = try TestStack.people()
        // Another test's model may be found as well: the statement leaves open which one.
        #expect(Pet.entity().name == "Pet")
        #expect(Pet.fetchRequest().entityName == "Pet")
        #expect(Pet.fetchRequest().entity?.name == "Pet")
        try stack.run { context throws in
            let pet = context.make("Pet", ["name": "Rex"])
            let found = try context.fetch(Pet.fetchRequest())
            #expect(found.map { $0 as? Pet } == [pet])
        }
    }

    @Test("OG-28, R45: a class that no model has is told of on standard error, and the program goes on")
    func entityOfUnknownClass() async {
        final class Stranger: NSManagedObject {}
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            let entity = Stranger.entity()
            precondition(entity.name == "Stranger" && entity.properties.isEmpty)
            precondition(Stranger.fetchRequest().entityName == "Stranger")
            try stack.run { context throws in
                do {
                    _ = try context.fetch(Stranger.fetchRequest())
                    preconditionFailure("found something")
                } catch let error as NSError {
                    precondition(error.localizedDescription.contains("Stranger"), error.localizedDescription)
                }
            }
        }
        #expect(result.message.contains("no model in use has an entity with objects of class Stranger"))
    }

    @Test("R45: a request that a class made before its model was in use finds the entity by its name")
    func earlyRequest() throws {
        let model = People.model()
        let entity = try #require(model.entitiesByName["Team"])
        entity.name = "Latecomer"
        final class Latecomer: NSManagedObject {}
        let request = Latecomer.fetchRequest()
        try TestStack(.inMemory, model).run { context throws in
            context.make("Latecomer", ["name": "x"])
            #expect(try context.fetch(request).count == 1)
        }
    }

    @Test("OG-30: the description of a fault shows that it is one and does not fire it")
    func descriptions() throws {
        let stack = try TestStack.people()
        let id = try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            #expect(person.description.contains("Ada"))
            #expect(person.description.contains("Person"))
            context.refresh(person, mergeChanges: false)
            #expect(person.text("name") == "Ada")
            #expect(person.description.contains("tasks: <fault>") && person.description.contains("friends: <fault>"))
            #expect(person.hasFault(forRelationshipNamed: "tasks"))
            return person.objectID
        }
        try stack.fresh { context throws in
            let fault = context.object(with: id)
            #expect(fault.description.contains("<fault>"))
            #expect(fault.description.contains(id.uriRepresentation().absoluteString))
            #expect(fault.debugDescription.contains("<fault>"))
            #expect(fault.isFault)
        }
    }
}
