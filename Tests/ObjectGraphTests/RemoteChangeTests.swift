import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("NSPersistentStoreRemoteChange: a coordinator tells of writes to its store")
struct RemoteChangeTests {
    /// What one open store tells.
    private struct Watched: Sendable {
        let coordinator: NSPersistentStoreCoordinator
        let store: NSPersistentStore
        let inbox: NotificationInbox

        func write(_ body: (NSManagedObjectContext) throws -> Void) throws {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            try context.run {
                try body($0)
                try $0.save()
            }
        }

        func save(_ name: String) throws { try write { $0.make("Team", ["name": name]) } }
    }

    private let folder: TemporaryFolder
    private let model = People.model()

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ type: String = NSSQLiteStoreType, _ url: URL? = nil, posts: Bool? = true, didArrive: @escaping @Sendable () -> Void = {}
    ) throws -> Watched {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = type == NSSQLiteStoreType ? url ?? folder.file("store.sqlite") : nil
        var options: [AnyHashable: Any] = [:]
        options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = posts.map { NSNumber(value: $0) }
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        let inbox = NotificationInbox(.NSPersistentStoreRemoteChange, of: coordinator, didArrive: didArrive)
        return Watched(coordinator: coordinator, store: store, inbox: inbox)
    }

    @Test("API-101, NTF-20: name and keys")
    func names() {
        #expect(Notification.Name.NSPersistentStoreRemoteChange.rawValue == "NSPersistentStoreRemoteChangeNotification")
        #expect(NSPersistentStoreURLKey == "storeURL" && NSStoreUUIDKey == "NSStoreUUID")
    }

    @Test(
        "NTF-171, NTF-173, NTF-174: each save is told with the store's UUID and URL, and no token", arguments: StackKind.allCases)
    func ownSaves(_ kind: StackKind) throws {
        let watched = try open(kind == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType)
        for name in ["Red", "Blue"] {
            try watched.save(name)
            let userInfo = try #require(watched.inbox.next())
            let identifier = userInfo[NSStoreUUIDKey] as? String
            #expect(identifier == watched.store.metadata[NSStoreUUIDKey] as? String && identifier != nil)
            #expect(userInfo[NSPersistentStoreURLKey] as? URL == watched.store.url)
            #expect(userInfo.count == (kind == .sqlite ? 2 : 1))
        }
    }

    @Test("NTF-171: a store that is in memory at /dev/null tells of its own writes, and not of those to others there")
    func nullDevice() throws {
        let null = URL(fileURLWithPath: "/dev/null")
        let (one, other) = (try open(NSSQLiteStoreType, null), try open(NSSQLiteStoreType, null))
        try one.save("Red")
        #expect(try #require(one.inbox.next())[NSPersistentStoreURLKey] as? URL == null)
        try other.save("Blue")
        #expect(other.inbox.next() != nil)
        #expect(one.inbox.count == 0)
    }

    @Test("NTF-172: observers are called on another thread after the commit, and whoever saves does not wait for them")
    func threads() throws {
        let goOn = DispatchSemaphore(value: 0)
        let (threads, names) = (SharedLog(), SharedLog())
        let url = folder.file("store.sqlite")
        let watched = try open {
            threads.add("\(currentThread)")
            names.add((try? Database(url).text("SELECT ZNAME FROM ZTEAM")) ?? "none")
            _ = goOn.wait(timeout: .now() + 60)
        }
        var saver = ""
        try watched.write { context in
            context.make("Team", ["name": "Red"])
            saver = "\(currentThread)"
        }
        #expect(watched.inbox.count == 0, "the observer has not returned")
        for _ in 0..<10 { goOn.signal() }
        #expect(watched.inbox.next() != nil)
        #expect(names.all.contains("Red") && !threads.all.contains(saver))
    }

    @Test(
        "NTF-170: only stores that were added with the option tell, and no more once they are removed",
        arguments: [false, nil] as [Bool?])
    func option(_ posts: Bool?) throws {
        let silent = try open(posts: posts)
        let telling = try open()
        try silent.save("Red")
        #expect(telling.inbox.next() != nil)
        #expect(silent.inbox.count == 0)
        try telling.coordinator.remove(telling.store)
        let count = telling.inbox.count
        let last = try open()
        try silent.save("Blue")
        #expect(last.inbox.next() != nil)
        #expect(telling.inbox.count == count && silent.inbox.count == 0)
        try last.coordinator.remove(last.store)
        try silent.coordinator.remove(silent.store)
        let log = folder.file("store.sqlite-wal").path
        #expect(!FileManager.default.fileExists(atPath: log), "nobody has the file open any more")
    }

    @Test("NTF-170: the option of a description")
    func description() throws {
        let container = NSPersistentContainer(name: "Remote", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: folder.file("store.sqlite"))
        description.setOption(NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        let inbox = NotificationInbox(.NSPersistentStoreRemoteChange, of: container.persistentStoreCoordinator)
        try container.newBackgroundContext().run {
            $0.make("Team", ["name": "Red"])
            try $0.save()
        }
        #expect(inbox.next() != nil)
    }

    @Test("NTF-171: another coordinator's writes are told once by each coordinator that has the file open, by whatever path")
    func otherCoordinators() throws {
        let one = try open()
        try FileManager.default.createDirectory(at: folder.file("x"), withIntermediateDirectories: true)
        let roundabout = folder.url.appendingPathComponent("x/../store.sqlite")
        let two = try open(NSSQLiteStoreType, roundabout)
        let elsewhere = try open(NSSQLiteStoreType, folder.file("other.sqlite"))
        let writer = try open(posts: nil)
        try writer.save("Red")
        for watched in [one, two] {
            #expect(try #require(watched.inbox.next())[NSPersistentStoreURLKey] as? URL == watched.store.url)
        }
        try elsewhere.save("Blue")
        #expect(elsewhere.inbox.next() != nil)
        #expect(elsewhere.inbox.count == 0)
    }

    @Test("NTF-162: batch requests are told")
    func batches() throws {
        let watched = try open()
        func execute(_ request: NSPersistentStoreRequest) throws {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = watched.coordinator
            try context.run { _ = try $0.execute(request) }
            #expect(watched.inbox.next() != nil, "\(type(of: request))")
        }
        try execute(NSBatchInsertRequest(entityName: "Team", objects: [["name": "Red"], ["name": "Blue"]]))
        let update = NSBatchUpdateRequest(entityName: "Team")
        update.propertiesToUpdate = ["name": "Green"]
        try execute(update)
        try execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Team")))
    }

    @Test("NTF-171: a save that fails is not told")
    func failure() throws {
        let watched = try open(NSInMemoryStoreType)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = watched.coordinator
        try context.run { context in
            let request = NSBatchInsertRequest(entityName: "Team", objects: [["name": "Blue"]])
            let error = #expect(throws: NSError.self) { try context.execute(request) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
        try watched.save("Red")
        #expect(watched.inbox.next() != nil)
        #expect(watched.inbox.count == 0)
    }

    @Test("NTF-171: a watched store does not keep its coordinator")
    func lifetime() throws {
        weak var coordinator: NSPersistentStoreCoordinator?
        try {
            let watched = try open()
            coordinator = watched.coordinator
        }()
        #expect(coordinator == nil)
    }
}
