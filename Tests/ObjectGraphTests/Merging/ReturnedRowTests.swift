import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

/// Rows that are deleted by one context and brought back by another, as a third one hears of it.
@Suite("Merging rows that come back")
struct ReturnedRowTests {
    private final class Scene {
        let rivals: Rivals
        let receiver: NSManagedObjectContext
        let person: Recorder
        let team: Recorder

        init(_ kind: StackKind) throws {
            rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump) { context in
                let team = context.make("Team", ["name": "red"])
                context.make("Person", ["name": "Alice", "age": 10, "team": team])
                context.make("Person", ["name": "Bob", "team": team])
            }
            receiver = rivals.stack.newContext()
            (person, team) = try receiver.run { context throws in
                let (person, team) = (try context.named("Alice", "Person"), try context.named("red", "Team"))
                #expect(team.names("members") == ["Alice", "Bob"] && person.one("team") === team)
                return (person, team)
            }
        }

        /// One context deletes the row, the other, which has changed it, brings it back. Answers the notices of both saves.
        func deleteAndBringBack() throws -> [Notification] {
            let held = try rivals.object(in: rivals.second)
            var notices: [Notification] = []
            let observers = [rivals.first, rivals.second].map { context in
                Observer(.NSManagedObjectContextDidSave, of: context) { notices.append($0) }
            }
            try rivals.first.run { context throws in
                context.delete(try context.named("Alice", "Person"))
                try context.save()
            }
            try rivals.second.runUnchecked {
                held.set("age", 50)
                try rivals.second.save()
            }
            withExtendedLifetime(observers) {}
            return notices
        }

