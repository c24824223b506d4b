import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Key-value coding and primitives")
struct KeyValueCodingTests {
    @Test("A key path over a to-many relationship gives the set of the members' decimals", arguments: StackKind.allCases)
    func decimalsOfMembers(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Team", [ModelMaker.attribute("name", .string)])
        maker.entity("Person", [ModelMaker.attribute("name", .string), ModelMaker.attribute("pay", .decimal)])
        maker.relate("Person", "team", .one, "Team", "members", .many)
        try TestStack(kind, maker.model()).run { context throws in
            let team = context.make("Team", ["name": "a"])
            for pay in ["1.5", "1.5", "2"] { context.make("Person", ["pay": Decimal(string: pay), "team": team]) }
            #expect(team.value(forKeyPath: "members.pay") as? Set<Decimal> == [Decimal(string: "1.5") ?? 0, 2])
            try context.save()
            context.refresh(team, mergeChanges: false)
            #expect((team.value(forKeyPath: "members.pay") as? Set<Decimal>)?.count == 2)
            #expect(team.value(forKeyPath: "members.@sum.pay") as? NSDecimalNumber == 5)
        }
    }

    @Test("OG-80: value(forKey:) reads every property and fires the fault", arguments: StackKind.allCases)
    func values(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let code = UUID()
        let id = try stack.run { context throws in
            let person = context.make(
                "Person",
                [
                    "name": "Ada", "age": 36, "score": 1.5, "small": Int16(-7), "big": Int64.max, "ratio": Float(0.25),
                    "price": Decimal(string: "10.11"), "flag": true, "born": Date(timeIntervalSinceReferenceDate: 12.5),
                    "photo": Data([1, 2, 3]), "code": code, "page": URL(string: "https://example.org/x?y=1"), "tags": ["a", "b"],
                    "mood": 3, "nick": "Countess",
                ])
            #expect(person.value(forKey: "nick") as? String == "Countess" && person.number("mood") == 3)
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let person = context.object(with: id)
            #expect(person.value(forKey: "name") as? String == "Ada")
            #expect(!person.isFault)
            #expect(person.value(forKey: "age") as? NSNumber == 36)
            #expect(person.value(forKey: "score") as? Double == 1.5)
            #expect(person.value(forKey: "small") as? Int16 == -7)
            #expect(person.value(forKey: "big") as? Int64 == .max)
            #expect(person.value(forKey: "ratio") as? Float == 0.25)
            #expect((person.value(forKey: "price") as? NSDecimalNumber)?.decimalValue == Decimal(string: "10.11"))
            #expect(person.value(forKey: "flag") as? Bool == true)
            #expect(person.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
            #expect(person.value(forKey: "photo") as? Data == Data([1, 2, 3]))
            #expect(person.value(forKey: "code") as? UUID == code)
            #expect(person.value(forKey: "page") as? URL == URL(string: "https://example.org/x?y=1"))
            #expect(person.value(forKey: "tags") as? [String] == ["a", "b"])
        }
    }

