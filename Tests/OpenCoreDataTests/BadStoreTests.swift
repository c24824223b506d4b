import OpenCoreData
import TestSupport
import Testing

@Suite("Files that are no store of the model are refused with a clear error, and nothing is written")
struct BadStoreTests {
    /// Opens a file that must be refused.
    private func refusal(_ url: URL, in folder: TemporaryFolder, _ location: SourceLocation = #_sourceLocation) throws -> NSError
    {
        let before = try FolderContents(folder.url)
        let error = try Reels.openingError(at: url, location)
        #expect(try FolderContents(folder.url) == before, "something was written", sourceLocation: location)
        #expect(error.domain == NSCocoaErrorDomain, sourceLocation: location)
        #expect(error.file == url.path, sourceLocation: location)
        #expect(error.localizedDescription.contains(url.lastPathComponent), sourceLocation: location)
        return error
    }

    @Test(
        "A file that is not SQLite: error 259, SQLite's code 26",
        arguments: ["x", "This is a letter and no database.", String(repeating: "SQLite format 4\0", count: 1000)])
    func noDatabase(text: String) throws {
        let folder = try TemporaryFolder()
        let error = try refusal(folder.write(text, to: "Letter.sqlite"), in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.sqliteCode == 26)
        #expect(error.localizedDescription.contains("“Letter.sqlite” can't be opened: file is not a database"))
    }

    @Test("An empty file becomes a store, as with Apple's framework")
    func emptyFile() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: folder.write("", to: "Empty.sqlite"))
        try container.loadPersistentStores()
        #expect(try container.newBackgroundContext().run { try $0.count(of: Reel.self) } == 0)
        try Reels.close(container)
    }

    @Test(
        "An SQLite file that is no Core Data store: error 259, the message says what is missing",
        .enabled(if: Python.isAvailable),
        arguments: [
            ("CREATE TABLE movie (title TEXT)", "without the tables Z_METADATA and Z_PRIMARYKEY"),
            ("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)", "Z_PRIMARYKEY"),
        ])
    func otherDatabase(sql: String, reason: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Other.sqlite")
        try Python.sql([sql], in: url)
        let error = try refusal(url, in: folder)
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("it is an SQLite database"))
        #expect(error.localizedDescription.contains(reason))
    }

    @Test(
        "A store whose bookkeeping is damaged: error 259 or 134100 that names the table",
        .enabled(if: Python.isAvailable),
        arguments: [
            ("DELETE FROM Z_METADATA", 259, "Z_METADATA"), ("UPDATE Z_METADATA SET Z_PLIST = x'6263'", 259, "Z_METADATA"),
            ("UPDATE Z_METADATA SET Z_UUID = NULL", 259, "Z_METADATA"), ("DROP TABLE Z_METADATA", 259, "Z_METADATA"),
            ("DROP TABLE Z_PRIMARYKEY", 259, "Z_PRIMARYKEY"), ("DELETE FROM Z_PRIMARYKEY", 134100, "no entity “Reel”"),
            ("DROP TABLE ZREEL", 134100, "no table ZREEL"),
            ("ALTER TABLE ZREEL DROP COLUMN ZLABEL", 134100, "no column ZREEL.ZLABEL for “Reel.label”"),
        ])
    func damagedBookkeeping(sql: String, code: Int, text: String) throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        try Python.sql([sql], in: url)
        let error = try refusal(url, in: folder)
        #expect(error.code == code)
        #expect(error.localizedDescription.contains(text), "\(error.localizedDescription)")
    }

    @Test(
        "A folder, a file as folder, a missing folder, and a URL of the web are refused with SQLite's code 14 or as unsupported")
    func wrongPlaces() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "Folder.sqlite/y")
        try folder.write("x", to: "file")
        var error = try refusal(folder.file("Folder.sqlite"), in: folder)
        #expect(error.code == CocoaError.fileReadUnknown.rawValue)
        #expect(error.sqliteCode == 14)
        error = try refusal(folder.file("file/Reels.sqlite"), in: folder)
        #expect(error.code == CocoaError.fileReadUnknown.rawValue)
        // STO-21: the parent directory must exist.
        error = try refusal(folder.file("missing/deep/Reels.sqlite"), in: folder)
        #expect(error.code == CocoaError.fileReadUnknown.rawValue)
        #expect(error.sqliteCode == 14)
        #expect(error.localizedDescription.contains("there is no folder “\(folder.file("missing/deep").path)”"))
        let web = try Reels.openingError(at: try #require(URL(string: "https://example.com/Reels.sqlite")))
        #expect(web.code == CocoaError.fileReadUnsupportedScheme.rawValue)
        #expect(web.localizedDescription.contains("https://example.com/Reels.sqlite"))
    }

    @Test("A store cut off anywhere is refused when opened or when fetched, with error 259")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: Reels.make(in: folder, frames: 120))
        try #require(whole.count > 8 * 4096)
        for length in [
            1, 15, 16, 50, 99, 100, 101, 512, 4095, 4096, 4097, 8192, whole.count / 2, whole.count - 4096, whole.count - 1000,
            whole.count - 1,
        ] {
            let cut = try TemporaryFolder()
            let url = cut.file("Cut.sqlite")
            try whole.prefix(length).write(to: url)
            let error = try fetchError(url)
            #expect(error.domain == NSCocoaErrorDomain, "\(length) bytes")
            #expect(error.code == CocoaError.fileReadCorruptFile.rawValue, "\(length) bytes: \(error)")
            #expect(error.file == url.path)
            #expect(try Data(contentsOf: url) == whole.prefix(length), "\(length) bytes")
        }
    }

    @Test("Random damage is an error or harmless when the store is opened and fetched, and the damaged file stays as it is")
    func randomDamage() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: Reels.make(in: folder, frames: 60))
        var random = SeededGenerator(seed: 11)
        var refused = 0
        for round in 0..<80 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                for index in start..<min(bytes.count, start + Int.random(in: 1...16, using: &random)) {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let url = folder.file("Damaged\(round).sqlite")
            try bytes.write(to: url)
            let error = try fetchError(url)
            if error.domain == "none" { continue }
            refused += 1
            #expect(error.domain == NSCocoaErrorDomain, "round \(round)")
            #expect([256, 259, 134080, 134100].contains(error.code), "round \(round): \(error)")
            #expect(error.file == url.path, "round \(round)")
            #expect(try Data(contentsOf: url) == bytes, "round \(round)")
        }
        #expect(refused > 20)
    }

    /// The error of opening, else of reading everything.
    private func fetchError(_ url: URL) throws -> NSError {
        let container = try Reels.container(at: url)
        do {
            try container.loadPersistentStores()
            defer { try? Reels.close(container) }
            try container.newBackgroundContext().run { context in
                for entity in ["Reel", "Frame"] {
                    for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) { _ = object.isFault }
                }
            }
        } catch {
            return error as NSError
        }
        return NSError(domain: "none", code: 0, userInfo: [NSLocalizedDescriptionKey: "it was read"])
    }
}

/// SQL by the Python that the oracles need too.
enum Python {
    static let isAvailable = (try? runProcess("python3", ["-c", "import sqlite3"]).status) == 0

    static func sql(_ statements: [String], in url: URL) throws {
        let program =
            "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nfor s in sys.argv[2:]: c.execute(s)\nc.commit()\nc.close()"
        let outcome = try runProcess("python3", ["-c", program, url.path] + statements)
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }
}
