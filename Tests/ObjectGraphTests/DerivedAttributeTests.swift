import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Derived attributes")
struct DerivedAttributeTests {
    @Test("NTF-127, STO-173, STO-175: what the store computes adds nobody to \"updated\" and is seen after a refresh")
    func counts() throws {
        var maker = ModelMaker()
        let count = NSDerivedAttributeDescription()
        count.name = "membersCount"
        count.type = .integer64
        count.derivationExpressionString = "members.@count"
        maker.entity("Team", [ModelMaker.attribute("name", .string), count])
        maker.entity("Person", [ModelMaker.attribute("name", .string)])
        maker.relate("Person", "team", .one, "Team", "members", .many)
        let stack = try TestStack(.sqlite, maker.model())
        try stack.run { context in
            let team = context.make("Team", ["name": "Blue"])
            try context.save()
            context.refresh(team, mergeChanges: false)
            #expect(team.number("membersCount") == 0)

            let person = context.make("Person", ["name": "Alice"])
            person.set("team", team)
            let log = NotificationLog(context)
            try context.save()
            // The team is among the updated ones for its relationship alone: its count is what it was.
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted == [person] && saved.updated == [team])
            #expect(team.number("membersCount") == 0 && team.changedValues().isEmpty && !context.hasChanges)
            context.refresh(team, mergeChanges: false)
            #expect(team.number("membersCount") == 1)

            context.delete(person)
            try context.save()
            context.refresh(team, mergeChanges: true)
            #expect(team.number("membersCount") == 0)
        }
        let counts = try stack.fresh { context in try context.all("Team").map { $0.number("membersCount") } }
        #expect(counts == [0])
    }
}
