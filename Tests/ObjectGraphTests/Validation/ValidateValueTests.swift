import DataModel
import Foundation
import GraphTestSupport
import Testing

@testable import ObjectGraph

/// An object that validates values itself.
class Checker: NSManagedObject {
    struct Refusal: Error, Equatable {
        let key: String
    }

    private(set) var checked: [String] = []
    var check: ((inout Any?, String) throws -> Void)?

    func takeChecked() -> [String] {
        defer { checked = [] }
        return checked
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        checked.append(key)
        try super.validateValue(&value, forKey: key)
        try check?(&value, key)
    }
}

/// Inherits the override and has none of its own.
final class QuietChecker: Checker {}

/// Has other overrides.
class Unchecked: NSManagedObject {
    override func validateForInsert() throws { try super.validateForInsert() }
    override func awakeFromInsert() { super.awakeFromInsert() }
}

/// Overrides it below a class that does not.
final class LateChecker: Unchecked {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if key == "name", value as? String == "late" { throw Checker.Refusal(key: key) }
        try super.validateValue(&value, forKey: key)
    }
}

class GenericChecker<Value>: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if value is Value { throw Checker.Refusal(key: key) }
    }
}

class GenericUnchecked<Value>: NSManagedObject {
    var values: [Value] = []
}

@Suite("Validation: validateValue")
struct ValidateValueTests {
    private static func stack(_ kind: StackKind = .inMemory, class className: String = "ObjectGraphTests.Checker") throws
        -> TestStack
    {
        var maker = ModelMaker()
        let name = ModelMaker.attribute("name", .string, isOptional: false)
        name.setLimits(ValidationLimits(minimum: "2"))
        let composite = NSCompositeAttributeDescription()
        composite.name = "place"
        composite.elements = [ModelMaker.attribute("x", .double), ModelMaker.attribute("y", .double)]
        maker.entity("Thing", class: className, [name, ModelMaker.attribute("age", .integer16), composite])
        maker.entity("Part", class: className, [ModelMaker.attribute("name", .string)])
        maker.relate("Thing", "parts", .many, "Part", "thing", .one)
        maker.relate("Thing", "main", .one.required, "Part", "owner", .one)
        return try TestStack(kind, maker.model())
    }

    private static func make(_ context: NSManagedObjectContext, _ values: [String: Any] = ["name": "ok"]) -> NSManagedObject {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.set("main", NSEntityDescription.insertNewObject(forEntityName: "Part", into: context))
        for (key, value) in values { thing.set(key, value) }
        return thing
    }

