import DataModel
import Foundation
import ObjectGraph
import Predicates
import Testing

@Suite("Batch deletes")
struct BatchDeleteTests {
    private static func request(_ entity: String, where format: String? = nil) -> NSBatchDeleteRequest {
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Recorder>.sorted(entity, "name", where: format))
    }

    /// Shelf s has items a and b and book c, a has parts p and q; a has the label l, which is in box x, and the tags t and u; owner o has box x and tag t.
    private static func stack(_ kind: StoreKind = .sqlite) throws -> TestStack {
        let stack = try Shop.stack(kind)
        try stack.run { context throws in
            let shelf = context.make("Shelf", ["name": "s"])
            let items = ["a", "b"].map { context.make("Item", ["name": $0, "code": $0, "shelf": shelf]) }
            context.make("Book", ["name": "c", "shelf": shelf])
            for name in ["p", "q"] { context.make("Part", ["name": name, "item": items[0]]) }
            let tags = ["t", "u"].map { context.make("Tag", ["name": $0]) }
            items[0].set("tags2", Set(tags))
            shelf.set("badges", Set([tags[0]]))
            let box = context.make("Box", ["name": "x", "owner": context.make("Owner", ["name": "o", "tag": tags[0]])])
            context.make("Label", ["name": "l", "item": items[0], "box": box])
            try context.save()
        }
        return stack
    }

    @Test("FET-210, FET-211, FET-212: by a fetch request; the result is the status, the IDs or the number")
    func results() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let books = Self.request("Item", where: "name == 'c'")
            #expect(books.requestType == .batchDeleteRequestType)
            #expect(try context.batch(books) as Bool)
            let b = Self.request("Item", where: "name == 'b'")
            b.resultType = .resultTypeObjectIDs
            let id = try context.named("b", "Item").objectID
            #expect(try context.batch(b) as [NSManagedObjectID] == [id])
            #expect(try context.batch(b) as [NSManagedObjectID] == [])
            let all = Self.request("Item")
            all.resultType = .resultTypeCount
            #expect(try context.batch(all) as Int == 1)
        }
        #expect(try stack.savedNames("Item").isEmpty && stack.savedNames("Part").isEmpty)
        try Self.stack(.inMemory).run { context throws in
            let error = #expect(throws: NSError.self) { try context.execute(Self.request("Item")) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    @Test("FET-210, FET-212: order, limit and offset count; subentities can be left out")
    func window() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let fetch = NSFetchRequest<Recorder>.sorted("Item", "-name")
            fetch.fetchLimit = 1
            fetch.fetchOffset = 1
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            #expect(try stack.savedNames("Item") == ["a", "c"])
            let exact = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            exact.includesSubentities = false
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: exact))
            #expect(try stack.savedNames("Item") == ["c"])
        }
    }

    @Test("FET-213: cascade takes rows along that the result does not name, nullify takes the row out of others, pairs go")
    func deleteRules() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let request = Self.request("Shelf")
            request.resultType = .resultTypeObjectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(ids.map(\.entity.name) == ["Shelf"])
        }
        #expect(try stack.savedNames("Item").isEmpty && stack.savedNames("Part").isEmpty && stack.savedNames("Shelf").isEmpty)
        #expect(try stack.savedNames("Label") == ["l"] && stack.savedNames("Tag") == ["t", "u"])
        try stack.fresh { context throws in
            let label = try context.named("l", "Label")
            #expect(label.one("item") == nil && label.one("box")?.text("name") == "x")
            #expect(try context.named("t", "Tag").names("items") == [])
            // A new item with the deleted one's values: nothing of it is left.
            context.make("Item", ["name": "again", "code": "a", "label": label])
            try context.save()
        }
    }

    @Test("FET-213: the other way round: cascade over a to-one, nullify of a one-to-many and of the other end of a one-to-one")
    func deleteRulesOfMembers() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            _ = try context.execute(Self.request("Box", where: "name == 'x'"))
            try stack.fresh { other throws in #expect(try other.named("l", "Label").one("box") == nil) }
            _ = try context.execute(Self.request("Label"))
            #expect(try stack.savedNames("Item") == ["a", "b", "c"])
            _ = try context.execute(Self.request("Part", where: "name == 'p'"))
            #expect(try stack.savedNames("Item") == ["b", "c"] && stack.savedNames("Part").isEmpty)
        }
        try stack.fresh { context throws in
            #expect(try context.named("s", "Shelf").names("items") == ["b", "c"])
            #expect(try context.named("u", "Tag").names("items") == [])
        }
    }

    @Test("FET-213: a deny rule, and a required relationship that would become nil, throw, and nothing is deleted")
    func denied() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let denied = #expect(throws: NSError.self) { try context.execute(Self.request("Owner")) }
            #expect(
                denied?.code == NSValidationRelationshipDeniedDeleteError
                    && denied?.localizedDescription.contains("boxes") == true)
            let required = #expect(throws: NSError.self) { try context.execute(Self.request("Tag")) }
            #expect(required?.code == NSValidationMissingMandatoryPropertyError)
            #expect(required?.localizedDescription.contains("tag") == true)
            #expect(try stack.savedNames("Owner") == ["o"] && stack.savedNames("Tag") == ["t", "u"])
            #expect(try context.named("a", "Item").names("tags2") == ["t", "u"])
            // Without the box nothing denies it.
            _ = try context.execute(Self.request("Box"))
            _ = try context.execute(Self.request("Owner"))
            _ = try context.execute(Self.request("Tag"))
        }
        #expect(try stack.savedNames("Owner").isEmpty && stack.savedNames("Tag").isEmpty && stack.savedNames("Item").count == 3)
    }

    @Test("FET-210: by IDs of one entity; those of rows that are gone count for nothing")
    func byIDs() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let ids = try context.all("Item").map(\.objectID)
            let request = NSBatchDeleteRequest(objectIDs: [ids[0], ids[2], ids[0]])
            request.resultType = .resultTypeCount
            #expect(request.fetchRequest.entityName == "Item")
            #expect(try context.batch(request) as Int == 2)
            #expect(try context.batch(request) as Int == 0)
            #expect(try stack.savedNames("Item") == ["b"])
            let none = NSBatchDeleteRequest(objectIDs: [])
            none.resultType = .resultTypeObjectIDs
            #expect(try context.batch(none) as [NSManagedObjectID] == [])
            let tag = try context.named("u", "Tag").objectID
            #expect(throws: NSError.self) { try context.execute(NSBatchDeleteRequest(objectIDs: [ids[1], tag])) }
            let new = context.make("Item").objectID
            #expect(throws: NSError.self) { try context.execute(NSBatchDeleteRequest(objectIDs: [new])) }
            context.rollback()
        }
        #expect(try stack.savedNames("Item") == ["b"])
    }

    @Test("FET-215, FET-216, B08: contexts keep their objects until the IDs are merged; no hook is called")
    func merging() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let items = try context.all("Item").loaded
            for item in items { _ = item.takeCalls() }
            let request = Self.request("Item", where: "name != 'b'")
            request.resultType = .resultTypeObjectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(items.map { $0.text("name") } == ["a", "b", "c"] && !context.hasChanges)
            #expect(items.allSatisfy { $0.calls.isEmpty })
            let log = NotificationLog(context)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
            #expect(Set(log.takeChanges().flatMap(\.deleted)) == [items[0], items[2]])
            #expect(try context.all("Item") == [items[1]])
            #expect(try context.count(for: NSFetchRequest<Recorder>(entityName: "Item")) == 1)
            try context.save()
        }
    }

    @Test("FET-218: the fetch request has to be for objects or IDs; a predicate has to be one for the store")
    func mistakes() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            fetch.resultType = .countResultType
            #expect(throws: NSError.self) { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
            fetch.resultType = .managedObjectIDResultType
            fetch.predicate = NSPredicate { _, _ in true }
            #expect(throws: NSError.self) { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
            #expect(throws: NSError.self) { try context.execute(Self.request("Nobody")) }
            #expect(throws: NSError.self) { try context.execute(Self.request("Item", where: "shoes == 1")) }
        }
        #expect(try stack.savedNames("Item").count == 3)
    }
}
