import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Values of types of one's own")
struct ValueTypeTests {
    /// Runs one body before the save and another on what a second context reads from the file.
    private func roundTrip(_ make: @escaping (Studio) throws -> Void, _ check: @escaping (Studio) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(NSPersistentContainer(name: "Studio", entities: Studio.self), at: folder.file("studio.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let studio = Studio.make(in: context)
            try make(studio)
            try check(studio)
            try context.save()
        }
        try store.fresh { context in try check(try #require(try context.fetch(Studio.self).first)) }
    }

    @Test("values come back as they went in: small integers, option sets, stored forms, Codable, composites, transformables")
    func required() throws {
        try roundTrip { _ in
        } _: { (studio: Studio) throws in
            #expect(studio.tiny == -128)
            #expect(studio.tags == [.classic, .silent])
            #expect(studio.budget == Money(cents: 1250))
            #expect(studio.shot == Shot(name: "a", seconds: .infinity))
            #expect(studio.shots == [])
            #expect(studio.address == Address(street: "Rue 1", zip: "75001", position: Position(latitude: 48.9, longitude: 2.4)))
            #expect(studio.notes == Notes2())
            #expect(studio.paint == Color(name: "red"))
            #expect(try studio.result.get() == .western)
        }
    }

    @Test("nil is nil, and not an empty value, for each of them (B16, B20, B21)")
    func optional() throws {
        try roundTrip { _ in
        } _: { (studio: Studio) throws in
            #expect(studio.byte == nil && studio.word == nil && studio.long == nil)
            #expect(studio.optionalTags == nil && studio.reserve == nil && studio.lastShot == nil && studio.counts == nil)
            #expect(studio.branch == nil && studio.color == nil && studio.words == nil)
            #expect(studio.value(forKey: "byte") == nil && studio.value(forKey: "second") == nil)
        }
        try roundTrip { (studio: Studio) throws in
            studio.byte = 255
            studio.word = 65_535
            studio.long = .max
            studio.optionalTags = []
            studio.reserve = Money(cents: 0)
            studio.lastShot = Shot(name: "", seconds: 0)
            studio.counts = [:]
            studio.branch = Address(street: "", zip: nil, country: .japan, position: nil)
            studio.color = Color(name: "")
            studio.words = ["a", "b"]
            studio.notes.second = 2
        } _: { (studio: Studio) throws in
            #expect(studio.byte == 255 && studio.word == 65_535 && studio.long == .max)
            #expect(studio.optionalTags == [] && studio.reserve == Money(cents: 0))
            #expect(studio.lastShot == Shot(name: "", seconds: 0) && studio.counts == [:])
            #expect(studio.branch == Address(street: "", zip: nil, country: .japan, position: nil))
            #expect(studio.color == Color(name: "") && studio.words == ["a", "b"])
            #expect(studio.notes == Notes2(first: nil, second: 2))
        }
    }

    @Test("an optional value can be taken away again")
    func clear() throws {
        try roundTrip { (studio: Studio) throws in
            studio.branch = Address(street: "x", zip: "1", position: Position(latitude: 1, longitude: 2))
            studio.lastShot = Shot(name: "b", seconds: 1)
            studio.color = Color(name: "blue")
            try studio.managedObjectContext?.save()
            studio.branch = nil
            studio.lastShot = nil
            studio.color = nil
            studio.address.position = nil
        } _: { (studio: Studio) throws in
            #expect(studio.branch == nil && studio.lastShot == nil && studio.color == nil)
            #expect(studio.address.position == nil && studio.address.street == "Rue 1")
        }
    }

    @Test("a composite's elements are elements in the model, by their stored names, and seen by key-value coding")
    func compositeModel() throws {
        let model = try NSManagedObjectModel(Studio.self)
        let address = try #require(
            model.entitiesByName["Studio"]?.attributesByName["address"] as? NSCompositeAttributeDescription)
        #expect(address.elements.map(\.name) == ["street", "postcode", "country", "position"])
        #expect(address.elements.map(\.isOptional) == [false, true, false, true])
        #expect(address.elements[2].defaultValue as? String == "france")
        #expect((address.elements[3] as? NSCompositeAttributeDescription)?.elements.map(\.name) == ["latitude", "longitude"])
        try TestStore(NSPersistentContainer(name: "Studio", entities: Studio.self)).run {
            (context: NSManagedObjectContext) throws in
            let studio = Studio.make(in: context)
            let values = try #require(studio.value(forKey: "address") as? [String: Any])
            #expect(values["street"] as? String == "Rue 1" && values["postcode"] as? String == "75001")
            studio.setValue(["street": "Rue 2", "country": "japan"], forKey: "address")
            #expect(studio.address == Address(street: "Rue 2", zip: nil, country: .japan, position: nil))
        }
    }

    @Test("a change of one element of a composite is a change of the object, and the others stay")
    func compositeElement() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(NSPersistentContainer(name: "Studio", entities: Studio.self), at: folder.file("studio.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let studio = Studio.make(in: context)
            try context.save()
            #expect(!studio.hasChanges)
            studio.address.zip = "75002"
            #expect(studio.isUpdated)
            try context.save()
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            let studio = try #require(try context.fetch(Studio.self).first)
            #expect(studio.address.zip == "75002" && studio.address.street == "Rue 1")
        }
    }

    @Test("optionality of the model follows the Swift type for every kind (B21)")
    func optionality() throws {
        let attributes = try #require(try NSManagedObjectModel(Studio.self).entitiesByName["Studio"]).attributesByName
        let optional = attributes.filter(\.value.isOptional).keys.sorted()
        #expect(
            optional
                == [
                    "branch", "byte", "color", "counts", "lastShot", "long", "optionalTags", "notes", "reserve", "sortTitle",
                    "word",
                    "words",
                ].map { $0 == "branch" ? "second" : $0 }.sorted())
        #expect(attributes["shot"]?.type == .binaryData && attributes["paint"]?.valueTransformerName == "ColorNameTransformer")
        #expect(attributes["cache"] == nil && attributes["delegate"] == nil)
    }

    @Test("a property that is @Ignored is a plain Swift property: no change, not in the store")
    func ignored() throws {
        try TestStore(NSPersistentContainer(name: "Studio", entities: Studio.self)).run {
            (context: NSManagedObjectContext) throws in
            let studio = Studio.make(in: context)
            try context.save()
            #expect(studio.cache == [1: "one"])
            studio.cache[2] = "two"
            #expect(!studio.hasChanges)
            context.refresh(studio, mergeChanges: false)
            #expect(studio.cache == [1: "one", 2: "two"])
        }
    }

    @Test("a derived attribute is computed by the store at the save")
    func derived() throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Shelf", entities: Shelf.self, ShelfItem.self)
        try TestStore(container, at: folder.file("shelf.sqlite")).run { (context: NSManagedObjectContext) throws in
            let shelf = Shelf(context: context, items: [ShelfItem(context: context), ShelfItem(context: context)])
            #expect(shelf.itemCount == nil)
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            #expect(shelf.itemCount == 2)
        }
    }
}

