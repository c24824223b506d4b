import OpenCoreData
import TestSupport
import Testing

@Suite("Stores whose file can't be written for now, or is gone: errors that say why, nothing is lost, and it goes on afterwards")
struct BadSurroundingsTests {
    /// An open store of reels and a context with an inserted, a changed and a deleted object.
    fileprivate struct Case {
        let folder: TemporaryFolder
        let url: URL
        let container: NSPersistentContainer
        let context: NSManagedObjectContext

        init(options: [String: NSObject] = [:], in parent: TemporaryFolder? = nil) throws {
            folder = try parent ?? TemporaryFolder()
            url = try Reels.make(in: folder, frames: 3)
            container = try Reels.container(at: url, options: options)
            try container.loadPersistentStores()
            context = container.newBackgroundContext()
            try context.run { context in
                let reels = try context.fetch(Reel.self)
                reels.first { $0.label == "a" }?.label = "A"
                if let b = reels.first(where: { $0.label == "b" }) { context.delete(b) }
                _ = Reel(context: context, label: "d")
            }
        }

        /// The error of a save that must fail and must leave everything pending, and the store as it was.
        func savingError(readsStore: Bool = true, _ location: SourceLocation = #_sourceLocation) throws -> NSError {
            try context.run { context in
                let pending = (context.insertedObjects, context.updatedObjects, context.deletedObjects)
                let error = #expect(throws: NSError.self, sourceLocation: location) { try context.save() }
                #expect(
                    pending == (context.insertedObjects, context.updatedObjects, context.deletedObjects), sourceLocation: location
                )
                // One inserted reel; the changed one; the deleted one with its three frames.
                #expect(pending.0.count == 1 && pending.1.count == 1 && pending.2.count == 4, sourceLocation: location)
                #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID }, sourceLocation: location)
                if readsStore { #expect(try labels() == ["a", "b", "c"], sourceLocation: location) }
                let found = try #require(error, sourceLocation: location)
                #expect(found.domain == NSCocoaErrorDomain, sourceLocation: location)
                #expect(found.file == url.path, sourceLocation: location)
                #expect(found.localizedDescription.hasPrefix("“Reels.sqlite” can't be written: "), sourceLocation: location)
                return found
            }
        }

        /// What another context reads.
        func labels() throws -> [String] {
            try container.newBackgroundContext().run { try $0.fetch(Reel.self).map(\.label).sorted() }
        }

        /// Saves, and expects all changes in the file.
        func saveAtLast(_ location: SourceLocation = #_sourceLocation) throws {
            try context.run { try $0.save() }
            #expect(try labels() == ["A", "c", "d"], sourceLocation: location)
            try Reels.close(container)
            let again = try Reels.container(at: url)
            try again.loadPersistentStores()
            let found = try again.newBackgroundContext().run { context in
                (try context.fetch(Reel.self).map(\.label).sorted(), try context.count(of: Frame.self))
            }
            #expect(found.0 == ["A", "c", "d"], sourceLocation: location)
            #expect(found.1 == 6, sourceLocation: location)
            try Reels.close(again)
            #expect(try Database(url).text("PRAGMA integrity_check") == "ok", sourceLocation: location)
        }
    }

    // MARK: Locks

