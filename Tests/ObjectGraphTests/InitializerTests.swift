import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// Overrides the initializer as a class does that has something to set up.
final class Guest: Recorder {
    let number: Int

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        number = 7
        super.init(entity: entity, insertInto: context)
    }
}

/// Does in its initializer, before and after `super.init`, what a test says.
final class Host: Recorder {
    final class Work {
        let before: (NSEntityDescription, NSManagedObjectContext?) -> Void
        let after: (Host) -> Void

        init(
            before: @escaping (NSEntityDescription, NSManagedObjectContext?) -> Void = { _, _ in },
            after: @escaping (Host) -> Void = { _ in }
        ) {
            self.before = before
            self.after = after
        }
    }

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let work = context?.userInfo["work"] as? Work
        // Once at a time: the work may make objects of this class.
        context?.userInfo.removeObject(forKey: "work")
        work?.before(entity, context)
        super.init(entity: entity, insertInto: context)
        work?.after(self)
        if let work { context?.userInfo["work"] = work }
    }
}

@Suite("Overridden initializers", .timeLimit(.minutes(2)))
struct InitializerTests {
    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Guest", class: "ObjectGraphTests.Guest", [ModelMaker.attribute("name", .string)])
        maker.entity("Host", class: "ObjectGraphTests.Host", [ModelMaker.attribute("name", .string)])
        maker.entity("Log", [ModelMaker.attribute("name", .string)])
        maker.relate("Host", "logs", .many, "Log", "hosts", .many)
        maker.relate("Log", "owner", .one, "Host", "owned", .many)
        return maker.model()
    }

    @Test("R01: an initializer overridden without more ado works, round after round", arguments: StackKind.allCases)
    func overridden(_ kind: StackKind) throws {
        for round in 0..<50 {
            let stack = try TestStack(kind, Self.model())
            try stack.run { context throws in
                let entity = try #require(stack.model.entitiesByName["Guest"])
                _ = Guest(context: context)
                _ = Guest(entity: entity, insertInto: Optional(context))
                _ = NSEntityDescription.insertNewObject(forEntityName: "Guest", into: context)
                _ = Guest(entity: entity, insertInto: nil)
                try context.save()
                context.reset()
                let found = try context.all("Guest")
                #expect(found.count == 3, "round \(round)")
                #expect(found.allSatisfy { ($0 as? Guest)?.number == 7 })
            }
        }
    }

    @Test("R01: no parameter has an ownership modifier that an override could lack")
    func noModifiers() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try #require(
            FileManager.default.enumerator(at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("__shared") || line.contains("__owned") {
                Issue.record("\(file.lastPathComponent): \(line)")
            }
        }
        #expect(count > 100)
    }

    // MARK: What an initializer may do

    /// The ways in which a context makes a fault of the one `Host` of a store.
    enum Way: String, CaseIterable, Sendable {
        case fetch, fetchWithoutValues, byID, existing, toOne, toMany, prefetching, child
    }

    /// Makes a fault, with `work` in its initializer.
    private func makeFault(
        _ kind: StackKind, _ way: Way, _ work: @escaping (TestStack) -> Host.Work,
        _ check: (NSManagedObjectContext, Recorder) throws -> Void
    ) throws {
        let stack = try TestStack(kind, Self.model())
        let id = try stack.fresh { context throws in
            let host = context.make("Host", ["name": "h"])
            let log = context.make("Log", ["name": "old", "owner": host, "hosts": Set([host])])
            _ = log
            try context.save()
            return host.objectID
        }
        let context = stack.newContext()
        if way == .child {
            context.persistentStoreCoordinator = nil
            context.parent = stack.context
        }
        context.userInfo["work"] = work(stack)
        try context.run { context throws in
            let host: NSManagedObject?
            switch way {
            case .fetch, .child: host = try context.all("Host").first
            case .fetchWithoutValues:
                let request = NSFetchRequest<Recorder>(entityName: "Host")
                request.includesPropertyValues = false
                host = try context.fetch(request).first
            case .byID: host = context.object(with: id)
            case .existing: host = try context.existingObject(with: id)
            case .toOne: host = try context.all("Log").first { $0.text("name") == "old" }?.one("owner")
            case .toMany: host = try context.all("Log").first { $0.text("name") == "old" }?.many("hosts").first
            case .prefetching:
                let request = NSFetchRequest<Recorder>(entityName: "Log")
                request.relationshipKeyPathsForPrefetching = ["hosts"]
                host = try context.fetch(request).first { $0.text("name") == "old" }?.many("hosts").first
            }
            let found = try #require(host as? Recorder)
            #expect(found.objectID == id)
            #expect(!found.isInserted)
            #expect(found.text("name") == "h")
            #expect(context.registeredObject(for: id) === found)
            try check(context, found)
        }
    }

    @Test("R02: an initializer may insert other objects; the fault stays a fault", arguments: StackKind.allCases, Way.allCases)
    func inserting(_ kind: StackKind, _ way: Way) throws {
        try makeFault(kind, way) { stack in
            Host.Work { entity, context in
                guard let context, let log = stack.model.entitiesByName["Log"] else { return }
                _ = Recorder(entity: log, insertInto: Optional(context))
                NSEntityDescription.insertNewObject(forEntityName: "Log", into: context).setValue("new", forKey: "name")
                Host(context: context).setValue("second", forKey: "name")
                NSManagedObject(entity: entity, insertInto: context).setValue("third", forKey: "name")
            } after: { host in
                guard let context = host.managedObjectContext else { return }
                _ = Host(entity: host.entity, insertInto: Optional(context))
            }
        } _: { context, host throws in
            let inserted = context.insertedObjects
            #expect(inserted.filter { $0.entity.name == "Log" }.count == 2)
            #expect(inserted.filter { $0.entity.name == "Host" }.count == 3)
            #expect(!inserted.contains(host))
            #expect(!host.hasChanges)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Recorder>(entityName: "Host")) == 4)
        }
    }

    @Test("R02: an initializer may fetch, even the row that it is made for", arguments: StackKind.allCases, Way.allCases)
    func fetching(_ kind: StackKind, _ way: Way) throws {
        let seen = SharedLog()
        try makeFault(kind, way) { _ in
            Host.Work { _, context in
                let names = (try? context?.all("Host").map { $0.text("name") ?? "nil" }) ?? []
                seen.add("before \(names)")
            } after: { host in
                let names = (try? host.managedObjectContext?.all("Log").map { $0.text("name") ?? "nil" }) ?? []
                seen.add("after \(names)")
            }
        } _: { context, host throws in
            #expect(try context.all("Host").map(\.objectID) == [host.objectID])
            #expect(context.registeredObjects.filter { $0.entity.name == "Host" }.count == 1)
        }
        #expect(Set(seen.all) == ["before [\"h\"]", "after [\"old\"]"])
    }

    @Test("R02: an initializer may wait for another context that reads and saves", arguments: StackKind.allCases, Way.allCases)
    func waiting(_ kind: StackKind, _ way: Way) throws {
        // A child's parent waits for its child.
        guard way != .child else { return }
        let seen = SharedLog()
        try makeFault(kind, way) { stack in
            Host.Work { _, _ in
                let other = stack.newContext()
                let done = DispatchSemaphore(value: 0)
                // On a thread of its own: the calling one may take the coordinator's lock twice.
                Thread {
                    other.performAndWait {
                        let names = (try? other.all("Host").map { $0.text("name") ?? "nil" }) ?? ["failed"]
                        other.make("Log", ["name": "other"])
                        do { try other.save() } catch { seen.add("\(error)") }
                        seen.add("\(names)")
                    }
                    done.signal()
                }.start()
                done.wait()
            }
        } _: { context, _ throws in
            #expect(Set(seen.all) == ["[\"h\"]"])
            #expect(try context.all("Log").contains { $0.text("name") == "other" })
        }
    }

    @Test(
        "R02: an initializer may reset its context: what the fetch gives has no context any more, the next one is as ever",
        arguments: StackKind.allCases)
    func resetting(_ kind: StackKind) throws {
        for isBefore in [true, false] {
            let stack = try TestStack(kind, Self.model())
            try stack.run { context throws in
                for number in 0..<20 { context.make("Host", ["name": "\(number)"]) }
                try context.save()
            }
            let other = stack.newContext()
            try other.performAndWait {
                other.userInfo["work"] = Host.Work { _, context in
                    if isBefore { context?.reset() }
                } after: { host in
                    if !isBefore { host.managedObjectContext?.reset() }
                }
                let found = try other.all("Host")
                #expect(found.count == 20)
                #expect(found.allSatisfy { $0.managedObjectContext !== other || $0 === found.last })
                other.userInfo.removeAllObjects()
                let names = Set(try other.all("Host").compactMap { $0.text("name") })
                #expect(names == Set((0..<20).map { "\($0)" }))
                try other.save()
            }
        }
    }
}
