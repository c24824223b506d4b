import OpenCoreData
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Values in files of their own", .enabled(if: Python.isAvailable))
struct ExternalDataTests {
    private static let picture = Data("the picture".utf8)

    /// A store with documents whose pictures are in files.
    private func store(_ names: [String] = ["a"]) throws -> AtlasStore {
        let store = try AtlasStore()
        try store.run { context in
            for name in names { _ = context.make("Document", ["name": name, "picture": Data([1])]) }
            try context.save()
        }
        for name in names { try store.moveOut(Self.picture, key: name) }
        return store
    }

    private func picture(_ url: URL, _ store: AtlasStore, options: [String: Any] = [:]) throws -> Data? {
        let session = try StoreSession(url, Atlas.model(at: store.source), options: options)
        defer { try? session.close() }
        return try session.context.run { context in
            context.readingFailurePolicy = .record
            return try context.find("Document", "a").value(forKey: "picture") as? Data
        }
    }

    private func external(_ store: AtlasStore) throws -> URL {
        store.folder.file(".Atlas_SUPPORT/_EXTERNAL_DATA").appendingPathComponent(try #require(try store.externalFiles().first))
    }

    @Test("R08: a store that is opened through a symbolic link finds its files beside itself, not beside the link")
    func linkedStore() throws {
        let store = try store()
        for (name, target) in [("link.sqlite", store.url), ("second.sqlite", store.folder.file("links/link.sqlite"))] {
            let link = store.folder.file("links/\(name)")
            try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            #expect(try picture(link, store) == Self.picture)
        }
        let folder = store.folder.file("folder")
        try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: store.folder.url)
        #expect(try picture(folder.appendingPathComponent("Atlas.sqlite"), store) == Self.picture)
    }

    @Test(
        "R08: a missing file is an error that names it when the value is read, and only then; saving keeps the reference, and the file may come back"
    )
    func missingFile() throws {
        let store = try store()
        let file = try external(store)
        let aside = store.folder.file("aside")
        try FileManager.default.moveItem(at: file, to: aside)
        let column = try Database(store.url).text("SELECT hex(ZPICTURE) FROM ZTHING")
        let model = try Atlas.model(at: store.source)
        model.entitiesByName["Document"]?.attributesByName["picture"]?.isOptional = false
        let session = try StoreSession(store.url, model, options: [NSIgnorePersistentStoreVersioningOption: true])
        try session.context.run { context in
            context.readingFailurePolicy = .record
            let document = try context.find("Document", "a")
            document.setValue(5, forKey: "stars")
            try context.save()
            #expect(context.readingFailures.isEmpty)
            #expect(try Database(store.url).text("SELECT hex(ZPICTURE) FROM ZTHING") == column)
            let failure = #expect(throws: ReadingFailure.self) { try document.load() }
            #expect(failure?.propertyName == "picture")
            #expect(failure?.localizedDescription.contains(file.path) == true)
            #expect(failure?.code == CocoaError.fileReadNoSuchFile.rawValue)
            #expect(document.value(forKey: "picture") == nil)
            #expect(context.readingFailures.map(\.propertyName) == ["picture"])
            try FileManager.default.moveItem(at: aside, to: file)
            try document.load()
            #expect(document.value(forKey: "picture") as? Data == Self.picture)
            #expect(context.readingFailures.isEmpty)
            document.setValue(6, forKey: "stars")
            try context.save()
        }
        try session.close()
    }

    @Test("R08: the text of an object with a value that can't be read stops nothing")
    func text() throws {
        let store = try store()
        try FileManager.default.removeItem(at: external(store))
        try store.run { context in
            let document = try context.find("Document", "a")
            #expect(document.value(forKey: "stars") as? Int == 3)
            #expect("\(document)".contains("picture: <fault>"))
        }
    }

