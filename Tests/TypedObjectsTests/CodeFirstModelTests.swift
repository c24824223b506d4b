import Foundation
import OpenCoreData
import Testing

@Entity class Nothing: NSManagedObject {}

@Entity final class Choice: NSManagedObject {
    @Relationship(deleteRule: .deny, inverse: \Choice.backward, minCount: 1, maxCount: 4) var forward: Set<Choice>
    var backward: [Choice]
    @Attribute("raw", .unique, .externalStorage) var data: Data?
    @Attribute(.transient) var cache: String?
}

@Entity("Movie") final class OtherMovie: NSManagedObject {
    var title: String
}

@Entity class Once: NSManagedObject {
    var a: Int
}

@Entity final class Twice: Once {
    @Attribute("a") var b: Int
}

@Entity final class Untyped: NSManagedObject {
    @Managed var number: NSNumber?
    @Managed var set: NSSet?
}

@Entity final class Stray: NSManagedObject {
    var legacy: User?
    @Relationship(minCount: 3, maxCount: 2) var scenes: Set<Scene>
}

@Entity final class LeftSide: NSManagedObject {
    @Relationship(inverse: \RightSide.name) var wrongKind: RightSide?
    @Relationship(inverse: \RightSide.self2) var wrongTarget: RightSide?
    @Relationship(inverse: \RightSide.left) var one: RightSide?
    @Relationship(inverse: \RightSide.left) var two: RightSide?
}

@Entity final class RightSide: NSManagedObject {
    var name: String
    @Relationship(inverse: nil) var self2: RightSide?
    var left: LeftSide?
}

class NotAnEntity: Nothing {}

@Suite("A model made from classes")
struct CodeFirstModelTests {
    private static func model() throws -> NSManagedObjectModel {
        try NSManagedObjectModel(Director.self, Movie.self, SecondPart.self, Scene.self)
    }

    @Test("one entity per class, superclasses included, with the stored names")
    func entities() throws {
        let model = try NSManagedObjectModel(SecondPart.self, Director.self, Scene.self)
        #expect(Set(model.entitiesByName.keys) == ["Director", "Movie", "Sequel", "Scene"])
        let sequel = try #require(model.entitiesByName["Sequel"])
        #expect(sequel.superentity?.name == "Movie")
        #expect(model.entitiesByName["Movie"]?.subentities.map(\.name) == ["Sequel"])
        #expect(sequel.propertiesByName.keys.contains("title"))
        #expect(try NSManagedObjectModel(Nothing.self).entitiesByName["Nothing"]?.properties.isEmpty == true)
    }

    @Test("attributes: type, optionality, default, stored name, uniqueness")
    func attributes() throws {
        let movie = try #require(try Self.model().entitiesByName["Movie"])
        let attributes = movie.attributesByName
        #expect(Set(attributes.keys) == ["imdbID", "title", "userRating", "length", "genre", "ageLimit"])
        let types: [String: NSAttributeType] = [
            "imdbID": .stringAttributeType, "title": .stringAttributeType, "userRating": .doubleAttributeType,
            "length": .integer32AttributeType, "genre": .stringAttributeType, "ageLimit": .integer16AttributeType,
        ]
        #expect(attributes.mapValues(\.attributeType) == types)
        #expect(attributes.filter(\.value.isOptional).keys.sorted() == ["ageLimit", "userRating"])
        #expect(attributes["length"]?.defaultValue as? Int32 == 0)
        #expect(attributes["genre"]?.defaultValue as? String == "drama")
        #expect(attributes["title"]?.defaultValue == nil)
        #expect(movie.uniquenessConstraints.map { $0.compactMap { $0 as? String } } == [["imdbID"]])
    }

    @Test("relationships: kind, destination, order, delete rule, and inverses that one side names")
    func relationships() throws {
        let model = try Self.model()
        let movie = try #require(model.entitiesByName["Movie"]).relationshipsByName
        let director = try #require(movie["director"])
        #expect(!director.isToMany)
        #expect(!director.isOptional)
        #expect(director.destinationEntity?.name == "Director")
        #expect(director.deleteRule == .nullifyDeleteRule)
        let movies = try #require(model.entitiesByName["Director"]?.relationshipsByName["movies"])
        #expect(movies.isToMany)
        #expect(!movies.isOrdered)
        #expect(movies.deleteRule == .cascadeDeleteRule)
        #expect(movies.inverseRelationship === director)
        #expect(director.inverseRelationship === movies)
        let scenes = try #require(movie["scenes"])
        #expect(scenes.isOrdered)
        #expect(scenes.inverseRelationship?.name == "movie")
        #expect(scenes.inverseRelationship?.isOptional == true)
    }

    @Test("options and counts reach the model; an entity may be related to itself")
    func options() throws {
        let choice = try #require(try NSManagedObjectModel(Choice.self).entitiesByName["Choice"])
        let forward = try #require(choice.relationshipsByName["forward"])
        #expect(forward.minCount == 1)
        #expect(forward.maxCount == 4)
        #expect(!forward.isOptional)
        #expect(forward.deleteRule == .denyDeleteRule)
        #expect(forward.inverseRelationship?.name == "backward")
        #expect(choice.attributesByName["raw"]?.allowsExternalBinaryDataStorage == true)
        #expect(choice.attributesByName["cache"]?.isTransient == true)
    }

    /// The single problems that making a model from classes reports.
    private func problems(_ types: any TypedObject.Type...) -> [String] {
        do {
            _ = try NSManagedObjectModel(entities: types)
            return []
        } catch let error as NSError {
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSCoreDataError)
            let details = (error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.localizedDescription)
            for detail in details { #expect(error.localizedDescription.contains(detail)) }
            return details
        }
    }

    @Test("a destination that isn't in the model")
    func missingDestination() {
        #expect(
            problems(Director.self) == [
                "Director.movies: Swift type Set<Movie>, but Movie is not among the model's entities: make it an @Entity class and pass it as well"
            ])
    }

    @Test("two classes for one entity, two properties for one name")
    func duplicates() {
        #expect(
            problems(Director.self, Movie.self, Scene.self, OtherMovie.self) == [
                "Movie, OtherMovie: more than one class for the entity “Movie”"
            ])
        #expect(problems(Twice.self) == ["Twice: more than one property is stored as “a”"])
    }

    @Test("types that don't tell what the model should be, all faults in one error")
    func untyped() {
        #expect(
            problems(Untyped.self, Stray.self, Scene.self, Movie.self, Director.self) == [
                "Untyped.number: Swift type NSNumber?, but the type doesn't say which kind of number the model should have",
                "Untyped.set: Swift type NSSet?, but the type doesn't say where the relationship leads",
                "Stray.legacy: Swift type User?, but User is not among the model's entities: make it an @Entity class and pass it as well",
                "Stray.scenes: Swift type Set<Scene>, but minCount 3 is more than maxCount 2",
            ])
    }

    @Test("inverses that aren't")
    func wrongInverses() {
        #expect(
            problems(LeftSide.self, RightSide.self) == [
                "LeftSide.wrongKind: the inverse RightSide.name is not a relationship of an entity",
                "LeftSide.wrongTarget: the inverse RightSide.self2 leads to “RightSide”",
                "LeftSide.two: “left” has two inverses, “one” and “two”",
            ])
    }

    @Test("a subclass that forgot @Entity")
    func subclassWithoutMacro() {
        #expect(problems(NotAnEntity.self) == ["NotAnEntity: a subclass of an @Entity class needs @Entity itself"])
    }
}
