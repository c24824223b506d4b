import Foundation
import Testing

@testable import Predicates

@Suite("Values by key")
struct KeyValueCodingTests {
    @Test("A key path goes through objects and dictionaries")
    func paths() {
        let director = Person(values: ["name": "Kurosawa", "address": ["city": "Tokyo", "zip": Optional<Int>.none as Any]])
        let movie = Person(values: ["title": "Ran", "director": director])
        #expect(movie.value(forKeyPath: "title") as? String == "Ran")
        #expect(movie.value(forKeyPath: "director.name") as? String == "Kurosawa")
        #expect(movie.value(forKeyPath: "director.address.city") as? String == "Tokyo")
        #expect(movie.value(forKeyPath: "director.self.name") as? String == "Kurosawa")
        #expect(KeyedValue.value(of: ["a": ["b": 5]], forKeyPath: "a.b") as? Int == 5)
    }

    @Test("A missing value on the way gives nil, and so does what offers no values by name")
    func missing() {
        let movie = Person(values: ["title": "Ran"])
        #expect(movie.value(forKeyPath: "director.name") == nil)
        #expect(movie.value(forKeyPath: "title.length") == nil)
        #expect(movie.value(forKeyPath: "") == nil)
        #expect(movie.value(forKeyPath: "title.") == nil)
        #expect(KeyedValue.value(of: 5, forKeyPath: "a") == nil)
        #expect(KeyedValue.value(of: nil, forKeyPath: "a") == nil)
        #expect(KeyedValue.value(of: ["zip": Optional<Int>.none as Any], forKeyPath: "zip") == nil)
    }

    @Test("A key on a collection gives the elements' values")
    func collections() throws {
        let people = ["Kurosawa", "Ozu"].map { Person(values: ["name": $0]) } + [Person(values: [:])]
        let studio = Person(values: ["list": people, "set": Set(people), "ordered": NSOrderedSet(array: people)])
        let list = try #require(studio.value(forKeyPath: "list.name") as? [Any])
        #expect(list.count == 3)
        #expect(list[0] as? String == "Kurosawa")
        #expect(list[2] is NSNull)
        #expect(studio.value(forKeyPath: "set.name") as? Set<String> == ["Kurosawa", "Ozu"])
        #expect((studio.value(forKeyPath: "ordered.name") as? [Any])?[1] as? String == "Ozu")
    }

    @Test("A type's own key path look-up is used where it has one")
    func ownPath() {
        struct Upper: KeyValueCoding {
            func value(forKey key: String) -> Any? { nil }
            func value(forKeyPath keyPath: String) -> Any? { keyPath.uppercased() }
        }
        #expect(KeyedValue.value(of: Upper(), forKeyPath: "a.b") as? String == "A.B")
    }
}
