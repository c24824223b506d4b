import Foundation
import Testing

@testable import Predicates

/// Reports from public trackers, as far as they concern predicates in memory; the numbers are those of the list of reports.
@Suite("Bug reports")
struct BugReportTests {
    @Test("B34: if-let-else in #Predicate is printed, simplified for stores, and true for the same objects")
    func ifLetElse() throws {
        let list = ["a", "b"]
        let predicate = #Predicate<Film> { film in
            if let kind = film.subtitle { film.rating == nil && list.contains(kind) } else { film.rating == nil }
        }
        let node = try Film.conversion.node(predicate)
        let text = PredicatePrinter.print(node)
        #expect(try PredicateParser.predicate(text, []) == node)
        let simple = node.simplified()
        #expect(!PredicatePrinter.print(simple).contains("TERNARY"))
        for kind in [nil, "a", "x"] {
            for rating in [nil, 5.0] {
                let film = Film("", rating: rating)
                film.subtitle = kind
                let right = try predicate.evaluate(film)
                #expect(try CompiledPredicate(node).evaluate(film) == right)
                #expect(try CompiledPredicate(simple).evaluate(film) == right)
                #expect(try CompiledPredicate(PredicateParser.predicate(text, [])).evaluate(film) == right)
            }
        }
    }

    @Test("B35: an optional to-one is compared with nil, alone and in compounds")
    func optionalToOne() throws {
        let (with, without) = (Film(), Film())
        with.director = Artist("Kurosawa")
        func expect(_ predicate: Predicate<Film>, _ format: String, _ first: Bool, _ second: Bool) throws {
            let node = try Film.conversion.node(predicate)
            #expect(try node == PredicateParser.predicate(format, []))
            #expect(try CompiledPredicate(node).evaluate(with) == first)
            #expect(try CompiledPredicate(node).evaluate(without) == second)
        }
        try expect(#Predicate { $0.director == nil }, "director == nil", false, true)
        try expect(#Predicate { $0.director != nil }, "director != nil", true, false)
        try expect(#Predicate { !($0.director == nil) || $0.isSeen }, "NOT director == nil OR isSeen == YES", true, false)
        try expect(#Predicate { $0.director != nil && $0.title == "" }, "director != nil AND title == ''", true, false)
    }

    @Test("B36: a property without Objective-C and with another name in the store")
    func renamedProperty() throws {
        let node = try Film.conversion.node(#Predicate<Film> { $0.duration == 100 })
        #expect(PredicatePrinter.print(node) == "length == 100")
    }

    @Test("B37: predicates made by generic code, for optional properties too")
    func genericKeyPaths() throws {
        func equal<Value: Equatable & Codable & Sendable>(_ path: any KeyPath<Film, Value> & Sendable, _ value: Value)
            -> Predicate<Film>
        {
            Predicate {
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: path),
                    rhs: PredicateExpressions.build_Arg(value))
            }
        }
        #expect(try Film.conversion.node(equal(\.duration, 5)) == PredicateParser.predicate("length == 5", []))
        #expect(try Film.conversion.node(equal(\.rating, 5)) == PredicateParser.predicate("rating == 5", []))
        #expect(try Film.conversion.node(equal(\.rating, nil)) == PredicateParser.predicate("rating == nil", []))
        #expect(try Film.conversion.node(equal(\.title, "x")) == PredicateParser.predicate("title == 'x'", []))
        #expect(try Film.conversion.node(equal(\.subtitle, "x")) == PredicateParser.predicate("subtitle == 'x'", []))
    }

    @Test("B38, B39: nil tests of values that are not Equatable, and of relationships")
    func nilTests() {
        struct Payload { let bytes = 1 }
        #expect(NSPredicate(format: "payload == nil").evaluate(with: [String: Any]()))
        #expect(NSPredicate(format: "payload != nil").evaluate(with: ["payload": Payload()]))
        let group = Artist("g")
        #expect(NSPredicate(format: "group == nil AND content == nil").evaluate(with: [String: Any]()))
        #expect(NSPredicate(format: "group == %@", group).evaluate(with: ["group": group]))
    }

    @Test("B40: nil in a dictionary of conditions")
    func nilConditions() throws {
        let conditions: KeyValuePairs<String, Any?> = ["name": "a", "group": nil, "other": NSNull()]
        let predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: conditions.map { NSPredicate(format: "%K == %@", $0.key, $0.value) })
        #expect(try PortablePredicate(predicate).format == "name == \"a\" AND group == nil AND other == nil")
        #expect(predicate.evaluate(with: ["name": "a"]))
    }

    @Test("B41: what can't be evaluated is an error, not the end of the process")
    func badKeyPaths() {
        for (format, object) in [
            ("ANY market.remoteID = 3", ["market": 5] as [String: Any]), ("data CONTAINS[cd] 'x'", ["data": Data([1])]),
            ("a.b.c == 1", ["a": 1]),
        ] {
            let error = #expect(throws: InvalidPredicateError.self) {
                try NSPredicate(format: format).evaluate(validating: object)
            }
            #expect(error?.text == "\(NSPredicate(format: format))")
        }
    }

    @Test("B42: the format language works off Apple's systems, with errors that show the place")
    func formatLanguage() {
        #expect(
            NSPredicate(format: "SELF MATCHES %@", "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}").evaluate(
                with: "a.b@example.com"))
        #expect(
            #expect(throws: InvalidPredicateError.self) { try NSPredicate(validating: "SELF MATCHES %@ AND", "x") }?.position
                == 19)
    }

    @Test("B43: the predicate of a #Predicate is kept as text and read again")
    func archiving() throws {
        let node = try Film.conversion.node(#Predicate<Film> { $0.title == "Ran" && ($0.rating ?? 0) > 8 })
        let data = try JSONEncoder().encode(PortablePredicate(node.predicate))
        let decoded = try JSONDecoder().decode(PortablePredicate.self, from: data).predicate
        #expect(decoded.evaluate(with: Film("Ran", rating: 9)))
        #expect(!decoded.evaluate(with: Film("Ran")))
    }
}
