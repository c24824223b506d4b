import DataModel
import Foundation
import GraphTestSupport
import Predicates
import Storage
import Synchronization
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Reading while others use the store")
struct ReadingBesideTests {
    private var request: NSFetchRequest<Recorder> { NSFetchRequest(entityName: "Person") }

    private func stack(_ folder: TemporaryFolder, _ options: [AnyHashable: Any]? = nil) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: options)
        return coordinator
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs `body` while another thread is about to commit a save that makes a person "B" of "A".
    private func duringSave(_ coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void) throws {
        let store = try #require(coordinator.persistentStores.first)
        let id = try context(coordinator).run { context in
            let person = context.make("Person", ["name": "A"])
            try context.save()
            return person.objectID
        }
        let (began, mayEnd, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let number = try #require(
            store.addStatementHandler { sql in
                guard sql == "COMMIT" else { return }
                began.signal()
                mayEnd.wait()
            })
        let saver = context(coordinator)
        Thread.detachNewThread {
            saver.performAndWait {
                saver.object(with: id).set("name", "B")
                do { try saver.save() } catch { Issue.record(error) }
            }
            ended.signal()
        }
        began.wait()
        defer {
            mayEnd.signal()
            ended.wait()
            store.removeStatementHandler(number)
        }
        try body()
    }

    @Test("A context reads what is saved while another one saves, and what that saved when it is done")
    func duringSave() throws {
        let folder = try TemporaryFolder()
        let coordinator = try stack(folder)
        let reader = context(coordinator)
        try duringSave(coordinator) {
            try reader.run { context in
                let people = try context.fetch(request)
                #expect(people.map { $0.text("name") } == ["A"])
                #expect(try context.count(for: request) == 1)
                context.refreshAllObjects()
                #expect(people.first?.text("name") == "A")
            }
        }
        try reader.run { context in
            let names = try context.fetch(request).map { $0.text("name") }
            #expect(names == ["B"])
        }
    }

    @Test("Columns, members and external values are read while another context saves")
    func everyReading() throws {
        let folder = try TemporaryFolder()
        let coordinator = try stack(folder)
        try context(coordinator).run { context in
            let team = context.make("Team", ["name": "Red"])
            context.make("Person", ["name": "C"]).set("team", team)
            try context.save()
        }
        try duringSave(coordinator) {
            try context(coordinator).run { context in
                let team = try #require(try context.all("Team").first)
                #expect(team.names("members") == ["C"])
                let names = NSFetchRequest<NSDictionary>(entityName: "Person")
                names.resultType = .dictionaryResultType
                names.propertiesToFetch = ["name"]
                names.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                #expect(try context.fetch(names).map { $0["name"] as? String } == ["A", "C"])
            }
        }
    }

    @Test("Eight contexts that read while one saves see whole saves, and their own")
    func manyReaders() throws {
        let folder = try TemporaryFolder()
        let coordinator = try stack(folder)
        let problems = Mutex<[String]>([])
        try context(coordinator).run { context in
            for _ in 0..<2 { _ = context.make("Person", ["name": "0"]) }
            try context.save()
        }
        DispatchQueue.concurrentPerform(iterations: 9) { thread in
            for round in 1...60 {
                let context = context(coordinator)
                do {
                    try context.performAndWait {
                        // Faults would get values that are saved before they fire.
                        let values = NSFetchRequest<NSDictionary>(entityName: "Person")
                        values.resultType = .dictionaryResultType
                        values.propertiesToFetch = ["name"]
                        let names = try context.fetch(values).map { $0["name"] as? String }
                        if Set(names).count != 1 { problems.withLock { $0.append("half a save: \(names)") } }
                        guard thread == 0 else { return }
                        for person in try context.fetch(request) { person.set("name", "\(round)") }
                        try context.save()
                        context.reset()
                        let own = try context.fetch(request).map { $0.text("name") }
                        if own != ["\(round)", "\(round)"] { problems.withLock { $0.append("\(own) after \(round)") } }
                    }
                } catch { problems.withLock { $0.append("\(error)") } }
            }
        }
        #expect(problems.withLock { $0 } == [])
    }

    @Test("A store that is removed while others read from it gives rows or an error")
    func removal() throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let coordinator = try stack(folder)
            let store = try #require(coordinator.persistentStores.first)
            try context(coordinator).run { context in
                for number in 0..<50 { _ = context.make("Person", ["name": "\(number)"]) }
                try context.save()
            }
            let counts = Mutex<Set<Int>>([])
            DispatchQueue.concurrentPerform(iterations: 6) { thread in
                if thread == 3 {
                    do { try coordinator.remove(store) } catch { Issue.record(error) }
                    return
                }
                for _ in 0..<5 {
                    let context = context(coordinator)
                    let count = context.performAndWait { (try? context.fetch(request))?.count }
                    if let count { _ = counts.withLock { $0.insert(count) } }
                }
            }
            #expect(counts.withLock { $0 }.isSubset(of: [0, 50]))
        }
    }

    @Test("Without a write-ahead log who reads waits for who saves")
    func rollbackJournal() throws {
        let folder = try TemporaryFolder()
        let coordinator = try stack(folder, [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        let store = try #require(coordinator.persistentStores.first)
        #expect(try store.engine.readBeside { _ in 1 } == nil)
        let names = Mutex<[String?]>([])
        let ended = DispatchSemaphore(value: 0)
        let reader = context(coordinator)
        try duringSave(coordinator) {
            Thread.detachNewThread {
                reader.performAndWait {
                    let people = try? reader.fetch(NSFetchRequest<Recorder>(entityName: "Person"))
                    names.withLock { $0 = people?.map { $0.text("name") } ?? [] }
                }
                ended.signal()
            }
        }
        ended.wait()
        #expect(names.withLock { $0 } == ["B"])
    }

    @Test("A file that has taken the place of the store's is not read")
    func replacedFile() throws {
        let folder = try TemporaryFolder()
        let coordinator = try stack(folder)
        let store = try #require(coordinator.persistentStores.first)
        let people = RowRequest(try #require(coordinator.runtime.layout.entity(named: "Person")))
        #expect(try store.engine.readBeside { try $0.count(people) } == 0)
        let other = try TemporaryFolder()
        try context(stack(other)).run { context in
            _ = context.make("Person")
            try context.save()
        }
        // The connection that was opened before reads the store's own file still.
        try FileManager.default.moveItem(at: folder.file("a.sqlite"), to: folder.file("b.sqlite"))
        try FileManager.default.copyItem(at: other.file("a.sqlite"), to: folder.file("a.sqlite"))
        let inner = try store.engine.readBeside { first in
            let second = try store.engine.readBeside { try $0.count(people) }
            return (try first.count(people), second)
        }
        #expect(inner?.0 == 0 && inner?.1 == nil)
    }
}
