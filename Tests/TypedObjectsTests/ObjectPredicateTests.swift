import Foundation
import OpenCoreData
import TestSupport
import Testing

@Entity final class Clerk: NSManagedObject {
    var name: String
    @Relationship(inverse: \Clerk.staff) var boss: Clerk?
    var staff: Set<Clerk>
}

// Both sides name the other: one by a key path, one by its name.
@Entity final class Singer: NSManagedObject {
    @Relationship(inverse: \Ballad.singers) var songs: Set<Ballad>
}

@Entity final class Ballad: NSManagedObject {
    @Relationship(inverse: "songs") var singers: Set<Singer>
}

@Suite("Objects in predicates of Swift, by their IDs")
struct ObjectPredicateTests {
    private func inOffice(_ work: @escaping (NSManagedObjectContext, Clerk) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(NSPersistentContainer(name: "Office", entities: Clerk.self), at: folder.file("office.sqlite"))
        try store.run { context in
            let ann = Clerk(context: context, name: "ann")
            for name in ["ben", "cia"] { _ = Clerk(context: context, name: name, boss: ann) }
            _ = Clerk(context: context, name: "dan")
            try context.save()
            try work(context, ann)
        }
    }

    @Test("R69: typed and untyped IDs can be captured: of the object itself, of related ones, of one among several")
    func predicates() throws {
        try inOffice { context, ann in
            func names(_ predicate: Predicate<Clerk>) throws -> [String] {
                let found = try context.fetch(Clerk.self, where: predicate, sortedBy: [SortDescriptor(\.name)]).map(\.name)
                #expect(
                    try context.fetch(Clerk.self).filter { try predicate.evaluate($0) }.map(\.name).sorted() == found,
                    "in memory as in the store")
                return found
            }
            let id = ann.typedID
            let objectID = ann.objectID
            #expect(try names(#Predicate { $0.boss?.typedID == id }) == ["ben", "cia"])
            #expect(try names(#Predicate { $0.typedID == id }) == ["ann"])
            #expect(try names(#Predicate { $0.typedID != id && $0.boss == nil }) == ["dan"])
            #expect(try names(#Predicate { $0.objectID == objectID || $0.boss?.objectID == objectID }) == ["ann", "ben", "cia"])
            let ids = try context.fetch(Clerk.self, where: \.boss == ann).map(\.typedID)
            #expect(try names(#Predicate { ids.contains($0.typedID) }) == ["ben", "cia"])
            #expect(try names(#Predicate { clerk in clerk.staff.contains { ids.contains($0.typedID) } }) == ["ann"])
            let format = NSPredicate(format: "boss == %@", argumentArray: [id])
            let request: NSFetchRequest<Clerk> = Clerk.fetchRequest()
            request.predicate = format
            #expect(try context.fetch(request).map(\.name).sorted() == ["ben", "cia"])
        }
    }

    @Test("R69: IDs are encoded as URIs, and decoded where the store is open and the class is right")
    func coding() throws {
        try inOffice { context, ann in
            let data = try JSONEncoder().encode([ann.typedID])
            #expect(try JSONDecoder().decode([URL].self, from: data) == [ann.objectID.uriRepresentation()])
            #expect(try JSONDecoder().decode([ManagedObjectID<Clerk>].self, from: data) == [ann.typedID])
            #expect(try JSONDecoder().decode([NSManagedObjectID].self, from: data) == [ann.objectID])
            #expect(try context[#require(JSONDecoder().decode([ManagedObjectID<Clerk>].self, from: data).first)] === ann)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([ManagedObjectID<Ballad>].self, from: data) }
            for text in ["x-coredata://\(UUID().uuidString)/Clerk/p1", "x", "", "x-coredata:///Clerk/t1"] {
                let data = try JSONEncoder().encode([text])
                #expect(throws: DecodingError.self) { try JSONDecoder().decode([NSManagedObjectID].self, from: data) }
            }
            let new = Clerk(context: context, name: "eve")
            let temporary = new.typedID
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(temporary) }
            try context.save()
            #expect(try JSONEncoder().encode([temporary]) == JSONEncoder().encode([new.typedID]))
        }
    }

    @Test("R67: both sides of a relationship may name the other, one of them by the property's name")
    func inverses() throws {
        let model = try NSManagedObjectModel(Singer.self, Ballad.self)
        let songs = model.entitiesByName["Singer"]?.relationshipsByName["songs"]
        #expect(songs?.inverseRelationship?.name == "singers" && songs?.inverseRelationship?.inverseRelationship === songs)
    }
}
