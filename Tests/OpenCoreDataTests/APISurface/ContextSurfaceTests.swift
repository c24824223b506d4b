import Foundation
import OpenCoreData
import Testing

@Suite("API surface: contexts")
struct ContextSurfaceTests {
    private typealias Context = NSManagedObjectContext

    @Test("API-33…40: kinds, creation, what a context knows")
    func creation() throws {
        let _: (NSManagedObjectContextConcurrencyType) -> Context = Context.init(concurrencyType:)
        let _: (Context.ConcurrencyType) -> Context = Context.init(_:)
        let _: KeyPath<Context, NSManagedObjectContextConcurrencyType> = \.concurrencyType
        let _: ReferenceWritableKeyPath<Context, NSPersistentStoreCoordinator?> = \.persistentStoreCoordinator
        let _: ReferenceWritableKeyPath<Context, NSManagedObjectContext?> = \.parent
        let _: ReferenceWritableKeyPath<Context, String?> = \.name
        let _: ReferenceWritableKeyPath<Context, UndoManager?> = \.undoManager
        let _: KeyPath<Context, NSMutableDictionary> = \.userInfo
        let _: KeyPath<Context, Bool> = \.hasChanges
        let sets: [KeyPath<Context, Set<NSManagedObject>>] = [
            \.registeredObjects, \.insertedObjects, \.updatedObjects, \.deletedObjects,
        ]
        #expect(NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType.rawValue == 1)
        #expect(NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType.rawValue == 2)
        #expect(Set([Context.ConcurrencyType.mainQueue, .privateQueue, .mainQueue]).count == 2)
        let context: NSObject = Context(.privateQueue)
        let fresh = try #require(context as? Context)
        #expect(fresh.name == nil && fresh.undoManager == nil && fresh.parent == nil && fresh.persistentStoreCoordinator == nil)
        #expect(!fresh.hasChanges && fresh.userInfo.count == 0 && sets.allSatisfy { fresh[keyPath: $0].isEmpty })
    }

    @Test("API-41…44: work on the queue")
    func queue() async throws {
        let _: (Context) -> (@escaping @Sendable () -> Void) -> Void = Context.perform(_:)
        let _: (Context) -> (@Sendable () -> Void) -> Void = Context.performAndWait(_:)
        let _: (Context) -> (@Sendable () throws -> Int) throws -> Int = Context.performAndWait(_:)
        let _: (Context) -> (Context.ScheduledTaskType, @escaping @Sendable () throws -> Int) async throws -> Int =
            Context.perform(schedule:_:)
        let context = try Surface().context
        #expect(context.performAndWait { 1 } == 1)
        #expect(await context.perform { 2 } == 2)
        #expect(await context.perform(schedule: .enqueued) { 3 } == 3)
        #expect(Set([Context.ScheduledTaskType.immediate, .enqueued]).count == 2)
    }

