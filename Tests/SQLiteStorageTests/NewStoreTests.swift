import CSQLite
import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("New stores")
struct NewStoreTests {
    private func create(_ model: NSManagedObjectModel, at url: URL) throws -> SQLiteEngine {
        try SQLiteEngine(url: url, model: model, layout: ModelLayout(model), options: StoreSettings())
    }

    @Test("STO-20: creating makes the file at once, with metadata, WAL and Core Data's page settings")
    func filesAndPragmas() throws {
        let folder = try TemporaryFolder()
        let model = try TestModels.make(TestModels.everything, in: folder).model
        let url = folder.file("Store.sqlite")
        let engine = try create(model, at: url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        let metadata = engine.metadata
        #expect(metadata[StoreMetadata.typeKey] as? String == "SQLite")
        #expect(metadata[StoreMetadata.identifierKey] as? String == engine.identifier)
        #expect(metadata[StoreMetadata.hashesKey] as? [String: Data] == model.entityVersionHashesByName)
        #expect(metadata[StoreMetadata.checksumKey] as? String == model.versionChecksum)
        #expect(UUID(uuidString: engine.identifier)?.uuidString == engine.identifier)
        engine.close()
        #expect(try SQLiteStoreFiles().metadata(of: url)[StoreMetadata.identifierKey] as? String == engine.identifier)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                "Model.xcdatamodel", "Store.sqlite",
            ])
        let database = try Database(url)
        #expect(try database.text("PRAGMA page_size") == "4096")
        #expect(try database.text("PRAGMA auto_vacuum") == "2")
        #expect(try database.text("PRAGMA journal_mode") == "wal")
        #expect(try database.text("SELECT count(*) FROM Z_MODELCACHE") == "1")
        #expect(try database.text("SELECT Z_VERSION FROM Z_METADATA") == "1")
    }

    @Test("A new store keeps its model, and says that the version hashes are not Apple's")
    func modelCache() throws {
        let folder = try TemporaryFolder()
        let model = try TestModels.make(TestModels.everything, in: folder).model
        let url = folder.file("Store.sqlite")
        try create(model, at: url).close()
        let kept = NSManagedObjectModel()
        try SQLiteStoreFiles().readCachedModel(of: url, into: kept)
        #expect(model.compiled().differences(from: kept) == [])
        #expect(kept.entityVersionHashesByName == model.entityVersionHashesByName)
        let metadata = try SQLiteStoreFiles().metadata(of: url)
        #expect(metadata[StoreMetadata.ownHashesKey] as? Int == 1)
        let kind = SQLiteStoreKind(type: "SQLite")
        #expect(kind.fits(ModelLayout(kept), metadata: metadata) == nil)
        // With hashes of Apple's, the tables say which models fit.
        let known = try #require(model.copy() as? NSManagedObjectModel)
        let hashes = known.entityVersionHashesByName.mapValues { Data($0.reversed()) }
        known.adopt(versionHashes: hashes)
        let other = folder.file("Known.sqlite")
        try create(known, at: other).close()
        let second = try SQLiteStoreFiles().metadata(of: other)
        #expect(second[StoreMetadata.hashesKey] as? [String: Data] == hashes)
        #expect(second[StoreMetadata.ownHashesKey] == nil)
        #expect(kind.fits(ModelLayout(model), metadata: second) == true)
        // A model opens a store that was made before Apple's hashes of it were known.
        try create(known, at: url).close()
    }

    @Test("Entities are numbered depth first, siblings without regard to case")
    func entityNumbers() throws {
        let folder = try TemporaryFolder()
        let entities = """
            <entity name="SyncFeature"/><entity name="SyncableMetadata"/>
            <entity name="Base"/><entity name="zeta" parentEntity="Base"/><entity name="Alpha" parentEntity="Base"/>
            <entity name="Deep" parentEntity="Alpha"/>
            """
        let engine = try create(TestModels.make(entities, in: folder).model, at: folder.file("a.sqlite"))
        engine.close()
        let rows = try Database(folder.file("a.sqlite")).text(
            "SELECT group_concat(Z_ENT || Z_NAME || Z_SUPER, ' ') FROM Z_PRIMARYKEY")
        #expect(rows == "1Base0 2Alpha1 3Deep2 4zeta1 5SyncableMetadata0 6SyncFeature0")
    }

    @Test(
        "A model with everything in it gives the tables and indexes that the format text asks for",
        .enabled(if: Fixtures.hasOracles))
    func everythingIsExact() throws {
        let folder = try TemporaryFolder()
        let (file, model) = try TestModels.make(TestModels.everything, in: folder)
        let url = folder.file("Store.sqlite")
        try create(model, at: url).close()
        let schema = try Oracle.run("schema", [url.path, "--model", file.path])
        #expect(schema == "exact (22)\n")
        let verify = try Oracle.run("verify", [url.path, "--model", file.path])
        #expect(verify.contains("0 problems"))
    }

    @Test("Derived counts get the five triggers of Apple's framework", .enabled(if: Fixtures.isAvailable))
    func triggersAreExact() throws {
        let folder = try TemporaryFolder()
        let fixture = try ModeledFixture.named("cdp-samplemodel2-v2")
        let model = try fixture.model()
        let book = try #require(model.entitiesByName["Book"])
        let derived = try #require(book.attributesByName["pagesCount"] as? NSDerivedAttributeDescription)
        derived.derivationExpressionString = "pages.@count"
        let url = folder.file("Store.sqlite")
        try create(model, at: url).close()
        let query = "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name)"
        let expected = try Database(folder.copyStore(fixture.store)).text(query)
        #expect(try Database(url).text(query) == expected)
    }

    @Test("Every model of the fixtures gives an exact, empty store", .enabled(if: Fixtures.hasOracles))
    func allModelsAreExact() throws {
        let folder = try TemporaryFolder()
        var pairs: [[String]] = []
        var refused: [String] = []
        func add(_ model: NSManagedObjectModel, _ file: URL) {
            let url = folder.file("\(pairs.count).sqlite")
            do {
                try create(model, at: url).close()
                pairs.append([url.path, file.path])
            } catch { refused.append("\(file.path): \(error.localizedDescription)") }
        }
        for fixture in ModeledFixture.all {
            let file =
                switch fixture.source {
                case .xml(let file): file
                case .cached: fixture.folder.appendingPathComponent("model.json")
                }
            add(try fixture.model(), file)
        }
        // Of the many versions of one model every third.
        let files = Fixtures.files(below: Fixtures.models) { $0 == "contents" }
        for (number, file) in files.enumerated() where number % 3 == 0 {
            if let model = try? NSManagedObjectModel(readingModelAt: file) { add(model, file.deletingLastPathComponent()) }
        }
        #expect(refused.isEmpty)
        #expect(pairs.count > 100)
        let script = """
            import sys, json, os
            sys.path.insert(0, sys.argv[1])
            import store_oracle, store_reader, store_checks
            for store, model in json.load(open(sys.argv[2])):
                with store_reader.Store(store, model) as s:
                    lines = store_oracle.compare_schema(s)[1] + store_checks.check_store(s)[0]
                contents = model + "/contents"
                if os.path.exists(contents) and "compoundIndex" in open(contents, encoding="utf-8").read():
                    # Old compound indexes are made as fetch indexes; an index over a to-many relationship is not.
                    lines = [l for l in lines if not l.startswith(("extra    CREATE INDEX Z_", "missing  CREATE INDEX Z_"))]
                if lines: print(model, lines)
            """
        let list = folder.file("list.json")
        try JSONSerialization.data(withJSONObject: pairs).write(to: list)
        let outcome = try runProcess(
            "python3", ["-c", script, Fixtures.tools.path, list.path], environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.text == "")
    }

    @Test(
        "Models without a schema are refused with a reason, and no file is left",
        arguments: [
            (#"<entity name="Car"/><entity name="CAR"/>"#, "would share the table ZCAR"),
            (#"<entity name="_METADATA"/>"#, "would share the table Z_METADATA"),
            (#"<entity name="Car"><attribute name="id" attributeType="ObjectID"/></entity>"#, "Object ID"),
        ])
    func refusedModels(_ entities: String, _ reason: String) throws {
        let folder = try TemporaryFolder()
        let model = try TestModels.make(entities, in: folder).model
        let url = folder.file("Store.sqlite")
        let error = try #require(throws: NSError.self) { try create(model, at: url) }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error.localizedDescription.contains(reason))
        #expect(error.localizedDescription.contains("Store.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("Names that clash get numbers; names of the system columns are not given away")
    func nameClashes() throws {
        let folder = try TemporaryFolder()
        let entities = """
            <entity name="A"><attribute name="_pk" optional="YES" attributeType="String"/>\
            <attribute name="größe" optional="YES" attributeType="String"/></entity>
            <entity name="B" parentEntity="A"><attribute name="text" optional="YES" attributeType="String"/></entity>
            <entity name="C" parentEntity="A"><attribute name="text" optional="YES" attributeType="Integer 16"/></entity>
            """
        let url = folder.file("Store.sqlite")
        try create(TestModels.make(entities, in: folder).model, at: url).close()
        let sql = try Database(url).text("SELECT sql FROM sqlite_master WHERE name = 'ZA'")
        #expect(
            sql == "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT1 INTEGER, Z_PK1 VARCHAR, "
                + "ZGRößE VARCHAR, ZTEXT VARCHAR )")
    }

    @Test("STO-5: /dev/null is a private store in memory; STO-6: with a name it is shared in the process")
    func inMemory() throws {
        let folder = try TemporaryFolder()
        let model = try TestModels.make(#"<entity name="A"/>"#, in: folder).model
        let first = try create(model, at: URL(fileURLWithPath: "/dev/null"))
        let second = try create(model, at: URL(fileURLWithPath: "/dev/null"))
        #expect(first.identifier != second.identifier)
        let shared = try create(model, at: URL(fileURLWithPath: "/dev/null/Shared Store"))
        let again = try create(model, at: URL(fileURLWithPath: "/dev/null/Shared Store"))
        let other = try create(model, at: URL(fileURLWithPath: "/dev/null/other"))
        #expect(shared.identifier == again.identifier)
        #expect(shared.identifier != other.identifier)
        #expect(!FileManager.default.fileExists(atPath: "/dev/null/Shared Store"))
    }
}
