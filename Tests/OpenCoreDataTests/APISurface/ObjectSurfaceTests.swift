import Foundation
import OpenCoreData
import Testing

/// Members are assigned to constants of exactly the type that Apple documents: a test that compiles has proved it.
@Suite("API surface: managed objects and their IDs")
struct ObjectSurfaceTests {
    @Test("API-1…9: creation, class methods, identity")
    func creation() throws {
        let _: (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject = NSManagedObject.init(entity:insertInto:)
        let _: (NSManagedObjectContext) -> NSManagedObject = NSManagedObject.init(context:)
        let _: () -> NSEntityDescription = NSManagedObject.entity
        let _: () -> NSFetchRequest<any NSFetchRequestResult> = NSManagedObject.fetchRequest
        let _: KeyPath<NSManagedObject, NSManagedObjectContext?> = \.managedObjectContext
        let _: KeyPath<NSManagedObject, NSEntityDescription> = \.entity
        let _: KeyPath<NSManagedObject, NSManagedObjectID> = \.objectID
        let ignores: Bool = NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges
        #expect(ignores)

        let store = try Surface()
        try store.run { context in
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
            let object = NSManagedObject(entity: entity, insertInto: context)
            #expect(object.entity === entity && object.managedObjectContext === context)
            #expect(object as NSObject is any NSFetchRequestResult)
            #expect(NSManagedObject(entity: entity, insertInto: nil).managedObjectContext == nil)
        }
    }

    @Test("API-10…14: state, faults, destinations' IDs")
    func state() throws {
        let flags: [KeyPath<NSManagedObject, Bool>] = [
            \.isInserted, \.isUpdated, \.isDeleted, \.isFault, \.hasChanges, \.hasPersistentChangedValues,
        ]
        let _: KeyPath<NSManagedObject, Int> = \.faultingState
        let _: (NSManagedObject) -> (String) -> Bool = NSManagedObject.hasFault(forRelationshipNamed:)
        let _: (NSManagedObject) -> (String) -> [NSManagedObjectID] = NSManagedObject.objectIDs(forRelationshipNamed:)
        try Surface().run { context in
            let object = context.item("A", parent: context.item("P"))
            #expect(flags.map { object[keyPath: $0] } == [true, false, false, false, true, true])
            #expect(object.faultingState == 0)
            try context.save()
            #expect(flags.map { object[keyPath: $0] } == [false, false, false, false, false, false])
            let parent = try #require(object.value(forKey: "parent") as? NSManagedObject)
            #expect(parent.objectIDs(forRelationshipNamed: "children") == [object.objectID])
            #expect(object.objectIDs(forRelationshipNamed: "parent") == [parent.objectID])
            context.refresh(parent, mergeChanges: false)
            #expect(parent.isFault && parent.faultingState != 0 && parent.hasFault(forRelationshipNamed: "children"))
        }
    }

    @Test("API-15…19: access and change announcements, hooks")
    func hooks() throws {
        typealias Announcement = (NSManagedObject) -> (String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void
        let _: (NSManagedObject) -> (String?) -> Void = NSManagedObject.willAccessValue(forKey:)
        let _: (NSManagedObject) -> (String?) -> Void = NSManagedObject.didAccessValue(forKey:)
        let _: (NSManagedObject) -> (String) -> Void = NSManagedObject.willChangeValue(forKey:)
        let _: (NSManagedObject) -> (String) -> Void = NSManagedObject.didChangeValue(forKey:)
        let _: Announcement = NSManagedObject.willChangeValue(forKey:withSetMutation:using:)
        let _: Announcement = NSManagedObject.didChangeValue(forKey:withSetMutation:using:)
        let hooks: [(NSManagedObject) -> () -> Void] = [
            NSManagedObject.awakeFromFetch, NSManagedObject.awakeFromInsert, NSManagedObject.prepareForDeletion,
            NSManagedObject.willSave, NSManagedObject.didSave, NSManagedObject.willTurnIntoFault,
            NSManagedObject.didTurnIntoFault,
        ]
        let _: (NSManagedObject) -> (NSSnapshotEventType) -> Void = NSManagedObject.awake(fromSnapshotEvents:)
        try Surface().run { context in
            let object = context.item("A")
            try context.save()
            // Called by hand they do nothing of their own.
            for hook in hooks { hook(object)() }
            object.awake(fromSnapshotEvents: .refresh)
            #expect(!object.hasChanges && object.value(forKey: "name") as? String == "A")
            let child = context.item("B")
            object.willChangeValue(forKey: "children", withSetMutation: .union, using: [child])
            object.didChangeValue(forKey: "children", withSetMutation: .union, using: [child])
            #expect(child.value(forKey: "parent") as? NSManagedObject === object)
        }
    }

    @Test("API-20…26: values by key, primitives, changes, validation")
    func values() throws {
        let _: (NSManagedObject) -> (String) -> Any? = NSManagedObject.value(forKey:)
        let _: (NSManagedObject) -> (Any?, String) -> Void = NSManagedObject.setValue(_:forKey:)
        let _: (NSManagedObject) -> (String) -> Any? = NSManagedObject.primitiveValue(forKey:)
        let _: (NSManagedObject) -> (Any?, String) -> Void = NSManagedObject.setPrimitiveValue(_:forKey:)
        let _: (NSManagedObject) -> ([String]?) -> [String: Any] = NSManagedObject.committedValues(forKeys:)
        let _: (NSManagedObject) -> () -> [String: Any] = NSManagedObject.changedValues
        let _: (NSManagedObject) -> () -> [String: Any] = NSManagedObject.changedValuesForCurrentEvent
        // In place of AutoreleasingUnsafeMutablePointer<AnyObject?>.
        let _: (NSManagedObject) -> (inout Any?, String) throws -> Void = NSManagedObject.validateValue(_:forKey:)
        let validations: [(NSManagedObject) -> () throws -> Void] = [
            NSManagedObject.validateForInsert, NSManagedObject.validateForUpdate, NSManagedObject.validateForDelete,
        ]
        let _: (NSManagedObject) -> (String) -> NSMutableSet = NSManagedObject.mutableSetValue(forKey:)
        let _: (NSManagedObject) -> (String) -> NSMutableOrderedSet = NSManagedObject.mutableOrderedSetValue(forKey:)
        let _: (NSManagedObject) -> (String) -> Any? = NSManagedObject.value(forKeyPath:)
        let _: (NSManagedObject) -> (Any?, String) -> Void = NSManagedObject.setValue(_:forKeyPath:)
        let _: (NSManagedObject) -> ([String: Any]) -> Void = NSManagedObject.setValuesForKeys
        let _: (NSManagedObject) -> ([String]) -> [String: Any] = NSManagedObject.dictionaryWithValues(forKeys:)
        try Surface().run { context in
            let parent = context.item("P")
            let object = context.item("A", parent: parent)
            for validation in validations { try validation(object)() }
            try context.save()
            object.setValuesForKeys(["name": "B", "parent": NSNull()])
            #expect(
                object.dictionaryWithValues(forKeys: ["name", "parent"]) as NSDictionary == ["name": "B", "parent": NSNull()])
            #expect(object.changedValues()["name"] as? String == "B")
            #expect(object.committedValues(forKeys: ["name"])["name"] as? String == "A")
            object.setValue(parent, forKey: "parent")
            object.setValue("Q", forKeyPath: "parent.name")
            #expect(object.value(forKeyPath: "parent.name") as? String == "Q")
        }
    }

    @Test("API-27: snapshot events, and what a request can ask for")
    func events() {
        let events: [NSSnapshotEventType] = [.undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy]
        #expect(events.map(\.rawValue) == [2, 4, 8, 16, 32, 64])
        #expect(NSSnapshotEventType([.refresh, .rollback]).contains(.rollback))
        func name<Result: NSFetchRequestResult>(_ type: Result.Type) -> String {
            "\(NSFetchRequest<Result>().resultType.rawValue)"
        }
        #expect([name(NSManagedObject.self), name(NSManagedObjectID.self), name(NSNumber.self)] == ["0", "0", "0"])
    }

    @Test("API-29: a subclass's properties are made by a macro in place of @NSManaged")
    func managedProperties() throws {
        let container = try NSPersistentContainer(name: "Reels", entities: Reel.self, Frame.self)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        container.newBackgroundContext().run { context in
            let reel = Reel(context: context, label: "a")
            reel.setValue(7, forKey: "length")
            #expect(reel.length == 7 && reel.value(forKey: "label") as? String == "a")
        }
    }

    @Test("API-30…32: object IDs")
    func ids() throws {
        let _: KeyPath<NSManagedObjectID, NSEntityDescription> = \.entity
        let _: KeyPath<NSManagedObjectID, NSPersistentStore?> = \.persistentStore
        let _: KeyPath<NSManagedObjectID, Bool> = \.isTemporaryID
        let _: (NSManagedObjectID) -> () -> URL = NSManagedObjectID.uriRepresentation
        func requireSendable<T: NSObject & NSCopying & NSFetchRequestResult & Sendable>(_ value: T) -> Bool {
            value.copy() as? T == value
        }
        try Surface().run { context in
            let object = context.item("A")
            #expect(object.objectID.isTemporaryID && object.objectID.persistentStore == nil)
            try context.save()
            #expect(requireSendable(object.objectID))
            #expect(!object.objectID.isTemporaryID && object.objectID.entity === object.entity)
            #expect(object.objectID.persistentStore === context.persistentStoreCoordinator?.persistentStores.first)
            #expect(object.objectID.uriRepresentation().scheme == "x-coredata")
        }
    }
}