        func expectAlice(_ context: NSManagedObjectContext) throws {
            #expect(!person.isDeleted && person.number("age") == 50 && person.one("team") === team)
            #expect(team.names("members") == ["Alice", "Bob"])
            #expect(try context.all("Person").contains(person) && !context.hasChanges)
        }
    }

    @Test("CTX-171, CTX-123: an object that others deleted and brought back is there again", arguments: StackKind.allCases)
    func inOrder(_ kind: StackKind) throws {
        let scene = try Scene(kind)
        let receiver = scene.receiver
        var first: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: scene.rivals.first) { notice in
            first = notice
            // At once, before the row is back.
            nonisolated(unsafe) let notice = notice
            receiver.performAndWait { receiver.mergeChanges(fromContextDidSave: notice) }
        }
        let notices = try scene.deleteAndBringBack()
        withExtendedLifetime(observer) {}
        #expect(first != nil && scene.person.isDeleted)
        let log = NotificationLog(scene.receiver)
        try scene.receiver.run { context throws in
            context.mergeChanges(fromContextDidSave: notices[1])
            #expect(log.takeChanges().first?.inserted == Set<NSManagedObject>([scene.person]))
            try scene.expectAlice(context)
        }
    }

    @Test("CTX-171: notices that come late delete nothing whose row is there", arguments: StackKind.allCases, [false, true])
    func late(_ kind: StackKind, _ isReversed: Bool) throws {
        let scene = try Scene(kind)
        let notices = try scene.deleteAndBringBack()
        try scene.receiver.run { context throws in
            for notice in isReversed ? notices.reversed() : notices { context.mergeChanges(fromContextDidSave: notice) }
            try scene.expectAlice(context)
        }
    }

    @Test("CTX-173: what is deleted here as well is deleted still when its row came back", arguments: StackKind.allCases)
    func deletedHere(_ kind: StackKind) throws {
        let scene = try Scene(kind)
        try scene.receiver.run { context throws in
            context.delete(scene.person)
            context.processPendingChanges()
        }
        let notices = try scene.deleteAndBringBack()
        try scene.receiver.run { context throws in
            for notice in notices { context.mergeChanges(fromContextDidSave: notice) }
            #expect(scene.person.isDeleted)
            try context.save()
        }
        #expect(try scene.rivals.stack.savedNames("Person") == ["Bob"])
    }

    @Test(
        "R05: a row that comes back changes its owner: who deletes that and does not know of the row finds a conflict",
        arguments: StackKind.allCases, [NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType])
    func ownerOfReturned(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        let scene = try Scene(kind)
        let watch = try SaveWatch(scene.rivals.stack)
        _ = try scene.deleteAndBringBack()
        let first = scene.rivals.first
        first.mergePolicy = NSMergePolicy(merge: policy)
        var error: NSError?
        try first.runUnchecked {
            // As it was when its member was deleted here.
            let team = try first.named("red", "Team")
            #expect(team.names("members") == ["Bob"])
            first.delete(team)
            do { try first.save() } catch let failure as NSError { error = failure }
        }
        #expect((error?.code == NSManagedObjectMergeError) == (policy == .errorMergePolicyType))
        #expect(watch.problems == [])
        try scene.rivals.stored { context throws in
            #expect(try context.named("Alice", "Person").one("team")?.text("name") == (error == nil ? nil : "red"))
            #expect(try context.all("Team").count == (error == nil ? 0 : 1))
        }
    }

    @Test(
        "R05: a member that was gone and is back does not point at an owner that is deleted", arguments: StackKind.allCases,
        [false, true])
    func memberOfDeletedIsBack(_ kind: StackKind, _ isProcessed: Bool) throws {
        let scene = try Scene(kind)
        let rivals = scene.rivals
        let watch = try SaveWatch(rivals.stack)
        let late = rivals.stack.newContext()
        let id = try rivals.first.run { try $0.named("Alice", "Person").objectID }
        var first: Notification?
        // Used on the queue of its context only.
        nonisolated(unsafe) let alice = late.performAndWait { late.object(with: id) }
        let observer = Observer(.NSManagedObjectContextDidSave, of: rivals.first) { notice in
            first = notice
            // At once, before the row is back.
            late.performAndWait {
                #expect(alice.value(forKey: "name") == nil && alice.isDeleted)
                if isProcessed { late.processPendingChanges() }
            }
        }
        _ = try scene.deleteAndBringBack()
        withExtendedLifetime(observer) {}
        #expect(first != nil)
        try late.runUnchecked {
            late.delete(try late.named("red", "Team"))
            try late.save()
        }
        #expect(watch.problems == [])
        try rivals.stored { context throws in
            #expect(try context.all("Team").isEmpty)
            #expect(try context.all("Person").map { $0.one("team") } == [nil, nil])
        }
    }

    /// A context that knows a desk as gone, which is Alice's and which somebody has brought back.
    private func deskThatIsBack(_ kind: StackKind, _ policy: NSMergePolicy) throws -> (Rivals, alice: Recorder, desk: Recorder) {
        let rivals = try Rivals(kind, policy: policy) { context in
            context.make("Person", ["name": "Alice", "age": 10, "desk": context.make("Desk", ["name": "Oak"])])
        }
        let (alice, desk) = try rivals.second.run { context throws in
            let alice = try context.named("Alice", "Person")
            return (alice, try #require(alice.one("desk") as? Recorder))
        }
        let third = rivals.stack.newContext()
        third.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let held = try third.run { try $0.named("Oak", "Desk") }
        try rivals.first.run { context throws in
            context.delete(try context.named("Oak", "Desk"))
            try context.save()
        }
        try rivals.second.runUnchecked { #expect(desk.text("name") == nil && desk.isDeleted) }
        try third.runUnchecked {
            held.set("name", "Elm")
            try third.save()
        }
        try rivals.stored { context throws in
            #expect(try context.named("Alice", "Person").one("desk")?.text("name") == "Elm")
        }
        return (rivals, alice, desk)
    }

    @Test("R05: by rollback a partner that was gone and is back stays a partner", arguments: StackKind.allCases)
    func partnerThatIsBack(_ kind: StackKind) throws {
        let (rivals, alice, desk) = try deskThatIsBack(kind, .rollback)
        let watch = try SaveWatch(rivals.stack)
        try rivals.second.runUnchecked {
            alice.set("age", 11)
            rivals.second.make("Song")
            try rivals.second.save()
            #expect(alice.one("desk") === desk && !desk.isDeleted && desk.text("name") == "Elm")
        }
        #expect(watch.problems == [])
        try rivals.stored { context throws in
            let alice = try context.named("Alice", "Person")
            #expect(alice.number("age") == 10 && alice.one("desk")?.one("owner") === alice)
        }
    }

    @Test("R05: a partner that was gone and is back does not point at an object that is deleted", arguments: StackKind.allCases)
    func partnerOfDeletedIsBack(_ kind: StackKind) throws {
        let (rivals, alice, desk) = try deskThatIsBack(kind, .error)
        let watch = try SaveWatch(rivals.stack)
        try rivals.second.runUnchecked {
            rivals.second.refresh(alice, mergeChanges: false)
            rivals.second.delete(alice)
            try rivals.second.save()
            #expect(!desk.isDeleted && desk.one("owner") == nil)
        }
        #expect(watch.problems == [])
        try rivals.stored { context throws in
            #expect(try context.all("Person").isEmpty)
            #expect(try context.named("Elm", "Desk").one("owner") == nil)
        }
    }

    @Test(
        "CTX-130: a row that comes back is not taken for one that others read before it was deleted",
        arguments: StackKind.allCases)
    func versionOfReturned(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump)
        // Read as it was at first; it comes back as a row that was changed once.
        let held = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("age", 11) }
        let third = rivals.stack.newContext()
        let read = try third.run { context in try [context.named("Alice", "Person")].loaded }
        try rivals.saveInFirst { rivals.first.delete($0) }
        try rivals.second.runUnchecked {
            held.set("score", 0.5)
            try rivals.second.save()
        }
        let error = try thrownError {
            try third.runUnchecked {
                read.first?.set("name", "Bob")
                try third.save()
            }
        }
        #expect(error.code == NSManagedObjectMergeError && error.mergeConflicts.map(\.sourceObject) == read)
        #expect(try rivals.people() == ["Alice": 10])
    }
}
