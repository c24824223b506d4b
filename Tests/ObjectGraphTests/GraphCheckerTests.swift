import GraphTestSupport
import Storage
import Testing

@testable import ObjectGraph

@Suite("The check of a context")
struct GraphCheckerTests {
    @Test("nothing is found in a context with changes of all kinds", arguments: StackKind.allCases)
    func consistent(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let people = (0..<3).map { context.make("Person", ["name": "\($0)", "team": team]) }
            try context.save()
            people[0].set("name", "changed")
            context.delete(people[1])
            context.make("Person", ["name": "new", "team": team])
            #expect(GraphChecker.problems(of: context) == [])
            context.processPendingChanges()
            #expect(GraphChecker.problems(of: context) == [])
        }
    }

    @Test("a state bit without its entry, and a list entry without its bit, are found")
    func bits() throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            person.set("name", "B")
            person._state.remove(.inUpdatedList)
            #expect(GraphChecker.problems(of: context, .own).contains { $0.contains("updatedList") })
            person._state.insert(.inUpdatedList)
            person._state.insert(.eventDeleted)
            #expect(GraphChecker.problems(of: context, .own).contains { $0.contains("eventDeleted") })
            person._state.remove(.eventDeleted)
        }
    }

    @Test("a member that does not point back is found where inverses are checked")
    func inverses() throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            let team = context.make("Team", ["name": "Blue"])
            let person = context.make("Person", ["name": "A", "team": team])
            let relationship = try #require(team.layout.relationship(named: "members"))
            team.toMany(relationship).remove(person)
            #expect(GraphChecker.problems(of: context, .own) == [])
            #expect(GraphChecker.problems(of: context, .inverses).contains { $0.contains("lacks it") })
            team.toMany(relationship).insert(person)
        }
    }
}
