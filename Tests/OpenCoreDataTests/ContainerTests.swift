import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Containers, their descriptions, and the stores they open")
struct ContainerTests {
    private func container(_ descriptions: [NSPersistentStoreDescription]) -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Shelf", managedObjectModel: Surface.model())
        container.persistentStoreDescriptions = descriptions
        return container
    }

    @Test("STO-2, STO-3, STO-10: a new container describes one SQLite store in the program's folder, which exists")
    func defaults() throws {
        let container = NSPersistentContainer(name: "Shelf", managedObjectModel: Surface.model())
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(container.persistentStoreDescriptions.count == 1 && description.type == NSSQLiteStoreType)
        let folder = NSPersistentContainer.defaultDirectoryURL()
        #expect(description.url == folder.appendingPathComponent("Shelf.sqlite"))
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder.boolValue)
        #expect(folder.lastPathComponent == ProcessInfo.processInfo.processName)
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        #expect(container.persistentStoreCoordinator.managedObjectModel === container.managedObjectModel)

        final class Elsewhere: NSPersistentContainer, @unchecked Sendable {
            override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/elsewhere", isDirectory: true) }
        }
        let moved = Elsewhere(name: "Shelf", managedObjectModel: Surface.model())
        #expect(moved.persistentStoreDescriptions.first?.url?.path == "/elsewhere/Shelf.sqlite")
    }

    @Test("STO-5, STO-11: what a description is told stands in its options, under their keys")
    func options() {
        let description = NSPersistentStoreDescription()
        #expect(description.url?.path == "/dev/null" && description.type == NSSQLiteStoreType)
        description.isReadOnly = true
        description.timeout = 5
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        #expect(description.options[NSReadOnlyPersistentStoreOption] == NSNumber(value: true))
        #expect(description.options[NSPersistentStoreTimeoutOption] == NSNumber(value: 5))
        #expect(description.options[NSSQLitePragmasOption] == ["journal_mode": "DELETE"] as NSDictionary)
        description.setOption(NSNumber(value: false), forKey: NSReadOnlyPersistentStoreOption)
        #expect(!description.isReadOnly)
        description.setOption(nil, forKey: NSSQLitePragmasOption)
        description.setOption(nil, forKey: NSPersistentStoreTimeoutOption)
        #expect(description.sqlitePragmas.isEmpty && description.timeout == 240)
    }

    // @unchecked Sendable: guarded by the lock.
    private final class Calls: @unchecked Sendable {
        private let lock = NSLock()
        private var stored: [(description: NSPersistentStoreDescription, error: NSError?)] = []

        var all: [(description: NSPersistentStoreDescription, error: NSError?)] { lock.withLock { stored } }
        func add(_ description: NSPersistentStoreDescription, _ error: (any Error)?) {
            lock.withLock { stored.append((description, error as NSError?)) }
        }
    }

    @Test(
        "STO-7, STO-8, STO-30: the handler is called once per description before loading returns; one that fails stops no other")
    func loading() throws {
        let folder = try TemporaryFolder()
        let urls = ["a.sqlite", "missing/b.sqlite", "c.sqlite"].map { folder.file($0) }
        let container = container(urls.map { NSPersistentStoreDescription(url: $0) })
        let calls = Calls()
        container.loadPersistentStores { calls.add($0, $1) }
        #expect(calls.all.map(\.description.url) == urls)
        #expect(calls.all.map { $0.error == nil } == [true, false, true])
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.url) == [urls[0], urls[2]])
    }

    @Test("STO-7: a store that is added asynchronously is reported from another thread", .timeLimit(.minutes(5)))
    func asynchronousLoading() async throws {
        let folder = try TemporaryFolder()
        let description = NSPersistentStoreDescription(url: folder.file("a.sqlite"))
        description.shouldAddStoreAsynchronously = true
        let container = container([description])
        let calls = Calls()
        await withCheckedContinuation { done in
            // What the handler hears comes after loading has returned, or at least from elsewhere.
            container.loadPersistentStores { description, error in
                calls.add(description, error)
                done.resume()
            }
        }
        #expect(calls.all.count == 1 && calls.all[0].error == nil)
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("STO-9, STO-25: loading again is an error for each store that is open, and changes nothing")
    func loadingTwice() throws {
        let folder = try TemporaryFolder()
        let container = container([NSPersistentStoreDescription(url: folder.file("a.sqlite"))])
        try container.loadPersistentStores()
        let calls = Calls()
        container.loadPersistentStores { calls.add($0, $1) }
        #expect(calls.all.map(\.error?.code) == [NSPersistentStoreOperationError])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("STO-24, STO-26: stores in memory need no URL and share nothing; without a configuration a store takes all entities")
    func inMemory() throws {
        let coordinators = try (0..<2).map { _ in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Surface.model())
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            return coordinator
        }
        let contexts = coordinators.map { coordinator in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        try contexts[0].run { context in
            _ = context.item("A")
            try context.save()
        }
        let counts = try contexts.map { try $0.run { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) } }
        #expect(counts == [1, 0])
        let names = coordinators.flatMap(\.persistentStores).map(\.configurationName)
        #expect(names == ["PF_DEFAULT_CONFIGURATION_NAME", "PF_DEFAULT_CONFIGURATION_NAME"])
    }

    @Test("STO-50, STO-51, STO-55, API-114: metadata, and an identifier that stays with the file")
    func metadata() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.sqlite")
        let model = Surface.model()
        var identifiers: Set<String> = []
        for _ in 0..<2 {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            let metadata = coordinator.metadata(for: store)
            #expect(metadata["NSStoreType"] as? String == "SQLite")
            #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
            #expect(metadata["NSStoreModelVersionIdentifiers"] is [Any])
            #expect(
                metadata["NSPersistenceFrameworkVersion"] is NSNumber && metadata["NSStoreModelVersionHashesVersion"] as? Int == 3
            )
            #expect(metadata["_NSAutoVacuumLevel"] as? String == "2" && metadata["NSStoreModelVersionHashesDigest"] is String)
            identifiers.insert(try #require(metadata["NSStoreUUID"] as? String))
            #expect(try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url).count == metadata.count)
            try coordinator.remove(store)
        }
        #expect(identifiers.count == 1)
    }

    @Test("STO-52: metadata set on a store reaches the file with the next save, even one without changes")
    func settingMetadata() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.sqlite")
        let container = container([NSPersistentStoreDescription(url: url)])
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        var metadata = coordinator.metadata(for: store)
        metadata["note"] = "mine"
        coordinator.setMetadata(metadata, for: store)
        func inFile() throws -> String? {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)["note"] as? String
        }
        #expect(store.metadata["note"] as? String == "mine")
        #expect(try inFile() == nil)
        try container.newBackgroundContext().run { try $0.save() }
        #expect(try inFile() == "mine")
    }

    @Test("STO-38: files of a store; another journal mode by a pragma")
    func files() throws {
        let folder = try TemporaryFolder()
        for (name, mode) in [("wal", "WAL"), ("delete", "DELETE")] {
            let description = NSPersistentStoreDescription(url: folder.file("\(name).sqlite"))
            description.setValue(mode as NSString, forPragmaNamed: "journal_mode")
            let container = container([description])
            try container.loadPersistentStores()
            try container.newBackgroundContext().run { context in
                _ = context.item("A")
                try context.save()
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(name) }
            let expected = mode == "WAL" ? ["wal.sqlite", "wal.sqlite-shm", "wal.sqlite-wal"] : ["delete.sqlite"]
            #expect(files.sorted() == expected)
            try Reels.close(container)
        }
    }
}
