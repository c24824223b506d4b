import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Notification names, keys, objects")
struct NotificationNameTests {
    @Test("NTF-1, NTF-2, NTF-3, NTF-4: names and their other forms")
    func names() {
        #expect(
            Notification.Name.NSManagedObjectContextObjectsDidChange.rawValue == "NSObjectsChangedInManagingContextNotification")
        #expect(Notification.Name.NSManagedObjectContextWillSave.rawValue == "NSManagingContextWillSaveChangesNotification")
        #expect(Notification.Name.NSManagedObjectContextDidSave.rawValue == "NSManagingContextDidSaveChangesNotification")
        #expect(
            Notification.Name.NSManagedObjectContextDidSaveObjectIDs.rawValue
                == "NSManagedObjectContextDidSaveObjectIDsNotification")
        #expect(NSManagedObjectContext.didChangeObjectsNotification == .NSManagedObjectContextObjectsDidChange)
        #expect(NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
        #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
        #expect(NSManagedObjectContext.didSaveObjectIDsNotification == .NSManagedObjectContextDidSaveObjectIDs)
    }

    @Test("NTF-7, NTF-8, NTF-9: keys")
    func keys() {
        #expect(NSInsertedObjectsKey == "inserted" && NSUpdatedObjectsKey == "updated" && NSDeletedObjectsKey == "deleted")
        #expect(NSRefreshedObjectsKey == "refreshed" && NSInvalidatedAllObjectsKey == "invalidatedAll")
        typealias Key = NSManagedObjectContext.NotificationKey
        #expect(Key.insertedObjects.rawValue == NSInsertedObjectsKey && Key.updatedObjects.rawValue == NSUpdatedObjectsKey)
        #expect(Key.deletedObjects.rawValue == NSDeletedObjectsKey && Key.refreshedObjects.rawValue == NSRefreshedObjectsKey)
        #expect(Key.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
        #expect(Key.insertedObjectIDs.rawValue == "inserted_objectIDs" && Key.updatedObjectIDs.rawValue == "updated_objectIDs")
        #expect(Key.deletedObjectIDs.rawValue == "deleted_objectIDs")
    }

    @Test(
        "NTF-6, NTF-42: the object of all notifications is the context; they come through the default center",
        arguments: StackKind.allCases)
    func object(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            var seen: [Notification.Name] = []
            let observers = NotificationLog.names.map { name in
                Observer(name, of: nil) { notification in
                    if notification.object as AnyObject? === context { seen.append(name) }
                }
            }
            _ = context.make("Person")
            try context.save()
            #expect(seen == NotificationLog.names.filter { $0 != .NSManagedObjectContextDidMergeChangesObjectIDs })
            _ = observers
        }
    }

    @Test("NTF-11: the userInfo does not keep the context alive")
    func sourceContext() throws {
        let stack = try TestStack.people()
        weak var ended: NSManagedObjectContext?
        var infos: [[AnyHashable: Any]] = []
        try {
            let context = stack.newContext()
            ended = context
            let log = NotificationLog(context)
            try context.run { context throws in
                _ = context.make("Person")
                try context.save()
            }
            infos = log.take().map(\.userInfo)
        }()
        #expect(infos.count == 4)
        #expect(ended == nil)
    }

    @Test("NTF-12, NTF-14, NTF-15: values are sets of objects or of IDs; empty ones are absent", arguments: StackKind.allCases)
    func values(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            let person = context.make("Person")
            try context.save()
            let entries = log.take()
            #expect(entries.map(\.keys) == [["inserted"], [], ["inserted"], ["inserted_objectIDs"]])
            #expect(entries[0].userInfo["inserted"] as? Set<NSManagedObject> == [person])
            #expect(entries[2].userInfo["inserted"] as? Set<NSManagedObject> == [person])
            #expect(entries[3].userInfo["inserted_objectIDs"] as? Set<NSManagedObjectID> == [person.objectID])
        }
    }

    @Test("NTF-13, NTF-95: after reset an array of the IDs of all objects, new ones too", arguments: StackKind.allCases)
    func invalidatedAll(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let saved = context.make("Person")
            try context.save()
            let new = context.make("Person")
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.reset()
            let entries = log.take()
            #expect(entries.map(\.kind) == ["didChange"])
            #expect(entries.first?.keys == ["invalidatedAll"])
            let ids = try #require(entries.first?.userInfo["invalidatedAll"] as? [NSManagedObjectID])
            #expect(Set(ids) == [saved.objectID, new.objectID] && ids.count == 2)
        }
    }

    @Test("NTF-16: WillSave has no change sets", arguments: StackKind.allCases)
    func willSave(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            _ = context.make("Person")
            try context.save()
            let entry = try #require(log.take().first { $0.kind == "willSave" })
            #expect(
                Set(entry.keys).isDisjoint(with: ["inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll"])
            )
        }
    }

    @Test("NTF-17, NTF-18: without history and pinning DidSave carries no tokens", arguments: StackKind.allCases)
    func noTokens(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let log = NotificationLog(context)
            _ = context.make("Person")
            try context.save()
            let entry = try #require(log.take().first { $0.kind == "didSave" })
            #expect(!entry.keys.contains("newChangeToken") && !entry.keys.contains("NSManagedObjectContextQueryGenerationKey"))
        }
    }

    @Test(
        "NTF-21, NTF-22, NTF-180, NTF-181, NTF-184: a coordinator tells of stores that come and go", arguments: StackKind.allCases
    )
    func stores(_ kind: StackKind) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model())
        var seen: [String] = []
        var isWrong = false
        let caller = currentThread
        let observers = [
            Observer(.NSPersistentStoreCoordinatorStoresDidChange, of: coordinator) { notification in
                for key in [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey] {
                    guard let stores = notification.userInfo?[key] as? [NSPersistentStore] else { continue }
                    seen.append("\(key) \(stores.count), has \(coordinator.persistentStores.count)")
                }
                isWrong = isWrong || currentThread != caller
            },
            Observer(.NSPersistentStoreCoordinatorWillRemoveStore, of: nil) { notification in
                guard let store = notification.object as? NSPersistentStore, store.persistentStoreCoordinator === coordinator
                else { return }
                seen.append(
                    "will remove, has \(coordinator.persistentStores.count), userInfo \(notification.userInfo?.count ?? 0)")
            },
        ]
        #expect(NSAddedPersistentStoresKey == "added" && NSRemovedPersistentStoresKey == "removed")
        let stack = try TestStack.people(kind)
        let store = try coordinator.addPersistentStore(
            ofType: stack.store.type, configurationName: nil, at: kind == .sqlite ? stack.folder.file("other.sqlite") : nil)
        try coordinator.remove(store)
        #expect(seen == ["added 1, has 1", "will remove, has 1, userInfo 0", "removed 1, has 0"])
        #expect(!isWrong)
        _ = observers
    }
}
