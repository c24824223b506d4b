import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

@Suite("What a block changes of one class") @MainActor
struct RecordedChangesTests {
    private let stack: IsolatedStack
    private let ozu: Director
    private var context: NSManagedObjectContext { stack.viewContext }

    init() throws {
        stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses))
        ozu = Director(context: stack.viewContext, name: "Ozu")
        try stack.viewContext.save()
    }

    @Test("Kinds are told apart, with the keys that changed; other classes do not count")
    func kinds() throws {
        let (late, early) = (
            Film(context: context, code: "1", title: "Late Spring", director: ozu),
            Film(context: context, code: "2", title: "Early Summer", director: ozu)
        )
        try context.save()
        var new: Film?
        let changes = try expectChanges(of: Film.self, in: context, inserted: 1, updated: 1, deleted: 1) {
            new = Film(context: context, code: "3", title: "Tokyo Story", director: ozu)
            late.minutes = 108
            late.rating = 8.2
            context.delete(early)
            _ = Tag(context: context, text: "Japan")
        }
        #expect(changes.inserted == [try #require(new)] && changes.updated == [late] && changes.deleted == [early])
        #expect(changes.changedKeys(of: late) == ["minutes", "rating"] && changes.changedKeys(of: early) == [])
        #expect(changes.rounds == 1 && !changes.isEmpty)
        #expect(try expectChanges(of: Tag.self, in: context) {}.isEmpty)
    }

    @Test("What was pending before does not count; several rounds and a save make one result")
    func rounds() throws {
        let film = Film(context: context, code: "1", title: "Late Spring", director: ozu)
        let changes = try expectChanges(of: Film.self, in: context) {
            film.minutes = 108
            try context.save()
            film.rating = 8.2
            context.processPendingChanges()
            let passing = Film(context: context, code: "2", title: "Passing", director: ozu)
            context.processPendingChanges()
            context.delete(passing)
        }
        #expect(changes.inserted == [] && changes.updated == [film] && changes.deleted == [])
        #expect(changes.changedKeys(of: film) == ["minutes", "rating"] && changes.rounds >= 4)
    }

    @Test("An entity by name, without a class")
    func entity() throws {
        let changes = try expectChanges(ofEntity: "Tag", in: context, inserted: 2) {
            _ = Tag(context: context, text: "a")
            _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            ozu.name = "Yasujirō Ozu"
        }
        #expect(changes.inserted.allSatisfy { $0.entity.name == "Tag" } && changes.updated.isEmpty)
        let error = #expect(throws: TestSupportError.self) { try expectChanges(ofEntity: "Tags", in: context) {} }
        #expect(error?.description == "The model has no entity “Tags”. Its entities are: Director, Film, Poster, Tag.")
    }

    @Test("Another number than expected is an error that says what there was; an error of the block is passed on")
    func failure() throws {
        let error = #expect(throws: TestSupportError.self) {
            try expectChanges(of: Tag.self, in: context, inserted: 2, deleted: 0) { _ = Tag(context: context, text: nil) }
        }
        let text = error?.localizedDescription ?? ""
        #expect(text.hasPrefix("Tag: 1 objects were inserted, not 2. All changes: 1 inserted (x-coredata://"), "\(text)")
        #expect(throws: CocoaError.self) {
            try expectChanges(of: Tag.self, in: context) { throw CocoaError(.fileNoSuchFile) }
        }
    }
}
