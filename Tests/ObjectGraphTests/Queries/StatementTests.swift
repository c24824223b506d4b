import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// The whole texts are compared, so that a worse statement is seen.
@Suite("The statements that an SQLite store is sent")
struct StatementTests {
    private static let person = "SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, t.ZAGE, t.ZNAME, t.ZTEAM FROM ZPERSON t"
    private static let team = "SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, t.ZNAME FROM ZTEAM t"
    private static let pairs = "FROM Z_1SKILLS j CROSS JOIN ZSKILL t ON t.Z_PK = j.Z_2SKILLS"

    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Team", [ModelMaker.attribute("name", .string)])
        maker.entity("Person", [ModelMaker.attribute("name", .string), ModelMaker.attribute("age", .integer32)])
        maker.entity("Skill", [ModelMaker.attribute("name", .string)])
        maker.relate("Person", "team", .one, "Team", "members", .many)
        maker.relate("Person", "skills", .many, "Skill", "people", .many)
        return maker.model()
    }

    /// The statements of a new context, whose store has two teams of three persons, who have one skill in common.
    private func statements(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        let stack = try TestStack(.sqlite, Self.model())
        try stack.run { context throws in
            let skill = context.make("Skill", ["name": "S"])
            for team in ["A", "B"] {
                let object = context.make("Team", ["name": team])
                for age in 1...3 {
                    context.make("Person", ["name": "\(team)\(age)", "age": age, "team": object, "skills": [skill]])
                }
            }
            try context.save()
        }
        return try stack.fresh { context throws in try stack.statements { try body(context) } }
    }

    private func request(_ entity: String, _ predicate: String = "TRUEPREDICATE") -> NSFetchRequest<Recorder> {
        let request = NSFetchRequest<Recorder>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.predicate = NSPredicate(format: predicate)
        return request
    }

    @Test("A fetch is one statement with its condition, order and limit, whose objects need no other one")
    func fetch() throws {
        let whole = try statements { context throws in
            for person in try context.fetch(request("Person")) { #expect(person.text("name") != nil) }
        }
        #expect(whole == ["\(Self.person) ORDER BY t.ZNAME"])
        let cut = try statements { context throws in
            let request = request("Person", "age > 1 AND team.name == 'A'")
            (request.fetchLimit, request.fetchOffset) = (2, 1)
            #expect(try context.fetch(request).map { $0.text("name") } == ["A3"])
        }
        #expect(
            cut == [
                "\(Self.person) LEFT JOIN ZTEAM j1 ON j1.Z_PK = t.ZTEAM WHERE (((t.ZAGE > ?1) AND (j1.ZNAME = ?2)))"
                    + " ORDER BY t.ZNAME LIMIT ?3 OFFSET ?4"
            ])
        let list = try statements { context throws in #expect(try context.fetch(request("Person", "age IN {1, 2}")).count == 4) }
        #expect(list == ["\(Self.person) WHERE (t.ZAGE IN (SELECT value FROM coredata_list(?1))) ORDER BY t.ZNAME"])
        let any = try statements { context throws in #expect(try context.fetch(request("Team", "ANY members.age > 2")).count == 2)
        }
        #expect(
            any == [
                "\(Self.team) WHERE (EXISTS (SELECT 1 FROM ZPERSON s1 WHERE s1.ZTEAM = t.Z_PK AND (s1.ZAGE > ?1))) ORDER BY t.ZNAME"
            ])
    }

    @Test("A count counts in the store, and a column of different values is one column")
    func countsAndColumns() throws {
        let count = try statements { context throws in #expect(try context.count(for: request("Person", "age > 1")) == 4) }
        #expect(count == ["SELECT COUNT(*) FROM ZPERSON t WHERE (t.ZAGE > ?1)"])
        let columns = try statements { context throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["age"]
            request.returnsDistinctResults = true
            #expect(try context.fetch(request).count == 3)
        }
        #expect(columns == ["SELECT DISTINCT t.ZAGE FROM ZPERSON t"])
    }

    @Test("Prefetching costs one statement for each relationship; without it each owner's members cost one")
    func prefetching() throws {
        func read(_ teams: [Recorder]) {
            for person in teams.flatMap({ $0.many("members") }) { #expect(person.names("skills") == ["S"]) }
        }
        let together = try statements { context throws in
            let request = request("Team")
            request.relationshipKeyPathsForPrefetching = ["members", "members.skills"]
            read(try context.fetch(request))
        }
        #expect(
            together == [
                "\(Self.team) ORDER BY t.ZNAME",
                "SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, t.ZAGE, t.ZNAME, t.ZTEAM, t.ZTEAM FROM ZPERSON t"
                    + " WHERE t.ZTEAM IN (SELECT value FROM json_each(?1)) ORDER BY t.ZTEAM, t.Z_PK",
                "SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, t.ZNAME, j.Z_1PEOPLE \(Self.pairs)"
                    + " WHERE j.Z_1PEOPLE IN (SELECT value FROM json_each(?1)) ORDER BY j.Z_1PEOPLE, j.Z_2SKILLS",
            ])
        let members = "\(Self.person) WHERE t.ZTEAM = ? ORDER BY t.Z_PK"
        let skills =
            "SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, t.ZNAME \(Self.pairs) WHERE j.Z_1PEOPLE = ? ORDER BY j.Z_2SKILLS"
        let single = try statements { context throws in read(try context.fetch(request("Team"))) }
        #expect(
            single == ["\(Self.team) ORDER BY t.ZNAME"] + Array(repeating: members, count: 2) + Array(repeating: skills, count: 6)
        )
    }

    @Test("A batched fetch reads keys, and then the values of each batch at once")
    func batches() throws {
        let batches = try statements { context throws in
            let request = request("Person")
            request.fetchBatchSize = 4
            #expect(try context.fetch(request).map { $0.text("name") } == ["A1", "A2", "A3", "B1", "B2", "B3"])
        }
        let batch = "\(Self.person) WHERE t.Z_PK IN (?, ?, ?, ?, ?, ?, ?, ?)"
        #expect(batches == ["SELECT t.Z_PK, t.Z_ENT FROM ZPERSON t ORDER BY t.ZNAME", batch, batch])
    }

    @Test("Each fault that fires costs one statement, and a destination that is known costs none")
    func faults() throws {
        let toOne = try statements { context throws in
            for person in try context.fetch(request("Person")) { #expect(person.one("team")?.text("name") != nil) }
        }
        let oneTeam = "\(Self.team) WHERE t.Z_PK = ?"
        #expect(toOne == ["\(Self.person) ORDER BY t.ZNAME", oneTeam, oneTeam])
        let refreshed = try statements { context throws in
            let teams = try context.fetch(request("Team"))
            context.refreshAllObjects()
            for team in teams { #expect(team.text("name") != nil) }
        }
        #expect(refreshed == ["\(Self.team) ORDER BY t.ZNAME", oneTeam, oneTeam])
    }

    @Test("A save writes the changed columns of the changed rows in one transaction, and nothing without changes")
    func saving() throws {
        let nothing = try statements { context throws in try context.save() }
        #expect(nothing == [])
        let update = try statements { context throws in
            let persons = try context.fetch(request("Person"))
            persons[0].set("age", 9)
            try context.save()
        }
        #expect(
            Array(update.dropFirst()) == [
                "BEGIN IMMEDIATE", "UPDATE ZPERSON SET ZAGE = ?1, Z_OPT = ?2 WHERE Z_PK = ?3 AND Z_OPT = ?4", "COMMIT",
            ])
        let key = { (table: String, number: Int) in
            "SELECT typeof(Z_MAX), Z_MAX, max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(table)), 0))"
                + " FROM (SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)) Z_MAX)"
        }
        let insertion = try statements { context throws in
            for name in ["C", "D"] { context.make("Team", ["name": name]) }
            try context.save()
        }
        let insert = "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 3, 1, ?)"
        #expect(
            insertion == [
                "BEGIN IMMEDIATE", key("ZTEAM", 3), insert, insert, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", "COMMIT",
            ])
        let deletion = try statements { context throws in
            context.delete(try context.fetch(request("Person"))[0])
            context.processPendingChanges()
            try context.save()
        }
        #expect(
            Array(deletion.drop { $0 != "BEGIN IMMEDIATE" }) == [
                "BEGIN IMMEDIATE", "DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?",
                "DELETE FROM Z_1SKILLS WHERE Z_1PEOPLE = ?1",
                "UPDATE ZSKILL SET Z_OPT = ?1 WHERE Z_PK = ?2 AND Z_OPT = ?3",
                "UPDATE ZTEAM SET Z_OPT = ?1 WHERE Z_PK = ?2 AND Z_OPT = ?3", "COMMIT",
            ])
    }
}
