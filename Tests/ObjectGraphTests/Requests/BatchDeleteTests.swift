import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Batch deletes")
struct BatchDeleteTests {
    private static func request(_ entity: String, where format: String? = nil) -> NSBatchDeleteRequest {
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Recorder>.sorted(entity, "name", where: format))
    }

    /// Shelf s has items a and b and book c, a has parts p and q; a has the label l, which is in box x, and the tags t and u; owner o has box x and tag t.
    private static func stack(_ kind: StackKind = .sqlite) throws -> TestStack {
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

    @Test("R49: a request of any result type serves as it is, without a cast")
    func anyResultType() throws {
        try Self.stack().run { context throws in
            func delete<T>(_ fetch: NSFetchRequest<T>, _ name: String) throws -> Int {
                fetch.predicate = NSPredicate(format: "name == %@", name)
                let request = NSBatchDeleteRequest(fetchRequest: fetch)
                request.resultType = .resultTypeCount
                return try context.batch(request) as Int
            }
            #expect(try delete(NSFetchRequest<NSManagedObject>(entityName: "Item"), "a") == 1)
            #expect(try delete(NSFetchRequest<NSDictionary>(entityName: "Item"), "b") == 1)
            #expect(try delete(NSFetchRequest<NSManagedObjectID>(entityName: "Item"), "c") == 1)
            #expect(try delete(NSFetchRequest<NSNumber>(entityName: "Tag"), "u") == 1)
            #expect(try delete(NSFetchRequest<any NSFetchRequestResult>(entityName: "Label"), "nobody") == 0)
            #expect(try context.all("Item").isEmpty)
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

    @Test("FET-213, FET-214: a deny rule, and a required relationship that would become nil, throw, and nothing is deleted")
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

    @Test("OG-169: the store applies the delete rules, not the context, whose objects stay as they are")
    func rulesInMemory() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let shelf = try context.named("s", "Shelf")
            let items = shelf.many("items")
            #expect(shelf.names("items") == ["a", "b", "c"])
            _ = try context.execute(Self.request("Shelf"))
            context.processPendingChanges()
            #expect(!context.hasChanges && items.allSatisfy { !$0.isDeleted && $0.one("shelf") === shelf })
            #expect(shelf.names("items") == ["a", "b", "c"])
        }
        #expect(try stack.savedNames("Item").isEmpty)
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

    // MARK: The same as object by object

    /// A random graph: the same for the same seed.
    private static func fill(_ context: NSManagedObjectContext, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        func some(_ objects: [Recorder]) -> Recorder? {
            Int.random(in: 0..<3, using: &random) == 0 ? nil : objects.randomElement(using: &random)
        }
        func make(_ entity: String, _ count: Int) -> [Recorder] {
            (0..<count).map { context.make(entity, ["name": "\(entity)\($0)"]) }
        }
        let (shelves, labels, boxes, tags) = (make("Shelf", 3), make("Label", 6), make("Box", 4), make("Tag", 4))
        let items = make("Item", 8) + make("Book", 3)
        let parts = make("Part", 10)
        let owners = (0..<3).map { context.make("Owner", ["name": "Owner\($0)", "tag": tags[$0]]) }
        for item in items {
            item.set("shelf", some(shelves))
            item.set("label", some(labels))
            item.set("tags2", Set(tags.filter { _ in Bool.random(using: &random) }))
        }
        for part in parts { part.set("item", some(items)) }
        for label in labels { label.set("box", some(boxes)) }
        for box in boxes { box.set("owner", some(owners)) }
        shelves[0].set("badges", Set(tags.prefix(2)))
        try context.save()
    }

    /// What the store has: each object with the names of what it is related to.
    private static func dump(_ stack: TestStack) throws -> [String] {
        try stack.fresh { context throws in
            try ["Shelf", "Item", "Part", "Label", "Box", "Owner", "Tag"].flatMap { entity in
                try context.all(entity).map { object in
                    let relationships = object.entity.relationshipsByName.keys.sorted().map { key -> String in
                        let names =
                            object.entity.relationshipsByName[key]?.isToMany == true
                            ? object.names(key).sorted() : [object.one(key)?.text("name")].compactMap(\.self)
                        return "\(key): \(names)"
                    }
                    return "\(object.text("name") ?? "") \(relationships)"
                }
            }
        }
    }

    @Test("FET-213: a batch leaves what deleting object by object leaves, or both are refused", arguments: 1...12)
    func sameAsObjects(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 77)
        let entity = try #require(["Shelf", "Item", "Part", "Label", "Box", "Owner", "Tag"].randomElement(using: &random))
        let number = Int.random(in: 0..<4, using: &random)
        let format = Bool.random(using: &random) ? "name ENDSWITH '\(number)'" : "name != '\(entity)\(number)'"
        let (batched, single) = (try Shop.stack(), try Shop.stack())
        for stack in [batched, single] { try stack.run { context throws in try Self.fill(context, seed: seed) } }
        #expect(try Self.dump(batched) == Self.dump(single))
        let before = try Self.dump(batched)
        let refusal: NSError? = try batched.fresh { context throws in
            do {
                try context.execute(Self.request(entity, where: format))
                return nil
            } catch let error as NSError { return error }
        }
        let other: NSError? = try single.fresh { context throws in
            for object in try context.fetch(NSFetchRequest<Recorder>.sorted(entity, "name", where: format)) {
                context.delete(object)
            }
            do {
                try context.save()
                return nil
            } catch let error as NSError {
                context.rollback()
                return error
            }
        }
        #expect(
            (refusal == nil) == (other == nil),
            "\(entity) \(format): \(refusal?.localizedDescription ?? "") \(other?.localizedDescription ?? "")")
        let after = try Self.dump(batched)
        #expect(try after == Self.dump(single), "\(entity) \(format)")
        #expect(refusal == nil || after == before)
    }
}
