import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

@Suite("Random objects") @MainActor
struct RandomObjectsTests {
    private func films() throws -> IsolatedStack { try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses)) }

    private func texts(seed: UInt64) throws -> [String] {
        let stack = try films()
        var random = RandomObjects(seed: seed, in: stack.viewContext)
        return try random.insert(30, Film.self).map { film in
            "\(film.code) \(film.title) \(film.rating ?? -1) \(film.minutes) \(film.kind) \(film.director.name) \(film.tags.count) \(film.poster == nil)"
        }
    }

    @Test("The same seed makes the same objects, another one others")
    func seeds() throws {
        #expect(try texts(seed: 7) == texts(seed: 7))
        #expect(try texts(seed: 7) != texts(seed: 8))
        #expect(Set(try texts(seed: 7)).count == 30)
    }

    @Test(
        "They are valid whatever the seed: values within limits, constraints, required relationships, both sides",
        arguments: 1...20)
    func valid(seed: Int) throws {
        let stack = try films()
        let context = stack.viewContext
        var random = RandomObjects(seed: UInt64(seed), in: context)
        try random.insert(8, Tag.self)
        let films = try random.insert(25, Film.self)
        try random.insert(5, entityNamed: "Poster")
        #expect(films.count == 25 && Set(films.map(\.code)).count == 25)
        for film in films {
            #expect(1...20 ~= film.title.utf16.count && film.rating.map { 0...10 ~= $0 } ?? true)
            #expect(Film.Kind.allCases.contains(film.kind) && film.secret != .some(.open) || film.secret == .open)
        }
        #expect(try graphProblems(in: context) == [])
        try context.save()
        #expect(try graphProblems(in: stack.container.newBackgroundContext()) == [])
    }

    @Test("Among many there are both: nil and a value, related and not, every case")
    func variety() throws {
        let stack = try films()
        var random = RandomObjects(seed: 3, in: stack.viewContext)
        try random.insert(20, Poster.self)
        let films = try random.insert(60, Film.self)
        #expect(Set(films.map { $0.rating == nil }).count == 2 && Set(films.map { $0.seen == nil }).count == 2)
        #expect(Set(films.map(\.kind)).count == 2 && Set(films.map { $0.poster == nil }).count == 2)
        #expect(Set(films.map(\.director)).count > 1)
    }

    @Test("What the model can't tell, a maker does; one that never makes a valid value is an error with the seed")
    func makers() throws {
        let stack = try films()
        var random = RandomObjects(seed: 1, in: stack.viewContext)
        random.make("code", of: "Film") { generator in "tt\(Int.random(in: 0..<50, using: &generator))" }
        random.make("seen", of: "Film") { _ in nil }
        let films = try random.insert(40, Film.self)
        #expect(films.allSatisfy { $0.code.hasPrefix("tt") && $0.seen == nil } && Set(films.map(\.code)).count == 40)
        random.make("title", of: "Film") { _ in String(repeating: "x", count: 21) }
        let error = #expect(throws: TestSupportError.self) { try random.insert(1, Film.self) }
        #expect(
            error?.description.contains("no valid value was found for “title” (seed 1)") == true, "\(String(describing: error))")
    }

    @Test("Numbers of all widths stay within their limits; an unknown entity is an error")
    func numbers() throws {
        let entity = NSEntityDescription()
        entity.name = "Numbers"
        let types: [NSAttributeType] = [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType, .dateAttributeType, .UUIDAttributeType, .URIAttributeType,
            .binaryDataAttributeType, .stringAttributeType,
        ]
        entity.properties = types.map { type in
            let attribute = NSAttributeDescription()
            attribute.name = "a\(type.rawValue)"
            attribute.attributeType = type
            attribute.isOptional = false
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try IsolatedStack(model: model)
        var random = RandomObjects(seed: 5, in: stack.viewContext)
        let objects = try random.insert(50, entityNamed: "Numbers")
        try stack.viewContext.save()
        for type in types where type != .booleanAttributeType {
            #expect(Set(objects.map { "\($0.value(forKey: "a\(type.rawValue)") ?? "nil")" }).count > 20, "\(type)")
        }
        #expect(throws: TestSupportError.self) { try random.insert(1, entityNamed: "Nothing") }
    }
}
