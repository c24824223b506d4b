import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

/// Rules made in code, and those that come with the types.
@Suite("Validation: rules")
struct RuleTests {
    private static func stack(
        _ kind: StackKind = .inMemory, class className: String = "GraphTestSupport.Recorder",
        _ change: (NSEntityDescription) -> Void = { _ in }
    ) throws -> TestStack {
        var maker = ModelMaker()
        let entity = maker.entity(
            "Thing", class: className,
            [
                ModelMaker.attribute("name", .string), ModelMaker.attribute("small", .integer16),
                ModelMaker.attribute("middle", .integer32),
                ModelMaker.attribute("big", .integer64), ModelMaker.attribute("when", .date), ModelMaker.attribute("page", .uri),
                ModelMaker.attribute("note", .string, isTransient: true), ModelMaker.attribute("score", .double),
            ])
        maker.entity("Part", [ModelMaker.attribute("name", .string)])
        maker.relate("Thing", "parts", .many, "Part", "thing", .one)
        maker.point("Thing", "main", .one, "Part")
        change(entity)
        return try TestStack(kind, maker.model())
    }

    private static func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test(
        "OG-224, OG-234, OG-235: a predicate made in code fails with 1550, its text, itself and the value",
        arguments: StackKind.allCases)
    func predicates(_ kind: StackKind) throws {
        let predicate = NSPredicate { value, _ in (value as? String)?.hasPrefix("A") == true }
        let other = NSPredicate { value, _ in ((value as? NSNumber)?.doubleValue ?? -1) >= 0 }
        let stack = try Self.stack(kind) { entity in
            entity.attributesByName["name"]?.setValidationPredicates([predicate], withValidationWarnings: ["Names begin with A"])
            entity.attributesByName["score"]?.setValidationPredicates(
                [other, NSPredicate(value: true)], withValidationWarnings: nil)
        }
        try stack.run { context throws in
            let thing = context.make("Thing", ["name": "Ada", "score": 0])
            try context.save()
            thing.set("name", "Bob")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectValidationError)
            #expect(error?.localizedDescription == "Names begin with A")
            #expect(error?.userInfo[NSValidationPredicateErrorKey] as? NSPredicate === predicate)
            #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "Bob")
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
            thing.set("score", -1)
            #expect(Self.code { try context.save() } == NSValidationMultipleErrorsError)
            thing.set("name", "Al")
            let second = #expect(throws: NSError.self) { try context.save() }
            #expect(second?.code == NSManagedObjectValidationError && second?.localizedDescription.contains("score") == true)
        }
    }

    @Test("OG-230: nil in an optional attribute satisfies all; in a required one it is only missing")
    func nilValues() throws {
        let never = NSPredicate(value: false)
        let stack = try Self.stack { entity in
            for name in ["name", "score"] {
                entity.attributesByName[name]?.setValidationPredicates([never], withValidationWarnings: ["never"])
            }
            entity.attributesByName["score"]?.isOptional = false
        }
        try stack.run { context throws in
            context.make("Thing")
            #expect(Self.code { try context.save() } == NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test("OG-234: a warning that is a number is the code")
    func codes() throws {
        let never = NSPredicate(value: false)
        let stack = try Self.stack { entity in
            entity.attributesByName["name"]?.setValidationPredicates(
                [never], warnings: [NSNumber(value: NSValidationStringTooLongError)])
            entity.attributesByName["small"]?.setValidationPredicates([never], warnings: [NSValidationNumberTooLargeError])
        }
        try stack.run { context throws in
            let thing = context.make("Thing", ["name": "x"])
            #expect(Self.code { try context.save() } == NSValidationStringTooLongError)
            thing.set("name", nil)
            thing.set("small", 1)
            #expect(Self.code { try context.save() } == NSValidationNumberTooLargeError)
        }
    }

    @Test("predicates of relationships see the destination, or the set of destinations")
    func relationshipPredicates() throws {
        let stack = try Self.stack { entity in
            entity.relationshipsByName["main"]?.setValidationPredicates(
                [NSPredicate { value, _ in (value as? NSManagedObject)?.text("name") == "good" }],
                withValidationWarnings: ["bad part"])
            entity.relationshipsByName["parts"]?.setValidationPredicates(
                [NSPredicate { value, _ in (value as? NSSet).map { $0.count != 1 } ?? false }], withValidationWarnings: ["lonely"]
            )
        }
        try stack.run { context throws in
            let (good, bad) = (context.make("Part", ["name": "good"]), context.make("Part", ["name": "bad"]))
            let thing = context.make("Thing", ["main": good])
            try context.save()
            thing.set("main", bad)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(
                error?.localizedDescription == "bad part"
                    && error?.userInfo[NSValidationValueErrorKey] as? NSManagedObject === bad)
            thing.set("main", nil)
            try context.save()
            thing.add(good, to: "parts")
            #expect(#expect(throws: NSError.self) { try context.save() }?.localizedDescription == "lonely")
            thing.add(bad, to: "parts")
            try context.save()
        }
    }

    @Test("OG-248: a value that is too wide for its integer is an error, not another value", arguments: StackKind.allCases)
    func width(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let thing = context.make("Thing", ["small": 70000])
            #expect(thing.number("small") == 70000, "not cut off")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(
                error?.code == NSValidationNumberTooLargeError && error?.userInfo[NSValidationKeyErrorKey] as? String == "small")
            #expect((error?.userInfo[NSValidationValueErrorKey] as? NSNumber)?.intValue == 70000)
            thing.set("small", Int(Int16.min) - 1)
            #expect(Self.code { try context.save() } == NSValidationNumberTooSmallError)
            thing.set("small", Int16.min)
            thing.set("middle", Int(Int32.max) + 1)
            #expect(Self.code { try context.save() } == NSValidationNumberTooLargeError)
            thing.set("middle", Int32.max)
            thing.set("big", Int.min)
            try context.save()
            #expect(thing.number("small") == Int(Int16.min) && thing.number("middle") == Int(Int32.max))
        }
    }

    @Test("OG-232: an infinite date, and one that is not a number, are invalid")
    func dates() throws {
        try Self.stack().run { context throws in
            let thing = context.make("Thing")
            for interval in [Double.infinity, -.infinity, .nan] {
                thing.set("when", Date(timeIntervalSinceReferenceDate: interval))
                #expect(Self.code { try context.save() } == NSValidationInvalidDateError)
            }
            thing.set("when", Date.distantFuture)
            try context.save()
        }
    }

    @Test("R11: a URL needs no scheme, and is read back equal", arguments: StackKind.allCases)
    func urls(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let thing = context.make("Thing")
            for text in [
                "wikipedia.org", "page.html", "/etc/passwd", "//host/page", "?q=1", "#f", "a%20b", "https://müller.example/ä?ö",
                "https://example.com/a?b#c", "mailto:a@b.c", "file:///etc", "x-coredata://a/b/p1", "urn:isbn:1",
            ] {
                let url = try #require(URL(string: text))
                thing.set("page", url)
                try context.save()
                context.refresh(thing, mergeChanges: false)
                #expect(thing.value(forKey: "page") as? URL == url, "\(text)")
            }
            let relative = try #require(URL(string: "page", relativeTo: URL(string: "http://host/folder/")))
            thing.set("page", relative)
            try context.save()
            #expect(thing.value(forKey: "page") as? URL == URL(string: "http://host/folder/page"))
        }
    }

    @Test("OG-238: transient attributes have limits, too")
    func transient() throws {
        let stack = try Self.stack { entity in
            entity.attributesByName["note"]?.setLimits(ValidationLimits(maximum: "3"))
        }
        try stack.run { context throws in
            let thing = context.make("Thing", ["note": "long"])
            #expect(Self.code { try context.save() } == NSValidationStringTooLongError)
            thing.set("note", "abc")
            try context.save()
        }
    }

    @Test("a float limit admits the float of that value; a fraction as limit of an integer counts")
    func precision() throws {
        let float = ModelMaker.attribute("ratio", .float)
        float.setLimits(ValidationLimits(minimum: "0.1", maximum: "0.7"))
        let integer = ModelMaker.attribute("level", .integer32)
        integer.setLimits(ValidationLimits(minimum: "1.5", maximum: "99999999999999999999"))
        let stack = try Self.stack { $0.properties += [float, integer] }
        try stack.run { context throws in
            let thing = context.make("Thing", ["ratio": Float(0.1), "level": 2])
            try context.save()
            thing.set("ratio", Float(0.7))
            try context.save()
            thing.set("ratio", Float(0.7).nextUp)
            #expect(Self.code { try context.save() } == NSValidationNumberTooLargeError)
            thing.set("ratio", nil)
            thing.set("level", 1)
            #expect(Self.code { try context.save() } == NSValidationNumberTooSmallError)
        }
    }

    @Test("a regular expression that is none is an error that says so, and no value passes it")
    func badPattern() throws {
        for pattern in ["[a", "a)(b", "*"] {
            let stack = try Self.stack { $0.attributesByName["name"]?.setLimits(ValidationLimits(regularExpression: pattern)) }
            try stack.run { context throws in
                let thing = context.make("Thing", ["name": "a"])
                let error = #expect(throws: NSError.self) { try context.save() }
                #expect(
                    error?.code == NSValidationStringPatternMatchingError && error?.localizedDescription.contains(pattern) == true
                )
                thing.set("name", nil)
                try context.save()
            }
        }
    }

    @Test("OG-236: a pattern must match the whole text, whichever of its branches does")
    func wholeMatch() throws {
        let stack = try Self.stack { $0.attributesByName["name"]?.setLimits(ValidationLimits(regularExpression: "a|ab|é+")) }
        try stack.run { context throws in
            let thing = context.make("Thing")
            for (text, isValid) in [
                ("a", true), ("ab", true), ("abc", false), ("xa", false), ("a\n", false), ("éé", true), ("", false),
            ] {
                thing.set("name", text)
                #expect((Self.code { try context.save() } == nil) == isValid, "\(text)")
                context.rollback()
                if thing.managedObjectContext == nil { return }
            }
        }
    }

    @Test("OG-229: an optional to-many with a minimum may be empty; 0 as maximum means no limit")
    func optionalCounts() throws {
        let stack = try Self.stack {
            $0.relationshipsByName["parts"]?.minCount = 2
            $0.relationshipsByName["parts"]?.maxCount = 3
        }
        try stack.run { context throws in
            let thing = context.make("Thing")
            try context.save()
            let codes = [nil, 1580, nil, nil, 1590]
            for (count, code) in codes.enumerated() {
                let parts = (0..<count).map { context.make("Part", ["name": "\($0)"]) }
                thing.set("parts", NSSet(array: parts))
                #expect(Self.code { try context.save() } == code, "\(count)")
            }
        }
    }

    @Test("required elements of a composite: if the composite is there, they must be", arguments: [true, false])
    func composites(_ isOptional: Bool) throws {
        let inner = NSCompositeAttributeDescription()
        inner.name = "geo"
        inner.isOptional = false
        inner.elements = [ModelMaker.attribute("lat", .double, isOptional: false), ModelMaker.attribute("label", .string)]
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = isOptional
        let street = ModelMaker.attribute("street", .string, isOptional: false)
        street.setLimits(ValidationLimits(maximum: "5"))
        address.elements = [street, ModelMaker.attribute("city", .string), inner]
        let stack = try Self.stack { $0.properties.append(address) }
        try stack.run { context throws in
            let thing = context.make("Thing")
            func keys() -> [String] {
                do { try context.save() } catch {
                    let error = error as NSError
                    let all = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
                    return all.map { "\($0.userInfo[NSValidationKeyErrorKey] ?? "") \($0.code)" }.sorted()
                }
                return []
            }
            #expect(keys() == (isOptional ? [] : ["address.geo.lat 1570", "address.street 1570"]))
            thing.set("address", ["city": "Kyoto"])
            #expect(keys() == ["address.geo.lat 1570", "address.street 1570"])
            thing.set("address", ["street": "too long", "geo": ["lat": 1.5]])
            #expect(keys() == ["address.street 1660"])
            thing.set("address", ["street": "ok", "geo": ["lat": 1.5]])
            #expect(keys() == [])
            var value: Any? = ["street": "too long"]
            let error = #expect(throws: NSError.self) { try thing.validateValue(&value, forKey: "address") }
            #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
            value = nil
            #expect((Self.code { try thing.validateValue(&value, forKey: "address") } == nil) == isOptional)
        }
    }

    @Test("a required composite whose elements are all optional must have one of them")
    func emptyComposite() throws {
        let composite = NSCompositeAttributeDescription()
        composite.name = "extra"
        composite.isOptional = false
        composite.elements = [ModelMaker.attribute("a", .string), ModelMaker.attribute("b", .string)]
        let stack = try Self.stack { $0.properties.append(composite) }
        try stack.run { context throws in
            let thing = context.make("Thing")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == 1570 && error?.userInfo[NSValidationKeyErrorKey] as? String == "extra")
            thing.set("extra", ["b": "x"])
            try context.save()
        }
    }

    @Test("OG-239, STO-177: a required derived attribute without value fails")
    func derived() throws {
        let derived = NSDerivedAttributeDescription()
        derived.name = "upper"
        derived.type = .string
        derived.isOptional = false
        let stack = try Self.stack { $0.properties.append(derived) }
        try stack.run { context throws in
            context.make("Thing", ["name": "x"])
            #expect(Self.code { try context.save() } == NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test("OG-247: a child context validates its own save")
    func child() throws {
        let stack = try Self.stack { $0.attributesByName["name"]?.setLimits(ValidationLimits(maximum: "3")) }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.run { child throws in
            child.make("Thing", ["name": "long"])
            #expect(Self.code { try child.save() } == NSValidationStringTooLongError)
        }
        try stack.run { context throws in #expect(context.insertedObjects.isEmpty) }
    }
}
