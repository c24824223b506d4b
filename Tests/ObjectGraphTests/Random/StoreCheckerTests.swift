import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("The checker of store files")
struct StoreCheckerTests {
    /// A statement that damages the file, and a part of what is to be said of it.
    private static let damages = [
        ("UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK = 1", "team is 99, and there is no such row"),
        ("UPDATE ZPERSON SET ZDESK = 1 WHERE Z_PK = 2", "desk is 1, whose owner is i1"),
        ("UPDATE ZDESK SET ZOWNER = NULL", "desk is 1, whose owner is NULL"),
        ("UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 1", "is of no entity"),
        ("UPDATE ZPERSON SET Z_OPT = NULL WHERE Z_PK = 1", "has no version"),
        ("UPDATE ZTASK SET Z_FOK_WORKER = NULL WHERE Z_PK = 1", "has members without a place"),
        ("UPDATE ZTASK SET Z_FOK_WORKER = 5", "has two members at one place"),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'", "Z_MAX is 1"),
        ("UPDATE ZPERSON SET ZAGE = 7 WHERE Z_PK = 1", "which nobody has set"),
        ("DELETE FROM ZSKILL", "is no Skill"),
    ]

    @Test("says nothing of a sound file, and something of each damage", arguments: damages)
    func damage(_ statement: String, _ complaint: String) throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            let people = ["a", "b"].map { context.make("Person", ["name": $0, "team": context.make("Team", ["name": $0])]) }
            people[0].set("desk", context.make("Desk"))
            people[0].set("tasks", NSOrderedSet(array: [context.make("Task"), context.make("Task")]))
            people[0].set("skills", [context.make("Skill")])
            try context.save()
        }
        let file = stack.folder.file("store.sqlite")
        let checker = try StoreChecker(stack.model, file)
        #expect(try checker.check { _, _, _, _ in false } == [])
        try Database(file).execute(statement)
        let problems = try checker.check { _, _, _, _ in false }
        #expect(problems.contains { $0.contains(complaint) }, "\(problems)")
    }

    @Test("says what is required or not unique")
    func rules() throws {
        let stack = try Shop.stack()
        try stack.run { context throws in
            context.make("Item", ["code": "1"])
            context.make("Item", ["code": "2"])
            context.make("Shelf", ["name": "s"])
            try context.save()
        }
        let file = stack.folder.file("store.sqlite")
        let checker = try StoreChecker(stack.model, file)
        #expect(try checker.check() == [])
        let database = try Database(file)
        try database.execute("UPDATE ZSHELF SET ZNAME = NULL")
        #expect(try checker.check().contains { $0.contains("name is required and NULL") })
        for index in try database.records(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZITEM' AND sql LIKE '%UNIQUE%'")
        {
            try database.execute("DROP INDEX \"\(index["name"]?.dropFirst() ?? "")\"")
        }
        try database.execute("UPDATE ZITEM SET ZCODE = '1'")
        #expect(try checker.check().contains { $0.contains("have the same code") })
    }
}
