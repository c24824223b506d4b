import Foundation
import Testing

@testable import Predicates

@Suite("Sort descriptors")
struct SortDescriptorTests {
    private let people = [
        Person(values: ["name": "b", "age": 30]), Person(values: ["name": "a", "age": 30]), Person(values: ["age": 5]),
        Person(values: ["name": "B", "age": 7, "boss": ["name": "z"]]),
    ]

    private func names(_ descriptors: NSSortDescriptor...) -> [String?] {
        people.sorted(by: descriptors).map(\.name)
    }

    @Test("Apple's initializer works as it is written on Apple's systems")
    func byKey() {
        let descriptor = NSSortDescriptor(key: "name", ascending: true)
        #expect(descriptor.key == "name")
        #expect(descriptor.ascending)
        #expect(names(descriptor) == [nil, "B", "a", "b"])
        let list: [NSSortDescriptor] = [.init(key: "age", ascending: false), .init(key: "name", ascending: true)]
        #expect(people.sorted(by: list).map(\.name) == ["a", "b", "B", nil])
    }

    @Test("FET-61: nil is first ascending, last descending")
    func nilPlace() {
        #expect(names(NSSortDescriptor(key: "name", ascending: true)).first == .some(nil))
        #expect(names(NSSortDescriptor(key: "name", ascending: false)).last == .some(nil))
    }

    @Test("compare(_:to:) reads by key and minds the direction")
    func compare() {
        let ascending = NSSortDescriptor(key: "age", ascending: true)
        let descending = NSSortDescriptor(key: "age", ascending: false)
        #expect(ascending.compare(people[2], to: people[0]) == .orderedAscending)
        #expect(descending.compare(people[2], to: people[0]) == .orderedDescending)
        #expect(ascending.compare(people[0], to: people[1]) == .orderedSame)
        #expect(ascending.compare(["age": 1], to: ["age": 2]) == .orderedAscending)
        #expect(ascending.comparator(1, 2) == .orderedAscending)
    }

    @Test("A descriptor's reverse has the same key and the other direction")
    func reverse() throws {
        let reversed = try #require(NSSortDescriptor(key: "age", ascending: true).reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed.key == "age")
        #expect(!reversed.ascending)
        #expect(reversed.compare(people[2], to: people[0]) == .orderedDescending)
    }

    @Test("A key path sorts by a related object's value")
    func keyPath() {
        #expect(names(NSSortDescriptor(key: "boss.name", ascending: false)).first == "B")
    }

    @Test("No key, or self, sorts the values themselves")
    func noKey() {
        #expect([3, 1, 2].sorted(by: [NSSortDescriptor(key: nil, ascending: false)]) == [3, 2, 1])
        #expect([3, 1, 2].sorted(by: [NSSortDescriptor(key: "self", ascending: true)]) == [1, 2, 3])
    }

    @Test("A comparator of one's own replaces the order and survives reversing")
    func comparator() throws {
        let byLength = NSSortDescriptor(key: "self", ascending: true) { a, b in
            NSNumber(value: (a as? String)?.count ?? 0).compare(NSNumber(value: (b as? String)?.count ?? 0))
        }
        #expect(["ccc", "a", "bb"].sorted(by: [byLength]) == ["a", "bb", "ccc"])
        let reversed = try #require(byLength.reversedSortDescriptor as? NSSortDescriptor)
        #expect(["ccc", "a", "bb"].sorted(by: [reversed]) == ["ccc", "bb", "a"])
    }

    @Test("Descriptors from Swift key paths mix with those from keys; optional properties are allowed")
    func swiftKeyPaths() {
        let age = NSSortDescriptor(keyPath: \Person.age, ascending: true)
        let name = NSSortDescriptor(keyPath: \Person.name, ascending: false)
        #expect(age.key == nil)
        #expect(names(age, NSSortDescriptor(key: "name", ascending: true)) == [nil, "B", "a", "b"])
        #expect(names(name) == ["b", "a", "B", nil])
        #expect(name.keyPath == \Person.name)
    }

    @Test("Equal elements keep their order, in both directions")
    func stable() {
        let values = (0..<1000).map { Person(values: ["age": $0 % 7, "position": $0]) }
        for ascending in [true, false] {
            let sorted = values.sorted(by: [NSSortDescriptor(key: "age", ascending: ascending)])
            for (left, right) in zip(sorted, sorted.dropFirst()) {
                #expect(ascending ? left.age <= right.age : left.age >= right.age)
                guard left.age == right.age, let l = left.values["position"] as? Int, let r = right.values["position"] as? Int
                else {
                    continue
                }
                #expect(l < r)
            }
        }
    }

    @Test("Without descriptors nothing moves")
    func none() {
        #expect([2, 1].sorted(by: [NSSortDescriptor]()) == [2, 1])
    }

    @Test("Descriptors with the same key and direction are equal")
    func equality() {
        #expect(NSSortDescriptor(key: "a", ascending: true) == NSSortDescriptor(key: "a", ascending: true))
        #expect(NSSortDescriptor(key: "a", ascending: true) != NSSortDescriptor(key: "a", ascending: false))
        #expect(NSSortDescriptor(key: "a", ascending: true) != NSSortDescriptor(key: "b", ascending: true))
        #expect(NSSortDescriptor(key: "a", ascending: true) != NSSortDescriptor(keyPath: \Person.age, ascending: true))
    }
}
