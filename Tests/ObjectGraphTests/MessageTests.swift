import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Typed messages")
struct MessageTests {
    @Test("NTF-23: a main-queue context posts messages on the main actor, beside its notifications and with the same content")
    @MainActor func mainActor() throws {
        let stack = try TestStack.people()
        let context = stack.newContext(.mainQueue)
        var seen: [String] = []
        func names(_ objects: Set<NSManagedObject>) -> String { objects.compactMap { $0.text("name") }.sorted().joined() }
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(of: context, for: NSManagedObjectContext.ObjectsDidChangeMessage.self) { message in
                seen.append("changed +\(names(message.insertedObjects)) ~\(names(message.updatedObjects))")
            },
            center.addObserver(of: context, for: NSManagedObjectContext.WillSaveMessage.self) { _ in seen.append("will save") },
            center.addObserver(of: context, for: NSManagedObjectContext.DidSaveMessage.self) { message in
                seen.append("saved +\(names(message.insertedObjects)) ~\(names(message.updatedObjects))")
            },
            center.addObserver(of: context, for: NSManagedObjectContext.DidSaveObjectIDsMessage.self) { message in
                seen.append("saved IDs +\(message.insertedObjectIDs.count) ~\(message.updatedObjectIDs.count)")
            },
        ]
        let log = NotificationLog(context)
        let person = context.make("Person", ["name": "A"])
        try context.save()
        #expect(seen == ["changed +A ~", "will save", "saved +A ~", "saved IDs +1 ~0"])
        person.set("name", "B")
        try context.save()
        #expect(seen.dropFirst(4) == ["changed + ~B", "will save", "saved + ~B", "saved IDs +0 ~1"])
        #expect(
            log.take().map(\.kind)
                == Array(repeating: ["didChange", "willSave", "didSave", "didSaveIDs"], count: 2).flatMap { $0 })
        for token in tokens { center.removeObserver(token) }
        try context.save()
        #expect(seen.count == 8)
    }

    @Test("NTF-23: messages and notifications are made of each other") @MainActor
    func bridging() throws {
        let stack = try TestStack.people()
        let context = stack.newContext(.mainQueue)
        let person = context.make("Person")
        typealias Message = NSManagedObjectContext.ObjectsDidChangeMessage
        let notification = Notification(
            name: .NSManagedObjectContextObjectsDidChange, object: context, userInfo: [NSInsertedObjectsKey: Set([person])])
        let message = try #require(Message.makeMessage(notification))
        #expect(message.insertedObjects == [person] && message.updatedObjects.isEmpty && message.deletedObjects.isEmpty)
        #expect(Message.makeNotification(message).userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [person])
        #expect(Message.makeMessage(Notification(name: .NSManagedObjectContextWillSave)) == nil)
        #expect(Message.name == .NSManagedObjectContextObjectsDidChange)
    }

    @Test("NTF-23: a private-queue context posts the IDs of a save as an asynchronous message", .timeLimit(.minutes(5)))
    func asynchronous() async throws {
        let stack = try TestStack.people()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let token = NotificationCenter.default.addObserver(
            of: stack.context, for: NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.self
        ) { message in continuation.yield(message.insertedObjectIDs.count) }
        defer { NotificationCenter.default.removeObserver(token) }
        try stack.run { context in
            for name in ["A", "B"] { _ = context.make("Person", ["name": name]) }
            try context.save()
        }
        var counts = stream.makeAsyncIterator()
        #expect(await counts.next() == 2)
    }

    @Test("NTF-23: observers by message type hear of saved IDs in a program that never reads the notification's name")
    func byTypeOnly() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let center = NotificationCenter.default
            let stack = try TestStack.people()
            let main = stack.newContext(.mainQueue)
            var seen = 0
            let token = center.addObserver(of: main, for: NSManagedObjectContext.DidSaveObjectIDsMessage.self) { message in
                seen += message.insertedObjectIDs.count
            }
            let person = main.make("Person")
            try main.save()
            try #require(seen == 1)
            let (stream, continuation) = AsyncStream.makeStream(of: [Set<NSManagedObjectID>].self)
            let background = stack.context
            let other = center.addObserver(of: background, for: NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.self) {
                continuation.yield([$0.insertedObjectIDs, $0.updatedObjectIDs, $0.deletedObjectIDs])
            }
            let id = person.objectID
            let team = try stack.run { context in
                context.object(with: id).set("name", "B")
                let team = context.make("Team")
                try context.save()
                return team.objectID
            }
            var saves = stream.makeAsyncIterator()
            let saved = await saves.next()
            try #require(saved == [[team], [id], []])
            center.removeObserver(token)
            center.removeObserver(other)
        }
    }
}