@Suite("Stored values that a type doesn't know are errors that can be seen")
struct UnknownValueTests {
    private func withStudio(_ body: @escaping (Studio) throws -> Void) throws {
        try TestStore(NSPersistentContainer(name: "Studio", entities: Studio.self)).run { try body(Studio.make(in: $0)) }
    }

    @Test("an unknown raw value is thrown by value(of:), with class, property, value and object")
    func rawValue() throws {
        try withStudio { (studio: Studio) throws in
            #expect(try studio.value(of: \.strict) == .drama)
            studio.setValue("musical", forKey: "strict")
            let error = #expect(throws: PropertyValueError.self) { try studio.value(of: \.strict) }
            #expect(error?.reason == .unknownValue("musical"))
            #expect(error?.description == "Studio.strict is “musical”, which is not a Genre, in \(studio.objectID)")
            #expect(
                (error as NSError?)?.domain == NSCocoaErrorDomain && (error as NSError?)?.code == NSManagedObjectValidationError)
            #expect(studio.value(ifSet: \.strict) == nil)
        }
    }

    @Test("a property of type Result has the error in it, and keeps the value that it doesn't know")
    func result() throws {
        try withStudio { (studio: Studio) throws in
            studio.setValue("musical", forKey: "result")
            guard case .failure(let error) = studio.result else {
                Issue.record("no failure")
                return
            }
            #expect(error.reason == .unknownValue("musical") && error.property == "result")
            studio.result = .failure(error)
            #expect(studio.value(forKey: "result") as? String == "musical")
            studio.result = .success(.comedy)
            #expect(studio.value(forKey: "result") as? String == "comedy")
            studio.setValue(nil, forKey: "result")
            #expect(throws: PropertyValueError.self) { try studio.result.get() }
        }
    }

    @Test("an optional that reads as nil although something is stored tells so when asked")
    func optional() throws {
        try withStudio { (studio: Studio) throws in
            studio.setValue(-5, forKey: "reserve")
            studio.setValue(300, forKey: "byte")
            #expect(studio.reserve == nil && studio.byte == nil)
            #expect(throws: PropertyValueError.self) { try studio.value(of: \.reserve) }
            #expect(throws: PropertyValueError.self) { try studio.value(of: \.byte) }
            studio.setValue(nil, forKey: "reserve")
            #expect(try studio.value(of: \.reserve) == nil)
        }
    }

    @Test("data that can't be decoded is an error with the decoder's reason")
    func codable() throws {
        try withStudio { (studio: Studio) throws in
            studio.setValue(Data("{\"name\":1}".utf8), forKey: "shot")
            studio.setValue(Data("nonsense".utf8), forKey: "lastShot")
            for read in [{ _ = try studio.value(of: \.shot) }, { _ = try studio.value(of: \.lastShot) }] {
                let error = #expect(throws: PropertyValueError.self) { try read() }
                guard case .undecodable(let text) = error?.reason else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(!text.isEmpty)
                #expect((error as NSError?)?.code == CocoaError.Code.coderReadCorrupt.rawValue)
            }
            #expect(studio.lastShot == nil)
        }
    }

    @Test("elements of composites: missing and unknown, by their path")
    func composite() throws {
        try withStudio { (studio: Studio) throws in
            studio.setValue(["country": "japan"], forKey: "address")
            #expect(
                (#expect(throws: PropertyValueError.self) { try studio.value(of: \.address) })?.reason == .missing)
            studio.setValue(["street": "a", "country": "atlantis"], forKey: "second")
            #expect(studio.branch == nil)
            #expect(
                (#expect(throws: PropertyValueError.self) { try studio.value(of: \.branch) })?.reason
                    == .unknownValue("atlantis"))
        }
    }

    @Test("a transformable of another class")
    func transformable() throws {
        try withStudio { (studio: Studio) throws in
            studio.setValue("text", forKey: "paint")
            #expect(
                (#expect(throws: PropertyValueError.self) { try studio.value(of: \.paint) })?.reason == .unknownValue("text"))
        }
    }

    @Test("value(ifSet:) is nil for what was never set, of attributes and relationships")
    func ifSet() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            let movie = Movie.makeInstance(in: context)
            #expect(movie.value(ifSet: \.title) == nil)
            #expect(movie.value(ifSet: \.director) == nil)
            #expect(movie.value(ifSet: \.userRating) == nil)
            #expect(movie.value(ifSet: \.duration) == 0)
            #expect(movie.value(ifSet: \.scenes) == [])
            movie.title = "Ran"
            #expect(movie.value(ifSet: \.title) == "Ran")
            let part = SecondPart.makeInstance(in: context)
            #expect(part.value(ifSet: \.title) == nil && part.value(ifSet: \.part) == 2)
            #expect((#expect(throws: PropertyValueError.self) { try part.value(of: \.title) })?.className == "SecondPart")
        }
    }

    @Test("a required value that is missing is a typed failure of the save (B18)")
    func save() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            let movie = Movie.makeInstance(in: context)
            movie.correct(imdbID: "x")
            let error = #expect(throws: (any Error).self) { try context.save() }
            let failures = try #require(error).validationFailures(of: Movie.self)
            #expect(failures.count == 2)
            #expect(failures.allSatisfy { $0.object === movie && $0.code == .validationMissingMandatoryProperty })
            #expect(failures.contains { $0.keyPath == \Movie.title } && failures.contains { $0.keyPath == \Movie.director })
            #expect(error?.validationFailures(of: Director.self).isEmpty == true)
        }
    }
}
