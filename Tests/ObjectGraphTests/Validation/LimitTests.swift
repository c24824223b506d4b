import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// Limits of a real model: entity ValidationTest of the Core Data Editor's example.
@Suite("Validation: limits of a model file", .enabled(if: Fixtures.isAvailable))
struct LimitTests {
    private static func stack() throws -> TestStack {
        let url = Fixtures.models.appendingPathComponent("core-data-editor/iOS_Example.xcdatamodel")
        return try TestStack(.sqlite, try NSManagedObjectModel(readingModelAt: url))
    }

    private static var valid: [String: Any] {
        [
            "binaryDataAttribute": Data([1]), "birthday": Date(), "booleanAttribute": true,
            "dateAttribute": Date(timeIntervalSinceReferenceDate: 407_847_600),
            "decimalAttribute": NSDecimalNumber(string: "99.99"),
            "doubleAttribute": 1000.0, "email": "a@b.c", "floatAttribute": Float(0), "integer16Attribute": 10,
            "integer32Attribute": 10000, "integer64Attribute": 45, "transformableAttribute": "text" as NSString,
        ]
    }

    private static func make(_ context: NSManagedObjectContext, _ values: [String: Any?] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: "ValidationTest", into: context)
        for (key, value) in valid { object.setValue(value, forKey: key) }
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private struct Case: CustomTestStringConvertible {
        let key: String
        let value: any Sendable
        let code: Int
        let predicate: String

        var testDescription: String { "\(key) = \(value): \(code)" }
    }

    private static let cases = [
        Case(key: "integer16Attribute", value: 9, code: NSValidationNumberTooSmallError, predicate: "SELF >= 10"),
        Case(key: "integer16Attribute", value: 1001, code: NSValidationNumberTooLargeError, predicate: "SELF <= 1000"),
        Case(key: "integer32Attribute", value: -5, code: NSValidationNumberTooSmallError, predicate: "SELF >= 10"),
        Case(key: "integer32Attribute", value: 10001, code: NSValidationNumberTooLargeError, predicate: "SELF <= 10000"),
        Case(key: "integer64Attribute", value: 44, code: NSValidationNumberTooSmallError, predicate: "SELF >= 45"),
        Case(key: "integer64Attribute", value: Int.max, code: NSValidationNumberTooLargeError, predicate: "SELF <= 12345"),
        Case(key: "doubleAttribute", value: -0.001, code: NSValidationNumberTooSmallError, predicate: "SELF >= 0"),
        Case(key: "doubleAttribute", value: 1000.000001, code: NSValidationNumberTooLargeError, predicate: "SELF <= 1000"),
        Case(key: "floatAttribute", value: Float(-1), code: NSValidationNumberTooSmallError, predicate: "SELF >= 0"),
        Case(key: "floatAttribute", value: Float(10001), code: NSValidationNumberTooLargeError, predicate: "SELF <= 10000"),
        Case(key: "decimalAttribute", value: Decimal(-1), code: NSValidationNumberTooSmallError, predicate: "SELF >= 0"),
        Case(
            key: "decimalAttribute", value: Decimal(string: "100.0000001") ?? 0, code: NSValidationNumberTooLargeError,
            predicate: "SELF <= 100"),
        Case(
            key: "dateAttribute", value: Date(timeIntervalSinceReferenceDate: 407_847_599), code: NSValidationDateTooSoonError,
            predicate: "timeIntervalSinceReferenceDate >= 407847600.0"),
        Case(
            key: "dateAttribute", value: Date(timeIntervalSinceReferenceDate: 439_470_000.5), code: NSValidationDateTooLateError,
            predicate: "timeIntervalSinceReferenceDate <= 439470000.0"),
        Case(key: "email", value: "a@b", code: NSValidationStringPatternMatchingError, predicate: "SELF MATCHES"),
        Case(
            key: "email", value: "a@b.c" + String(repeating: "d", count: 1000), code: NSValidationStringTooLongError,
            predicate: "length <= 1000"),
    ]

