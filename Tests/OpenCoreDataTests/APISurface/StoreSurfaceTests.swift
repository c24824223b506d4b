import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("API surface: containers, coordinators, stores")
struct StoreSurfaceTests {
    private typealias Container = NSPersistentContainer
    private typealias Coordinator = NSPersistentStoreCoordinator
    private typealias Store = NSPersistentStore
    private typealias Description = NSPersistentStoreDescription
    private typealias Loaded = (NSPersistentStoreDescription, (any Error)?) -> Void

    @Test("API-66…74: containers")
    func containers() throws {
        let _: () -> URL = Container.defaultDirectoryURL
        let _: (String) -> Container = Container.init(name:)
        let _: (String, NSManagedObjectModel) -> Container = Container.init(name:managedObjectModel:)
        let _: KeyPath<Container, String> = \.name
        let _: KeyPath<Container, NSManagedObjectContext> = \.viewContext
        let _: KeyPath<Container, NSManagedObjectModel> = \.managedObjectModel
        let _: KeyPath<Container, NSPersistentStoreCoordinator> = \.persistentStoreCoordinator
        let _: ReferenceWritableKeyPath<Container, [NSPersistentStoreDescription]> = \.persistentStoreDescriptions
        let _: (Container) -> (@escaping Loaded) -> Void = Container.loadPersistentStores(completionHandler:)
        let _: (Container) -> () -> NSManagedObjectContext = Container.newBackgroundContext
        let _: (Container) -> (@escaping @Sendable (NSManagedObjectContext) -> Void) -> Void = Container.performBackgroundTask
        let _: (Container) -> (@escaping @Sendable (NSManagedObjectContext) throws -> Int) async throws -> Int =
            Container.performBackgroundTask
        let container = Container(name: "Shelf", managedObjectModel: Surface.model())
        #expect(container.name == "Shelf")
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        #expect(container.persistentStoreCoordinator.managedObjectModel === container.managedObjectModel)
        let urls = container.persistentStoreDescriptions.map(\.url)
        #expect(urls == [Container.defaultDirectoryURL().appendingPathComponent("Shelf.sqlite")])
    }