    @Test("R08: a value that can't be read can be replaced or removed")
    func replacedValue() throws {
        let store = try store(["a", "b"])
        for name in try store.externalFiles() {
            try FileManager.default.removeItem(at: store.folder.file(".Atlas_SUPPORT/_EXTERNAL_DATA/\(name)"))
        }
        try store.run { context in
            try context.find("Document", "a").setValue(Data([7]), forKey: "picture")
            try context.find("Document", "b").setValue(nil, forKey: "picture")
            try context.save()
        }
        #expect(
            try Database(store.url).text("SELECT group_concat(quote(ZPICTURE)) FROM (SELECT * FROM ZTHING ORDER BY ZNAME)")
                == "X'0107',NULL")
        #expect(try picture(store.url, store) == Data([7]))
    }

    @Test("R08: a deleted object that comes back by undo keeps its file's name")
    func undoneDeletion() throws {
        let store = try store()
        let file = try external(store)
        try FileManager.default.removeItem(at: file)
        let column = try Database(store.url).text("SELECT hex(ZPICTURE) FROM ZTHING")
        try store.run { context in
            context.undoManager = UndoManager()
            let document = try context.find("Document", "a")
            document.setValue(4, forKey: "stars")
            context.delete(document)
            context.processPendingChanges()
            try context.save()
            context.undoManager?.undo()
            try context.save()
        }
        #expect(try Database(store.url).text("SELECT hex(ZPICTURE) FROM ZTHING") == column)
    }

    @Test("Files that two rows name stay as long as one of them does")
    func sharedFile() throws {
        let store = try store(["a", "b"])
        let kept = try external(store)
        try Database(store.url).execute(
            "UPDATE ZTHING SET ZPICTURE = (SELECT ZPICTURE FROM ZTHING WHERE hex(ZPICTURE) LIKE '%\(Data(kept.lastPathComponent.utf8).map { String(format: "%02X", $0) }.joined())%')"
        )
        try store.run { context in
            context.delete(try context.find("Document", "b"))
            try context.save()
        }
        #expect(try picture(store.url, store) == Self.picture)
        try store.run { context in
            context.delete(try context.find("Document", "a"))
            try context.save()
        }
        #expect(!FileManager.default.fileExists(atPath: kept.path))
    }

    @Test(
        "R101: links in the place of folders and files are not followed, when reading and when deleting, unless that is allowed",
        arguments: 0..<3)
    func links(level: Int) throws {
        let store = try store()
        let file = try external(store)
        let outside = store.folder.file("outside/_EXTERNAL_DATA/\(file.lastPathComponent)")
        try FileManager.default.createDirectory(at: outside.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("a secret".utf8).write(to: outside)
        let places = [
            (store.folder.file(".Atlas_SUPPORT"), store.folder.file("outside")),
            (file.deletingLastPathComponent(), outside.deletingLastPathComponent()), (file, outside),
        ]
        try FileManager.default.removeItem(at: places[level].0)
        try FileManager.default.createSymbolicLink(at: places[level].0, withDestinationURL: places[level].1)
        #expect(try picture(store.url, store) == nil)
        #expect(try picture(store.url, store, options: ["OpenCoreDataExternalDataLinksOption": true]) == Data("a secret".utf8))
        try store.run { context in
            context.delete(try context.find("Document", "a"))
            try context.save()
        }
        #expect(FileManager.default.fileExists(atPath: outside.path))
    }

    @Test("R101: pipes, devices, folders and files without end in the place of a file are errors at once", arguments: 0..<4)
    func otherThanFiles(kind: Int) throws {
        let store = try store()
        let file = try external(store)
        try FileManager.default.removeItem(at: file)
        switch kind {
        case 0: #expect(mkfifo(file.path, 0o600) == 0)
        case 1: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        case 2:
            try Data().write(to: file)
            #expect(truncate(file.path, 1 << 40) == 0)
        default: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
        }
        #expect(try picture(store.url, store) == nil)
    }

    @Test(
        "R101: names that are no names of Core Data's lead nowhere",
        arguments: [
            "../../outside", "/etc/hostname", "..", String(repeating: "x", count: 36), "00000000-0000-0000-0000-00000000000\u{0}",
            "AAAA/../../../outside/secret.txt00000",
        ])
    func names(name: String) throws {
        let store = try store()
        let outside = try store.folder.write("a secret", to: "outside")
        let column = "x'02" + Data(name.utf8).map { String(format: "%02x", $0) }.joined() + "00'"
        try Database(store.url).execute("UPDATE ZTHING SET ZPICTURE = \(column)")
        let found = try picture(store.url, store)
        #expect(found == nil || found == Data([2]) + Data(name.utf8) + Data([0]))
        try store.run { context in
            context.delete(try context.find("Document", "a"))
            try context.save()
        }
        #expect(FileManager.default.fileExists(atPath: outside.path))
        #expect(try store.externalFiles().count == 1)
    }
}