    @Test("OG-80: key paths, several values at once")
    func paths() throws {
        try TestStack.people().run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let ada = context.make("Person", ["name": "Ada", "team": team])
            _ = context.make("Person", ["name": "Bob", "team": team])
            #expect(ada.value(forKeyPath: "team.name") as? String == "Blue")
            #expect(team.value(forKeyPath: "members.name") as? Set<String> == ["Ada", "Bob"])
            #expect(ada.value(forKeyPath: "boss.name") == nil)
            ada.setValue("Red", forKeyPath: "team.name")
            #expect(team.text("name") == "Red")
            ada.setValuesForKeys(["age": 36, "score": NSNull()])
            #expect(ada.number("age") == 36)
            let values = ada.dictionaryWithValues(forKeys: ["name", "score", "age"])
            #expect(values["name"] as? String == "Ada" && values["score"] is NSNull && values["age"] as? Int == 36)
        }
    }

    @Test("OG-80: an unknown key stops the program, naming entity and key")
    func unknownKey() async {
        let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in _ = context.make("Person").value(forKey: "nonsense") }
        }
        #expect(reading.message.contains("“Person”") && reading.message.contains("“nonsense”"), "\(reading.message)")
        let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue(1, forKey: "nonsense") }
        }
        #expect(writing.message.contains("“nonsense”"), "\(writing.message)")
        let primitive = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setPrimitiveValue(1, forKey: "nonsense") }
        }
        #expect(primitive.message.contains("“nonsense”"), "\(primitive.message)")
    }

    @Test("OG-80: a class can answer for unknown keys")
    func undefinedKeys() throws {
        var maker = ModelMaker()
        maker.entity("Open", class: "ObjectGraphTests.OpenObject", [ModelMaker.attribute("name", .string)])
        try TestStack(.inMemory, maker.model()).run { context throws in
            let object = context.make("Open", ["name": "x", "extra": 5])
            #expect(object.number("extra") == 5)
            #expect(object.text("name") == "x")
        }
    }

    @Test("OG-81: a value of the wrong class stops the program at once, with property, wanted and given type")
    func wrongType() async {
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue(5, forKey: "name") }
        }
        #expect(text.message.contains("Unacceptable type of value for attribute: property = \"name\""), "\(text.message)")
        #expect(text.message.contains("desired type = String; given type = Int; value = 5"), "\(text.message)")
        let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue("old", forKey: "age") }
        }
        #expect(number.message.contains("property = \"age\"") && number.message.contains("NSNumber"), "\(number.message)")
        let date = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue("today", forKey: "born") }
        }
        #expect(date.message.contains("property = \"born\"") && date.message.contains("Date"), "\(date.message)")
    }

    @Test(
        "B29: a set for an ordered relationship, or an ordered set for an unordered one, stops the program: entity, property, wanted and given type",
        arguments: [false, true])
    func wrongCollection(isPrimitive: Bool) async {
        func parts(_ message: String, _ relationship: String, _ wanted: String, _ given: String) -> Bool {
            message.contains("value for \(relationship) of entity") && message.contains("desired type = \(wanted);")
                && message.contains("given = \(given)")
        }
        let ordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isPrimitive] in
            try TestStack.people().run { context throws in
                let (person, set) = (context.make("Person"), NSSet(object: context.make("Task")))
                if isPrimitive { person.setPrimitiveValue(set, forKey: "tasks") } else { person.setValue(set, forKey: "tasks") }
            }
        }
        #expect(
            parts(ordered.message, "ordered to-many relationship: property = \"tasks\"", "NSOrderedSet", "NSSet"),
            "\(ordered.message)")
        let unordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isPrimitive] in
            try TestStack.people().run { context throws in
                let (team, set) = (context.make("Team"), NSOrderedSet(object: context.make("Person")))
                if isPrimitive { team.setPrimitiveValue(set, forKey: "members") } else { team.setValue(set, forKey: "members") }
            }
        }
        #expect(
            parts(unordered.message, "to-many relationship: property = \"members\"", "NSSet", "NSOrderedSet"),
            "\(unordered.message)")
        #expect(ordered.message.contains("entity \"Person\"") && unordered.message.contains("entity \"Team\""))
    }

    @Test("B29: the right kinds, mutable or not, and Swift's sets and arrays are taken")
    func rightCollection() throws {
        try TestStack.people().run { context throws in
            let (a, b) = (context.make("Task"), context.make("Task"))
            let person = context.make("Person")
            for value in [NSOrderedSet(array: [b, a]), NSMutableOrderedSet(array: [b, a]), [b, a]] as [Any] {
                person.setValue(nil, forKey: "tasks")
                person.setValue(value, forKey: "tasks")
                #expect(person.value(forKey: "tasks") as? NSOrderedSet == NSOrderedSet(array: [b, a]))
            }
            let team = context.make("Team")
            for value in [NSSet(object: person), NSMutableSet(object: person), Set([person]), [person]] as [Any] {
                team.setValue(nil, forKey: "members")
                team.setValue(value, forKey: "members")
                #expect(team.value(forKey: "members") as? NSSet == NSSet(object: person))
            }
        }
    }

    @Test("OG-82: a primitive of the wrong class stops the program as well, and not only at the save")
    func wrongPrimitive() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context in context.make("Person").setPrimitiveValue(5, forKey: "name") }
        }
        #expect(result.message.contains("property = \"name\""), "\(result.message)")
    }

    @Test("OG-83: a destination of the wrong entity stops the program; a subentity's object is right")
    func wrongEntity() async throws {
        let one = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue(context.make("Desk"), forKey: "team") }
        }
        #expect(one.message.contains("Unacceptable type of value for to-one relationship: property = \"team\""), "\(one.message)")
        #expect(one.message.contains("desired entity = \"Team\""), "\(one.message)")
        let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                context.make("Team").setValue(NSSet(object: context.make("Desk")), forKey: "members")
            }
        }
        #expect(
            many.message.contains("Unacceptable type of value for to-many relationship: property = \"members\""),
            "\(many.message)")
        let parent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in
                context.make("Desk").setValue(context.make("Person"), forKey: "manager")
            }
        }
        #expect(parent.message.contains("desired entity = \"Manager\""), "\(parent.message)")
        let noObject = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStack.people().run { context throws in context.make("Person").setValue("Blue", forKey: "team") }
        }
        #expect(noObject.message.contains("property = \"team\""), "\(noObject.message)")
        try TestStack.people().run { context throws in
            let team = context.make("Team", ["members": NSSet(object: context.make("Manager"))])
            #expect(team.many("members").count == 1)
        }
    }

    @Test("OG-84, OG-85: a relationship between objects of two contexts, or with one without context, stops the program")
    func otherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            try stack.run { context throws in
                try stack.fresh { other throws in context.make("Person").setValue(other.make("Team"), forKey: "team") }
            }
        }
        #expect(
            result.message.contains("Illegal attempt to establish a relationship 'team' between objects in different contexts"))
        #expect(
            result.message.contains("The destination was never saved") && result.message.contains("save its context first"),
            "R84: advice that can be followed")
        let detached = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            try stack.run { context throws in
                guard let entity = stack.model.entitiesByName["Team"] else { exit(0) }
                context.make("Person").setValue(Recorder(entity: entity, insertInto: nil), forKey: "team")
            }
        }
        #expect(detached.message.contains("different contexts"), "\(detached.message)")
        #expect(
            detached.message.contains("The destination has no context: insert it into the source's context first."),
            "\(detached.message)")
        let saved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack.people()
            try stack.run { context throws in
                try stack.fresh { other throws in
                    let team = other.make("Team")
                    try other.save()
                    context.make("Person").setValue(team, forKey: "team")
                }
            }
        }
        #expect(
            saved.message.contains("Use object(with:) of the source's context to get the destination there."), "\(saved.message)")
    }

    @Test("OG-87: nil and NSNull take a value away", arguments: StackKind.allCases)
    func nilValues(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada", "score": 1.0])
            person.set("age", nil)
            person.set("name", NSNull())
            #expect(person.value(forKey: "age") == nil && person.value(forKey: "name") == nil)
            try context.save()
        }
        try stack.fresh { context throws in
            let person = try #require(try context.all("Person").first)
            #expect(
                person.value(forKey: "age") == nil && person.value(forKey: "name") == nil
                    && person.value(forKey: "score") as? Double == 1)
        }
    }

    @Test("OG-88: a to-many is read as NSSet, an ordered one as NSOrderedSet; the value is a snapshot")
    func collections() throws {
        try TestStack.people().run { context throws in
            let team = context.make("Team")
            let ada = context.make("Person", ["name": "Ada", "team": team])
            let members = try #require(team.value(forKey: "members") as? NSSet)
            #expect(members.count == 1 && members.contains(ada))
            #expect(ada.value(forKey: "tasks") is NSOrderedSet)
            _ = context.make("Person", ["team": team])
            #expect(team.many("members").count == 2)
            for value: Any in [[ada], [ada] as Set, NSSet(object: ada), NSArray(object: ada)] {
                team.set("members", nil)
                #expect(team.many("members").isEmpty)
                team.set("members", value)
                #expect(team.many("members") == [ada])
            }
        }
    }

    @Test("OG-91: accessors written by hand are tracked as the dynamic ones", arguments: StackKind.allCases)
    func handWrittenAccessors(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let red = context.make("Team", ["name": "Red"])
            let blue = context.make("Team", ["name": "Blue"])
            let ada = context.make("Person", ["name": "Ada", "team": red])
            try context.save()
            let log = NotificationLog(context)
            ada.willChangeValue(forKey: "name")
            ada.setPrimitiveValue("Countess", forKey: "name")
            ada.didChangeValue(forKey: "name")
            #expect(ada.isUpdated && ada.changedValues()["name"] as? String == "Countess")
            ada.willChangeValue(forKey: "team")
            ada.setPrimitiveValue(blue, forKey: "team")
            ada.didChangeValue(forKey: "team")
            #expect(blue.many("members") == [ada] && red.many("members").isEmpty)
            context.processPendingChanges()
            #expect(log.takeChanges().map(\.updated) == [[ada, red, blue]])
            red.willChangeValue(forKey: "members")
            red.setPrimitiveValue(NSSet(object: ada), forKey: "members")
            red.didChangeValue(forKey: "members")
            #expect(ada.one("team") === red && blue.many("members").isEmpty)
            ada.willAccessValue(forKey: "name")
            #expect(ada.primitiveValue(forKey: "name") as? String == "Countess")
            ada.didAccessValue(forKey: "name")
            try context.save()
        }
        try stack.fresh { context throws in
            let ada = try context.named("Countess", "Person")
            #expect(ada.one("team")?.text("name") == "Red")
            #expect(try context.named("Blue", "Team").many("members").isEmpty)
        }
    }

    @Test(
        "OG-92, NTF-63: setPrimitiveValue alone tracks nothing; with another change its value is saved",
        arguments: StackKind.allCases)
    func primitiveSetter(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada", "age": 1])
            try context.save()
            let log = NotificationLog(context)
            person.setPrimitiveValue("Bob", forKey: "name")
            #expect(person.text("name") == "Bob")
            #expect(person.changedValues().isEmpty)
            #expect(!person.isUpdated && !person.hasChanges && !context.hasChanges)
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            try context.save()
            #expect(try stack.savedNames("Person") == ["Ada"])
            person.set("age", 2)
            #expect(person.changedValues().keys.sorted() == ["age", "name"])
            try context.save()
            #expect(person.changedValues().isEmpty)
        }
        #expect(try stack.savedNames("Person") == ["Bob"])
    }

    @Test("OG-93: primitive relationship setters leave the inverse alone")
    func primitiveRelationship() throws {
        let stack = try TestStack.people()
        try stack.context.performAndWait {
            let context = stack.context
            let team = context.make("Team")
            let person = context.make("Person")
            try context.save()
            person.setPrimitiveValue(team, forKey: "team")
            #expect(person.one("team") === team)
            #expect(team.many("members").isEmpty)
            #expect(!context.hasChanges)
        }
    }

    @Test("OG-95: a mutable value that is changed in place is not detected")
    func mutatedInPlace() throws {
        try TestStack.people().run { context throws in
            let person = context.make("Person", ["tags": NSMutableArray(array: ["a"])])
            try context.save()
            (person.value(forKey: "tags") as? NSMutableArray)?.add("b")
            #expect(!context.hasChanges && !person.hasChanges)
            person.set("tags", NSArray(array: ["c"]))
            #expect(person.hasPersistentChangedValues)
        }
    }

    @Test("OG-97, NTF-64: transient attributes are tracked and not saved", arguments: StackKind.allCases)
    func transients(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            let log = NotificationLog(context)
            person.set("mood", 3)
            person.set("nick", "Countess")
            #expect(person.number("mood") == 3)
            #expect(person.hasChanges && context.hasChanges && person.isUpdated)
            #expect(!person.hasPersistentChangedValues)
            #expect(person.changedValues().isEmpty)
            context.processPendingChanges()
            #expect(log.takeChanges().map(\.updated) == [[person]])
            try context.save()
            #expect(person.number("mood") == 3 && person.text("nick") == "Countess")
            #expect(!context.hasChanges)
        }
        try stack.fresh { context throws in
            let person = try context.named("Ada", "Person")
            #expect(person.number("mood") == 7)
            #expect(person.text("nick") == nil)
        }
    }

    @Test("OG-97, OG-179: after refreshAllObjects a clean object reads the transient's default", arguments: StackKind.allCases)
    func transientsAfterRefresh(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "Ada", "mood": 3, "nick": "Countess"])
            try context.save()
            #expect(person.number("mood") == 3)
            context.refreshAllObjects()
            #expect(person.number("mood") == 7)
            #expect(person.text("nick") == nil)
        }
    }
}

/// A class that keeps values for keys its entity does not have.
final class OpenObject: Recorder {
    private var extras: [String: Any] = [:]

    override func value(forUndefinedKey key: String) -> Any? { extras[key] }
    override func setValue(_ value: Any?, forUndefinedKey key: String) { extras[key] = value }
}