    @Test("API-45…47, API-49: fetching and finding")
    func fetching() throws {
        let _: (Context) -> (NSFetchRequest<NSManagedObject>) throws -> [NSManagedObject] = Context.fetch
        let _: (Context) -> (NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] = Context.fetch
        let _: (Context) -> (NSFetchRequest<NSManagedObject>) throws -> Int = Context.count(for:)
        let _: (Context) -> (NSManagedObjectID) -> NSManagedObject = Context.object(with:)
        let _: (Context) -> (NSManagedObjectID) -> NSManagedObject? = Context.registeredObject(for:)
        let _: (Context) -> (NSManagedObjectID) throws -> NSManagedObject = Context.existingObject(with:)
        try Surface().run { context in
            let item = context.item("A")
            try context.save()
            let untyped: [Any] = try context.fetch(NSFetchRequest<any NSFetchRequestResult>(entityName: "Item"))
            #expect(untyped.count == 1 && untyped.first as? NSManagedObject === item)
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 1)
            #expect(context.object(with: item.objectID) === item && context.registeredObject(for: item.objectID) === item)
            #expect(try context.existingObject(with: item.objectID) === item)
        }
    }

    @Test("API-50…53: changing, refreshing, saving")
    func changes() throws {
        let _: (Context) -> (NSManagedObject) -> Void = Context.insert(_:)
        let _: (Context) -> (NSManagedObject) -> Void = Context.delete(_:)
        let _: (Context) -> (Any, NSPersistentStore) -> Void = Context.assign(_:to:)
        let _: (Context) -> (NSManagedObject, Bool) -> Void = Context.refresh(_:mergeChanges:)
        let _: (Context) -> (NSManagedObject) -> Void = Context.detectConflicts(for:)
        let plain: [(Context) -> () -> Void] = [
            Context.refreshAllObjects, Context.processPendingChanges, Context.undo, Context.redo, Context.reset, Context.rollback,
        ]
        let _: (Context) -> () throws -> Void = Context.save
        let _: (Context) -> ([NSManagedObject]) throws -> Void = Context.obtainPermanentIDs(for:)
        try Surface().run { context in
            for method in plain { method(context)() }
            #expect(!context.hasChanges)
            let item = context.item("A")
            try context.obtainPermanentIDs(for: [item])
            #expect(!item.objectID.isTemporaryID && item.isInserted)
            context.rollback()
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        }
    }

    @Test("API-56…58: options and their defaults")
    func options() {
        let flags: [ReferenceWritableKeyPath<Context, Bool>] = [
            \.propagatesDeletesAtEndOfEvent, \.retainsRegisteredObjects, \.shouldDeleteInaccessibleFaults,
            \.automaticallyMergesChangesFromParent,
        ]
        let _: ReferenceWritableKeyPath<Context, TimeInterval> = \.stalenessInterval
        let _: ReferenceWritableKeyPath<Context, Any> = \.mergePolicy
        let context = Context(.privateQueue)
        #expect(flags.map { context[keyPath: $0] } == [true, false, true, false])
        #expect(context.stalenessInterval == -1)
        #expect(context.mergePolicy as AnyObject === NSMergePolicy.error)
    }

    @Test("API-58, API-59, API-61: author and query generation")
    func generations() throws {
        let _: ReferenceWritableKeyPath<Context, String?> = \.transactionAuthor
        let _: KeyPath<Context, NSQueryGenerationToken?> = \.queryGenerationToken
        let _: (Context) -> (NSQueryGenerationToken?) throws -> Void = Context.setQueryGenerationFrom(_:)
        let current: NSQueryGenerationToken = .current
        #expect(current.copy() as? NSQueryGenerationToken == current && NSQueryGenerationToken.supportsSecureCoding)
        let context = try Surface().context
        #expect(context.transactionAuthor == nil && context.queryGenerationToken == nil)
        try context.setQueryGenerationFrom(nil)
        #expect(context.queryGenerationToken == nil)
    }

    /// Decides itself what is done about a fault without row.
    private final class Watcher: NSManagedObjectContext, @unchecked Sendable {
        nonisolated(unsafe) var missing: [(NSManagedObjectID, NSPropertyDescription?)] = []

        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            missing.append((oid, property))
            return fault.objectID == oid
        }
    }

    @Test("API-60: a subclass is asked about a fault whose row is gone, whatever the option says")
    func inaccessibleFaults() throws {
        let _: (Context) -> (NSManagedObject, NSManagedObjectID, NSPropertyDescription?) -> Bool =
            Context.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)
        let surface = try Surface()
        let id = try surface.run { context in
            let item = context.item("A")
            try context.save()
            let id = item.objectID
            context.delete(item)
            try context.save()
            return id
        }
        let watcher = Watcher(.privateQueue)
        watcher.persistentStoreCoordinator = surface.coordinator
        watcher.shouldDeleteInaccessibleFaults = false
        watcher.performAndWait {
            let item = watcher.object(with: id)
            #expect(item.value(forKey: "name") == nil && item.isDeleted)
            #expect(watcher.missing.map(\.0) == [id])
        }
        surface.context.shouldDeleteInaccessibleFaults = false
        surface.context.performAndWait {
            let answer = surface.context.shouldHandleInaccessibleFault(
                surface.context.object(with: id), for: id, triggeredByProperty: nil)
            #expect(!answer)
        }
    }

    @Test("API-62…65, NTF-10: names and keys of notifications")
    func notifications() {
        let names: [Notification.Name] = [
            Context.willSaveObjectsNotification, Context.didSaveObjectsNotification, Context.didChangeObjectsNotification,
            Context.didSaveObjectIDsNotification, Context.didMergeChangesObjectIDsNotification,
        ]
        let older: [Notification.Name] = [
            .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange,
            .NSManagedObjectContextDidSaveObjectIDs, .NSManagedObjectContextDidMergeChangesObjectIDs,
        ]
        #expect(names == older && Set(names).count == 5)
        #expect(NSManagedObjectContextQueryGenerationKey == "NSManagedObjectContextQueryGenerationKey")
        typealias Key = Context.NotificationKey
        let keys: [(Key, String)] = [
            (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey),
            (.deletedObjects, NSDeletedObjectsKey), (.refreshedObjects, NSRefreshedObjectsKey),
            (.invalidatedObjects, NSInvalidatedObjectsKey), (.invalidatedAllObjects, NSInvalidatedAllObjectsKey),
            (.insertedObjectIDs, "inserted_objectIDs"), (.updatedObjectIDs, "updated_objectIDs"),
            (.deletedObjectIDs, "deleted_objectIDs"), (.refreshedObjectIDs, "refreshed_objectIDs"),
            (.invalidatedObjectIDs, "invalidated_objectIDs"), (.sourceContext, "managedObjectContext"),
            (.queryGeneration, NSManagedObjectContextQueryGenerationKey),
        ]
        for (key, text) in keys { #expect(key.rawValue == text && Key(rawValue: text) == key) }
    }
}
