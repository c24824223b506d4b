import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import TestSupport
import Testing

@Suite("The graph checker") @MainActor
struct GraphCheckerTests {
    /// Three films with posters and a tag, saved; `edit` changes the file behind everybody's back.
    private func problems(_ edits: String...) throws -> [String] {
        let stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses), in: .temporaryFile)
        let context = stack.viewContext
        let tag = Tag(context: context, text: "Japan")
        let ozu = Director(context: context, name: "Ozu")
        for index in 1...3 {
            let film = Film(context: context, code: "\(index)", title: "Film \(index)", director: ozu)
            film.poster = Poster(context: context)
            film.tags = [tag]
        }
        try context.save()
        context.reset()
        let database = try Database(try #require(stack.storeURL))
        for edit in edits { try database.execute(edit) }
        return try graphProblems(in: context).map { problem in
            "\(problem.entityName).\(problem.property ?? ""): \(problem.reason)".replacing(/<x-coredata:[^>]*\/(\w+)>/) {
                "<\($0.1)>"
            }
        }
    }

    @Test("A store as it was saved has no problems")
    func clean() throws {
        #expect(try problems() == [])
    }

    @Test("The sides of a one-to-one relationship that disagree")
    func sides() throws {
        let found = try problems("UPDATE ZPOSTER SET ZFILM = NULL WHERE ZFILM = (SELECT min(ZFILM) FROM ZPOSTER)")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("Film.poster: leads to Poster <p") == true, "\(found)")
        #expect(found.first?.hasSuffix(">, whose relationship “film” is another object, or none") == true, "\(found)")
    }

    @Test("A relationship that leads nowhere")
    func nowhere() throws {
        let found = try problems("UPDATE ZFILM SET ZDIRECTOR = 99 WHERE ZCODE = '2'")
        #expect(found.contains("Film.director: leads to Director <p99>, which is not in the store"), "\(found)")
    }

    @Test("A required value that is missing, and one beyond its limit, with the model's error as the reason")
    func values() throws {
        let found = try problems(
            "UPDATE ZFILM SET ZTITLE = NULL WHERE ZCODE = '1'", "UPDATE ZFILM SET ZRATING = 11 WHERE ZCODE = '2'",
            "UPDATE ZFILM SET ZDIRECTOR = NULL WHERE ZCODE = '3'")
        #expect(Set(found.map { $0.prefix { $0 != ":" } }) == ["Film.title", "Film.rating", "Film.director"], "\(found)")
    }

    @Test("A problem names its object, also as a text")
    func object() throws {
        let stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses))
        let film = Film.makeInstance(in: stack.viewContext)
        let problem = try #require(try graphProblems(in: stack.viewContext).first)
        #expect(problem.objectURL == film.objectID.uriRepresentation() && problem.entityName == "Film")
        #expect(problem.description.hasPrefix("Film.\(problem.property ?? "") of <\(problem.objectURL.absoluteString)>: "))
    }

    @Test("Values that must be unique and are not, saved or not")
    func constraints() throws {
        let stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses))
        let context = stack.viewContext
        let ozu = Director(context: context, name: "Ozu")
        for title in ["Late Spring", "Early Summer"] { _ = Film(context: context, code: "1", title: title, director: ozu) }
        // Composed and decomposed: equal in Swift, two values in a store.
        for code in ["\u{e9}", "e\u{301}"] { _ = Film(context: context, code: code, title: "É", director: ozu) }
        let found = try graphProblems(in: context)
        #expect(found.map(\.property) == ["code"] && found.first?.reason.hasSuffix("and must be unique") == true, "\(found)")
        let error = #expect(throws: TestSupportError.self) { try checkGraph(in: context) }
        #expect(error?.description.hasPrefix("The objects are not consistent:\n  Film.code of <x-coredata://") == true)
    }

    @Test("A deleted object that somebody still leads to")
    func deleted() throws {
        let model = NSManagedObjectModel()
        let (owner, owned) = (NSEntityDescription(), NSEntityDescription())
        (owner.name, owned.name) = ("Owner", "Owned")
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity, relationship.maxCount) = ("owned", owned, 1)
        owner.properties = [relationship]
        model.entities = [owner, owned]
        let stack = try IsolatedStack(model: model)
        let context = stack.viewContext
        let (first, second) = (
            NSManagedObject(entity: owner, insertInto: context), NSManagedObject(entity: owned, insertInto: context)
        )
        first.setValue(second, forKey: "owned")
        try context.save()
        try checkGraph(in: context)
        context.delete(second)
        let found = try graphProblems(in: context)
        #expect(found.first?.reason.hasSuffix("which is deleted") == true && found.first?.property == "owned", "\(found)")
    }
}
