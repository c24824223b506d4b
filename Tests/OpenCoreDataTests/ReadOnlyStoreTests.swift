import OpenCoreData
import TestSupport
import Testing

@Suite("Stores that must not or can't be written")
struct ReadOnlyStoreTests {
    private static let readOnly = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]

    /// Changes, inserts and deletes, and expects the save to fail and everything to stay pending.
    private func savingError(_ container: NSPersistentContainer, _ location: SourceLocation = #_sourceLocation) throws -> NSError
    {
        try container.newBackgroundContext().run { context in
            let reel = try #require(try context.fetch(Reel.self).first { $0.label == "a" })
            #expect(reel.frames.count == 40, sourceLocation: location)
            reel.label = "changed"
            _ = Frame(context: context, number: 1, caption: "new", reel: reel)
            let error = #expect(throws: NSError.self, sourceLocation: location) { try context.save() }
            #expect(context.hasChanges, sourceLocation: location)
            #expect(reel.label == "changed", sourceLocation: location)
            context.rollback()
            #expect(!context.hasChanges && reel.label == "a" && reel.frames.count == 40, sourceLocation: location)
            return try #require(error, sourceLocation: location)
        }
    }

    @Test("A store opened read-only is read; saving is an error that names it, and the file stays as it is")
    func option() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let before = try Data(contentsOf: url)
        let container = try Reels.container(at: url, options: Self.readOnly)
        try container.loadPersistentStores()
        #expect(container.persistentStoreCoordinator.persistentStores.first?.isReadOnly == true)
        let error = try savingError(container)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSPersistentStoreSaveError || error.code == CocoaError.fileWriteNoPermission.rawValue)
        #expect(error.localizedDescription.contains("read-only"))
        #expect(error.localizedDescription.contains("Reels.sqlite"))
        try Reels.close(container)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("B46: a store opened read-only has what its writer saved last, while that is still in the write-ahead log")
    func writerStillOpen() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let writing = try Reels.container(at: url)
        try writing.loadPersistentStores()
        let before = try Data(contentsOf: url)
        try writing.newBackgroundContext().run { context in
            _ = Reel(context: context, label: "last")
            try context.save()
        }
        #expect(try Data(contentsOf: url) == before, "the save is in the log alone")
        let other = try TemporaryFolder()
        for store in [url, try other.copyStore(url)] {
            let reading = try Reels.container(at: store, options: Self.readOnly)
            try reading.loadPersistentStores()
            let labels = try reading.newBackgroundContext().run { try $0.fetch(Reel.self).map(\.label).sorted() }
            #expect(labels == ["a", "b", "c", "last"], "\(store.path)")
            try Reels.close(reading)
        }
        try Reels.close(writing)
    }

    @Test("A read-only store that does not exist is error 260, and none is made")
    func missing() throws {
        let folder = try TemporaryFolder()
        let error = try Reels.openingError(at: folder.file("Reels.sqlite"), options: Self.readOnly)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.fileReadNoSuchFile.rawValue)
        #expect(error.file == folder.file("Reels.sqlite").path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test(
        "In a folder that can't be written a store is read with the option; without it, it is refused with SQLite's code 14",
        .enabled(if: WriteProtection.works))
    func protectedStore() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let before = try FolderContents(folder.url)
        let protection = try WriteProtection(folder.url)
        let refusal = try Reels.openingError(at: url)
        #expect(refusal.sqliteCode == 14 || refusal.sqliteCode == 8)
        #expect(refusal.file == url.path)
        let container = try Reels.container(at: url, options: Self.readOnly)
        try container.loadPersistentStores()
        #expect(try savingError(container).localizedDescription.contains("read-only"))
        try Reels.close(container)
        #expect(try FolderContents(folder.url) == before)
        protection.remove()
    }

    @Test(
        "A file that can't be written, in a folder that can: it is read, and saving is error 513",
        .enabled(if: WriteProtection.works))
    func protectedFile() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let before = try Data(contentsOf: url)
        let protection = WriteProtection(files: [url])
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let error = try savingError(container)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
        #expect(error.file == url.path)
        #expect(error.localizedDescription.contains("“Reels.sqlite” can't be written"))
        try Reels.close(container)
        protection.remove()
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("A new store in a folder that can't be written is an error, and nothing is left", .enabled(if: WriteProtection.works))
    func protectedFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "y")
        let protection = try WriteProtection(folder.url)
        let error = try Reels.openingError(at: folder.file("Reels.sqlite"))
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.sqliteCode == 14)
        #expect(error.file == folder.file("Reels.sqlite").path)
        protection.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["y"])
    }

    @Test(
        "Stores with a write-ahead log in a folder that can't be written are read with the log",
        .enabled(if: WriteProtection.works && Fixtures.isAvailable),
        arguments: StoreCase.each.filter { $0.name.hasPrefix("ddg") || $0.name.hasPrefix("srg") || $0.name.hasPrefix("kodeco") })
    func protectedLogs(_ store: StoreCase) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(store.fixture.store)
        let before = try FolderContents(folder.url)
        let protection = try WriteProtection(folder.url)
        let model = try store.model(rawTransformables: true)
        let session = try StoreSession(url, model, options: Self.readOnly)
        expectSame(try session.contents(), try StoreContents(store.golden(), model))
        try session.close()
        #expect(try FolderContents(folder.url) == before)
        protection.remove()
    }
}

/// Takes the right to write to a folder and its files from everybody, root included, where the file system can do that.
final class WriteProtection {
    private let paths: [String]

    static let works: Bool = {
        guard let folder = try? TemporaryFolder(), let protection = try? WriteProtection(folder.url) else { return false }
        defer { protection.remove() }
        return !FileManager.default.createFile(atPath: folder.file("x").path, contents: Data())
    }()

    init(files: [URL]) {
        paths = files.map(\.path)
        try? change("555", "+i")
    }

    convenience init(_ folder: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        self.init(files: names.map(folder.appendingPathComponent) + [folder])
    }

    deinit { remove() }

    func remove() { try? change("755", "-i") }

    private func change(_ mode: String, _ flag: String) throws {
        let isSetting = flag == "+i"
        if isSetting { _ = try runProcess("chmod", [mode] + paths) }
        _ = try runProcess("chattr", [flag] + paths)
        if !isSetting { _ = try runProcess("chmod", [mode] + paths) }
    }
}