    @Test("Another connection that writes: error 134090 with SQLite's 5 after the timeout; then the save works")
    func locked() throws {
        let store = try Case(options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.02)])
        let other = try Database(store.url)
        try other.execute("BEGIN IMMEDIATE")
        let error = try store.savingError()
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(error.sqliteCode == 5)
        #expect(error.localizedDescription.contains("database is locked"))
        try other.execute("ROLLBACK")
        try store.saveAtLast()
    }

    @Test("A lock that goes within the timeout: the save waits for it")
    func lockedForAWhile() async throws {
        let store = try Case(options: [NSPersistentStoreTimeoutOption: NSNumber(value: 60)])
        let other = try Database(store.url)
        try other.execute("BEGIN IMMEDIATE")
        let context = store.context
        async let saved: Void = context.perform { try context.save() }
        try await Task.sleep(for: .milliseconds(50))
        #expect(try store.labelsOfFile() == "a,b,c")
        try other.execute("COMMIT")
        try await saved
        #expect(try store.labels() == ["A", "c", "d"])
        try Reels.close(store.container)
    }

    @Test("A store without write-ahead log that another connection has locked: opening, fetching and saving are error 134090")
    func lockedForReading() throws {
        let options = [
            NSPersistentStoreTimeoutOption: NSNumber(value: 0.02),
            NSSQLitePragmasOption: NSDictionary(dictionary: ["journal_mode": "DELETE"]),
        ]
        let store = try Case(options: options)
        let other = try Database(store.url)
        try other.execute("BEGIN EXCLUSIVE")
        let opening = try Reels.openingError(at: store.url, options: options)
        let fetching = try #require(throws: NSError.self) { try store.labels() }
        for error in [opening, fetching, try store.savingError(readsStore: false)] {
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreTimeoutError)
            #expect(error.sqliteCode == 5)
            #expect(error.file == store.url.path)
        }
        #expect(opening.localizedDescription.hasPrefix("“Reels.sqlite” can't be opened: database is locked"))
        #expect(fetching.localizedDescription.hasPrefix("“Reels.sqlite” can't be read: database is locked"))
        try other.execute("COMMIT")
        try store.saveAtLast()
    }

    // MARK: Space

    @Test("A store that is full: error 640 with SQLite's 13; what fits can be saved")
    func full() throws {
        let folder = try TemporaryFolder()
        try Reels.make(in: folder, frames: 3)
        let pages = try #require(try Database(folder.file("Reels.sqlite")).text("PRAGMA page_count"))
        try FileManager.default.removeItem(at: folder.file("Reels.sqlite"))
        let pragmas = NSDictionary(dictionary: ["max_page_count": pages])
        let store = try Case(options: [NSSQLitePragmasOption: pragmas], in: folder)
        store.context.run { context in
            for object in context.insertedObjects { (object as? Reel)?.label = String(repeating: "d", count: 300_000) }
        }
        let error = try store.savingError()
        #expect(error.code == CocoaError.fileWriteOutOfSpace.rawValue)
        #expect(error.sqliteCode == 13)
        #expect(error.localizedDescription.contains("database or disk is full"))
        store.context.run { for object in $0.insertedObjects { (object as? Reel)?.label = "d" } }
        try store.saveAtLast()
    }

    // MARK: The file

    /// What happens to a file.
    enum Fate: String, CaseIterable, Sendable {
        case deleted, moved, replaced, folderMoved
    }

    @Test("A store behind a symbolic link is read and written, with its log beside the file itself")
    func symbolicLink() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder, frames: 3)
        let link = folder.file("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let container = try Reels.container(at: link)
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            try context.fetch(Reel.self).first { $0.label == "a" }?.label = "A"
            try context.save()
        }
        #expect(!FileManager.default.fileExists(atPath: link.path + "-wal"))
        let other = try Reels.container(at: url)
        try other.loadPersistentStores()
        let labels = try other.newBackgroundContext().run { try $0.fetch(Reel.self).map(\.label).sorted() }
        #expect(labels == ["A", "b", "c"])
    }

    @Test(
        "The file is deleted, moved or replaced under the open store: saving is error 134030 instead of a loss, and works when the file is back",
        arguments: Fate.allCases)
    func movedFile(_ fate: Fate) throws {
        let outer = try TemporaryFolder()
        let folder = outer.file("Stores")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try Reels.make(in: outer, frames: 3)
        let url = folder.appendingPathComponent("Reels.sqlite")
        try FileManager.default.moveItem(at: made, to: url)
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let context = container.newBackgroundContext()
        try context.run { context in
            try context.fetch(Reel.self).first { $0.label == "a" }?.label = "A"
            _ = Reel(context: context, label: "d")
        }
        let manager = FileManager.default
        let (aside, kept) = (outer.file("Aside"), outer.file("Kept.sqlite"))
        // Another name for the same file, to put it back.
        try manager.linkItem(at: url, to: kept)
        switch fate {
        case .deleted: try manager.removeItem(at: url)
        case .moved: try manager.moveItem(at: url, to: aside)
        case .replaced:
            try manager.removeItem(at: url)
            try Reels.make(in: outer, frames: 1)
            try manager.moveItem(at: made, to: url)
        case .folderMoved: try manager.moveItem(at: folder, to: aside)
        }
        try context.run { context in
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreSaveError)
            #expect(error.file == url.path)
            #expect(error.sqliteCode == 8)
            #expect(
                error.localizedDescription.hasPrefix(
                    "“Reels.sqlite” can't be written: the file was moved, replaced or deleted while the store was open"))
            #expect(context.insertedObjects.count == 1 && context.updatedObjects.count == 1)
        }
        if fate == .folderMoved {
            try manager.moveItem(at: aside, to: folder)
        } else {
            if fate == .replaced { try manager.removeItem(at: url) }
            try manager.linkItem(at: kept, to: url)
        }
        try context.run { try $0.save() }
        try Reels.close(container)
        let again = try Reels.container(at: url)
        try again.loadPersistentStores()
        #expect(try again.newBackgroundContext().run { try $0.fetch(Reel.self).map(\.label).sorted() } == ["A", "b", "c", "d"])
        try Reels.close(again)
    }

    @Test(
        "The folder is deleted with the file: new objects are saved after the store was removed and added again at another place")
    func deletedFolder() throws {
        let outer = try TemporaryFolder()
        let folder = outer.file("Stores")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let container = try Reels.container(at: folder.appendingPathComponent("Reels.sqlite"))
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            let reel = Reel(context: context, label: "a")
            try context.save()
            let frame = Frame(context: context, number: 1, caption: "new", reel: Reel(context: context, label: "d"))
            try FileManager.default.removeItem(at: folder)
            // What was read before can still be read.
            #expect(try context.fetch(Reel.self).map(\.label).sorted() == ["a", "d"])
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == NSPersistentStoreSaveError)
            #expect(frame.objectID.isTemporaryID && frame.reel.label == "d" && reel.label == "a")
            let coordinator = container.persistentStoreCoordinator
            let store = try #require(coordinator.persistentStores.first)
            try coordinator.remove(store)
            try coordinator.addPersistentStore(type: .sqlite, at: outer.file("Reels.sqlite"))
            try context.save()
            #expect(!frame.objectID.isTemporaryID)
        }
        let found = try container.newBackgroundContext().run { context in
            try context.fetch(Frame.self).map { "\($0.caption) of \($0.reel.label)" }
        }
        #expect(found == ["new of d"])
        try Reels.close(container)
    }

    // MARK: Removed stores

    @Test("A store removed under its objects: what is loaded stays readable, faults count as deleted, other stores go on")
    func removedStore() throws {
        let store = try Case()
        let coordinator = store.container.persistentStoreCoordinator
        try store.context.run { context in
            context.rollback()
            let reels = try context.fetch(Reel.self)
            let (loaded, fault) = (try #require(reels.first { $0.label == "a" }), try #require(reels.first { $0.label == "c" }))
            context.refresh(fault, mergeChanges: false)
            let removed = try #require(coordinator.persistentStores.first)
            try coordinator.remove(removed)
            let added = try coordinator.addPersistentStore(type: .sqlite, at: store.folder.file("Other.sqlite"))
            #expect(loaded.label == "a")
            #expect(loaded.objectID.persistentStore == nil)
            #expect(fault.value(forKey: "label") == nil)
            #expect(fault.isDeleted)
            #expect(try context.fetch(Reel.self) == [])
            #expect(try context.existingObject(with: loaded.objectID) === loaded, "the context has it still")
            loaded.label = "x"
            let new = Reel(context: context, label: "new")
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == NSPersistentStoreSaveError)
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [loaded])
            #expect(error.localizedDescription.contains("its store was removed from the coordinator"))
            #expect(new.objectID.isTemporaryID && context.hasChanges)
            context.refresh(loaded, mergeChanges: false)
            try context.save()
            #expect(new.objectID.persistentStore === added)
            #expect(try context.fetch(Reel.self) == [new])
        }
        try Reels.close(store.container)
        let again = try Reels.container(at: store.url)
        try again.loadPersistentStores()
        #expect(try again.newBackgroundContext().run { try $0.fetch(Reel.self).map(\.label).sorted() } == ["a", "b", "c"])
        try Reels.close(again)
    }
}

extension BadSurroundingsTests.Case {
    /// What the file has, read past Core Data.
    fileprivate func labelsOfFile() throws -> String? {
        try Database(url).text("SELECT group_concat(ZLABEL) FROM (SELECT ZLABEL FROM ZREEL ORDER BY ZLABEL)")
    }
}
