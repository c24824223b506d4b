import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Files that can't be used")
struct BadFileTests {
    private let entities = """
        <entity name="Movie"><attribute name="title" attributeType="String"/>\
        <attribute name="year" optional="YES" attributeType="Integer 16"/></entity>
        """

    private func open(_ url: URL, _ entities: String, in folder: TemporaryFolder, _ options: StoreSettings = .init()) throws
        -> SQLiteEngine
    {
        let model = try TestModels.make(entities, in: folder, name: UUID().uuidString).model
        return try SQLiteEngine(url: url, model: model, layout: ModelLayout(model), options: options)
    }

    private func failure(_ url: URL, in folder: TemporaryFolder, _ options: StoreSettings = .init()) throws -> NSError {
        let error = try #require(throws: NSError.self) { try open(url, entities, in: folder, options) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(error.localizedDescription.contains("“\(url.lastPathComponent)”"))
        return error
    }

    private func resultCode(_ error: NSError) -> Int32? {
        (error.userInfo[StoreFailure.resultCodeKey] as? NSNumber)?.int32Value
    }

    @Test("STO-39: a file that is no SQLite database is error 259 with SQLite's 26, and stays as it is")
    func notADatabase() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(String(repeating: "This is a text. ", count: 500), to: "text.sqlite")
        let before = try Data(contentsOf: url)
        let error = try failure(url, in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(resultCode(error) == 26)
        #expect(try Data(contentsOf: url) == before)
        let metadata = try #require(throws: NSError.self) { try SQLiteStoreFiles().metadata(of: url) }
        #expect(metadata.code == error.code && resultCode(metadata) == 26)
    }

