import OpenCoreData
import TestSupport
import Testing

@Suite("Stores as files: destroying, replacing, copying, their metadata")
struct StoreFileTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = try Reels.make(in: folder, frames: 2)
    }

    private func coordinator() throws -> NSPersistentStoreCoordinator { try Reels.container(at: url).persistentStoreCoordinator }

    private func labels(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.run { context in try context.fetch(Reel.self).map { "\($0.label) \($0.frames.count)" }.sorted() }
    }

    private func labels(at url: URL) throws -> [String] {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        defer { try? Reels.close(container) }
        return try labels(container.persistentStoreCoordinator)
    }

    private let all = ["a 2", "b 2", "c 2"]

    // MARK: Destroying

    @Test(
        "R68: a destroyed store is empty, its log and the files of its values are gone, and a new store can be made in its place")
    func destroy() throws {
        let values = folder.file(".Reels_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: values.appendingPathComponent(UUID().uuidString))
        let coordinator = try coordinator()
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        #expect(try Data(contentsOf: url).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Reels.sqlite"])
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        }
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        #expect(try labels(at: url) == [])
    }

    @Test("R68: a file of somebody else beside the values stays, and so do the folders")
    func destroyKeepsOtherFiles() throws {
        let values = folder.file(".Reels_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
        let other = values.appendingPathComponent("notes.txt")
        try Data("x".utf8).write(to: other)
        try FileManager.default.createDirectory(at: folder.file("Reels.sqlite-journal.d"), withIntermediateDirectories: true)
        try coordinator().destroyPersistentStore(at: url, type: .sqlite)
        #expect(try Data(contentsOf: other) == Data("x".utf8))
    }

    @Test(
        "R68: a store that this coordinator has open is removed from it, so that it can be added anew; one that another has open is refused"
    )
    func destroyOpenStore() throws {
        let other = try Reels.container(at: url)
        try other.loadPersistentStores()
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        // A log is what keeps a store from being destroyed under somebody who uses it.
        try other.newBackgroundContext().run { context in
            _ = Reel(context: context, label: "d")
            try context.save()
        }
        let error = #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 0.1])
        }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(error?.localizedDescription.contains("in use") == true)
        try Reels.close(other)
        #expect(try labels(at: url) == all + ["d 0"])
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        try coordinator.remove(store)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(try labels(coordinator) == [])
    }

    @Test(
        "R68: nothing but a store is destroyed: not /dev/null, not a folder, not a text, not another database, not a device, not what a link leads to"
    )
    func destroyOthers() throws {
        let coordinator = try coordinator()
        let text = try folder.write("precious", to: "text.sqlite")
        let database = folder.file("other.sqlite")
        try Database(database).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: text)
        let directory = folder.file("folder.sqlite")
        try FileManager.default.createDirectory(at: directory.appendingPathComponent("inner"), withIntermediateDirectories: true)
        let before = try FolderContents(folder.url)
        let force = [NSPersistentStoreForceDestroyOption: true]
        for place in [text, database, link, directory, URL(fileURLWithPath: "/dev/null"), URL(fileURLWithPath: "/dev/zero")] {
            #expect(throws: NSError.self, "\(place.path)") { try coordinator.destroyPersistentStore(at: place, type: .sqlite) }
            #expect(throws: NSError.self, "\(place.path)") {
                try coordinator.destroyPersistentStore(at: place, type: .sqlite, options: force)
            }
        }
        #expect(try FolderContents(folder.url) == before)
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        try coordinator.destroyPersistentStore(at: folder.file("missing.sqlite"), type: .sqlite)
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing.sqlite").path))
    }

    @Test("R68: through a symbolic link the store behind it is destroyed, and the link stays")
    func destroyThroughLink() throws {
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        try coordinator().destroyPersistentStore(at: link, type: .sqlite)
        #expect(try Data(contentsOf: url).isEmpty)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    }

    @Test("R68: a damaged store is destroyed by force only")
    func destroyDamaged() throws {
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xFF, count: 3996))
        try bytes.write(to: url)
        let coordinator = try coordinator()
        #expect(throws: NSError.self) { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
        #expect(try Data(contentsOf: url) == bytes)
        try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(try labels(at: url) == [])
    }

    @Test("R68: a damaged database in which nothing shows that it was a store stays, also with force")
    func destroyDamagedOther() throws {
        let database = folder.file("other.sqlite")
        try Database(database).execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('precious')")
        let whole = try Data(contentsOf: database)
        let coordinator = try coordinator()
        let force = [NSPersistentStoreForceDestroyOption: true]
        for range in [100..<4096, 16..<200, 100..<120] {
            var bytes = whole
            bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: range.count))
            try bytes.write(to: database)
            #expect(throws: NSError.self) { try coordinator.destroyPersistentStore(at: database, type: .sqlite) }
            #expect(throws: NSError.self, "\(range)") {
                try coordinator.destroyPersistentStore(at: database, type: .sqlite, options: force)
            }
            #expect(try Data(contentsOf: database) == bytes, "\(range)")
        }
        // What is left of a store is known by what stands elsewhere in the file.
        let store = try Data(contentsOf: url)
        for range in [16..<200, 100..<120] {
            var bytes = store
            bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: range.count))
            try bytes.write(to: url)
            try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: force)
            #expect(try Data(contentsOf: url).isEmpty, "\(range)")
        }
    }

    // MARK: Replacing

    @Test("R68: a store takes the place of another one with its values in files, also where none is, and stays itself")
    func replace() throws {
        let name = UUID().uuidString
        let values = folder.file(".Reels_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
        try Data("value".utf8).write(to: values.appendingPathComponent(name))
        let before = try FolderContents(folder.url)
        let second = try TemporaryFolder()
        let target = try Reels.make(in: second, frames: 1)
        try Data("old".utf8).write(to: second.file("keep.txt"))
        let coordinator = try coordinator()
        for place in [target, second.file("New.sqlite")] {
            try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: url, type: .sqlite)
            #expect(try labels(at: place) == all)
            let support = ".\(place.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
            #expect(try Data(contentsOf: second.file(support).appendingPathComponent(name)) == Data("value".utf8))
        }
        #expect(try FolderContents(folder.url) == before)
        let files = try FileManager.default.contentsOfDirectory(atPath: second.url.path).sorted()
        #expect(files == [".New_SUPPORT", ".Reels_SUPPORT", "New.sqlite", "Reels.sqlite", "keep.txt"])
    }

    @Test("R68: what can't be replaced, or is no store to replace it with, stays as it is")
    func replaceFailing() throws {
        let text = try folder.write("precious", to: "text.sqlite")
        let directory = folder.file("folder.sqlite")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let before = try FolderContents(folder.url)
        let coordinator = try coordinator()
        let cases = [
            (url, text), (url, folder.file("missing.sqlite")), (text, url), (directory, url), (url, url),
            (folder.file("no/x.sqlite"), url),
        ]
        for (target, source) in cases {
            #expect(throws: NSError.self, "\(target.path) \(source.path)") {
                try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
            }
        }
        #expect(try FolderContents(folder.url) == before)
    }

    @Test("R68: the copy of a store that is open has what was saved last")
    func replaceFromOpenStore() throws {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            _ = Reel(context: context, label: "d")
            try context.save()
        }
        let backup = folder.file("Backup.sqlite")
        try container.persistentStoreCoordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: url, type: .sqlite)
        #expect(try labels(container.persistentStoreCoordinator) == all + ["d 0"])
        try Reels.close(container)
        #expect(try labels(at: backup) == all + ["d 0"])
    }

    // MARK: Copying to another place or type

    @Test("R68: a store goes on at another place with the same keys and another UUID; the old file stays")
    func migrate() throws {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let old = try #require(coordinator.persistentStores.first)
        coordinator.setMetadata(["mine": "x"], for: old)
        let context = container.newBackgroundContext()
        let before = try context.run { try $0.fetch(Reel.self).map { $0.objectID.uriRepresentation().path }.sorted() }
        let inbox = NotificationInbox(.NSPersistentStoreCoordinatorStoresDidChange, of: coordinator)
        let target = folder.file("Moved.sqlite")
        let new = try coordinator.migratePersistentStore(old, to: target, options: nil, type: .sqlite)
        #expect(coordinator.persistentStores == [new])
        #expect(new.url == target && new.identifier != old.identifier)
        #expect(new.metadata["mine"] as? String == "x")
        let added = inbox.next()?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        #expect(added == [new])
        let changed = try #require(inbox.next()?[NSUUIDChangedPersistentStoresKey] as? [Any])
        #expect(changed.first as? NSPersistentStore === old && changed.dropFirst().first as? NSPersistentStore === new)
        #expect((changed.last as? [NSManagedObjectID])?.count == 2 * 9)
        #expect(inbox.next()?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [old])
        #expect(try labels(coordinator) == all)
        let fresh = container.newBackgroundContext()
        #expect(try fresh.run { try $0.fetch(Reel.self).map { $0.objectID.uriRepresentation().path }.sorted() } == before)
        try Reels.close(container)
        #expect(try labels(at: url) == all)
        #expect(try labels(at: target) == all)
    }

    @Test("R68: a store goes from file to memory and back to a file, with everything that its objects are related to")
    func migrateThroughMemory() throws {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        var store = try #require(coordinator.persistentStores.first)
        store = try coordinator.migratePersistentStore(
            store, to: URL(fileURLWithPath: "/dev/null"), withType: NSInMemoryStoreType)
        #expect(try labels(coordinator) == all)
        try container.newBackgroundContext().run { context in
            let reel = try #require(try context.fetch(Reel.self).first { $0.label == "a" })
            reel.label = "A"
            context.delete(try #require(reel.frames.first))
            _ = Reel(context: context, label: "d")
            try context.save()
        }
        let target = folder.file("Back.sqlite")
        store = try coordinator.migratePersistentStore(store, to: target, withType: NSSQLiteStoreType)
        #expect(store.type == NSSQLiteStoreType)
        try Reels.close(container)
        #expect(try labels(at: target) == ["A 1", "b 2", "c 2", "d 0"])
    }

    @Test("R68: a copy that can't be made leaves the store in its coordinator, and nothing at the destination")
    func migrateFailing() throws {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        let text = try folder.write("precious", to: "text.sqlite")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let pragma = [NSSQLitePragmasOption: ["a b": "c"]]
        for (target, type, options) in [
            (text, NSSQLiteStoreType, nil), (url, NSSQLiteStoreType, nil), (folder.url, NSSQLiteStoreType, nil),
            (folder.file("no/x.sqlite"), NSSQLiteStoreType, nil), (folder.file("x.sqlite"), "Odd", nil),
            (folder.file("x.sqlite"), NSSQLiteStoreType, pragma),
        ] as [(URL, String, [AnyHashable: Any]?)] {
            #expect(throws: NSError.self, "\(target.path) \(type)") {
                try coordinator.migratePersistentStore(store, to: target, options: options, withType: type)
            }
        }
        #expect(coordinator.persistentStores == [store])
        #expect(try labels(coordinator) == all)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
        #expect(try String(contentsOf: text, encoding: .utf8) == "precious")
        let other = try self.coordinator()
        #expect(throws: NSError.self) { try other.migratePersistentStore(store, to: folder.file("y.sqlite"), type: .sqlite) }
        try Reels.close(container)
    }

    // MARK: Metadata and URLs

    @Test("STO-53: the class writes metadata at once and keeps what the framework needs")
    func setMetadata() throws {
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        try NSPersistentStoreCoordinator.setMetadata(
            ["key": 7, NSStoreUUIDKey: "other"], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(after["key"] as? Int == 7)
        #expect(after[NSStoreUUIDKey] as? String == before[NSStoreUUIDKey] as? String)
        #expect(try labels(at: url) == all)
        try NSPersistentStoreCoordinator.setMetadata(nil, type: .sqlite, at: url)
        #expect(try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)["key"] == nil)
        let files = try FolderContents(folder.url)
        for (place, values) in [(url, ["odd": NSObject()]), (folder.file("missing.sqlite"), [:]), (folder.url, [:])]
            as [(URL, [String: Any])]
        {
            #expect(throws: NSError.self, "\(place.path)") {
                try NSPersistentStoreCoordinator.setMetadata(values, type: .sqlite, at: place)
            }
        }
        #expect(try FolderContents(folder.url) == files)
    }

    @Test("STO-31: the URL of a store with a file stays; that of a store in memory can be set")
    func setURL() throws {
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let file = try #require(coordinator.persistentStores.first)
        let memory = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let place = folder.file("place")
        #expect(!coordinator.setURL(place, for: file) && coordinator.url(for: file) == url)
        #expect(coordinator.setURL(url, for: file))
        #expect(coordinator.setURL(place, for: memory) && coordinator.url(for: memory) == place)
        #expect(coordinator.persistentStore(for: place) === memory)
        #expect(try !self.coordinator().setURL(place, for: memory))
        try Reels.close(container)
    }
}
