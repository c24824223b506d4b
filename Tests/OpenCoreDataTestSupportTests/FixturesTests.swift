import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

@Suite("Fixtures from a dictionary literal") @MainActor
struct FixturesTests {
    private let stack: IsolatedStack
    private var context: NSManagedObjectContext { stack.viewContext }

    init() throws { stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses)) }

    @Test("Values of all kinds, relationships by label in both directions, defaults")
    func values() throws {
        let seen = Date(timeIntervalSinceReferenceDate: 7)
        let objects = try context.insert([
            "Film": [
                "ran": [
                    "code": "tt0089881", "title": "Ran", "rating": 8.2, "minutes": 162, "kind": "comedy", "seen": .value(seen),
                    "director": "kurosawa", "tags": ["war", "japan"], "poster": nil,
                ],
                "ikiru": ["code": "tt0044741", "title": "Ikiru", "rating": 8, "director": "kurosawa"],
            ],
            "Director": ["kurosawa": ["name": "Akira Kurosawa"]],
            "Tag": ["japan": ["text": "Japan"], "war": ["text": "War"]],
            "Poster": ["small": ["bytes": .value(Data([1])), "film": "ikiru"]],
        ])
        let ran = try objects["ran", as: Film.self]
        #expect(ran.title == "Ran" && ran.rating == 8.2 && ran.minutes == 162 && ran.kind == .comedy && ran.seen == seen)
        #expect(ran.director.name == "Akira Kurosawa" && ran.tags.map(\.text) == ["War", "Japan"] && ran.poster == nil)
        let ikiru = try objects["ikiru", as: Film.self]
        #expect(ikiru.minutes == 90 && ikiru.rating == 8 && ikiru.poster?.bytes == Data([1]))
        #expect(try objects["kurosawa", as: Director.self].films == [ran, ikiru] && objects.objects.count == 6)
        try context.save()
        #expect(try graphProblems(in: context) == [])
    }

    @Test("All that does not fit is in one error, and nothing is inserted")
    func mistakes() throws {
        let error = #expect(throws: TestSupportError.self) {
            try context.insert([
                "Movie": ["a": [:]],
                "Film": [
                    "ran": ["titel": "Ran", "director": "nobody", "poster": ["p", "q"], "tags": 3, "code": ["x"]],
                    "p": ["director": "q", "title": "a", "title": "b"],
                ],
                "Poster": ["p": [:], "q": [:]],
            ])
        }
        let lines = error?.description.components(separatedBy: "\n") ?? []
        #expect(
            lines == [
                "The fixtures do not fit the model:", "  The model has no entity “Movie”", "  The label “p” is used twice",
                "  ran.titel: the entity “Film” has no property of this name",
                "  ran.director: no fixture has the label “nobody”",
                "  ran.poster leads to one object, not to 2",
                "  ran.tags is a relationship; its value is the label of an object, or an array of labels",
                "  ran.code is an attribute; an array of labels is for relationships",
                "  p.director: “q” is of the entity “Poster”, not “Director”", "  p.title stands twice",
            ])
        #expect(!context.hasChanges)
    }

    @Test("A value that is not valid is an error that names label and property; nothing stays inserted")
    func invalid() throws {
        let error = #expect(throws: TestSupportError.self) {
            try context.insert(["Film": ["ran": ["title": "", "rating": 11, "minutes": "long"]]])
        }
        let lines = error?.description.components(separatedBy: "\n").dropFirst().map { $0.prefix { $0 != ":" } } ?? []
        #expect(lines == ["  ran.title", "  ran.rating", "  ran.minutes"], "\(String(describing: error))")
        #expect(try context.count(of: Film.self) == 0)
    }

    @Test("Asking for a label that there is not, or for another class, is an error")
    func labels() throws {
        let objects = try context.insert(["Tag": ["war": [:], "japan": [:]]])
        let missing = #expect(throws: TestSupportError.self) { _ = try objects["peace", as: Tag.self] }
        #expect(missing?.description == "No fixture has the label “peace”. The labels are: japan, war.")
        let other = #expect(throws: TestSupportError.self) { _ = try objects["war", as: Film.self] }
        #expect(other?.description == "The fixture “war” is a Tag, not a Film.")
    }
}