    @Test("An SQLite database that is no Core Data store is error 259, and stays as it is")
    func foreignDatabase() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("other.sqlite")
        try Database(url).execute("CREATE TABLE notes (id INTEGER PRIMARY KEY); INSERT INTO notes VALUES (1)")
        let before = try Data(contentsOf: url)
        let error = try failure(url, in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("not a Core Data store"))
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(
        "A store without metadata row, or with bad metadata, is a damaged store",
        arguments: ["DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = x'00'", "UPDATE Z_METADATA SET Z_UUID = NULL"])
    func badMetadata(_ damage: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, entities, in: folder).close()
        try Database(url).execute(damage)
        let error = try failure(url, in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("damaged"))
    }

    @Test("STO-39: a truncated store is error 259 with SQLite's 11 or 26", arguments: [10, 100, 4000, 4096, 8192, 20_000])
    func truncated(_ length: Int) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, entities, in: folder).close()
        let whole = try Data(contentsOf: url)
        #expect(whole.count > length)
        try whole.prefix(length).write(to: url)
        let error = try failure(url, in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect([11, 26].contains(resultCode(error)))
        #expect(try Data(contentsOf: url) == whole.prefix(length))
    }

    @Test("Damage anywhere in a file gives errors or wrong rows, never a trap")
    func damaged() throws {
        var random = SeededGenerator(seed: 11)
        let store = try EngineStore()
        let note = try store.entity("Note")
        let person = try store.entity("Person")
        let rows: [[String: Any?]] = (0..<40).map {
            ["aString": "text \($0)", "aUUID": UUID(), "aBlob": Data(count: 300), "aLargeBlob": Data(count: 9)]
        }
        _ = try store.engine.insert(note, in: store.layout, rows)
        _ = try store.engine.insert(person, in: store.layout, [["name": "p"], ["name": "q"]])
        try store.engine.change(person, "favorites", of: 1, added: [1, 2])
        store.engine.close()
        let whole = try Data(contentsOf: store.url)
        var failures = 0
        for _ in 0..<150 {
            var bytes = [UInt8](whole)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 16..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: store.url)
            do {
                let engine = try SQLiteEngine(url: store.url, model: store.model, layout: store.layout, options: .init())
                defer { engine.close() }
                for entity in store.layout.entities {
                    _ = try engine.rows(RowRequest(entity))
                    for relationship in entity.relationships where relationship.isToMany {
                        _ = try engine.members(entity, relationship.name, of: 1, in: store.layout)
                    }
                }
                _ = try engine.insert(note, in: store.layout, ["aString": "x"])
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain)
                failures += 1
            }
            for file in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: store.url.path + file) }
        }
        #expect(failures > 10)
    }

    @Test("An empty file becomes a new store, as one whose store was destroyed")
    func emptyFile() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write("", to: "empty.sqlite")
        var options = StoreSettings()
        options.isReadOnly = true
        #expect(try failure(url, in: folder, options).localizedDescription.contains("empty"))
        let engine = try open(url, entities, in: folder)
        #expect(engine.metadata[StoreMetadata.typeKey] as? String == "SQLite")
        engine.close()
    }

    @Test("STO-21: a missing folder is an error with SQLite's 14 and names the folder")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("no/such/Store.sqlite")
        let error = try failure(url, in: folder)
        #expect(error.code == CocoaError.fileReadUnknown.rawValue)
        #expect(resultCode(error) == 14)
        #expect(error.localizedDescription.contains("no folder"))
    }

    @Test("STO-28, STO-54: a missing file can't be opened read-only, nor its metadata read; nothing is made")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        var options = StoreSettings()
        options.isReadOnly = true
        #expect(try failure(url, in: folder, options).code == CocoaError.fileReadNoSuchFile.rawValue)
        #expect(
            try #require(throws: NSError.self) { try SQLiteStoreFiles().metadata(of: url) }.code
                == CocoaError.fileReadNoSuchFile.rawValue)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A folder, and a URL that is no file, are errors")
    func noFiles() throws {
        let folder = try TemporaryFolder()
        #expect(try failure(folder.url, in: folder).code == CocoaError.fileReadUnknown.rawValue)
        let web = try #require(URL(string: "https://example.org/Store.sqlite"))
        #expect(
            try #require(throws: NSError.self) { try open(web, entities, in: folder) }.code
                == CocoaError.fileReadUnsupportedScheme.rawValue)
    }

    @Test("STO-28: a store opened read-only can be read; saving is error 513 and changes nothing")
    func readOnly() throws {
        var store = try EngineStore(entities)
        let movie = try store.entity("Movie")
        _ = try store.engine.insert(movie, in: store.layout, ["title": "Ran"])
        store.engine.close()
        let before = try Data(contentsOf: store.url)
        var options = StoreSettings()
        options.isReadOnly = true
        try store.reopen(options)
        #expect(try store.engine.keys(RowRequest(movie)) == [1])
        let error = try #require(throws: NSError.self) { try store.engine.insert(movie, in: store.layout, ["title": "x"]) }
        #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
        #expect(resultCode(error) == 8)
        store.engine.close()
        #expect(try Data(contentsOf: store.url) == before)
    }

    @Test(
        "A store in a folder that can't be written is read, with and without a write-ahead file", .enabled(if: getuid() != 0),
        arguments: [true, false])
    func readOnlyFolder(_ hasLog: Bool) throws {
        var store = try EngineStore(entities)
        let movie = try store.entity("Movie")
        _ = try store.engine.insert(movie, in: store.layout, ["title": "Ran"])
        let place = store.folder.file("sealed")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        if !hasLog { store.engine.close() }
        for suffix in hasLog ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(
                atPath: store.url.path + suffix, toPath: place.appendingPathComponent("Store.sqlite").path + suffix)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o444], ofItemAtPath: place.appendingPathComponent("Store.sqlite").path + suffix)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path) }
        store.engine.close()
        let url = place.appendingPathComponent("Store.sqlite")
        var options = StoreSettings()
        options.isReadOnly = true
        store.engine = try SQLiteEngine(url: url, model: store.model, layout: store.layout, options: options)
        #expect(try store.engine.keys(RowRequest(movie)) == [1])
        store.engine.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == (hasLog ? 2 : 1))
    }

    @Test("A file that may not be written opens, and saving is error 513", .enabled(if: getuid() != 0))
    func unwritableFile() throws {
        var store = try EngineStore(entities)
        let movie = try store.entity("Movie")
        store.engine.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.url.path)
        try store.reopen()
        #expect(try store.engine.keys(RowRequest(movie)) == [])
        let error = try #require(throws: NSError.self) { try store.engine.insert(movie, in: store.layout, ["title": "x"]) }
        #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
    }

    @Test("A file that may not be read is error 257", .enabled(if: getuid() != 0))
    func unreadableFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, entities, in: folder).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: url.path)
        #expect(try failure(url, in: folder).code == CocoaError.fileReadNoPermission.rawValue)
    }

    @Test("Another connection's lock is an error with SQLite's 5 after the timeout; afterwards the save works")
    func busy() throws {
        var options = StoreSettings()
        options.timeout = 0.05
        let store = try EngineStore(entities, options: options)
        let movie = try store.entity("Movie")
        let other = try Database(store.url)
        try other.execute("BEGIN IMMEDIATE")
        let error = try #require(throws: NSError.self) { try store.engine.insert(movie, in: store.layout, ["title": "x"]) }
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(resultCode(error) == 5)
        #expect(try store.engine.keys(RowRequest(movie)) == [])
        try other.execute("COMMIT")
        #expect(try store.engine.insert(movie, in: store.layout, ["title": "x"]).key == 1)
    }

    @Test("A full disk is error 640 with SQLite's 13; nothing of the save stays")
    func diskFull() throws {
        var store = try EngineStore(entities)
        let movie = try store.entity("Movie")
        _ = try store.engine.insert(movie, in: store.layout, ["title": "kept"])
        var options = StoreSettings()
        options.pragmas = ["max_page_count": "12"]
        try store.reopen(options)
        let long = String(repeating: "x", count: 5000)
        let error = try #require(throws: NSError.self) {
            try store.engine.insert(movie, in: store.layout, Array(repeating: ["title": long], count: 50))
        }
        #expect(error.code == CocoaError.fileWriteOutOfSpace.rawValue)
        #expect(resultCode(error) == 13)
        #expect(try store.engine.keys(RowRequest(movie)) == [1])
        _ = try store.engine.insert(movie, in: store.layout, ["title": "small"])
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("STO-38: pragmas are honoured; what is no pragma is refused")
    func pragmas() throws {
        let folder = try TemporaryFolder()
        var options = StoreSettings()
        options.pragmas = ["journal_mode": "DELETE", "page_size": "8192"]
        let url = folder.file("Store.sqlite")
        try open(url, entities, in: folder, options).close()
        #expect(try Database(url).text("PRAGMA journal_mode") == "delete")
        #expect(try Database(url).text("PRAGMA page_size") == "8192")
        options.pragmas = ["journal_mode": "WAL; DROP TABLE ZMOVIE"]
        let error = try failure(url, in: folder, options)
        #expect(error.code == NSPersistentStoreOpenError)
        #expect(try Database(url).text("SELECT count(*) FROM ZMOVIE") == "0")
    }

    @Test(
        "Stores with a spatial index, or mirrored without history, are read and not written",
        arguments: ["Z_RT_Movie_place", "ANSCKEVENT"])
    func unsupportedTables(_ table: String) throws {
        var store = try EngineStore(entities)
        let movie = try store.entity("Movie")
        _ = try store.engine.insert(movie, in: store.layout, ["title": "Ran"])
        store.engine.close()
        try Database(store.url).execute("CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY)")
        try store.reopen()
        #expect(try store.engine.keys(RowRequest(movie)) == [1])
        let error = try #require(throws: NSError.self) { try store.engine.insert(movie, in: store.layout, ["title": "x"]) }
        #expect(error.code == NSPersistentStoreSaveError)
    }

    @Test("A store that is mirrored with CloudKit is written only if that is asked for, and then with its history")
    func mirrored() throws {
        var options = StoreSettings()
        options.tracksHistory = true
        var store = try EngineStore(entities, options: options)
        let movie = try store.entity("Movie")
        store.engine.close()
        try Database(store.url).execute("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
        func insert() throws {
            try store.reopen(options)
            defer { store.engine.close() }
            _ = try store.engine.insert(movie, in: store.layout, ["title": "Ran"])
        }
        let error = #expect(throws: NSError.self) { try insert() }
        #expect(error?.localizedDescription.contains("OpenCoreDataMirroredStoresOption") == true)
        #expect(try store.text("SELECT count(*) FROM ZMOVIE") == "0")
        options.allowsMirroredStores = true
        try insert()
        #expect(try store.text("SELECT count(*) FROM ZMOVIE") == "1")
        #expect(try store.text("SELECT count(*) FROM ACHANGE") == "1")
    }
}