    @Test("OG-245: may be called at any time; says what is wrong with a value, whatever the object's value is")
    func explicit() throws {
        try Self.stack(class: "NSManagedObject").run { context throws in
            let thing = Self.make(context)
            func code(_ value: Any?, _ key: String) -> Int? {
                var value = value
                do { try thing.validateValue(&value, forKey: key) } catch { return (error as NSError).code }
                return nil
            }
            #expect(code("abc", "name") == nil && code("a" as NSString, "name") == NSValidationStringTooShortError)
            #expect(code(nil, "name") == 1570 && code(NSNull(), "name") == 1570 && code(nil, "age") == nil)
            #expect(code(5, "age") == nil && code(70000, "age") == NSValidationNumberTooLargeError)
            #expect(
                code("five", "age") == NSManagedObjectValidationError && code(Data(), "name") == NSManagedObjectValidationError)
            #expect(
                code(nil, "main") == 1570 && code(thing, "main") == NSManagedObjectValidationError
                    && code(thing.one("main"), "main") == nil)
            #expect(code(NSSet(), "parts") == nil && code(NSSet(object: thing), "parts") == NSManagedObjectValidationError)
            #expect(code([thing.one("main")!], "parts") == nil && code(5, "parts") == NSManagedObjectValidationError)
            #expect(code(["x": 1.0], "place") == nil && code("x", "place") == NSManagedObjectValidationError)
            #expect(code(["x": "one"], "place") == NSManagedObjectValidationError)
            #expect(code(5, "nothing") == nil)
            #expect(thing.text("name") == "ok", "nothing was set")
        }
    }

    @Test(
        "OG-220, OG-225: an override is reached for every property, the model's rules apply as well",
        arguments: StackKind.allCases)
    func everyProperty(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let thing = try #require(Self.make(context) as? Checker)
            try context.save()
            #expect(Set(thing.takeChecked()) == ["name", "age", "place", "parts", "main"])
            thing.set("age", 3)
            try context.save()
            #expect(Set(thing.takeChecked()).isSuperset(of: ["name", "age", "place", "main"]))
            context.refresh(thing, mergeChanges: false)
            thing.set("age", 4)
            try context.save()
            let checked = thing.takeChecked()
            #expect(!checked.contains("parts") && thing.hasFault(forRelationshipNamed: "parts"), "not loaded for it")
            thing.check = { _, key in if key == "age" { throw Checker.Refusal(key: key) } }
            thing.set("name", "x")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationMultipleErrorsError)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            #expect(details.contains { $0.domain.hasSuffix("Checker.Refusal") })
            #expect(details.contains { $0.code == NSValidationStringTooShortError })
        }
    }

    @Test("OG-226: a single error of an override keeps its type")
    func ownError() throws {
        try Self.stack().run { context throws in
            let thing = try #require(Self.make(context) as? Checker)
            thing.check = { _, key in if key == "name" { throw Checker.Refusal(key: key) } }
            #expect(throws: Checker.Refusal(key: "name")) { try context.save() }
            thing.check = nil
            try context.save()
        }
    }

    @Test(
        "OG-241: a value that an override replaces is set and saved, and everything is validated again",
        arguments: StackKind.allCases)
    func replacement(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let thing = try #require(Self.make(context, ["name": "  ok  "]) as? Checker)
            thing.check = { value, key in
                if key == "name", let text = value as? String { value = text.trimmingCharacters(in: .whitespaces) }
                if key == "age", value == nil { value = 7 }
            }
            try context.save()
            #expect(thing.text("name") == "ok" && thing.number("age") == 7 && !context.hasChanges)
            #expect(thing.takeChecked().filter { $0 == "name" }.count == 2)
            thing.set("name", " x ")
            thing.check = { value, key in if key == "name" { value = (value as? String)?.trimmingCharacters(in: .whitespaces) } }
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationStringTooShortError, "the replacement is not valid")
            thing.check = { value, key in if key == "age" { value = ((value as? NSNumber)?.intValue ?? 0) + 1 } }
            thing.set("name", "fine")
            let endless = #expect(throws: NSError.self) { try context.save() }
            #expect(
                endless?.code == NSManagedObjectValidationError && endless?.localizedDescription.contains("each call") == true)
            thing.check = nil
            thing.set("age", 1)
            try context.save()
        }
        #expect(
            try stack.fresh { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).map { $0.text("name") } } == [
                "fine"
            ])
    }

    @Test("classes are told apart exactly: inherited overrides count, other overrides don't")
    func detection() throws {
        func isFound(_ objectClass: NSManagedObject.Type) -> Bool { OverriddenValidation.isOverridden(by: objectClass) }
        #expect(isFound(Checker.self) && isFound(QuietChecker.self) && isFound(LateChecker.self))
        #expect(isFound(GenericChecker<Int>.self) && isFound(GenericChecker<String>.self))
        #expect(!isFound(NSManagedObject.self))
        #expect(OverriddenValidation.isKnown)
        #expect(
            !isFound(Unchecked.self) && !isFound(Recorder.self) && !isFound(Pet.self) && !isFound(GenericUnchecked<Int>.self))
    }

    @Test("overrides in subclasses of entities' classes are reached")
    func late() throws {
        try Self.stack(class: "ObjectGraphTests.LateChecker").run { context throws in
            let thing = Self.make(context, ["name": "late"])
            #expect(throws: Checker.Refusal(key: "name")) { try context.save() }
            thing.set("name", "early")
            try context.save()
        }
    }
}
