import OpenCoreData
import TestSupport
import Testing

/// A copy of a fixture store, changed through a context, closed, checked by the oracle and read again.
struct StoreRoundTrip {
    let before: StoreContents
    /// What an independent reader finds in the changed file; objects of the library have been compared with it.
    let after: StoreContents
    private let uuid: String

    /// - Parameters:
    ///   - changes: Runs on a context's queue; has to save.
    ///   - saves: How often it saves.
    init(
        _ name: String, saves: Int = 1, at location: SourceLocation = #_sourceLocation,
        _ changes: @escaping (Session) throws -> Void
    ) throws {
        let store = try StoreCase.named(name)
        let folders = (before: try TemporaryFolder(), after: try TemporaryFolder())
        let original = try folders.before.copyStore(store.fixture.store)
        let changed = try folders.after.copyStore(store.fixture.store)
        let model = try store.model()
        let open = try StoreSession(changed, model)
        let golden = try store.golden()
        uuid = golden.metadata.uuid
        let session = Session(context: open.context, uuid: uuid)
        try open.context.run { _ in try changes(session) }
        try open.close()
        var oracle = StoreOracle(store.oracleArguments)
        oracle.expectRoundtrip(original, changed, saves: saves)
        oracle.verify(changed)
        let rawModel = try store.model(rawTransformables: true)
        before = try StoreContents(golden, rawModel)
        after = try StoreContents(oracle.dump(changed, at: location), rawModel)
        let reopened = try StoreSession(changed, rawModel)
        expectSame(try reopened.contents(), after, at: location)
        try reopened.close()
    }

    /// The destinations of a relationship afterwards, as "Entity/p1".
    func destinations(_ object: String, _ relationship: String) -> [String]? {
        after.objects[identifier(object)]?.relationships[relationship]?.map {
            $0.split(separator: "/").suffix(2).joined(separator: "/")
        }
    }

    func attribute(_ object: String, _ name: String) -> StoredValue? { after.objects[identifier(object)]?.attributes[name] }

    private func identifier(_ object: String) -> String { "x-coredata://\(uuid)/\(object)" }

    /// The objects that are to be changed, by identifiers such as "BookmarkEntity/p1".
    struct Session {
        let context: NSManagedObjectContext
        let uuid: String

        func object(_ name: String) throws -> NSManagedObject {
            let url = try #require(URL(string: "x-coredata://\(uuid)/\(name)"))
            let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
            return try context.existingObject(with: id)
        }

        /// A new object with a value in every required attribute.
        func insert(_ entity: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (name, attribute) in object.entity.attributesByName
            where !attribute.isOptional && object.value(forKey: name) == nil {
                switch attribute.type {
                case .date: object.setValue(Date(timeIntervalSinceReferenceDate: 1), forKey: name)
                case .string: object.setValue("new \(name)", forKey: name)
                default: object.setValue(1, forKey: name)
                }
            }
            return object
        }

        func save() throws { try context.save() }
    }
}

extension NSManagedObject {
    /// The members of an ordered to-many relationship.
    func ordered(_ name: String) -> [NSManagedObject] {
        (value(forKey: name) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    }
    /// The members of an unordered to-many relationship.
    func members(_ name: String) -> Set<NSManagedObject> { value(forKey: name) as? Set<NSManagedObject> ?? [] }
    func setOrdered(_ name: String, _ members: [NSManagedObject]) { setValue(NSOrderedSet(array: members), forKey: name) }
    func setMembers(_ name: String, _ members: Set<NSManagedObject>) { setValue(members as NSSet, forKey: name) }
}
