import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Who saved: the author and the context's name in the history of a store")
struct TransactionAuthorTests {
    /// The history tables as Apple's framework makes them.
    private static let tables = [
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, "
            + "ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
        "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
            + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
            + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
        "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0)",
    ]

    @Test(
        "API-58, CTX-23, CTX-24: each save notes the author and name that the context has then; nil for nil; a child's save is its parent's"
    )
    func author() throws {
        let first = try TestStack.people(.sqlite)
        try first.coordinator.remove(first.store)
        let database = try Database(first.folder.file("store.sqlite"))
        for table in Self.tables { try database.execute(table) }
        let stack = try first.reopened()
        try stack.run { context in
            #expect(context.transactionAuthor == nil)
            func save() throws {
                context.make("Person", ["name": "x"])
                try context.save()
            }
            try save()
            (context.name, context.transactionAuthor) = ("Editor", "Ann")
            try save()
            context.transactionAuthor = "Bob"
            try save()
            context.reset()
            #expect(context.transactionAuthor == "Bob")
            (context.name, context.transactionAuthor) = (nil, "Ann")
            try save()
            // Nothing to tell of.
            try context.save()
        }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        (child.name, child.transactionAuthor) = ("Child", "Carol")
        try child.run { child in
            child.make("Person", ["name": "y"])
            try child.save()
        }
        try stack.run { try $0.save() }
        let list = try database.text(
            "SELECT group_concat(ifnull(a.ZNAME, '-') || '/' || ifnull(c.ZNAME, '-'), ' ') FROM ATRANSACTION t "
                + "LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS"
        )
        #expect(list == "-/- Ann/Editor Bob/Editor Ann/- Ann/-")
        #expect(try database.text("SELECT count(*) FROM ACHANGE") == "5")
    }
}
