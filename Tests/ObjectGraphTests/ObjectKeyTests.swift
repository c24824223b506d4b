import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Keys of what objects are")
struct ObjectKeyTests {
    @Test("R41: objectID, entity, context and state have keys, in paths and through collections", arguments: StackKind.allCases)
    func keys(_ kind: StackKind) throws {
        try Staff.stack(kind).fresh { context throws in
            let anna = try context.named("Anna", "Person")
            let team = try #require(anna.one("team"))
            #expect(anna.value(forKey: "objectID") as? NSManagedObjectID === anna.objectID)
            #expect(anna.value(forKey: "self") as? NSManagedObject === anna)
            #expect(anna.value(forKey: "entity") as? NSEntityDescription === anna.entity)
            #expect(anna.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
            for key in [
                "isDeleted", "deleted", "hasChanges", "isInserted", "inserted", "isUpdated", "updated", "isFault",
                "hasPersistentChangedValues",
            ] {
                #expect(anna.value(forKey: key) as? Bool == false, "\(key)")
            }
            anna.set("age", 31)
            #expect(anna.value(forKey: "hasChanges") as? Bool == true && anna.value(forKey: "isUpdated") as? Bool == true)
            #expect(anna.value(forKeyPath: "objectID.URIRepresentation") as? URL == anna.objectID.uriRepresentation())
            #expect(anna.value(forKeyPath: "team.objectID") as? NSManagedObjectID === team.objectID)
            #expect(anna.value(forKeyPath: "entity.name") as? String == "Person")
            #expect(anna.value(forKeyPath: "objectID.entity.name") as? String == "Person")
            #expect(anna.value(forKeyPath: "team.self.name") as? String == "red")
            let ids = try #require(team.value(forKeyPath: "members.objectID") as? Set<NSManagedObjectID>)
            #expect(ids == Set(team.many("members").map(\.objectID)) && ids.count == 2)
            #expect(team.value(forKeyPath: "members.entity.name") as? Set<String> == ["Person"])
            #expect(team.value(forKeyPath: "members.@count") as? Int == 2)
            #expect(anna.dictionaryWithValues(forKeys: ["name", "objectID"])["objectID"] as? NSManagedObjectID === anna.objectID)
            context.delete(team)
            #expect(team.value(forKey: "isDeleted") as? Bool == true)
            context.rollback()
        }
    }

    @Test("R41: sort descriptors by objectID, over relationships, and by entity.name", arguments: StackKind.allCases)
    func sorting(_ kind: StackKind) throws {
        try Staff.stack(kind).fresh { context throws in
            func keys(_ descriptors: NSSortDescriptor...) throws -> [NSManagedObject] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.sortDescriptors = descriptors
                return try context.fetch(request)
            }
            func number(_ object: NSManagedObject) -> Int {
                Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
            }
            let rising = try keys(NSSortDescriptor(key: "objectID", ascending: true)).map(number)
            #expect(rising == rising.sorted() && rising.count == 5)
            #expect(try keys(NSSortDescriptor(key: "objectID", ascending: false)).map(number) == rising.reversed())
            #expect(try keys(NSSortDescriptor(key: "self", ascending: true)).map(number) == rising)
            let byTeam = try keys(NSSortDescriptor(key: "team.objectID", ascending: true)).map { $0.one("team").map(number) ?? 0 }
            #expect(byTeam == byTeam.sorted())
            let byRelationship = try keys(NSSortDescriptor(key: "team", ascending: false)).map { $0.one("team").map(number) ?? 0 }
            #expect(byRelationship == byTeam.reversed())
            let byEntity = try keys(
                NSSortDescriptor(key: "entity.name", ascending: true), NSSortDescriptor(key: "age", ascending: true))
            #expect(
                byEntity.first?.entity.name == "Manager" && byEntity.dropFirst().map { $0.number("age") } == [10, 20, 30, 40])
            for key in [
                "isDeleted", "nothing", "objectID.nothing", "entity.nothing", "members", "friends.objectID",
                "team.members.objectID",
            ] {
                let error = #expect(throws: NSError.self, "\(key)") { try keys(NSSortDescriptor(key: key, ascending: true)) }
                #expect(error?.code == NSCoreDataError)
            }
        }
    }
}
