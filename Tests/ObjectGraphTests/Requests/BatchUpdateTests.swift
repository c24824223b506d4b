import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
    private static func request(_ values: [AnyHashable: Any], where format: String? = nil, _ entity: String = "Item")
        -> NSBatchUpdateRequest
    {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = values
        return request
    }

    /// Items a to d with counts 1 to 4 and weights 0.5 to 2, d a book; a, b on the shelf "low", c on "high".
    private static func stack(_ kind: StackKind = .sqlite) throws -> TestStack {
        let stack = try Shop.stack(kind)
        try stack.run { context throws in
            let shelves = ["low", "high"].map { context.make("Shelf", ["name": $0]) }
            for (index, name) in ["a", "b", "c", "d"].enumerated() {
                let item = context.make(
                    index == 3 ? "Book" : "Item",
                    ["name": name, "code": name, "count": index + 1, "weight": Double(index + 1) / 2])
                item.set("shelf", index < 3 ? shelves[index / 2] : nil)
            }
            try context.save()
        }
        return stack
    }

    private static func counts(_ stack: TestStack) throws -> [Int?] {
        try stack.fresh { context throws in try context.all("Item").map { $0.number("count") } }
    }

    @Test("Values that depend on a condition which only memory can evaluate are an error: nothing is written")
    func conditionsForMemory() throws {
        let stack = try Self.stack()
        for format in [
            "TERNARY(ANY tags CONTAINS 'x', 0, count)", "TERNARY(count > 2 AND tags CONTAINS 'x', 0, count)",
            "1 + TERNARY(NOT (tags CONTAINS 'x'), 0, count)",
        ] {
            try stack.run { context throws in
                let request = Self.request(["count": NSExpression(format: format)])
                let error = #expect(throws: NSError.self, "\(format)") { try context.execute(request) }
                #expect(error?.localizedDescription.contains("the store can't compute the expression") == true)
            }
            #expect(try Self.counts(stack) == [1, 2, 3, 4], "\(format)")
        }
    }

    @Test("FET-190: values for the rows that a predicate selects; other stores throw 134091")
    func constants() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let property = try #require(stack.model.entitiesByName["Item"]?.attributesByName["weight"])
            let values: [AnyHashable: Any] = [
                "count": 9, property: NSExpression(forConstantValue: 7.5), "code": NSNull(), "tags": ["t"],
            ]
            _ = try context.execute(Self.request(values, where: "name IN {'b', 'd'}"))
        }
        #expect(try Self.counts(stack) == [1, 9, 3, 9])
        try stack.fresh { context throws in
            let items = try context.all("Item")
            #expect(items.map { $0.text("code") } == ["a", nil, "c", nil])
            #expect(items.map { $0.value(forKey: "weight") as? Double } == [0.5, 7.5, 1.5, 7.5])
            #expect(items[3].value(forKey: "tags") as? [String] == ["t"] && items[0].value(forKey: "tags") == nil)
        }
        try Self.stack(.inMemory).run { context throws in
            let error = #expect(throws: NSError.self) { try context.execute(Self.request(["count": 1])) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    @Test("FET-190: expressions may use the row's other values, and those of to-one relationships")
    func expressions() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            _ = try context.execute(
                Self.request(
                    [
                        "count": NSExpression(format: "count * 10 + weight"), "weight": NSExpression(format: "count"),
                        "name": NSExpression(format: "uppercase(name)"), "code": NSExpression(forKeyPath: "shelf.name"),
                        "made": NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: 5)),
                    ], where: "count != 2"))
        }
        try stack.fresh { context throws in
            let items = try context.all("Item")
            #expect(items.map { $0.text("name") } == ["A", "C", "D", "b"])
            #expect(items.map { $0.number("count") } == [10, 31, 42, 2], "a part is cut off")
            #expect(items.map { $0.value(forKey: "weight") as? Double } == [1, 3, 4, 1])
            #expect(items.map { $0.text("code") } == ["low", "high", nil, "b"])
            #expect(items[0].value(forKey: "made") as? Date == Date(timeIntervalSinceReferenceDate: 5))
        }
    }

    @Test("FET-191, FET-196: the result is the status, the IDs or the number; with or without subentities")
    func results() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let request = Self.request(["count": 8])
            #expect(request.requestType == .batchUpdateRequestType && request.includesSubentities)
            #expect(try context.batch(request) as Bool)
            request.resultType = .updatedObjectsCountResultType
            #expect(try context.batch(request) as Int == 4)
            request.includesSubentities = false
            request.resultType = .updatedObjectIDsResultType
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(Set(ids.map { context.object(with: $0).text("name") }) == ["a", "b", "c"])
            let books = Self.request(["count": 9, "author": "x"], "Book")
            books.resultType = .updatedObjectsCountResultType
            #expect(try context.batch(books) as Int == 1)
            let none = Self.request(["count": 1], where: "name == 'z'")
            none.resultType = .updatedObjectIDsResultType
            #expect((try context.batch(none) as [NSManagedObjectID]).isEmpty)
        }
        #expect(try Self.counts(stack) == [8, 8, 8, 9])
    }

    @Test("FET-192, R07: limits and predicates are not validated, but a required attribute can't be made nil")
    func requiredAttributes() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let error = #expect(throws: NSError.self) {
                try context.execute(Self.request(["count": NSNull(), "name": "x"], where: "name == 'a'"))
            }
            #expect(error?.code == NSValidationMissingMandatoryPropertyError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "count")
        }
        #expect(try Self.counts(stack) == [1, 2, 3, 4] && stack.savedNames("Item") == ["a", "b", "c", "d"])
    }

    @Test("FET-193: a violated uniqueness constraint throws, and nothing is updated")
    func uniqueness() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let error = #expect(throws: NSError.self) { try context.execute(Self.request(["code": "same", "count": 0])) }
            #expect(error?.code == NSManagedObjectConstraintMergeError && error?.localizedDescription.contains("code") == true)
        }
        #expect(try Self.counts(stack) == [1, 2, 3, 4])
    }

    @Test("FET-194, FET-195, B08: loaded objects keep their values until they are merged; a stale one is a conflict")
    func staleObjects() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let items = try context.all("Item").loaded
            let request = Self.request(["count": 50], where: "name IN {'a', 'b'}")
            request.resultType = .updatedObjectIDsResultType
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(items.map { $0.number("count") } == [1, 2, 3, 4])
            items[1].set("weight", 9)
            let conflict = #expect(throws: NSError.self) { try context.save() }
            #expect(conflict?.code == NSManagedObjectMergeError)
            let log = NotificationLog(context)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
            #expect(items.map { $0.number("count") } == [50, 50, 3, 4] && items[1].number("weight") == 9)
            #expect(log.takeChanges().flatMap(\.refreshed).count == 2)
            try context.save()
        }
        #expect(try Self.counts(stack) == [50, 50, 3, 4])
    }

    @Test("FET-12, FET-196, FET-197: mistakes are errors that name them, and nothing is updated")
    func mistakes() throws {
        let stack = try Self.stack()
        func failure(_ values: [AnyHashable: Any], where format: String? = nil, _ entity: String = "Item") throws -> String {
            try stack.run { context throws in
                let error = #expect(throws: NSError.self) { try context.execute(Self.request(values, where: format, entity)) }
                #expect(error?.domain == NSCocoaErrorDomain)
                return error?.localizedDescription ?? ""
            }
        }
        #expect(try failure(["shoeSize": 1]).contains("shoeSize"))
        #expect(try failure(["shelf": NSNull()]).contains("relationship"))
        let shelf = try stack.run { context throws in try context.named("high", "Shelf").objectID }
        #expect(try failure(["shelf": NSExpression(forConstantValue: shelf)]).contains("relationship"))
        #expect(try failure(["note": "x"]).contains("transient"))
        #expect(try failure(["count": "many"]).contains("count"))
        #expect(try failure(["count": NSExpression(format: "name")]).contains("count"))
        #expect(try failure(["count": NSExpression(format: "shoeSize + 1")]).contains("shoeSize"))
        #expect(try failure([:]).contains("propertiesToUpdate"))
        #expect(try failure([7: 1]).contains("7"))
        #expect(try failure(["count": 1], where: "shoeSize == 1").contains("shoeSize"))
        #expect(try failure(["count": 1], "Nobody").contains("Nobody"))
        try stack.run { context throws in
            let request = Self.request(["count": 1])
            request.predicate = NSPredicate { _, _ in true }
            #expect(throws: NSError.self) { try context.execute(request) }
        }
        #expect(try Self.counts(stack) == [1, 2, 3, 4])
    }

    @Test("NTF-160: batch requests post nothing in any context")
    func notifications() throws {
        let stack = try Self.stack()
        let other = stack.newContext()
        let loaded = try other.run { context throws in try context.all("Item").loaded }
        let elsewhere = NotificationLog(other)
        try stack.run { context throws in
            let items = try context.all("Item").loaded
            let log = NotificationLog(context)
            _ = try context.execute(Self.request(["count": 9]))
            _ = try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["name": "e"]]))
            _ = try context.execute(
                NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Recorder>.sorted("Item", "name", where: "name == 'a'")))
            context.processPendingChanges()
            #expect(log.take().isEmpty && items.count == 4 && !context.hasChanges)
        }
        try other.run { context throws in
            context.processPendingChanges()
            #expect(loaded.map { $0.number("count") } == [1, 2, 3, 4] && !context.hasChanges)
        }
        #expect(elsewhere.take().isEmpty)
        #expect(try Self.counts(stack) == [9, 9, 9, 5])
    }

    @Test("PRD-170: predicates over relationships and objects of the context")
    func relationshipPredicates() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            let request = Self.request(["count": 0])
            request.predicate = NSPredicate(format: "shelf == %@", try context.named("low", "Shelf"))
            request.resultType = .updatedObjectsCountResultType
            #expect(try context.batch(request) as Int == 2)
            request.predicate = NSPredicate(
                format: "shelf.name == 'high' AND SUBQUERY(shelf.items, $x, $x.count > 2).@count == 1")
            #expect(try context.batch(request) as Int == 1)
        }
        #expect(try Self.counts(stack) == [0, 0, 0, 4])
    }
}
