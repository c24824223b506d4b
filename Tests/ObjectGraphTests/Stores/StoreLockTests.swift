import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Synchronization
import TestSupport
import Testing

@Suite("Each store has a lock of its own")
struct StoreLockTests {
    /// A coordinator with two stores.
    private func coordinator(_ types: [String], _ folder: TemporaryFolder) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        for (index, type) in types.enumerated() {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("\(index).sqlite"))
        }
        return coordinator
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("A store that takes its time keeps no one from the other stores")
    func slowStore() throws {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        let coordinator = try coordinator([DictionaryStore.storeType, NSInMemoryStoreType], TemporaryFolder())
        let slow = try #require(coordinator.persistentStores[0] as? DictionaryStore)
        let quick = coordinator.persistentStores[1]
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        slow.duringFetch = {
            began.signal()
            mayEnd.wait()
        }
        let other = context(coordinator)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            other.performAndWait {
                let request = NSFetchRequest<Recorder>(entityName: "Person")
                request.affectedStores = [slow]
                _ = try? other.fetch(request)
            }
            ended.signal()
        }
        began.wait()
        try context(coordinator).run { context in
            let team = context.make("Team", ["name": "Red"])
            context.assign(team, to: quick)
            try context.save()
            let request = NSFetchRequest<Recorder>(entityName: "Team")
            request.affectedStores = [quick]
            let found = try context.fetch(request)
            #expect(found == [team])
        }
        mayEnd.signal()
        ended.wait()
    }

    @Test("Threads that save to several stores, pin their rows, and have the coordinator to themselves don't wait for ever")
    func manyThreads() throws {
        let folder = try TemporaryFolder()
        let coordinator = try coordinator([NSSQLiteStoreType, NSSQLiteStoreType, NSInMemoryStoreType], folder)
        let stores = coordinator.persistentStores
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            for round in 0..<40 {
                let context = context(coordinator)
                do {
                    try context.performAndWait {
                        switch thread % 3 {
                        case 0:
                            for store in stores.shuffled() {
                                context.assign(context.make("Team", ["name": "\(thread) \(round)"]), to: store)
                            }
                            try context.save()
                        case 1:
                            try context.setQueryGenerationFrom(.current)
                            let first = try context.count(for: NSFetchRequest<Recorder>(entityName: "Team"))
                            let request = NSFetchRequest<Recorder>(entityName: "Team")
                            request.affectedStores = Array(stores.prefix(2))
                            let pinned = try context.count(for: request)
                            let again = try context.count(for: request)
                            if pinned != again || pinned % 2 != 0 || first < pinned {
                                failures.withLock { $0.append("\(first) \(pinned) \(again)") }
                            }
                        default:
                            try coordinator.performAndWait {
                                let request = NSFetchRequest<Recorder>(entityName: "Team")
                                if try context.count(for: request) % 3 != 0 { failures.withLock { $0.append("half a save") } }
                            }
                        }
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let count = try context(coordinator).run { try $0.count(for: NSFetchRequest<Recorder>(entityName: "Team")) }
        #expect(count == 2 * 40 * 3)
    }
}
