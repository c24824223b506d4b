import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Predicates and unsaved changes")
struct PendingQueryTests {
    private static func request(_ format: String?, sortedBy key: String = "name") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return request
    }

    private static func names(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>) throws -> [String?] {
        try context.fetch(request).map { $0.text("name") }
    }

    @Test("FET-20, FET-23, FET-26, FET-28, FET-29: changed objects are tested anew", arguments: StackKind.queried)
    func merged(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            #expect(try Self.names(context, Self.request("age > 20")) == ["charlie", "delta", "echo"])
            #expect(try context.count(for: Self.request("age > 20")) == 3)
            #expect(try Self.names(context, Self.request("age > 20", sortedBy: "age")) == ["charlie", "delta", "echo"])
            #expect(try Self.names(context, Self.request("age < 20")) == ["alpha"])
            #expect(try Self.names(context, Self.request("name == 'bravo'")) == [])
        }
    }

    @Test(
        "FET-21: without unsaved changes the store decides; its objects show the context's values", arguments: [StackKind.sqlite])
    func storeOnly(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = Self.request("age > 20")
            request.includesPendingChanges = false
            let found = try context.fetch(request)
            #expect(found.map { $0.text("name") } == ["alpha", "bravo"])
            #expect(found[0].number("age") == 5)
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test("FET-25: with unsaved changes the window lies over the merged result", arguments: StackKind.queried)
    func window(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let request = Self.request("age > 0", sortedBy: "age")
            let expected = ["alpha", "charlie", "delta", "echo"]
            for offset in 0...5 {
                for limit in 1...5 {
                    request.fetchOffset = offset
                    request.fetchLimit = limit
                    #expect(try Self.names(context, request) == Array(expected.dropFirst(offset).prefix(limit)))
                    #expect(try context.count(for: request) == min(limit, max(0, 4 - offset)))
                }
            }
        }
    }

    @Test("FET-27: unsaved objects of subentities are excluded when subentities are", arguments: StackKind.queried)
    func subentities(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            context.make("Manager", ["name": "foxtrot", "age": 50])
            let request = Self.request("age > 20")
            #expect(try Self.names(context, request) == ["charlie", "delta", "echo", "foxtrot"])
            request.includesSubentities = false
            #expect(try Self.names(context, request) == ["charlie", "delta", "echo"])
        }
    }

    @Test("FET-30: an object whose related object changed, but not itself, is judged by the store", arguments: [StackKind.sqlite])
    func related(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let team = context.make("Team", ["name": "red"])
            context.make("Person", ["name": "a", "team": team])
            let other = context.make("Person", ["name": "b", "team": team])
            try context.save()
            team.set("name", "blue")
            other.set("age", 3)
            #expect(try Self.names(context, Self.request("team.name == 'red'")) == ["a"])
            #expect(try Self.names(context, Self.request("team.name == 'blue'")) == ["b"])
        }
    }

    @Test(
        "FET-31: a child's fetch lays its changes over its parent's, and those over the store's answer",
        arguments: StackKind.queried)
    func child(_ kind: StackKind) throws {
        try TestStack.pending(kind) { context throws in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.run { child throws in
                let request = Self.request("age > 20")
                #expect(try Self.names(child, request) == ["charlie", "delta", "echo"])
                try child.named("charlie", "Person").set("age", 1)
                try child.named("alpha", "Person").set("age", 99)
                child.delete(try child.named("echo", "Person"))
                child.make("Person", ["name": "foxtrot", "age": 60])
                #expect(try Self.names(child, request) == ["alpha", "delta", "foxtrot"])
                #expect(try child.count(for: request) == 3)
                request.fetchOffset = 1
                request.fetchLimit = 1
                #expect(try Self.names(child, request) == ["delta"])
                request.fetchOffset = 0
                request.fetchLimit = 0
                request.includesPendingChanges = false
                #expect(try child.fetch(request).map { $0.text("name") } == ["charlie", "delta", "echo"])
                let block = NSFetchRequest<NSManagedObject>(entityName: "Person")
                block.predicate = NSPredicate { object, _ in (object as? NSManagedObject)?.managedObjectContext === child }
                #expect(try child.fetch(block).count == 4, "a closure gets the objects of the context that fetches")
                #expect(throws: NSError.self) { try child.fetch(Self.request("agee > 3")) }
            }
        }
    }

    @Test("FET-32: a fetch of a clean context loads none of the other objects", arguments: [StackKind.sqlite])
    func clean(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            for age in 0..<50 { context.make("Person", ["name": "\(age)", "age": age]) }
            try context.save()
        }
        try stack.fresh { context throws in
            let found = try context.fetch(Self.request("age BETWEEN {3, 4} AND name LIKE '*3*'"))
            #expect(found.map { $0.text("name") } == ["3"])
            #expect(context.registeredObjects == Set(found))
        }
    }

    @Test("FET-7: several stores: the union, in one order, with one window; objects of one are in no row of the other")
    func severalStores() throws {
        let stack = try TestStack.people(.sqlite)
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("second.sqlite"))
        try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context throws in
            for (index, store) in stack.coordinator.persistentStores.enumerated() {
                let boss = context.make("Person", ["name": "boss\(index)", "age": 10])
                context.assign(boss, to: store)
                for age in 1...3 {
                    let person = context.make("Person", ["name": "p\(index)\(age)", "age": age * 10 + index, "boss": boss])
                    context.assign(person, to: store)
                }
            }
            try context.save()
            #expect(
                try Self.names(context, Self.request("age > 15", sortedBy: "age")) == ["p02", "p12", "p22", "p03", "p13", "p23"])
            let request = Self.request("age > 15", sortedBy: "age")
            request.fetchOffset = 2
            request.fetchLimit = 3
            #expect(try Self.names(context, request) == ["p22", "p03", "p13"])
            #expect(try context.count(for: request) == 3)
            let bosses = try context.fetch(Self.request("name BEGINSWITH 'boss'"))
            #expect(bosses.count == 3)
            for (index, boss) in bosses.enumerated() {
                let reports = Self.request(nil)
                reports.predicate = NSPredicate(format: "boss == %@", boss)
                #expect(try Self.names(context, reports) == (1...3).map { "p\(index)\($0)" })
            }
        }
    }
}
