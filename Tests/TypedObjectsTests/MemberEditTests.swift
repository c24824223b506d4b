import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("To-many properties that are changed in place")
struct MemberEditTests {
    @Test(
        "R98: a set changed in place in any way has the members, inverses and rows that the same set would have",
        arguments: 0..<40 as Range<UInt64>)
    func sets(seed: UInt64) throws {
        let store = try TestStore.cinema()
        var random = SeededGenerator(seed: seed)
        let names = (0..<12).map(String.init)
        func expected(_ context: NSManagedObjectContext, _ wanted: Set<String>) throws {
            let director = try #require(try context.fetch(Director.self).first { $0.name == "a" })
            #expect(Set(director.movies.map(\.title)) == wanted)
            for movie in try context.fetch(Movie.self) {
                #expect((movie.value(forKey: "director") as? Director == director) == wanted.contains(movie.title))
            }
        }
        var wanted: Set<String> = []
        try store.run { context throws in
            let (a, b) = (Director(context: context, name: "a"), Director(context: context, name: "b"))
            let movies = names.map { Movie(context: context, imdbID: $0, title: $0, director: b) }
            try context.save()
            for _ in 0..<30 {
                let movie = movies[Int.random(in: 0..<movies.count, using: &random)]
                let others = Set(movies.filter { _ in Bool.random(using: &random) })
                var model = a.movies
                let held = Bool.random(using: &random) ? a.movies : []
                let step = Int.random(in: 0..<13, using: &random)
                func change(_ set: inout Set<Movie>) {
                    switch step {
                    case 0, 1: set.insert(movie)
                    case 2: set.remove(movie)
                    case 3: set.formUnion(others)
                    case 4: set.subtract(others)
                    case 5: set.formSymmetricDifference(others)
                    case 6: if !set.isEmpty { set.removeFirst() }
                    case 7: if let index = set.firstIndex(where: { $0 != movie }) { set.remove(at: index) }
                    case 8: set = others
                    case 9:
                        set = []
                        set = others
                        set.insert(movie)
                    case 10: set.removeAll(keepingCapacity: true)
                    case 11:
                        if let other = set.first { set.remove(other) }
                        set.insert(movie)
                    default: set.update(with: movie)
                    }
                }
                change(&model)
                change(&a.movies)
                // Which element is the first one is different from set to set.
                if step == 6 || step == 7 || step == 11 {
                    #expect(a.movies.count == model.count)
                } else {
                    #expect(a.movies == model)
                }
                wanted = Set(a.movies.map(\.title))
                try expected(context, wanted)
                if Int.random(in: 0..<6, using: &random) == 0 {
                    for movie in movies where movie.value(forKey: "director") == nil { movie.director = b }
                    try context.save()
                }
                withExtendedLifetime(held) {}
            }
            for movie in movies where movie.value(forKey: "director") == nil { movie.director = b }
            try context.save()
        }
        try store.fresh { try expected($0, wanted) }
    }

    @Test(
        "R98: an array changed in place in any way has the order that the same array would have",
        arguments: 0..<40 as Range<UInt64>)
    func arrays(seed: UInt64) throws {
        let store = try TestStore.cinema()
        var random = SeededGenerator(seed: seed)
        var texts: [String] = []
        try store.run { context throws in
            let movie = Movie(
                context: context, imdbID: "1", title: "m", director: Director(context: context, name: "d"))
            let scenes = (0..<100).map { Scene(context: context, text: "\($0)") }
            try context.save()
            for _ in 0..<40 {
                let scene = scenes[Int.random(in: 0..<scenes.count, using: &random)]
                let others = scenes.shuffled(using: &random).prefix(Int.random(in: 0..<90, using: &random))
                var model = movie.scenes
                let place = Int.random(in: 0...model.count, using: &random)
                let step = Int.random(in: 0..<11, using: &random)
                func change(_ array: inout [Scene]) {
                    switch step {
                    case 0, 1: array.insert(scene, at: place)
                    case 2: array.append(scene)
                    case 3: if place < array.count { array.remove(at: place) }
                    case 4: if place < array.count { array.swapAt(place, 0) }
                    case 5: array.reverse()
                    case 6: array.append(contentsOf: others)
                    case 7: if place < array.count { array[place] = scene }
                    case 8: array.insert(contentsOf: others.prefix(5), at: place)
                    case 9: array.removeAll { others.contains($0) }
                    default: array = Array(others)
                    }
                }
                change(&model)
                change(&movie.scenes)
                var seen: Set<Scene> = []
                model = model.filter { seen.insert($0).inserted }
                #expect(movie.scenes == model)
                for scene in scenes { #expect((scene.movie == movie) == seen.contains(scene)) }
                if Int.random(in: 0..<6, using: &random) == 0 { try context.save() }
            }
            texts = movie.scenes.map(\.text)
            try context.save()
        }
        try store.fresh { context throws in
            #expect(try context.fetch(Movie.self)[0].scenes.map(\.text) == texts)
        }
    }

    @Test("R98: what a function has done before it throws is kept, and reading inside sees the members before")
    func throwing() throws {
        struct Failure: Error {}
        try TestStore.cinema().run { context throws in
            let director = Director(context: context, name: "a")
            let movie = Movie(context: context, imdbID: "1", title: "1", director: Director(context: context, name: "b"))
            func add(_ movies: inout Set<Movie>) throws {
                movies.insert(movie)
                #expect(director.movies.isEmpty)
                throw Failure()
            }
            #expect(throws: Failure.self) { try add(&director.movies) }
            #expect(director.movies == [movie] && movie.director == director)
        }
    }

    @Test("R98: a change inside a change of another relationship reaches both")
    func nested() throws {
        try TestStore.cinema().run { context throws in
            let (a, b) = (Director(context: context, name: "a"), Director(context: context, name: "b"))
            let movies = (0..<3).map { Movie(context: context, imdbID: "\($0)", title: "\($0)", director: b) }
            func move(_ target: inout Set<Movie>, _ source: inout Set<Movie>) {
                source.remove(movies[0])
                target.insert(movies[0])
                target.insert(movies[1])
            }
            move(&a.movies, &b.movies)
            #expect(a.movies == [movies[0], movies[1]] && movies[0].director == a && movies[1].director == a)
            #expect(b.movies == [movies[2]])
        }
    }
}
