import OpenCoreData
import TestSupport
import Testing

@Suite("What a store's file brings along besides rows does nothing")
struct HostileStoreTests {
    /// A store with one document, changed by SQL.
    private func store(_ sql: String) throws -> AtlasStore {
        let store = try AtlasStore()
        try store.run { context in
            _ = context.make("Document", ["name": "a"])
            try context.save()
        }
        try Database(store.url).execute(sql)
        return store
    }

    /// Opens the store, changes the document, saves.
    private func change(_ store: AtlasStore, _ options: [String: Any] = [:]) throws {
        let session = try StoreSession(store.url, Atlas.model(at: store.source), options: options)
        defer { try? session.close() }
        try session.context.run { context in
            let document = try context.find("Document", "a")
            document.setValue(document.value(forKey: "stars") as? Int == 3 ? 4 : 3, forKey: "stars")
            try context.save()
        }
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test(
        "R101: a store with a trigger that Core Data has not made can be read; saving is an error that names the trigger and the option",
        arguments: [
            "CREATE TRIGGER mine AFTER UPDATE ON ZTHING BEGIN SELECT (\(endless)); END",
            "CREATE TRIGGER mine BEFORE UPDATE ON ZTHING BEGIN SELECT RAISE(IGNORE); END",
            "CREATE TRIGGER mine AFTER UPDATE ON ZTHING BEGIN UPDATE ZTHING SET ZTEXT = 'x'; END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING BEGIN SELECT (\(endless)); END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING WHEN (\(endless)) BEGIN UPDATE ZTHING SET ZTEXT = 'x'; END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING BEGIN SELECT '/* ' /* ' */, (\(endless)) /* ' */; END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING BEGIN SELECT count(*) FROM ZTHING a, ZTHING b, ZTHING c; END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING BEGIN SELECT RAISE(IGNORE); END",
            "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZTHING BEGIN DELETE FROM ZTAG; END",
        ])
    func foreignTriggers(trigger: String) throws {
        let store = try store(trigger)
        let error = #expect(throws: NSError.self) { try change(store) }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(
            error?.localizedDescription.contains("mine") == true
                && error?.localizedDescription.contains("OpenCoreDataForeignTriggersOption") == true)
        #expect(try Database(store.url).text("SELECT ZSTARS FROM ZTHING") == "3")
    }

    @Test("R101: a program can allow the triggers that it knows; functions of queries are not theirs to call")
    func allowedTriggers() throws {
        let store = try store(
            "CREATE TRIGGER mine AFTER UPDATE OF ZSTARS ON ZTHING BEGIN UPDATE ZTHING SET ZTEXT = 'x' WHERE Z_PK = NEW.Z_PK; END")
        try change(store, ["OpenCoreDataForeignTriggersOption": true])
        #expect(try Database(store.url).text("SELECT ZSTARS || ZTEXT FROM ZTHING") == "4x")
        try Database(store.url).execute(
            "DROP TRIGGER mine; CREATE TRIGGER mine AFTER UPDATE OF ZSTARS ON ZTHING BEGIN SELECT coredata_fold(0, 'x'); END")
        #expect(throws: NSError.self) { try change(store, ["OpenCoreDataForeignTriggersOption": true]) }
    }

    @Test(
        "R101: views and virtual tables in the place of tables, and tables without keys, are refused when the store is opened",
        arguments: [
            "ALTER TABLE ZTHING RENAME TO x; CREATE VIEW ZTHING AS SELECT * FROM x",
            "ALTER TABLE Z_METADATA RENAME TO x; CREATE VIEW Z_METADATA AS SELECT * FROM x",
            "ALTER TABLE Z_PRIMARYKEY RENAME TO x; CREATE VIEW Z_PRIMARYKEY AS SELECT * FROM x",
            "ALTER TABLE ZTAG RENAME COLUMN Z_ENT TO x", "ALTER TABLE ZTHING RENAME COLUMN Z_OPT TO x",
            "ALTER TABLE ZPERSON RENAME COLUMN Z_PK TO x",
            "DROP TABLE ZTAG; CREATE VIRTUAL TABLE ZTAG USING fts5(Z_PK, Z_ENT, Z_OPT, ZLABEL)",
            "DROP TABLE Z_METADATA; CREATE VIRTUAL TABLE Z_METADATA USING fts5(Z_VERSION, Z_UUID, Z_PLIST)",
        ])
    func views(sql: String) throws {
        let store = try store(sql)
        let error = #expect(throws: NSError.self) { try change(store) }
        #expect(
            [CocoaError.fileReadCorruptFile.rawValue, NSPersistentStoreIncompatibleVersionHashError].contains(error?.code ?? 0))
    }

    @Test("R101: a journal that names another file, which SQLite would delete in the end, keeps the store from being opened")
    func journals() throws {
        let store = try store("PRAGMA journal_mode=DELETE")
        let other = try store.folder.write("keep me", to: "elsewhere/secret.txt")
        let name = Data(other.path.utf8)
        func big(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        let magic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        var journal = magic + big(0) + big(0) + big(1) + big(512) + big(4096)
        journal.append(Data(count: 512 - journal.count))
        journal += big(1_073_741_824 / 4096 + 1) + name + big(UInt32(name.count)) + big(sum) + magic
        try journal.write(to: URL(fileURLWithPath: store.url.path + "-journal"))
        #expect(throws: NSError.self) { try change(store) }
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store.url, options: nil)
        }
        #expect(try String(contentsOf: other, encoding: .utf8) == "keep me")
    }

    @Test(
        "R101: a pattern that takes for ever is error 134060, in the store and in memory; one in a model is a failed validation")
    func patterns() throws {
        let store = try AtlasStore()
        try store.run { context in
            let document = context.make("Document", ["name": "a", "text": String(repeating: "a", count: 40) + "!"])
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            for pattern in ["(a+)+", "(a|aa)+", "(.*a){30}"] {
                request.predicate = NSPredicate(format: "text MATCHES %@", pattern)
                let error = #expect(throws: NSError.self) { try context.fetch(request) }
                #expect(
                    error?.code == NSCoreDataError && error?.localizedDescription.contains("takes too long") == true,
                    "\(error as Any)")
                #expect(throws: InvalidPredicateError.self) { try request.predicate?.evaluate(validating: document) }
            }
            request.predicate = NSPredicate(format: "text MATCHES %@", "a+!")
            #expect(try context.fetch(request) == [document])
        }
        let xml = Atlas.xml.replacingOccurrences(
            of: "<attribute name=\"text\" optional=\"YES\" attributeType=\"String\"/>",
            with: "<attribute name=\"text\" optional=\"YES\" attributeType=\"String\" regularExpressionString=\"(a+)+\"/>")
        let hostile = try store.folder.write(xml, to: "Hostile.xcdatamodel/contents").deletingLastPathComponent()
        let session = try StoreSession(store.folder.file("Other.sqlite"), NSManagedObjectModel(readingModelAt: hostile))
        try session.context.run { context in
            let document = context.make("Document", ["name": "a", "text": String(repeating: "a", count: 40) + "!"])
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationStringPatternMatchingError)
            document.setValue("aaa", forKey: "text")
            try context.save()
        }
        try session.close()
    }
}
