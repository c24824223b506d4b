import Foundation
public import OpenCoreData
import TestSupport
import Testing
import TypedObjects

@Suite("Objects of @Entity classes")
struct EntityClassTests {
    @Test("the generated initializer sets what it is given and leaves defaults for the rest")
    func initializer() throws {
        try TestStore.cinema().run { context in
            let kurosawa = Director(context: context, name: "Akira Kurosawa")
            let ran = Movie(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa)
            #expect(ran.imdbID == "tt0089881")
            #expect(ran.title == "Ran")
            #expect(ran.director === kurosawa)
            #expect(ran.userRating == nil)
            #expect(ran.duration == 0)
            #expect(ran.genre == .drama)
            #expect(ran.ageLimit == nil)
            #expect(ran.scenes == [])
            let scenes = ["A", "B"].map { Scene(context: context, text: $0) }
            let yojimbo = Movie(
                context: context, imdbID: "tt0055630", title: "Yojimbo", director: kurosawa, userRating: 0, duration: 110,
                genre: .western, ageLimit: .youth, scenes: scenes)
            #expect(yojimbo.userRating == 0)
            #expect(yojimbo.duration == 110)
            #expect(yojimbo.genre == .western)
            #expect(yojimbo.ageLimit == .youth)
            #expect(yojimbo.scenes == scenes)
            #expect(kurosawa.movies == [ran, yojimbo])
            #expect(scenes.allSatisfy { $0.movie === yojimbo })
        }
    }

    @Test("a stored name is the name for key-value coding")
    func storedName() throws {
        try TestStore.cinema().run { context in
            let movie = Movie.makeInstance(in: context)
            movie.duration = 162
            #expect(movie.value(forKey: "length") as? Int32 == 162)
            movie.setValue(100, forKey: "length")
            #expect(movie.duration == 100)
            movie.correct(imdbID: "x")
            #expect(movie.value(forKey: "imdbID") as? String == "x")
        }
    }

