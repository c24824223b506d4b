import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Change tracking")
struct ChangeTrackingTests {
    @Test(
        "OG-110, OG-111: changedValues has the current values of what differs, committedValues the saved ones",
        arguments: StackKind.allCases)
    func changedAndCommitted(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A", "age": 1])
            try context.save()
            #expect(person.changedValues().isEmpty)
            for value in ["B", "C"] {
                person.set("name", value)
                #expect(person.changedValues() as? [String: String] == ["name": value])
                #expect(person.committedValues(forKeys: ["name"]) as? [String: String] == ["name": "A"])
                context.processPendingChanges()
            }
            #expect(person.hasPersistentChangedValues)
            person.set("name", "A")
            #expect(person.changedValues().isEmpty)
            #expect(!person.hasPersistentChangedValues)
            person.set("name", "D")
            try context.save()
            #expect(person.changedValues().isEmpty)
            #expect(person.committedValues(forKeys: ["name"]) as? [String: String] == ["name": "D"])
        }
    }

    @Test("OG-110: values of every type are compared by value", arguments: StackKind.allCases)
    func allTypes(_ kind: StackKind) throws {
        let first: [String: Any] = [
            "name": "e\u{301}", "age": 1, "score": 1.5, "small": 1, "big": 1, "ratio": Float(1.5), "price": Decimal(1.5),
            "flag": true,
            "born": Date(timeIntervalSinceReferenceDate: 1), "photo": Data([1]), "code": UUID(),
            "page": URL(string: "https://a.org")!,
            "tags": ["a"],
        ]
        let second: [String: Any] = [
            "name": "\u{e9}", "age": 2, "score": 2.5, "small": 2, "big": 2, "ratio": Float(2.5), "price": Decimal(2.5),
            "flag": false,
            "born": Date(timeIntervalSinceReferenceDate: 2), "photo": Data([2]), "code": UUID(),
            "page": URL(string: "https://b.org")!,
            "tags": ["b"],
        ]
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person", first)
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let person = context.object(with: id)
            for (key, value) in first {
                person.set(key, value)
                #expect(person.changedValues().isEmpty, "\(key) set to an equal value")
                person.set(key, second[key])
                #expect(Array(person.changedValues().keys) == [key])
                person.set(key, nil)
                #expect(person.changedValues()[key] is NSNull)
                person.set(key, value)
            }
            #expect(person.isUpdated && !person.hasPersistentChangedValues)
        }
    }

    @Test("OG-112: a new object has changed values and no committed ones")
    func newObject() throws {
        try TestStack.people().run { context throws in
            let team = context.make("Team")
            let person = context.make("Person", ["name": "A", "team": team])
            #expect(person.changedValues().keys.sorted() == ["name", "team"])
            #expect(person.changedValues()["name"] as? String == "A")
            #expect(person.committedValues(forKeys: ["name", "team", "members"]).isEmpty, "R28: nothing was saved")
            #expect(person.committedValues(forKeys: nil).isEmpty)
            let entity = person.entity
            #expect(
                NSManagedObject(entity: entity, insertInto: Optional<NSManagedObjectContext>.none).committedValues(forKeys: [
                    "name"
                ]).isEmpty)
            try context.save()
            #expect(person.changedValues().isEmpty)
        }
    }

    @Test("OG-113: nil among changed and committed values is NSNull", arguments: StackKind.allCases)
    func nilValues(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A", "team": context.make("Team")])
            try context.save()
            person.set("name", nil)
            person.set("team", nil)
            person.set("score", 1.0)
            #expect(person.changedValues()["name"] is NSNull && person.changedValues()["team"] is NSNull)
            #expect(person.committedValues(forKeys: ["score"])["score"] is NSNull)
        }
    }

    @Test(
        "OG-114, OG-115: relationship changes are seen on both sides, a to-many with its whole new set",
        arguments: StackKind.allCases)
    func relationships(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let red = context.make("Team", ["name": "Red"])
            _ = context.make("Team", ["name": "Blue"])
            _ = context.make("Person", ["name": "Ada", "team": red])
            _ = context.make("Person", ["name": "Bob", "team": red])
            try context.save()
        }
        try stack.fresh { context throws in
            let ada = try context.named("Ada", "Person")
            let red = try context.named("Red", "Team")
            let blue = try context.named("Blue", "Team")
            let bob = try context.named("Bob", "Person")
            var inWillSave: [String: [String]] = [:]
            context.react { object, hook in
                if hook == "willSave" { inWillSave[object.text("name") ?? ""] = object.changedValues().keys.sorted() }
            }
            ada.set("team", blue)
            #expect(ada.changedValues() as? [String: NSManagedObject] == ["team": blue])
            #expect(red.changedValues()["members"] as? Set<NSManagedObject> == [bob])
            #expect(blue.changedValues()["members"] as? Set<NSManagedObject> == [ada])
            #expect(ada.committedValues(forKeys: ["team"])["team"] as? NSManagedObject === red)
            #expect(red.committedValues(forKeys: ["members"])["members"] as? Set<NSManagedObject> == [ada, bob])
            #expect(blue.committedValues(forKeys: ["members"])["members"] as? Set<NSManagedObject> == [])
            try context.save()
            #expect(inWillSave == ["Ada": ["team"], "Red": ["members"], "Blue": ["members"]])
            ada.set("team", red)
            ada.set("team", blue)
            #expect([ada, red, blue].allSatisfy { $0.changedValues().isEmpty })
        }
    }

    @Test("OG-114, NTF-77: a fault whose to-many changed by its inverse shows the new set", arguments: StackKind.allCases)
    func inverseOfFault(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let red = context.make("Team", ["name": "Red"])
            _ = context.make("Person", ["name": "Ada", "team": red])
            try context.save()
            return red.objectID
        }
        try stack.fresh { context throws in
            let red = context.object(with: id)
            let bob = context.make("Person", ["name": "Bob", "team": red])
            #expect(context.updatedObjects == [red])
            let members = try #require(red.changedValues()["members"] as? Set<NSManagedObject>)
            #expect(members.count == 2 && members.contains(bob))
        }
    }

    @Test("OG-116: changedValues fires no fault", arguments: StackKind.allCases)
    func noFiring(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person")
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let person = context.object(with: id)
            #expect(person.changedValues().isEmpty)
            #expect(person.isFault)
        }
    }

    @Test(
        "OG-118: committedValues without keys leaves to-many faults alone, with keys it fires them", arguments: StackKind.allCases
    )
    func committedFaults(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let id = try stack.run { context throws in
            let person = context.make("Person", ["name": "Ada", "team": context.make("Team")])
            person.set("tasks", [context.make("Task")])
            try context.save()
            return person.objectID
        }
        try stack.fresh { context throws in
            let person = context.object(with: id)
            let all = person.committedValues(forKeys: nil)
            #expect(!person.isFault)
            #expect(
                all["name"] as? String == "Ada" && all["score"] is NSNull
                    && all["team"] as? NSManagedObject === person.one("team"))
            #expect(person.hasFault(forRelationshipNamed: "tasks"))
            let tasks = person.committedValues(forKeys: ["tasks"])
            #expect((tasks["tasks"] as? NSOrderedSet)?.count == 1)
            #expect(!person.hasFault(forRelationshipNamed: "tasks"))
        }
    }

    @Test("OG-119: transient attributes are neither among changed nor among committed values", arguments: StackKind.allCases)
    func transients(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["mood": 1, "nick": "x", "name": "Ada"])
            #expect(person.changedValues().keys.sorted() == ["name"])
            try context.save()
            person.set("mood", 2)
            person.set("nick", "y")
            #expect(person.changedValues().isEmpty)
            let committed = person.committedValues(forKeys: nil)
            #expect(committed["mood"] == nil && committed["nick"] == nil && committed["name"] as? String == "Ada")
        }
    }

    @Test(
        "OG-120, OG-121, OG-122, NTF-61, NTF-62, NTF-118: a change to an equal value is a change without changed values",
        arguments: StackKind.allCases)
    func equalValue(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let log = NotificationLog(context)
            for values in [["A"], ["B", "A"]] {
                for value in values { person.set("name", value) }
                #expect(person.hasChanges && context.hasChanges && person.isUpdated && context.updatedObjects == [person])
                #expect(person.changedValues().isEmpty && !person.hasPersistentChangedValues)
                context.processPendingChanges()
                #expect(log.takeChanges().map(\.updated) == [[person]])
                try context.save()
                #expect(log.take().last { $0.kind == "didSave" }?.updated == [person])
            }
        }
    }

    @Test("NTF-66: willChangeValue and didChangeValue around nothing are such a change", arguments: StackKind.allCases)
    func announcedWithoutChange(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person", ["name": "A", "team": context.make("Team")])
            try context.save()
            for key in ["name", "team", "friends", "tasks"] {
                let log = NotificationLog(context)
                person.willChangeValue(forKey: key)
                person.didChangeValue(forKey: key)
                #expect(person.isUpdated && person.changedValues().isEmpty, "\(key)")
                context.processPendingChanges()
                #expect(log.takeChanges().map(\.updated) == [[person]], "\(key)")
                try context.save()
            }
        }
    }

    @Test(
        "OG-123: the context's sets show direct changes at once, cascades and cleared inverses after processing",
        arguments: StackKind.allCases)
    func moments(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Parent")
        maker.entity("Child")
        maker.entity("Friend")
        maker.relate("Parent", "children", .many.cascade, "Child", "parent", .one)
        maker.relate("Parent", "friends", .many, "Friend", "parent", .one)
        try TestStack(kind, maker.model()).run { context throws in
            let parent = context.make("Parent")
            let child = context.make("Child", ["parent": parent])
            let friend = context.make("Friend", ["parent": parent])
            #expect(context.insertedObjects == [parent, child, friend])
            try context.save()
            context.delete(parent)
            #expect(context.deletedObjects == [parent] && context.updatedObjects.isEmpty)
            context.processPendingChanges()
            #expect(context.deletedObjects == [parent, child])
            #expect(context.updatedObjects == [friend])
        }
    }

    @Test("OG-124, OG-125: an object is in one set at most", arguments: StackKind.allCases)
    func oneSet(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let person = context.make("Person")
            person.set("name", "A")
            context.processPendingChanges()
            person.set("name", "B")
            #expect(context.insertedObjects == [person] && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
            try context.save()
            person.set("name", "C")
            #expect(context.insertedObjects.isEmpty && context.updatedObjects == [person] && context.deletedObjects.isEmpty)
            context.delete(person)
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects == [person])
            let new = context.make("Person")
            context.delete(new)
            #expect(!context.insertedObjects.contains(new) && !context.updatedObjects.contains(new))
        }
    }

    @Test(
        "OG-126: each save raises the version by one, also for a no-op edit or a changed inverse", arguments: StackKind.allCases)
    func versions(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let person = context.make("Person", ["name": "A"])
            try context.save()
            #expect(person.rowVersion == 1 && team.rowVersion == 1)
            person.set("name", "A")
            try context.save()
            #expect(person.rowVersion == 2 && team.rowVersion == 1)
            person.set("team", team)
            try context.save()
            #expect(person.rowVersion == 3 && team.rowVersion == 2)
            try stack.fresh { other throws in
                #expect(try other.named("A", "Person").rowVersion == 3)
                #expect(try other.named("Blue", "Team").rowVersion == 2)
            }
        }
    }

    @Test("NTF-67: a property that the model does not have is no change, whatever it is set to", arguments: StackKind.allCases)
    func unmodelledProperty(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            let log = NotificationLog(context)
            person.remark = "not in the model"
            context.processPendingChanges()
            #expect(log.take().isEmpty && !person.hasChanges && !context.hasChanges)
            try context.save()
            #expect(person.remark == "not in the model")
            #expect(Recorder.contextShouldIgnoreUnmodeledPropertyChanges)
        }
    }
}
