import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Batch inserts")
struct BatchInsertTests {
    private static func request(_ objects: [[String: Any]], _ entity: String = "Item") -> NSBatchInsertRequest {
        NSBatchInsertRequest(entityName: entity, objects: objects)
    }

    private static func names(_ stack: TestStack, _ entity: String = "Item") throws -> [String?] { try stack.savedNames(entity) }

    @Test("FET-170: a store that is no SQLite store throws 134091")
    func unsupported() throws {
        let stack = try Shop.stack(.inMemory)
        try stack.run { context throws in
            let error = #expect(throws: NSError.self) { try context.execute(Self.request([["name": "a"]])) }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
        #expect(try Self.names(stack).isEmpty)
    }

    @Test("FET-171: the result is the status, the IDs or the number")
    func results() throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            let request = Self.request([["name": "a"], ["name": "b"]])
            #expect(request.requestType == .batchInsertRequestType && request.resultType == .statusOnly)
            #expect(try context.batch(request) as Bool)
            request.resultType = .count
            #expect(try context.batch(request) as Int == 2)
            request.resultType = .objectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(ids.map { context.object(with: $0).text("name") } == ["a", "b"])
            #expect(ids.allSatisfy { !$0.isTemporaryID && $0.entity.name == "Item" })
        }
        #expect(try Self.names(stack) == ["a", "a", "a", "b", "b", "b"])
    }

    @Test("FET-172: values of all types, and the model's default for what is missing; contexts hear nothing, no hook is called")
    func values() throws {
        let stack = try Shop.stack()
        let id = UUID()
        try stack.run { context throws in
            let log = NotificationLog(context)
            let values: [String: Any] = [
                "name": "lamp", "price": NSDecimalNumber(string: "9.90"), "weight": 1.5,
                "made": Date(timeIntervalSinceReferenceDate: 10),
                "isNew": true, "tags": ["x", "y"], "id": id, "code": NSNull(),
            ]
            _ = try context.execute(Self.request([values, ["count": 7]]))
            #expect(context.registeredObjects.isEmpty && !context.hasChanges && log.take().isEmpty)
        }
        try stack.fresh { context throws in
            let items = try context.all("Item", by: "count")
            let lamp = items[0]
            #expect(items.map { $0.number("count") } == [5, 7] && items[1].text("name") == nil)
            #expect(lamp.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "9.90"))
            #expect(lamp.value(forKey: "weight") as? Double == 1.5 && lamp.value(forKey: "isNew") as? Bool == true)
            #expect(lamp.value(forKey: "made") as? Date == Date(timeIntervalSinceReferenceDate: 10))
            #expect(lamp.value(forKey: "tags") as? [String] == ["x", "y"] && lamp.value(forKey: "id") as? UUID == id)
            #expect(lamp.calls == ["awakeFromFetch"])
        }
    }

    @Test(
        "FET-173, FET-177, FET-178: wrong keys, missing values, relationships, wrong types: an error that names them, and no row")
    func mistakes() throws {
        let stack = try Shop.stack()
        func failure(_ values: [String: Any], _ entity: String = "Item") throws -> NSError? {
            try stack.run { context throws in
                let error = #expect(throws: NSError.self) {
                    try context.execute(Self.request([["name": "good"], ["name": "too"], values], entity))
                }
                return error
            }
        }
        #expect(try failure(["WRONG_KEY": 1])?.localizedDescription.contains("WRONG_KEY") == true)
        #expect(try failure(["count": NSNull()])?.code == NSValidationMissingMandatoryPropertyError)
        #expect(try failure([:], "Shelf")?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(try failure(["shelf": 1])?.localizedDescription.contains("relationship") == true)
        #expect(try failure(["note": "x"])?.localizedDescription.contains("transient") == true)
        #expect(try failure(["name": 12])?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(try failure(["name": "x"], "Nobody")?.localizedDescription.contains("Nobody") == true)
        #expect(try Self.names(stack).isEmpty && Self.names(stack, "Shelf").isEmpty)
    }

    @Test("FET-174: values that are not unique fail under the error policy, and nothing is inserted")
    func errorPolicy() throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            let twice = Self.request([["name": "a", "code": "1"], ["name": "b", "code": "1"]])
            #expect(#expect(throws: NSError.self) { try context.execute(twice) }?.code == NSManagedObjectConstraintMergeError)
            context.make("Item", ["name": "old", "code": "2"])
            try context.save()
            let again = Self.request([["name": "c", "code": "3"], ["name": "d", "code": "2"]])
            let error = #expect(throws: NSError.self) { try context.execute(again) }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("row 1 has the same unique values") && text.contains("(code = 2)") && !text.contains("key"))
        }
        #expect(try Self.names(stack) == ["old"])
    }

    @Test(
        "CTX-153, FET-175: the merge policy decides about rows with the unique values of others",
        arguments: [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType,
        ])
    func upsert(_ type: NSMergePolicyType) throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            context.mergePolicy = NSMergePolicy(merge: type)
            let old = context.make("Item", ["name": "old", "code": "1", "count": 40, "weight": 3])
            try context.save()
            let request = Self.request([
                ["name": "new", "code": "1", "weight": 4], ["name": "x", "code": "2"], ["name": "y", "code": "2"], ["name": "z"],
            ])
            request.resultType = .objectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            let isObjectTrump = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
            #expect(ids.first == old.objectID || !isObjectTrump)
            #expect(ids.count == (isObjectTrump ? 4 : 2))
            context.refresh(old, mergeChanges: false)
            let items = try context.all("Item")
            switch type {
            case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
                #expect(items.map { $0.text("name") } == ["new", "y", "z"])
                #expect(old.number("weight") == 4 && old.number("count") == 40, "R03: what was not given stays")
            default:
                #expect(items.map { $0.text("name") } == ["old", "x", "z"])
                #expect(old.number("weight") == 3 && old.number("count") == 40)
            }
        }
    }

    @Test("FET-176: handlers are called with something fresh until they return true, and that last one is not inserted")
    func handlers() throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            var index = 0
            let byDictionary = NSBatchInsertRequest(entityName: "Item") { (dictionary: NSMutableDictionary) in
                #expect(dictionary.count == 0)
                dictionary["name"] = "d\(index)"
                defer { index += 1 }
                return index == 700
            }
            byDictionary.resultType = .count
            #expect(try context.batch(byDictionary) as Int == 700 && index == 701)
            index = 0
            let byObject = NSBatchInsertRequest(entityName: "Book") { (object: NSManagedObject) in
                #expect(object.text("name") == nil && object.number("count") == 5 && object is Recorder)
                object.set("name", "o\(index)")
                object.set("tags", ["t"])
                #expect((object as? Recorder)?.calls == [])
                defer { index += 1 }
                return index == 3
            }
            byObject.resultType = .objectIDs
            let ids: [NSManagedObjectID] = try context.batch(byObject)
            #expect(ids.map { context.object(with: $0).text("name") } == ["o0", "o1", "o2"])
            #expect(context.object(with: ids[0]).value(forKey: "tags") as? [String] == ["t"])
            #expect(!context.hasChanges)
        }
        #expect(try Self.names(stack).count == 703)
    }

    @Test("FET-179: into the store asked for")
    func affectedStores() throws {
        let stack = try Shop.stack()
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("second.sqlite"))
        try stack.run { context throws in
            let request = Self.request([["name": "a"]])
            request.affectedStores = [second]
            request.resultType = .objectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            #expect(ids.first?.persistentStore === second)
            request.affectedStores = nil
            #expect((try context.batch(request) as [NSManagedObjectID]).first?.persistentStore === stack.store)
            request.affectedStores = []
            #expect(throws: NSError.self) { try context.execute(request) }
        }
    }

    @Test("FET-141, B08: contexts learn of it by a merge of the IDs")
    func merging() throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            let request = Self.request([["name": "a"], ["name": "b"], ["name": "c"]])
            request.resultType = .objectIDs
            let ids: [NSManagedObjectID] = try context.batch(request)
            let log = NotificationLog(context)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [context])
            let changes = log.takeChanges()
            #expect(changes.count == 1 && Set(changes[0].inserted.compactMap { $0.text("name") }) == ["a", "b", "c"])
            #expect(!context.hasChanges)
        }
    }

    @Test("A batch insert can be copied, and needs something to insert from")
    func copying() throws {
        let request = Self.request([["name": "a"]])
        request.resultType = .count
        let copy = try #require(request.copy() as? NSBatchInsertRequest)
        #expect(copy.entityName == "Item" && copy.objectsToInsert?.count == 1 && copy.resultType == .count)
        copy.objectsToInsert = nil
        try Shop.stack().run { context throws in
            #expect(throws: NSError.self) { try context.execute(copy) }
        }
    }
}