    @Test("a subclass has its superclass's properties, initializer and entity tree")
    func subclass() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        try store.run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            let yojimbo = Movie(context: context, imdbID: "1", title: "Yojimbo", director: director)
            let sanjuro = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: director, duration: 96)
            #expect(type(of: sanjuro) == SecondPart.self)
            #expect(sanjuro.entity.name == "Sequel")
            #expect(sanjuro.part == 2)
            sanjuro.original = yojimbo
            sanjuro.part = 3
            try context.save()
        }
        try store.fresh { context in
            let movies = try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.imdbID)])
            #expect(movies.map { "\(type(of: $0))" } == ["Movie", "SecondPart"])
            let sanjuro = try #require(movies.last as? SecondPart)
            #expect(sanjuro.part == 3)
            #expect(sanjuro.title == "Sanjuro")
            #expect(sanjuro.duration == 96)
            #expect(sanjuro.original === movies.first)
            #expect(sanjuro.director.movies == Set(movies))
        }
    }

    @Test("a subclass of an abstract class has its initializer; an object of the abstract class itself can't be saved")
    func abstractClass() throws {
        let container = try NSPersistentContainer(name: "Animals", entities: Dog.self, Wolf.self)
        try TestStore(container).run { context in
            let dog = Dog(context: context, name: "Rex", legs: 3)
            #expect(type(of: dog) == Dog.self && dog.name == "Rex" && dog.legs == 3 && dog.owner == "nobody")
            let wolf = Wolf(context: context, pack: "grey")
            wolf.name = "Akela"
            try context.save()
            let animals = try context.fetch(Animal.self, sortedBy: [Animal.keys.name.ascending])
            #expect(animals == [wolf, dog])
            _ = Animal(context: context, name: "none")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("Animal") == true)
        }
    }

    @Test("an enumeration in #Predicate is Codable, and a captured value, and the store finds it")
    func enumerationInPredicate() throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Animals", entities: Dog.self, Wolf.self)
        try TestStore(container, at: folder.file("animals.sqlite")).run { context in
            _ = Dog(context: context, name: "Rex")
            Dog(context: context, name: "Snow").coat = .white
            try context.save()
            let white = Coat.white
            let predicate = #Predicate<Dog> { $0.coat == white }
            #expect(try context.storedForm(of: predicate) != nil)
            #expect(try context.fetch(Dog.self, where: predicate).map(\.name) == ["Snow"])
        }
    }

    @Test("the order of an array relationship is kept, and can be changed")
    func orderedRelationship() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        try store.run { context in
            let movie = Movie(
                context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"),
                scenes: ["a", "b", "c"].map { Scene(context: context, text: $0) })
            try context.save()
            movie.scenes.reverse()
            movie.scenes.insert(Scene(context: context, text: "d"), at: 1)
            #expect(movie.scenes.map(\.text) == ["c", "d", "b", "a"])
            try context.save()
        }
        try store.fresh { context in
            let movie = try #require(try context.fetch(Movie.self).first)
            #expect(movie.scenes.map(\.text) == ["c", "d", "b", "a"])
        }
    }

    @Test("OG-90: a set relationship shows each change at once, from both sides, by whatever way it is made")
    func setRelationship() throws {
        try TestStore.cinema().run { context in
            let one = Director(context: context, name: "One")
            let two = Director(context: context, name: "Two")
            let movies = (1...3).map { Movie(context: context, imdbID: "\($0)", title: "\($0)", director: one) }
            #expect(one.movies == Set(movies))
            movies[0].director = two
            #expect(one.movies == Set(movies.dropFirst()))
            #expect(two.movies == [movies[0]])
            two.movies.insert(movies[1])
            #expect(movies[1].director === two)
            #expect(one.movies == [movies[2]])
            two.movies = []
            #expect(movies[0].value(forKey: "director") == nil)
            movies[1].setValue(one, forKey: "director")
            #expect(one.movies == [movies[1], movies[2]])
        }
    }

    @Test("a cascade rule said in the class deletes, and a required value that is missing stops the save with 1570")
    func rules() throws {
        try TestStore.cinema().run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            _ = Movie(context: context, imdbID: "1", title: "Ran", director: director)
            try context.save()
            context.delete(director)
            try context.save()
            #expect(try context.count(of: Movie.self) == 0)
            let nameless = Director.makeInstance(in: context)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .validationMissingMandatoryProperty)
            #expect(error?.validationKey == "name")
            #expect(error?.validationObject as? Director === nameless)
        }
    }

    @Test("nested and private classes are entities like others")
    func nestedAndPrivate() throws {
        let store = try TestStore(NSPersistentContainer(name: "Notes", entities: Notes.Note.self, Secret.self))
        try store.run { context in
            let note = Notes.Note(context: context, text: "a")
            note.secret = Secret(context: context, code: 7)
            #expect(note.secret?.code == 7)
            #expect(note.secret?.notes == [note])
            try context.save()
        }
        try store.fresh { context in
            let secret = try #require(try context.fetch(Secret.self).first)
            #expect(secret.notes.map(\.text) == ["a"])
        }
    }

    @Test("what awakeFromInsert does comes after the initial values and before the initializer's arguments")
    func awakeFromInsert() throws {
        try TestStore(NSPersistentContainer(name: "Awaking", entities: Awaking.self)).run { context in
            #expect(Awaking.makeInstance(in: context).steps == "initial, awake")
            #expect(Awaking(context: context, steps: "given").steps == "given")
        }
    }

    @Test("one key serves objects of different entities and models")
    func keyAcrossLayouts() throws {
        func makeStore() throws -> TestStore {
            try TestStore(NSPersistentContainer(name: "Keyed", entities: Keyed.self, KeyedSub.self))
        }
        try makeStore().run { context in
            let other = try makeStore()
            try other.run { otherContext in
                for _ in 1...3 {
                    for target in [context, otherContext] {
                        let movie = Keyed.makeInstance(in: target)
                        movie.note = "movie"
                        let sub = KeyedSub.makeInstance(in: target)
                        sub.note = "sub"
                        #expect(movie.note == "movie")
                        #expect(sub.note == "sub")
                        #expect(sub.value(forKey: "note") as? String == "sub")
                    }
                }
            }
        }
    }
}

enum Notes {
    @Entity final class Note: NSManagedObject {
        var text: String
        fileprivate var secret: Secret?
    }
}

@Entity private final class Secret: NSManagedObject {
    var code: Int
    @Relationship(inverse: \Notes.Note.secret) var notes: [Notes.Note]
}

@Entity final class Awaking: NSManagedObject {
    var steps: String = ["initial"].joined()

    override func awakeFromInsert() {
        super.awakeFromInsert()
        steps += ", awake"
    }
}

@Entity class Keyed: NSManagedObject {
    @Managed var note: String?
    var number: Int?
}

@Entity class KeyedSub: Keyed {
    var extra: Double?
}

@Entity public class Published: NSManagedObject {
    public private(set) var name: String
    public var size: Int = 3
    var note: String?
    public var parts: Set<PublishedPart>
}

@Entity open class PublishedPart: NSManagedObject {
    public var whole: Published?
    var kind: Genre = .comedy
}

@Entity(isAbstract: true) class Animal: NSManagedObject {
    var name: String
    var legs: Int = 4
}

enum Coat: String, Codable {
    case brown, white
}

@Entity final class Dog: Animal {
    var coat: Coat = .brown
    var owner: String = "nobody"
}

@Entity final class Wolf: Animal {
    var pack: String
}