    @Test("OG-231, OG-232, OG-233, OG-236: each limit has its code, and the error says where", arguments: cases)
    private func limits(_ item: Case) throws {
        try Self.stack().run { context throws in
            let object = Self.make(context)
            try context.save()
            object.setValue(item.value, forKey: item.key)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == item.code, "\(String(describing: error))")
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == item.key)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === object)
            #expect((error?.userInfo[NSValidationValueErrorKey] as? NSObject)?.isEqual(object.value(forKey: item.key)) == true)
            let predicate = error?.userInfo[NSValidationPredicateErrorKey] as? LimitPredicate
            #expect(predicate?.text.hasPrefix(item.predicate) == true, "\(predicate?.text ?? "nil")")
            #expect(error?.localizedDescription.contains("“\(item.key)” of “ValidationTest”") == true)
            var value = object.value(forKey: item.key)
            let same = #expect(throws: NSError.self) { try object.validateValue(&value, forKey: item.key) }
            #expect(same?.code == item.code)
            object.setValue(Self.valid[item.key], forKey: item.key)
            try context.save()
        }
    }

    @Test("OG-222, OG-224: several failures, of one property and of many, in one error 1560; limits themselves are valid")
    func several() throws {
        try Self.stack().run { context throws in
            _ = Self.make(
                context,
                [
                    "integer16Attribute": 1000, "dateAttribute": Date(timeIntervalSinceReferenceDate: 439_470_000),
                    "decimalAttribute": 0, "doubleAttribute": 0, "integer64Attribute": 12345, "floatAttribute": Float(10000),
                ])
            try context.save()
            _ = Self.make(context, ["email": "x", "integer32Attribute": 1, "birthday": nil])
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationMultipleErrorsError)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            let found = details.map { "\($0.userInfo[NSValidationKeyErrorKey] ?? "") \($0.code)" }.sorted()
            #expect(found == ["birthday 1570", "email 1670", "email 1680", "integer32Attribute 1620"])
        }
    }

    @Test("OG-233: the length is counted in UTF-16 units, as NSString does")
    func length() throws {
        try Self.stack().run { context throws in
            let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
            pet.setValue("🐕", forKey: "name")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationStringTooShortError)
            pet.setValue("🐕!", forKey: "name")
            try context.save()
            pet.setValue("🐕🐕🐕🐕🐕", forKey: "name")
            try context.save()
            pet.setValue("🐕🐕🐕🐕🐕!", forKey: "name")
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
        }
    }

    @Test(
        "R04, OG-228 as amended: a required to-many without a minimum may be empty, whether it was read or not; with one it may not",
        arguments: StackKind.allCases)
    func requiredWithoutMinimum(_ kind: StackKind) throws {
        for (isOrdered, minimum, isOptional) in [false, true].flatMap({ o in
            [0, 1, 2].flatMap { m in [(o, m, false), (o, m, true)] }
        }) {
            var maker = ModelMaker()
            for entity in ["Album", "Photo"] { maker.entity(entity, [ModelMaker.attribute("name", .string)]) }
            maker.relate(
                "Album", "photos", ModelMaker.End(isMany: true, isOrdered: isOrdered, isOptional: isOptional), "Photo", "album",
                .one)
            let model = maker.model()
            model.entitiesByName["Album"]?.relationshipsByName["photos"]?.minCount = minimum
            let stack = try TestStack(kind, model)
            try stack.run { context throws in
                for isRead in [false, true] {
                    let album = context.make("Album", ["name": "a"])
                    if isRead { _ = album.value(forKey: "photos") }
                    let isValid = isOptional || minimum == 0
                    func code() -> Int? {
                        do { try context.save() } catch { return (error as NSError).code }
                        return nil
                    }
                    #expect(
                        code() == (isValid ? nil : NSValidationRelationshipLacksMinimumCountError),
                        "\(minimum) \(isOptional) \(isRead)")
                    let photos = (0..<2).map { context.make("Photo", ["name": "\($0)", "album": album]) }
                    #expect(code() == nil)
                    context.delete(photos[0])
                    #expect(code() == (minimum < 2 ? nil : NSValidationRelationshipLacksMinimumCountError))
                    context.delete(photos[1])
                    #expect(code() == (isValid ? nil : NSValidationRelationshipLacksMinimumCountError))
                    if isRead { context.refreshAllObjects() }
                    context.rollback()
                    context.delete(album)
                    #expect(code() == nil)
                }
            }
        }
    }

    @Test("OG-228, OG-229: the count of a required to-many relationship with limits of a real model")
    func counts() throws {
        try Self.stack().run { context throws in
            let object = NSEntityDescription.insertNewObject(forEntityName: "ChildBOfAbstract", into: context)
            let repair = NSEntityDescription.insertNewObject(forEntityName: "UsedForAutoRepair", into: context)
            let other = NSEntityDescription.insertNewObject(forEntityName: "ChildAOfAbstract", into: context)
            object.set("autoRepairForB", repair)
            other.set("autoRepairForA", repair)
            func person() -> NSManagedObject { NSEntityDescription.insertNewObject(forEntityName: "Person", into: context) }
            func code() -> Int? {
                do { try context.save() } catch { return (error as NSError).code }
                return nil
            }
            #expect(code() == NSValidationRelationshipLacksMinimumCountError)
            let people = (0..<11).map { _ in person() }
            object.set("persons", NSOrderedSet(array: Array(people.prefix(2))))
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationRelationshipLacksMinimumCountError)
            #expect((error?.userInfo[NSValidationValueErrorKey] as? NSOrderedSet)?.count == 2)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "persons")
            object.set("persons", NSOrderedSet(array: people))
            #expect(code() == NSValidationRelationshipExceedsMaximumCountError)
            object.set("persons", NSOrderedSet(array: Array(people.prefix(10))))
            #expect(code() == nil)
            // Through the inverse, the set itself not loaded.
            context.refreshAllObjects()
            people[10].set("childB", object)
            #expect(code() == NSValidationRelationshipExceedsMaximumCountError)
            people[0].set("childB", nil)
            #expect(code() == nil)
            for person in people.dropFirst(3) { context.delete(person) }
            #expect(code() == NSValidationRelationshipLacksMinimumCountError)
        }
    }

    @Test("the limits of a file are predicates with codes, as Apple's compiler makes them")
    func predicates() throws {
        let model = try Self.stack().model
        let attribute = try #require(model.entitiesByName["ValidationTest"]?.attributesByName["email"])
        #expect(
            attribute.validationPredicates.compactMap { ($0 as? LimitPredicate)?.text } == [
                "length >= 3", "length <= 1000", #"SELF MATCHES "\\A[^@]+@([^@\\.]+\\.)+[^@\\.]+\\z""#,
            ])
        #expect(attribute.validationWarnings.compactMap { ($0 as? NSNumber)?.intValue } == [1670, 1660, 1680])
        let copy = try #require(attribute.copy() as? NSAttributeDescription)
        #expect(copy.validationPredicates == attribute.validationPredicates)
        copy.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(copy.validationPredicates.isEmpty && attribute.validationPredicates.count == 3)
    }
}
