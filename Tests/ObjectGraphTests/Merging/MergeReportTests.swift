import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

/// What users of other libraries reported.
@Suite("Reports about merging")
struct MergeReportTests {
    @Test(
        "B03: merged changes are not invisible: the receiver posts ObjectsDidChange, and has no changes to save",
        arguments: StackKind.allCases)
    func merged(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let receiver = stack.newContext()
        let log = NotificationLog(receiver)
        var notification: Notification?
        let observer = Observer(.NSManagedObjectContextDidSave, of: stack.context) { notification = $0 }
        let id = try stack.run { context in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            return person.objectID
        }
        withExtendedLifetime(observer) {}
        let saved = try #require(notification)
        try receiver.run { context in
            context.mergeChanges(fromContextDidSave: saved)
            let entry = try #require(log.takeChanges().first)
            #expect(entry.inserted.map(\.objectID) == [id])
            #expect(!context.hasChanges)
            #expect(context.object(with: id).text("name") == "Ada")
        }
    }

    @Test(
        "B08: what a batch request did is heard of by merging its IDs; the in-memory store is no exception",
        arguments: StackKind.allCases)
    func batch(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let people = try stack.run { context in
            let people = ["A", "B", "C"].map { context.make("Person", ["name": $0]) }
            try context.save()
            return people
        }
        let log = NotificationLog(stack.context)
        // Another context stands for the batch request, of which the first one is told nothing but IDs.
        let ids = people.prefix(2).map(\.objectID)
        try stack.fresh { context in
            for id in ids { context.delete(context.object(with: id)) }
            try context.save()
        }
        try stack.run { _ in #expect(people.map(\.isDeleted) == [false, false, false] && log.take().isEmpty) }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.context])
        try stack.run { context in
            #expect(log.takeChanges().map(\.deleted) == [Set(people.prefix(2))])
            try #expect(context.all("Person") == [people[2]])
        }
    }

    @Test("B10: a merge can be told from local edits by the notification that only merges post")
    func origin() throws {
        let stack = try TestStack.people()
        let receiver = stack.newContext()
        let log = NotificationLog(receiver)
        let id = try stack.run { context in
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            return person.objectID
        }
        try receiver.run { context in
            context.object(with: id).set("name", "Eva")
            context.processPendingChanges()
            context.rollback()
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(log.take().allSatisfy { $0.kind == "didChange" })
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [receiver])
        #expect(log.take().map(\.kind).contains("didMerge"))
    }

    @Test(
        "B11: values of objects that a cascade deleted elsewhere can be read when the deletion is told",
        arguments: StackKind.allCases)
    func deletedValues(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Album", [ModelMaker.attribute("name", .string)])
        maker.entity("Photo", [ModelMaker.attribute("name", .string)])
        maker.relate("Album", "photos", .many.cascade, "Photo", "album", .one)
        let stack = try TestStack(kind, maker.model())
        try stack.run { context in
            let album = context.make("Album", ["name": "Rome"])
            for name in ["1.jpg", "2.jpg"] { _ = context.make("Photo", ["name": name, "album": album]) }
            try context.save()
        }
        let receiver = stack.newContext()
        let held = try receiver.run { context in
            let photos = try context.all("Photo")
            for photo in photos { _ = photo.text("name") }
            return photos
        }
        var files: Set<String?> = []
        let observer = Observer(.NSManagedObjectContextObjectsDidChange, of: receiver) { notification in
            let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
            files = Set(deleted.filter { $0.entity.name == "Photo" }.map { $0.text("name") })
        }
        var ids: [NSManagedObjectID] = []
        try stack.run { context in
            let album = try context.named("Rome", "Album")
            ids = [album.objectID] + album.many("photos").map(\.objectID)
            context.delete(album)
            try context.save()
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [receiver])
        withExtendedLifetime(observer) {}
        #expect(files == ["1.jpg", "2.jpg"] && held.count == 2)
    }

    @Test("B24, NTF-155: contexts whose coordinators have models of their own merge each other's saves of one file")
    func twoModels() throws {
        let stack = try TestStack.people(.sqlite)
        let other = try TestStack(.sqlite, People.model(), folder: stack.folder)
        try stack.run { context in
            _ = context.make("Manager", ["name": "Ada", "level": 1])
            try context.save()
        }
        let ada = try other.run { context in
            let ada = try context.named("Ada", "Manager")
            _ = ada.text("name")
            return ada
        }
        for source in [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs] {
            var notification: Notification?
            let observer = Observer(source, of: stack.context) { notification = $0 }
            let level = try stack.run { context in
                let ada = try context.named("Ada", "Manager")
                ada.set("level", (ada.number("level") ?? 0) + 1)
                try context.save()
                return ada.number("level")
            }
            withExtendedLifetime(observer) {}
            let saved = try #require(notification)
            try other.run { context in
                context.mergeChanges(fromContextDidSave: saved)
                #expect(ada.number("level") == level && ada.entity === other.model.entitiesByName["Manager"])
            }
        }
    }
}
