import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import TypedObjects

extension Movie {
    fileprivate var titleLength: Int { title.count }
}

@Suite("Fetching by class")
struct TypedFetchTests {
    private static func fill(_ context: NSManagedObjectContext) throws {
        let kurosawa = Director(context: context, name: "Akira Kurosawa")
        let leone = Director(context: context, name: "Sergio Leone")
        _ = Movie(context: context, imdbID: "1", title: "Yojimbo", director: kurosawa, userRating: 8.2, duration: 110)
        _ = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: kurosawa, userRating: 8.0, duration: 96)
        _ = Movie(context: context, imdbID: "3", title: "Ran", director: kurosawa, duration: 162)
        _ = Movie(context: context, imdbID: "4", title: "A Fistful of Dollars", director: leone, userRating: 7.9, duration: 99)
        try context.save()
    }

    @Test("live results take what a fetch takes: both forms of conditions, each with both forms of orders")
    func liveResults() throws {
        try TestStore.cinema().run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            for (title, duration) in [("Ran", 162), ("Ikiru", 143), ("Yojimbo", 110)] as [(String, Int32)] {
                _ = Movie(context: context, imdbID: title, title: title, director: director, duration: duration)
            }
            try context.save()
            let long = #Predicate<Movie> { $0.duration > 120 }
            let swift = [SortDescriptor(\Movie.duration, order: .reverse)]
            let keys = [Movie.keys.duration.descending]
            let results = [
                try FetchedResults(Movie.self, where: long, sortedBy: swift, in: context),
                try FetchedResults(Movie.self, where: long, sortedBy: keys, in: context),
                try FetchedResults(Movie.self, where: \.duration > 120, sortedBy: swift, in: context),
                try FetchedResults(Movie.self, where: \.duration > 120, sortedBy: keys, in: context),
                try FetchedResults(
                    Movie.self, where: \.duration > 120, sortedBy: [SortDescriptor(\.duration, order: .reverse)], in: context),
                try FetchedResults(Movie.self, sortedBy: [SortDescriptor(\.title)], in: context),
            ]
            #expect(
                results.map { $0.map(\.title) } == Array(repeating: ["Ran", "Ikiru"], count: 5) + [["Ikiru", "Ran", "Yojimbo"]])
            let error = #expect(throws: NSError.self) {
                try FetchedResults(Movie.self, sortedBy: [SortDescriptor(\.title.count)], in: context)
            }
            #expect(error?.code == NSCoreDataError)
            #expect(error?.localizedDescription.contains("can't be sorted by") == true, "\(error as Any)")
        }
    }

    @Test("all objects of the class, with those of subclasses")
    func all() throws {
        let store = try TestStore.cinema()
        try store.run(Self.fill)
        try store.fresh { context throws in
            #expect(Set(try context.fetch(Movie.self).map(\.title)) == ["Yojimbo", "Sanjuro", "Ran", "A Fistful of Dollars"])
            #expect(try context.fetch(SecondPart.self).map(\.title) == ["Sanjuro"])
            #expect(try context.count(of: Movie.self) == 4)
            #expect(try context.count(of: SecondPart.self) == 1)
        }
    }

    @Test("a predicate over optional values and along a relationship")
    func predicate() throws {
        let store = try TestStore.cinema()
        try store.run(Self.fill)
        try store.fresh { context throws in
            let predicate = #Predicate<Movie> { ($0.userRating ?? 0) >= 8 && $0.director.name == "Akira Kurosawa" }
            let good = try context.fetch(Movie.self, where: predicate, sortedBy: [SortDescriptor(\.title)])
            #expect(good.map(\.title) == ["Sanjuro", "Yojimbo"])
            #expect(try context.count(of: Movie.self, where: predicate) == 2)
            #expect(try context.count(of: Movie.self, where: #Predicate { $0.userRating == nil }) == 1)
        }
    }

    @Test("several sort descriptors, then offset and limit")
    func order() throws {
        let store = try TestStore.cinema()
        try store.run(Self.fill)
        try store.fresh { context throws in
            let sort = [SortDescriptor(\Movie.director.name, order: .reverse), SortDescriptor(\Movie.duration)]
            let titles = ["A Fistful of Dollars", "Sanjuro", "Yojimbo", "Ran"]
            #expect(try context.fetch(Movie.self, sortedBy: sort).map(\.title) == titles)
            #expect(try context.fetch(Movie.self, sortedBy: sort, limit: 2, offset: 1).map(\.title) == ["Sanjuro", "Yojimbo"])
            #expect(try context.fetch(Movie.self, sortedBy: sort, limit: 0).isEmpty)
            #expect(try context.fetch(Movie.self, sortedBy: sort, offset: 9).isEmpty)
        }
    }

    @Test("limit and offset without a predicate are the store's business")
    func limit() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        try store.run(Self.fill)
        try store.fresh { context throws in
            #expect(try context.fetch(Movie.self, limit: 3).count == 3)
            #expect(context.registeredObjects.isEmpty)
            #expect(try context.fetch(Movie.self, limit: 3, offset: 2).count == 2)
            #expect(try context.fetch(Movie.self, limit: 0).isEmpty)
        }
    }

    @Test("FET-65: sort descriptors for numbers, dates and texts are the store's business; others sort in memory")
    func storedOrder() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        try store.run(Self.fill)
        try store.fresh { context throws in
            func titles(_ sort: SortDescriptor<Movie>..., limit: Int? = 2) throws -> [String] {
                try context.fetch(Movie.self, sortedBy: sort, limit: limit).map(\.title)
            }
            // The store's work ends with the limit: nothing else is loaded.
            let first = try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)], limit: 1)
            #expect(first.map(\.title) == ["A Fistful of Dollars"] && context.registeredObjects.count <= 2)
            #expect(try titles(SortDescriptor(\.title, comparator: .lexical, order: .reverse)) == ["Yojimbo", "Sanjuro"])
            #expect(try titles(SortDescriptor(\.userRating)) == ["Ran", "A Fistful of Dollars"])
            #expect(try titles(SortDescriptor(\.userRating, order: .reverse)) == ["Yojimbo", "Sanjuro"])
            #expect(
                try titles(SortDescriptor(\.director.name, order: .reverse), SortDescriptor(\.duration)) == [
                    "A Fistful of Dollars", "Sanjuro",
                ])
            #expect(try titles(SortDescriptor(\.titleLength), SortDescriptor(\.title)) == ["Ran", "Sanjuro"])
            let stored = context.storedOrder([SortDescriptor(\Movie.director.name, order: .reverse), SortDescriptor(\.duration)])
            #expect(stored?.map(\.key) == ["director.name", "length"] && stored?.map(\.ascending) == [false, true])
            #expect(context.storedOrder([SortDescriptor(\Movie.title), SortDescriptor(\.titleLength)]) == nil)
            // Unsaved changes are sorted in memory, in the same order.
            try context.fetch(Movie.self, where: #Predicate { $0.title == "Ran" }).first?.title = "Zatoichi"
            #expect(try titles(SortDescriptor(\.title, order: .reverse)) == ["Zatoichi", "Yojimbo"])
        }
    }

    @Test("a negative limit or offset is an error, wherever the fetch is done", arguments: [(-1, 0), (0, -1), (2, -1), (-1, -1)])
    func negativeWindow(limit: Int, offset: Int) throws {
        let vessels = try Vessel.store()
        let store = try TestStore.cinema()
        try store.run(Self.fill)
        let orders = [Movie.keys.title.ascending]
        func check(_ store: TestStore, _ name: String, _ body: @escaping (NSManagedObjectContext) throws -> Void) throws {
            try store.run { context throws in
                let error = #expect(throws: NSError.self) { try body(context) }
                #expect(error?.code == NSCoreDataError)
                let text = "fetchLimit and fetchOffset of a request for “\(name)” must not be negative"
                #expect(error?.localizedDescription == text)
            }
        }
        let isLong = #Predicate<Movie> { $0.titleLength > 3 }
        let isRed = Vessel.keys.name == "red"
        try check(store, "Movie") { _ = try $0.fetch(Movie.self, limit: limit, offset: offset) }
        try check(store, "Movie") { _ = try $0.fetch(Movie.self, where: isLong, limit: limit, offset: offset) }
        try check(store, "Movie") { _ = try $0.fetch(Movie.self, where: isLong, sortedBy: orders, limit: limit, offset: offset) }
        try check(store, "Movie") { _ = try $0.fetch(Movie.self, where: \.title == "Ran", limit: limit, offset: offset) }
        try check(store, "Movie") { _ = try $0.values(\.title, of: Movie.self, limit: limit, offset: offset) }
        try check(store, "Movie") { _ = try $0.values(\.titleLength, of: Movie.self, limit: limit, offset: offset) }
        try check(vessels, "Vessel") { _ = try $0.fetch(Vessel.self, limit: limit, offset: offset) }
        try check(vessels, "Vessel") { _ = try $0.fetch(Vessel.self, where: isRed, limit: limit, offset: offset) }
        try vessels.run { context throws in
            #expect(try context.fetch(Vessel.self, limit: 2, offset: 1).count == 2)
            #expect(try context.fetch(Vessel.self, limit: .max, offset: .max).isEmpty)
            #expect(try context.fetch(Vessel.self, limit: 0).isEmpty)
        }
    }

    @Test("unsaved objects count, deleted ones don't")
    func pendingChanges() throws {
        try TestStore.cinema().run { context throws in
            try Self.fill(context)
            let ran = try #require(try context.fetch(Movie.self, where: #Predicate { $0.title == "Ran" }).first)
            _ = Movie(context: context, imdbID: "5", title: "Kagemusha", director: ran.director)
            context.delete(ran)
            #expect(
                try context.fetch(Movie.self, where: #Predicate { $0.imdbID >= "3" }, sortedBy: [SortDescriptor(\.imdbID)]).map(
                    \.title)
                    == ["A Fistful of Dollars", "Kagemusha"])
        }
    }

    @Test("a class that the model doesn't have is an error")
    func unknownClass() throws {
        try TestStore.cinema().run { context throws in
            let error = #expect(throws: NSError.self) { try context.fetch(Nothing.self) }
            #expect(error?.code == NSCoreDataError)
            #expect(error?.localizedDescription == "The context's model has no entity for the class Nothing")
        }
    }

    @Test("the base class fetches objects of all entities")
    func baseClass() throws {
        try TestStore.cinema().run { context throws in
            try Self.fill(context)
            #expect(try context.count(of: NSManagedObject.self) == 6)
        }
    }
}
