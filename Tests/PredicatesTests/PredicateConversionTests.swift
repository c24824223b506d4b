import Foundation
import Testing

@testable import Predicates

@Suite("From #Predicate to the tree")
struct PredicateConversionTests {
    private func expect(
        _ predicate: Predicate<Film>, _ format: String, _ arguments: Any?..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let node = try Film.conversion.node(predicate)
        let expected = try PredicateParser.predicate(format, arguments)
        #expect(node == expected, "\(PredicatePrinter.print(node))", sourceLocation: sourceLocation)
        // Users read it, keep it and send it as text.
        #expect(try PredicateParser.predicate(PredicatePrinter.print(node), []) == node, sourceLocation: sourceLocation)
    }

    @Test("PRD-202, PRD-206: key paths by their stored names, and the six comparisons")
    func comparisons() throws {
        try expect(#Predicate { $0.duration == 2 }, "length == 2")
        try expect(#Predicate { $0.duration != 2 }, "length != 2")
        try expect(#Predicate { $0.duration < 2 }, "length < 2")
        try expect(#Predicate { $0.duration <= 2 }, "length <= 2")
        try expect(#Predicate { $0.duration > 2 }, "length > 2")
        try expect(#Predicate { $0.title >= "M" }, "title >= 'M'")
        try expect(#Predicate { $0.title == $0.subtitle ?? "" }, "title == TERNARY(subtitle != nil, subtitle, '')")
    }

    @Test("PRD-204: AND and OR of two, NOT")
    func logic() throws {
        try expect(#Predicate { $0.duration == 1 && $0.title == "a" }, "length == 1 AND title == 'a'")
        try expect(#Predicate { $0.duration == 1 || $0.title == "a" }, "length == 1 OR title == 'a'")
        try expect(#Predicate { !($0.duration == 1) }, "NOT (length == 1)")
        try expect(
            #Predicate { $0.duration == 1 && $0.title == "a" && $0.isSeen == true },
            "(length == 1 AND title == 'a') AND isSeen == YES")
    }

    @Test("PRD-205, PRD-219: a Boolean as predicate, a predicate as value")
    func booleans() throws {
        try expect(#Predicate { $0.isSeen }, "isSeen == YES")
        try expect(#Predicate { !$0.isSeen }, "NOT isSeen == YES")
        try expect(#Predicate { _ in true }, "YES == YES")
        try expect(#Predicate { ($0.duration == 1) == $0.isSeen }, "TERNARY(length == 1, YES, NO) == isSeen")
    }

    @Test("PRD-207: arithmetic; whole-number division and remainder, which Apple refuses")
    func arithmetic() throws {
        try expect(#Predicate { $0.duration + 2 == 4 }, "length + 2 == 4")
        try expect(#Predicate { $0.duration - 2 == 4 }, "length - 2 == 4")
        try expect(#Predicate { $0.duration * 2 == 4 }, "length * 2 == 4")
        try expect(#Predicate { -$0.duration == 4 }, "length * -1 == 4")
        try expect(#Predicate { $0.duration / 2 == 4 }, "length / 2 == 4")
        try expect(#Predicate { $0.duration % 2 == 1 }, "modulus:by:(length, 2) == 1")
        try expect(#Predicate { ($0.rating ?? 0) / 2 > 4 }, "TERNARY(rating != nil, rating, 0) / 2.0 > 4")
    }

    @Test("PRD-208: membership and ranges, written or captured, closed, half open and partial")
    func membership() throws {
        let titles = ["Ran", "Ikiru"]
        let set: Set = [1, 2]
        let closed = 1...5
        let halfOpen = 1..<5
        let from = 1...
        let upTo = ..<5
        let through = ...5
        let dates = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 60)
        try expect(#Predicate { titles.contains($0.title) }, "title IN {'Ran', 'Ikiru'}")
        try expect(#Predicate { set.contains($0.duration) }, "length IN %@", set)
        try expect(#Predicate { $0.tags.contains("new") }, "'new' IN tags")
        try expect(#Predicate { (1...5).contains($0.duration) }, "length BETWEEN {1, 5}")
        try expect(#Predicate { (1..<5).contains($0.duration) }, "length >= 1 AND length < 5")
        try expect(#Predicate { (0...$0.scenes.count).contains($0.duration) }, "length BETWEEN {0, scenes.@count}")
        try expect(#Predicate { closed.contains($0.duration) }, "length BETWEEN {1, 5}")
        try expect(#Predicate { halfOpen.contains($0.duration) }, "length >= 1 AND length < 5")
        try expect(#Predicate { from.contains($0.duration) }, "length >= 1")
        try expect(#Predicate { upTo.contains($0.duration) }, "length < 5")
        try expect(#Predicate { through.contains($0.duration) }, "length <= 5")
        try expect(#Predicate { dates.contains($0.released) }, "released BETWEEN {CAST(0, 'NSDate'), CAST(60, 'NSDate')}")
    }

    @Test("PRD-209: contains(where:), allSatisfy and filter become subqueries with numbered variables")
    func subqueries() throws {
        try expect(
            #Predicate { $0.cast.contains { $0.age > 30 } }, "SUBQUERY(cast, $_local_1, $_local_1.age > 30).@count != 0")
        try expect(
            #Predicate { $0.cast.allSatisfy { $0.age > 30 } }, "SUBQUERY(cast, $_local_1, NOT $_local_1.age > 30).@count == 0")
        try expect(
            #Predicate { film in film.scenes.filter { $0 == film.duration }.count > 0 },
            "SUBQUERY(scenes, $_local_1, $_local_1 == length).@count > 0")
        try expect(
            #Predicate { $0.cast.contains { $0.films.contains { $0.isSeen } } },
            "SUBQUERY(cast, $_local_1, SUBQUERY($_local_1.films, $_local_2, $_local_2.isSeen == YES).@count != 0).@count != 0")
    }

    @Test("PRD-203, PRD-210: count, isEmpty, first, last, min and max")
    func collections() throws {
        try expect(#Predicate { $0.title.count == 5 }, "title.length == 5")
        try expect(#Predicate { $0.scenes.count == 5 }, "scenes.@count == 5")
        try expect(#Predicate { $0.scenes.isEmpty }, "scenes.@count == 0")
        try expect(#Predicate { ($0.subtitle ?? "").isEmpty }, "TERNARY(subtitle != NULL, subtitle, '').length == 0")
        try expect(#Predicate { $0.scenes.first == 1 }, "scenes[FIRST] == 1")
        try expect(#Predicate { $0.scenes.last == 1 }, "scenes[LAST] == 1")
        try expect(#Predicate { $0.scenes.max() == $0.scenes.min() }, "scenes.@max.#self == scenes.@min.#self")
    }

    @Test("PRD-211: ??, optional chaining, conditions")
    func conditionals() throws {
        try expect(#Predicate { ($0.rating ?? 0) > 8 }, "TERNARY(rating != nil, rating, 0) > 8")
        try expect(#Predicate { $0.director?.name == "Kurosawa" }, "TERNARY(director != nil, director.name, nil) == 'Kurosawa'")
        try expect(
            #Predicate { $0.isSeen ? $0.duration == 1 : $0.duration == 2 },
            "TERNARY(isSeen == YES, TERNARY(length == 1, YES, NO), TERNARY(length == 2, YES, NO)) == YES")
        try expect(
            #Predicate { if $0.isSeen { $0.duration > 1 } else { false } },
            "TERNARY(isSeen == YES, TERNARY(length > 1, YES, NO), NO) == YES")
        try expect(#Predicate { $0.director!.age == 3 }, "director.age == 3")
        try expect(#Predicate { $0.director == nil }, "director == nil")
    }

    @Test("PRD-212: subscripts of arrays and dictionaries")
    func subscripts() throws {
        try expect(#Predicate { $0.scenes[0] == 2 }, "(SELF.scenes)[0] == 2")
        try expect(#Predicate { $0.counts["A"] == 1 }, "(SELF.counts)['A'] == 1")
        try expect(#Predicate { $0.counts["A", default: 3] == 1 }, "TERNARY(counts['A'] != nil, counts['A'], 3) == 1")
    }

    @Test("PRD-213, PRD-216: strings; the three localized methods that Linux Foundation has no builders for")
    func strings() throws {
        let pattern = #/k[aei]n/#
        let (same, ascending) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        try expect(#Predicate { $0.title.contains("a") }, "title CONTAINS 'a'")
        try expect(#Predicate { $0.title.starts(with: "a") }, "title BEGINSWITH 'a'")
        try expect(#Predicate { $0.title.localizedStandardContains("a") }, "title CONTAINS[cdl] 'a'")
        try expect(
            #Predicate { $0.title.caseInsensitiveCompare("a") == same },
            "TERNARY(title ==[c] 'a', 0, TERNARY(title <[c] 'a', -1, 1)) == 0")
        try expect(
            #Predicate { $0.title.localizedCompare("a") == ascending },
            "TERNARY(title ==[l] 'a', 0, TERNARY(title <[l] 'a', -1, 1)) == -1")
        try expect(#Predicate { $0.title.contains(pattern) }, "title MATCHES '.*k[aei]n.*'")
    }

    @Test("The localized methods work in memory, and a predicate with one of them can be described")
    func localizedMethods() throws {
        let (same, ascending) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        let contains = #Predicate<Film> { $0.title.localizedStandardContains("ÉL") }
        #expect(try contains.evaluate(Film("Elephant")))
        #expect(try !contains.evaluate(Film("Ran")))
        #expect("\(contains)".contains("title"))
        let equal = #Predicate<Film> { $0.title.caseInsensitiveCompare("RAN") == same }
        #expect(try equal.evaluate(Film("Ran")) && !equal.evaluate(Film("Ren")))
        let less = #Predicate<Film> { $0.title.localizedCompare("b") == ascending }
        #expect(try less.evaluate(Film("A")) && !less.evaluate(Film("c")))
        for film in [Film("Elephant"), Film("Ran"), Film("A"), Film("c")] {
            for predicate in [contains, equal, less] {
                #expect(try CompiledPredicate(Film.conversion.node(predicate)).evaluate(film) == predicate.evaluate(film))
            }
        }
        let bad = #Predicate<Film> { $0.cache == 1 && $0.title.localizedStandardContains("a") }
        #expect(#expect(throws: InvalidPredicateError.self) { try Film.conversion.node(bad) }?.text?.contains("cache") == true)
    }

    @Test("A node of somebody else's, which Foundation can't describe, is an error like others")
    func foreignNodes() throws {
        struct Odd: StandardPredicateExpression, Codable, Sendable {
            func evaluate(_ bindings: PredicateBindings) throws -> Bool { throw InvalidPredicateError(.unsupported, "odd") }
        }
        let predicate = Predicate<Film> { film in
            PredicateExpressions.build_Conjunction(
                lhs: PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: film, keyPath: \.cache), rhs: PredicateExpressions.build_Arg(1)),
                rhs: Odd())
        }
        let error = #expect(throws: InvalidPredicateError.self) { try Film.conversion.node(predicate) }
        #expect(error?.text == "#Predicate<Film>")
        #expect(error?.message.contains("$0.cache") == true)
    }

    @Test("PRD-214, PRD-221: captured values of every kind; properties of captured structs are taken now")
    func constants() throws {
        struct Wish: Codable {
            var length = 90
            var titles = ["Ran"]
        }
        let wish = Wish()
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.com"))
        let date = Date(timeIntervalSinceReferenceDate: 5.25)
        let price = try #require(Decimal(string: "9.99"))
        let nothing: Double? = nil
        try expect(#Predicate { $0.duration == wish.length }, "length == 90")
        try expect(#Predicate { wish.titles.contains($0.title) }, "title IN {'Ran'}")
        try expect(#Predicate { $0.code == uuid }, "code == %@", uuid)
        try expect(#Predicate { $0.page == url }, "page == %@", url)
        try expect(#Predicate { $0.released > date }, "released > %@", date)
        try expect(#Predicate { $0.price == price }, "price == %@", price)
        try expect(#Predicate { $0.rating == nothing }, "rating == nil")
        let drama = Film.Genre.drama
        try expect(#Predicate { $0.genre == drama }, "genre == 'drama'")
        try expect(#Predicate { $0.genre.rawValue == "drama" }, "genre == 'drama'")
        try expect(#Predicate { $0.released.timeIntervalSinceReferenceDate > 5 }, "released.timeIntervalSinceReferenceDate > 5")
    }

    @Test("Casts between classes of entities ask for the entity")
    func casts() throws {
        try expect(#Predicate { $0.director is Star }, "director.entity.name IN {'Star'}")
        try expect(
            #Predicate { ($0.director as? Star)?.fee == 3.5 },
            """
            TERNARY(TERNARY(director.entity.name IN {'Star'}, director, nil) != nil, \
            TERNARY(director.entity.name IN {'Star'}, director, nil).fee, nil) == 3.5
            """)
    }

    @Test("PRD-218: #Expression converts by the same rules and is inlined where it is evaluated")
    func expressions() throws {
        let long = #Expression<Film, Int> { $0.duration + 10 }
        #expect(try Film.conversion.node(long) == PredicateParser.expression("length + 10", []))
    }

    @Test(
        "PRD-200, PRD-201, PRD-217: what has no meaning in a store is an error that shows the predicate, the part and a way out")
    func unsupported() throws {
        struct Secret: Codable, Equatable { var x = 1 }
        func error(_ predicate: Predicate<Film>) -> InvalidPredicateError? {
            #expect(throws: InvalidPredicateError.self) { try Film.conversion.node(predicate) }
        }
        let cache = try #require(error(#Predicate { $0.cache == 1 && $0.title == "a" }))
        #expect(cache.kind == .unsupported)
        #expect(error(#Predicate { $0.genre.label == "DRAMA" })?.suggestion?.contains("Genre itself") == true)
        #expect(cache.description.contains("$0.cache") && cache.description.contains("Film is not stored"))
        #expect(cache.text?.contains("title") == true)
        #expect(cache.suggestion != nil)
        #expect(error(#Predicate { $0.title.allSatisfy { $0 == $0 } })?.suggestion?.contains("starts(with:)") == true)
        #expect(error(#Predicate { $0.scenes.contains([1, 2]) })?.kind == .unsupported)
        #expect(error(#Predicate { $0.scenes[0..<2].isEmpty })?.suggestion?.contains("filter") == true)
        #expect(error(#Predicate { ($0.tags as? [Int]) == nil })?.suggestion?.contains("entities") == true)
    }
}
