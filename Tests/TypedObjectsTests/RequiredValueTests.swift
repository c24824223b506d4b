import Foundation
import OpenCoreData
import Testing

/// Runs on a new store's context, in the process of an exit test.
private func withCinema(_ body: @escaping (NSManagedObjectContext) throws -> Void) throws {
    try TestStore.cinema().run(body)
}

@Suite("Reading what isn't there stops with one clear message")
struct RequiredValueTests {
    private static func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("a required attribute that was never set")
    func attribute() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { print(Movie.makeInstance(in: $0).title) }
        }
        #expect(Self.message(result).contains("Movie.title is required and has no value in <x-coredata:"))
    }

    @Test("the message names the property as Swift does, not as the store does")
    func storedName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { context in
                let movie = SecondPart.makeInstance(in: context)
                movie.setValue(nil, forKey: "length")
                print(movie.duration)
            }
        }
        #expect(Self.message(result).contains("SecondPart.duration is required and has no value in"))
    }

    @Test("a required to-one relationship that was never set")
    func relationship() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { print(Movie.makeInstance(in: $0).director) }
        }
        #expect(Self.message(result).contains("Movie.director is required and has no value in"))
    }

    @Test("a raw value that a required enumeration doesn't know")
    func rawValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { context in
                let movie = Movie.makeInstance(in: context)
                movie.setValue("musical", forKey: "genre")
                print(movie.genre)
            }
        }
        #expect(Self.message(result).contains("Movie.genre is “musical”, which is not a Genre, in"))
    }

    @Test("a raw value that an optional enumeration doesn't know is nil")
    func optionalRawValue() throws {
        try withCinema { context in
            let movie = Movie.makeInstance(in: context)
            movie.setValue(99, forKey: "ageLimit")
            #expect(movie.ageLimit == nil)
        }
    }

    @Test("a hand-written property that the entity doesn't have")
    func unknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = NSManagedObjectModel()
            let entity = NSEntityDescription()
            entity.name = "SeedMovie"
            entity.managedObjectClassName = NSStringFromClass(SeedMovie.self)
            model.entities = [entity]
            try TestStore(NSPersistentContainer(name: "x", managedObjectModel: model)).run { context in
                print(SeedMovie(context: context).userRating as Any)
            }
        }
        #expect(
            Self.message(result).contains(
                "SeedMovie.cd_userRating: Swift type NSNumber?, the entity “SeedMovie” has no property “cd_userRating” (<x-coredata:"
            ))
    }

    @Test("a hand-written property of another type than the model's")
    func wrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = NSManagedObjectModel()
            let entity = NSEntityDescription()
            entity.name = "PlainScalarObject"
            entity.managedObjectClassName = NSStringFromClass(PlainScalarObject.self)
            let attribute = NSAttributeDescription()
            attribute.name = "boolean"
            attribute.attributeType = .stringAttributeType
            attribute.defaultValue = "yes"
            entity.properties = [attribute]
            model.entities = [entity]
            try TestStore(NSPersistentContainer(name: "x", managedObjectModel: model)).run { context in
                print(PlainScalarObject(context: context).bool)
            }
        }
        #expect(Self.message(result).contains("PlainScalarObject.bool: Swift type Bool, model type String (<x-coredata:"))
    }

    @Test("an entity with objects of another class can't be given to a typed class")
    func foreignEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { context in
                let entity = try #require(NSEntityDescription.entity(forEntityName: "Director", in: context))
                print(Movie(entity: entity, insertInto: Optional(context)).title)
            }
        }
        let text = "The objects of entity “Director” are of class Director: a Movie can't be made from it"
        #expect(Self.message(result).contains(text))
    }

    @Test("a class whose entity isn't in the context's model")
    func missingEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withCinema { _ = Nothing.makeInstance(in: $0) }
        }
        #expect(Self.message(result).contains("no entity whose class is Nothing"))
    }
}