    @Test("API-75…79: descriptions and their defaults")
    func descriptions() {
        let _: (URL) -> Description = Description.init(url:)
        let _: ReferenceWritableKeyPath<Description, String> = \.type
        let _: ReferenceWritableKeyPath<Description, String?> = \.configuration
        let _: ReferenceWritableKeyPath<Description, URL?> = \.url
        let _: KeyPath<Description, [String: NSObject]> = \.options
        let _: (Description) -> (NSObject?, String) -> Void = Description.setOption(_:forKey:)
        let _: ReferenceWritableKeyPath<Description, Bool> = \.isReadOnly
        let _: ReferenceWritableKeyPath<Description, TimeInterval> = \.timeout
        let _: KeyPath<Description, [String: NSObject]> = \.sqlitePragmas
        let _: (Description) -> (NSObject?, String) -> Void = Description.setValue(_:forPragmaNamed:)
        let _: ReferenceWritableKeyPath<Description, Bool> = \.shouldAddStoreAsynchronously
        let description = Description(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
        #expect(description.type == NSSQLiteStoreType && description.configuration == nil)
        #expect(description.timeout == 240 && description.sqlitePragmas.isEmpty)
        #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously)
        let copy = description.copy() as? Description
        description.setOption(NSNumber(value: true), forKey: "x")
        #expect(copy?.url == description.url && copy?.options["x"] == nil)
    }

    @Test("API-80, API-81, API-83…86, API-91, API-93, API-96: coordinators")
    func coordinators() throws {
        let _: (NSManagedObjectModel) -> Coordinator = Coordinator.init(managedObjectModel:)
        let _: KeyPath<Coordinator, NSManagedObjectModel> = \.managedObjectModel
        let _: KeyPath<Coordinator, [NSPersistentStore]> = \.persistentStores
        let _: ReferenceWritableKeyPath<Coordinator, String?> = \.name
        let _: (Coordinator) -> (URL) -> NSPersistentStore? = Coordinator.persistentStore(for:)
        let _: (Coordinator) -> (NSPersistentStore) -> URL = Coordinator.url(for:)
        let _: (Coordinator) -> (String, String?, URL?, [AnyHashable: Any]?) throws -> NSPersistentStore =
            Coordinator.addPersistentStore(ofType:configurationName:at:options:)
        let _: (Coordinator) -> (Store.StoreType, String?, URL, [AnyHashable: Any]?) throws -> NSPersistentStore =
            Coordinator.addPersistentStore(type:configuration:at:options:)
        let _: (Coordinator) -> (NSPersistentStoreDescription, @escaping Loaded) -> Void =
            Coordinator.addPersistentStore(with:completionHandler:)
        let _: (Coordinator) -> (NSPersistentStore) throws -> Void = Coordinator.remove(_:)
        let _: (String, URL, [AnyHashable: Any]?) throws -> [String: Any] =
            Coordinator.metadataForPersistentStore(ofType:at:options:)
        let _: (Store.StoreType, URL, [AnyHashable: Any]?) throws -> [String: Any] =
            Coordinator.metadataForPersistentStore(type:at:options:)
        let _: (Coordinator) -> (NSPersistentStore) -> [String: Any] = Coordinator.metadata(for:)
        let _: (Coordinator) -> ([String: Any]?, NSPersistentStore) -> Void = Coordinator.setMetadata(_:for:)
        let _: (Coordinator) -> (URL) -> NSManagedObjectID? = Coordinator.managedObjectID(forURIRepresentation:)
        let folder = try TemporaryFolder()
        let coordinator = Coordinator(managedObjectModel: Surface.model())
        #expect(coordinator.persistentStores.isEmpty && coordinator.name == nil)
        let url = folder.file("a.sqlite")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(coordinator.persistentStore(for: url) === store && coordinator.url(for: store) == url)
        let metadata = try Coordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata[NSStoreUUIDKey] as? String == coordinator.metadata(for: store)[NSStoreUUIDKey] as? String)
        try coordinator.remove(store)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("API-100, STO-33: work that has the coordinator to itself, nested, waited for, and on its own queue in order")
    func coordinatorQueue() async throws {
        let _: (Coordinator) -> (@escaping @Sendable () -> Void) -> Void = Coordinator.perform
        let _: (Coordinator) -> (() -> Void) -> Void = Coordinator.performAndWait
        let _: (Coordinator) -> (() throws -> Int) throws -> Int = Coordinator.performAndWait
        let _: (Coordinator) -> (@escaping @Sendable () throws -> Int) async throws -> Int = Coordinator.perform
        let coordinator = Coordinator(managedObjectModel: Surface.model())
        let nested = coordinator.performAndWait { coordinator.performAndWait { coordinator.persistentStores.count } }
        #expect(nested == 0)
        #expect(throws: CocoaError.self) { try coordinator.performAndWait { throw CocoaError(.fileNoSuchFile) } }

        let log = Log()
        func enqueue() { for number in 1...3 { coordinator.perform { log.add(number) } } }
        enqueue()
        // Comes after the three, because all go to one queue.
        let seen = await coordinator.perform { log.numbers }
        #expect(seen == [1, 2, 3])
        await #expect(throws: CocoaError.self) { try await coordinator.perform { throw CocoaError(.fileNoSuchFile) } }

        // While one block has the coordinator, no other thread adds a store.
        let other = DispatchGroup()
        coordinator.performAndWait {
            DispatchQueue.global().async(group: other) {
                _ = try? coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
                log.add(5)
            }
            usleep(20_000)
            log.add(4)
        }
        await withCheckedContinuation { done in other.notify(queue: .global()) { done.resume() } }
        #expect(log.numbers == [1, 2, 3, 4, 5] && coordinator.persistentStores.count == 1)
    }

    private final class Log: @unchecked Sendable {
        // @unchecked Sendable: guarded by the lock.
        private let lock = NSLock()
        private var stored: [Int] = []

        var numbers: [Int] { lock.withLock { stored } }
        func add(_ number: Int) { lock.withLock { stored.append(number) } }
    }

    @Test("API-101, NTF-183: names and keys of the coordinator's notifications; nothing says that stores will change")
    func notifications() throws {
        let names: Set<Notification.Name> = [
            .NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange,
            .NSPersistentStoreCoordinatorWillRemoveStore, .NSPersistentStoreRemoteChange,
        ]
        #expect(names.count == 4)
        #expect(NSAddedPersistentStoresKey == "added" && NSRemovedPersistentStoresKey == "removed")
        let coordinator = Coordinator(managedObjectModel: Surface.model())
        let log = Log()
        let observers = [
            Notification.Name.NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange,
        ].enumerated().map { index, name in
            NotificationCenter.default.addObserver(forName: name, object: coordinator, queue: nil) { _ in log.add(index) }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try coordinator.remove(store)
        #expect(log.numbers == [1, 1])
    }

    @Test("API-113, API-116: stores, types, keys, options")
    func stores() throws {
        let _: KeyPath<Store, String> = \.type
        let _: KeyPath<Store, String?> = \.identifier
        let _: KeyPath<Store, String> = \.configurationName
        let _: KeyPath<Store, [AnyHashable: Any]?> = \.options
        let _: KeyPath<Store, URL?> = \.url
        let _: KeyPath<Store, Bool> = \.isReadOnly
        let _: ReferenceWritableKeyPath<Store, [String: Any]?> = \.metadata
        let _: KeyPath<Store, NSPersistentStoreCoordinator?> = \.persistentStoreCoordinator
        #expect(Store.StoreType.sqlite.rawValue == NSSQLiteStoreType && NSSQLiteStoreType == "SQLite")
        #expect(Store.StoreType.inMemory.rawValue == NSInMemoryStoreType && NSInMemoryStoreType == "InMemory")
        #expect(Set([Store.StoreType(rawValue: "SQLite"), .sqlite]).count == 1)
        #expect(NSStoreTypeKey == "NSStoreType" && NSStoreUUIDKey == "NSStoreUUID")
        #expect(NSXMLStoreType == "XML" && NSBinaryStoreType == "Binary")
        #expect(NSPersistentStore.StoreType.xml.rawValue == "XML" && NSPersistentStore.StoreType.binary.rawValue == "Binary")
        #expect(NSStoreModelVersionHashesKey == "NSStoreModelVersionHashes")
        #expect(NSStoreModelVersionIdentifiersKey == "NSStoreModelVersionIdentifiers")
        #expect(NSReadOnlyPersistentStoreOption == "NSReadOnlyPersistentStoreOption")
        #expect(NSPersistentStoreTimeoutOption == "NSPersistentStoreTimeoutOption")
        #expect(NSSQLitePragmasOption == "NSSQLitePragmasOption")
        #expect(NSIgnorePersistentStoreVersioningOption == "NSIgnorePersistentStoreVersioningOption")
        #expect(NSPersistentStoreRemoteChangeNotificationPostOptionKey == "NSPersistentStoreRemoteChangeNotificationOptionKey")
        for (key, text) in [
            (NSMigratePersistentStoresAutomaticallyOption, "NSMigratePersistentStoresAutomaticallyOption"),
            (NSInferMappingModelAutomaticallyOption, "NSInferMappingModelAutomaticallyOption"),
            (NSPersistentHistoryTrackingKey, "NSPersistentHistoryTrackingKey"),
            (NSSQLiteManualVacuumOption, "NSSQLiteManualVacuumOption"), (NSSQLiteAnalyzeOption, "NSSQLiteAnalyzeOption"),
            (NSPersistentStoreForceDestroyOption, "NSPersistentStoreForceDestroyOption"),
            (NSPersistentStoreFileProtectionKey, "NSPersistentStoreFileProtectionKey"),
            (NSBinaryStoreInsecureDecodingCompatibilityOption, "NSBinaryStoreInsecureDecodingCompatibilityOption"),
            (NSUUIDChangedPersistentStoresKey, "changed"),
        ] {
            #expect(key == text)
        }
        #expect(NSMigrationConstraintViolationError == 134111)
        let surface = try Surface()
        let store = try #require(surface.coordinator.persistentStores.first)
        #expect(store.type == NSInMemoryStoreType && store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
        #expect(store.persistentStoreCoordinator === surface.coordinator && !store.isReadOnly && store.url == nil)
        #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    }

    /// A coordinator that makes others of its class, as extensions of users do.
    private final class Maker: NSPersistentStoreCoordinator, @unchecked Sendable {
        static func make() -> Self { Self(managedObjectModel: NSManagedObjectModel()) }
    }

    /// A request that always asks the same stores.
    private final class OneStoreRequest: NSPersistentStoreRequest {
        override var affectedStores: [NSPersistentStore]? {
            get { [] }
            set { super.affectedStores = newValue }
        }
    }

    @Test("R68: the coordinator's initializer is required, and a request's stores can be overridden")
    func overriding() throws {
        #expect(Maker.make().persistentStores.isEmpty)
        #expect(OneStoreRequest().affectedStores == [])
    }

    @Test("R68: sets by key path change the relationship of the object at its end")
    func mutableSetsByKeyPath() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: folder.file("Reels.sqlite"))
        try container.loadPersistentStores()
        container.newBackgroundContext().run { context in
            let reel = Reel(context: context, label: "a")
            let frame = Frame(context: context, number: 1, caption: "", reel: reel)
            let other = Frame(context: context, number: 2, caption: "", reel: Reel(context: context, label: "b"))
            frame.mutableSetValue(forKeyPath: "reel.frames").add(other)
            #expect(reel.frames == [frame, other] && other.reel === reel)
            reel.mutableSetValue(forKeyPath: "frames").remove(frame)
            #expect(reel.frames == [other])
        }
    }
}
