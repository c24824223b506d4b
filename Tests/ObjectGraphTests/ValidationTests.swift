import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Validation")
struct ValidationTests {
    private static func stack(_ kind: StackKind = .inMemory) throws -> TestStack {
        var maker = ModelMaker()
        maker.entity(
            "Movie",
            [
                ModelMaker.attribute("name", .string, isOptional: false),
                ModelMaker.attribute("length", .integer32, isOptional: false),
                ModelMaker.attribute("note", .string),
                ModelMaker.attribute("draft", .string, isOptional: false, isTransient: true),
            ])
        maker.entity("Director", [ModelMaker.attribute("name", .string)])
        maker.entity("Sketch").isAbstract = true
        maker.entity("Drawing", parent: "Sketch", [ModelMaker.attribute("name", .string)])
        maker.relate("Movie", "director", .one.required, "Director", "movies", .many)
        return try TestStack(kind, maker.model())
    }

    private static let valid: [String: any Sendable] = ["name": "Ran", "length": 162, "draft": "d"]

    private static func make(_ context: NSManagedObjectContext, _ values: [String: Any] = valid) -> Recorder {
        context.make("Movie", values.merging(["director": context.make("Director", ["name": "k"])]) { first, _ in first })
    }

    private static func error(_ body: () throws -> Void) -> NSError? { #expect(throws: NSError.self) { try body() } }

    @Test(
        "OG-220, OG-222, OG-224, OG-227, OG-228: each missing required property is an error; one comes alone, several as 1560",
        arguments: StackKind.allCases)
    func missing(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let movie = Self.make(context)
            try movie.validateForInsert()
            movie.set("name", nil)
            let one = Self.error { try movie.validateForInsert() }
            #expect(one?.domain == NSCocoaErrorDomain && one?.code == NSValidationMissingMandatoryPropertyError)
            #expect(one?.userInfo[NSValidationKeyErrorKey] as? String == "name")
            movie.set("director", nil)
            movie.set("length", nil)
            let several = Self.error { try context.save() }
            #expect(several?.domain == NSCocoaErrorDomain && several?.code == NSValidationMultipleErrorsError)
            let details = try #require(several?.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(
                details.allSatisfy { $0.code == NSValidationMissingMandatoryPropertyError && $0.domain == NSCocoaErrorDomain })
            #expect(
                Set(details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }) == ["name", "director", "length"])
            #expect(details.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === movie })
            #expect(details.allSatisfy { $0.userInfo[NSValidationValueErrorKey] == nil })
            #expect(details.allSatisfy { $0.localizedDescription.contains("Movie") })
        }
        #expect(try stack.savedNames("Movie").isEmpty)
    }

    @Test("OG-223: errors of several objects come in one flat list", arguments: StackKind.allCases)
    func severalObjects(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let saved = Self.make(context)
            try context.save()
            saved.set("length", nil)
            let new = Self.make(context, ["draft": "d"])
            let error = Self.error { try context.save() }
            #expect(error?.code == NSValidationMultipleErrorsError)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            let places = details.map { error in
                let isNew = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === new
                return "\(isNew ? "new" : "saved").\(error.userInfo[NSValidationKeyErrorKey] ?? "")"
            }
            #expect(places.sorted() == ["new.length", "new.name", "saved.length"])
        }
    }

    @Test("OG-226, OG-244: an error of an overridden method goes through unchanged")
    func customError() throws {
        struct Custom: Error, Equatable {}
        try Self.stack().run { context throws in
            let movie = Self.make(context)
            context.react { object, hook in
                if hook == "validateForInsert", object === movie { throw NSError(domain: "mine", code: 5) }
            }
            let error = Self.error { try context.save() }
            #expect(error?.domain == "mine" && error?.code == 5)
            context.stopReacting()
            try context.save()
            context.react { _, hook in if hook == "validateForUpdate" { throw Custom() } }
            movie.set("note", "x")
            #expect(throws: Custom.self) { try context.save() }
        }
    }

    @Test("OG-237, OG-242, OG-243: validation comes with the save only, for changed objects only, no-op edits included")
    func moments() throws {
        try Self.stack().run { context throws in
            let movie = Self.make(context)
            let other = Self.make(context)
            movie.set("name", nil)
            context.processPendingChanges()
            #expect(!movie.calls.contains { $0.hasPrefix("validate") })
            movie.set("name", "Ran")
            try context.save()
            _ = movie.takeCalls()
            _ = other.takeCalls()
            movie.set("name", "Ran")
            try context.save()
            #expect(movie.calls.filter { $0.hasPrefix("validate") } == ["validateForUpdate"])
            #expect(other.calls.isEmpty)
        }
    }

    @Test("OG-238: required transient attributes are validated too")
    func transient() throws {
        try Self.stack().run { context throws in
            let movie = Self.make(context)
            movie.set("draft", nil)
            let error = Self.error { try context.save() }
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "draft")
        }
    }

    @Test(
        "OG-221, OG-240: deleted, inserted and updated objects are validated by their own methods", arguments: StackKind.allCases)
    func methods(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let updated = Self.make(context)
            let deleted = Self.make(context)
            try context.save()
            let inserted = Self.make(context)
            for movie in [updated, deleted] { _ = movie.takeCalls() }
            updated.set("note", "x")
            deleted.set("name", nil)
            context.delete(deleted)
            try context.save()
            #expect(inserted.calls.filter { $0.hasPrefix("validate") } == ["validateForInsert"])
            #expect(updated.calls.filter { $0.hasPrefix("validate") } == ["validateForUpdate"])
            #expect(deleted.calls.filter { $0.hasPrefix("validate") } == ["validateForDelete"])
        }
    }

    @Test(
        "OG-246, NTF-123: after a failed validation the changes are still there, and can be mended and saved",
        arguments: StackKind.allCases)
    func mending(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let movie = Self.make(context)
            try context.save()
            movie.set("note", "x")
            movie.set("name", nil)
            let new = Self.make(context)
            let log = NotificationLog(context)
            #expect(throws: NSError.self) { try context.save() }
            #expect(log.take().map(\.kind) == ["didChange", "willSave"])
            #expect(context.updatedObjects.contains(movie) && context.insertedObjects.contains(new))
            #expect(new.objectID.isTemporaryID)
            #expect(movie.text("note") == "x" && movie.value(forKey: "name") == nil)
            movie.set("name", "Kagemusha")
            try context.save()
        }
        #expect(try stack.savedNames("Movie") == ["Kagemusha", "Ran"])
    }

    @Test("OG-6: an object of an abstract entity can't be saved")
    func abstractEntity() throws {
        let stack = try Self.stack()
        try stack.run { context throws in
            _ = context.make("Drawing", ["name": "fine"])
            try context.save()
            let sketch = context.make("Sketch")
            let error = Self.error { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.localizedDescription.contains("Sketch") == true)
            context.delete(sketch)
            try context.save()
        }
        #expect(try stack.savedNames("Drawing") == ["fine"])
    }
}
