import Foundation
import OpenCoreData
import Testing

@Entity("Movie") final class WrongMovie: NSManagedObject {
    var imdbID: Int64
    var title: [Scene]
    var userRating: Float?
    @Attribute("length") var duration: Int16
    var genre: AgeLimit
    var director: Scene
    var scenes: Set<Scene>
    var budget: Decimal?
}

@Entity("Movie") final class LooseMovie: NSManagedObject {
    var userRating: Double
    var title: String?
    @Managed var length: NSNumber?
    @Managed var scenes: NSOrderedSet?
    var director: Director
}

@Suite("Classes are checked against a model that comes from elsewhere")
struct TypeMismatchTests {
    private static func model() throws -> NSManagedObjectModel {
        try NSManagedObjectModel(Director.self, Movie.self, SecondPart.self, Scene.self)
    }

    @Test("everything that doesn't fit is in one error: class, property, Swift type, model type")
    func allMismatches() throws {
        let model = try Self.model()
        let error = #expect(throws: NSError.self) {
            try NSPersistentContainer(name: "Cinema", managedObjectModel: model, entities: WrongMovie.self, Nothing.self)
        }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSCoreDataError)
        let details = (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.localizedDescription)
        #expect(
            details == [
                "WrongMovie.imdbID: Swift type Int64, model type String",
                "WrongMovie.title: Swift type [Scene], model type String",
                "WrongMovie.userRating: Swift type Float?, model type Double",
                "WrongMovie.duration: Swift type Int16, model type Integer 32",
                "WrongMovie.genre: Swift type AgeLimit, model type String",
                "WrongMovie.director: Swift type Scene, model type to-one relationship to “Director”",
                "WrongMovie.scenes: Swift type Set<Scene>, model type ordered to-many relationship to “Scene”",
                "WrongMovie.budget: Swift type Decimal?, the entity “Movie” has no property “budget”",
                "Nothing: the model has no entity “Nothing”",
            ])
        for detail in details { #expect(error?.localizedDescription.contains(detail) == true) }
    }

    @Test("optionality may differ, NSNumber fits every number, untyped sets fit by order")
    func tolerated() throws {
        let container = try NSPersistentContainer(
            name: "Cinema", managedObjectModel: try Self.model(), entities: LooseMovie.self, Director.self)
        #expect(container.managedObjectModel.entitiesByName["Movie"]?.managedObjectClassName.hasSuffix("LooseMovie") == true)
    }

    @Test("the model that was given stays as it was; the container's has the classes")
    func modelIsCopied() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Nothing"
        model.entities = [entity]
        let container = try NSPersistentContainer(name: "Nothing", managedObjectModel: model, entities: Nothing.self)
        #expect(entity.managedObjectClassName == "NSManagedObject")
        #expect(container.managedObjectModel !== model)
        let store = try TestStore(container)
        try store.run { context in
            #expect(type(of: Nothing(context: context)) == Nothing.self)
            #expect(Nothing.makeInstance(in: context).entity.name == "Nothing")
        }
    }

    @Test("a class reads and writes an entity that has more properties, in another order")
    func partialClass() throws {
        let model = try Self.model()
        let store = try TestStore(
            NSPersistentContainer(
                name: "Cinema", managedObjectModel: model, entities: LooseMovie.self, Director.self, Scene.self))
        try store.run { context in
            let movie = LooseMovie.makeInstance(in: context)
            #expect(movie.title == nil)
            #expect(movie.length == 0)
            movie.title = "Ran"
            movie.userRating = 8.2
            movie.length = 162
            movie.director = Director(context: context, name: "Akira Kurosawa")
            movie.setValue("tt0089881", forKey: "imdbID")
            #expect(movie.value(forKey: "title") as? String == "Ran")
            #expect(movie.value(forKey: "userRating") as? Double == 8.2)
            #expect(movie.value(forKey: "length") as? Int == 162)
            #expect(movie.value(forKey: "genre") as? String == "drama")
            try context.save()
        }
    }
}
