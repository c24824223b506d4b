import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Members of to-many relationships")
struct MembershipTests {
    private let store: EngineStore
    private let person: EntityLayout
    private let dog: EntityLayout
    private let cat: EntityLayout
    private let note: EntityLayout
    /// Two people, four animals, three notes.
    private let people: [Int64]
    private let animals: [Int64]
    private let notes: [Int64]

    init() throws {
        store = try EngineStore()
        person = try store.entity("Person")
        dog = try store.entity("Dog")
        cat = try store.entity("Cat")
        note = try store.entity("Note")
        let layout = store.layout
        people = try store.engine.insert(person, in: layout, [["name": "p"], ["name": "q"]]).map(\.key)
        let dogs = try store.engine.insert(dog, in: layout, [["name": "a"], ["name": "b"]])
        let cats = try store.engine.insert(cat, in: layout, [["name": "c"], ["name": "d"]])
        animals = (dogs + cats).map(\.key)
        notes = try store.engine.insert(note, in: layout, [["aString": "x"], ["aString": "y"], ["aString": "z"]]).map(\.key)
    }

    private func members(_ relationship: String, of owner: Int64) throws -> [Int64] {
        try store.engine.members(person, relationship, of: owner, in: store.layout)
    }

    private func expectSound() throws {
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("One-to-many: the members are the rows whose foreign key names the owner, of every subentity")
    func oneToMany() throws {
        let owner = RowKey(entity: person.index, key: people[0])
        try store.engine.update(dog, animals[1], version: 1, ["owner": owner])
        try store.engine.update(cat, animals[2], version: 1, ["owner": owner])
        let relationship = try #require(person.relationship(named: "pets"))
        let animal = try store.entity("Animal")
        let rows = try store.engine.rows(RowRequest(animal, selection: .members(of: relationship, owner: people[0])))
        #expect(rows.map(\.key) == [RowKey(entity: dog.index, key: animals[1]), RowKey(entity: cat.index, key: animals[2])])
        #expect(try store.engine.count(RowRequest(animal, selection: .members(of: relationship, owner: people[0]))) == 2)
        #expect(try store.engine.keys(RowRequest(cat, selection: .members(of: relationship, owner: people[0]))) == [animals[2]])
        try expectSound()
    }

    @Test("Ordered one-to-many: rows keep the order given, new ones go to the end, owners do not mix")
    func orderedOneToMany() throws {
        let owners = people.map { RowKey(entity: person.index, key: $0) }
        for (index, key) in animals.enumerated() {
            try store.engine.update(index < 2 ? dog : cat, key, version: 1, ["owner": owners[0]])
        }
        // Nobody gave an order: each row went to the end.
        #expect(try members("pets", of: people[0]) == animals)
        #expect(try store.text("SELECT group_concat(Z_FOK_OWNER) FROM ZANIMAL") == "2048,3072,4096,5120")
        let order = [animals[3], animals[0], animals[1], animals[2]]
        try store.engine.change(person, "pets", of: people[0], order: order)
        #expect(try members("pets", of: people[0]) == order)
        // Only the row that moved got another place, between the start and the first.
        #expect(try store.text("SELECT group_concat(Z_FOK_OWNER) FROM ZANIMAL") == "2048,3072,4096,1024")
        // A change of owner takes the place away; the new owner gives one.
        try store.engine.update(cat, animals[3], version: 2, ["owner": owners[1]])
        #expect(try members("pets", of: people[0]) == Array(animals[0..<3]))
        #expect(try store.text("SELECT Z_FOK_OWNER FROM ZANIMAL WHERE Z_PK = \(animals[3])") == "2048")
        try store.engine.update(dog, animals[0], version: 2, ["owner": nil])
        #expect(try store.text("SELECT ifnull(Z_FOK_OWNER, 'none') FROM ZANIMAL WHERE Z_PK = \(animals[0])") == "none")
        // Writing the same owner again keeps the place.
        try store.engine.update(dog, animals[1], version: 2, ["owner": owners[0]])
        #expect(try store.text("SELECT Z_FOK_OWNER FROM ZANIMAL WHERE Z_PK = \(animals[1])") == "3072")
        try expectSound()
    }

    @Test("An order that does not name all members puts the others behind; keys that are no members are left out")
    func incompleteOrder() throws {
        let owner = RowKey(entity: person.index, key: people[0])
        for key in animals[0..<3] { try store.engine.update(key < animals[2] ? dog : cat, key, version: 1, ["owner": owner]) }
        try store.engine.change(person, "pets", of: people[0], order: [animals[2], animals[3], 999, animals[2]])
        #expect(try members("pets", of: people[0]) == [animals[2], animals[0], animals[1]])
        #expect(try store.text("SELECT ifnull(Z_FOK_OWNER, 'none') FROM ZANIMAL WHERE Z_PK = \(animals[3])") == "none")
        try expectSound()
    }

    @Test("Many-to-many: pairs are seen from both sides, whichever side wrote them; writing them twice does no harm")
    func manyToMany() throws {
        try store.engine.change(person, "teachers", of: people[0], added: [people[1], people[0]])
        try store.engine.change(person, "pupils", of: people[1], added: [people[0]])
        #expect(try members("teachers", of: people[0]) == people)
        #expect(try members("pupils", of: people[1]) == [people[0]])
        #expect(try members("pupils", of: people[0]) == [people[0]])
        let relationship = try #require(person.relationship(named: "teachers"))
        #expect(try store.engine.count(RowRequest(person, selection: .members(of: relationship, owner: people[0]))) == 2)
        try store.engine.change(person, "pupils", of: people[0], removed: [people[0]])
        #expect(try members("teachers", of: people[0]) == [people[1]])
        try expectSound()
    }

    @Test("Many-to-many ordered on both sides: each owner has its own order")
    func orderedManyToMany() throws {
        try store.engine.change(person, "favorites", of: people[0], added: animals, order: animals.reversed())
        try store.engine.change(
            person, "favorites", of: people[1], added: [animals[0], animals[2]], order: [animals[0], animals[2]])
        #expect(try members("favorites", of: people[0]) == animals.reversed())
        #expect(try members("favorites", of: people[1]) == [animals[0], animals[2]])
        let animal = try store.entity("Animal")
        #expect(try store.engine.members(animal, "fans", of: animals[0], in: store.layout) == people)
        try store.engine.change(animal, "fans", of: animals[0], order: people.reversed())
        #expect(try store.engine.members(animal, "fans", of: animals[0], in: store.layout) == people.reversed())
        #expect(try members("favorites", of: people[0]) == animals.reversed())
        try store.engine.change(person, "favorites", of: people[0], removed: [animals[1]])
        #expect(try members("favorites", of: people[0]) == [animals[3], animals[2], animals[0]])
        try expectSound()
    }

    @Test("A relationship that is its own inverse counts in both directions")
    func reflexive() throws {
        try store.engine.change(person, "friends", of: people[0], added: [people[1]])
        #expect(try members("friends", of: people[0]) == [people[1]])
        #expect(try members("friends", of: people[1]) == [people[0]])
        try expectSound()
        try store.engine.change(person, "friends", of: people[1], removed: [people[0]])
        #expect(try members("friends", of: people[0]) == [])
        try store.engine.change(person, "friends", of: people[0], added: [people[1], people[0]])
        #expect(try members("friends", of: people[0]) == people)
        try store.engine.delete(person, people[1], version: 1)
        #expect(try store.text("SELECT group_concat(REFLEXIVE) FROM Z_7FRIENDS") == "1")
        try expectSound()
    }

    @Test("To-many without inverse: the members' hidden key names the owner; an object is in one collection at a time")
    func hiddenKeys() throws {
        try store.engine.change(person, "notes", of: people[0], added: notes)
        #expect(try members("notes", of: people[0]) == notes)
        try store.engine.change(person, "notes", of: people[1], added: [notes[0]])
        #expect(try members("notes", of: people[0]) == Array(notes[1...]))
        #expect(try members("notes", of: people[1]) == [notes[0]])
        // Removing it from the old owner comes too late to hurt.
        try store.engine.change(person, "notes", of: people[0], removed: [notes[0], notes[1]])
        #expect(try members("notes", of: people[0]) == [notes[2]])
        #expect(try members("notes", of: people[1]) == [notes[0]])
        #expect(try store.engine.row(note, notes[0])?.version == 1)
        try expectSound()
    }

    @Test("Ordered to-many without inverse")
    func orderedHiddenKeys() throws {
        try store.engine.change(person, "drafts", of: people[0], added: notes, order: notes.reversed())
        #expect(try members("drafts", of: people[0]) == notes.reversed())
        try store.engine.change(person, "drafts", of: people[1], added: [notes[1]], order: [notes[1]])
        #expect(try members("drafts", of: people[0]) == [notes[2], notes[0]])
        try store.engine.change(person, "drafts", of: people[0], removed: [notes[2]], order: [notes[0]])
        try expectSound()
    }

    @Test("Deleting a row removes its pairs and the hidden keys that name it")
    func deleting() throws {
        let animal = try store.entity("Animal")
        try store.engine.change(person, "favorites", of: people[0], added: animals, order: animals)
        try store.engine.change(person, "teachers", of: people[1], added: [people[0], people[1]])
        try store.engine.change(person, "notes", of: people[0], added: notes)
        try store.engine.change(person, "drafts", of: people[0], added: notes, order: notes)
        try store.engine.delete(dog, animals[0], version: 1)
        #expect(try members("favorites", of: people[0]) == Array(animals[1...]))
        try store.engine.delete(person, people[0], version: 1)
        #expect(try store.engine.members(animal, "fans", of: animals[1], in: store.layout) == [])
        #expect(try members("teachers", of: people[1]) == [people[1]])
        #expect(
            try store.text("SELECT count(*) FROM ZNOTE WHERE Z7NOTES NOT NULL OR Z7DRAFTS NOT NULL OR Z_FOK_7DRAFTS NOT NULL")
                == "0")
        try expectSound()
    }

    @Test("A delete that meets another version removes no pairs")
    func conflictingDelete() throws {
        try store.engine.change(person, "teachers", of: people[0], added: [people[1]])
        #expect(try store.engine.delete(person, people[0], version: 5) == [people[0]])
        #expect(try members("teachers", of: people[0]) == [people[1]])
    }
}
