import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Synchronization
import TestSupport
import Testing

@Suite("XML and binary stores")
struct AtomicFileTests {
    private static func url(_ stack: TestStack) -> URL { stack.folder.file("store.sqlite") }

    /// Values of all types that are hard to write as text.
    static var values: [[String: Any]] {
        [
            [
                "name":
                    "<a href=\"x\">&amp; '\u{1}\u{0}\u{1f}\r\n\t\r \\u3c00 \\u5c00 \\ \\u \u{fffe}\u{ffff}\u{feff} é 🎬 ]]> </attribute>",
                "age": Int32.min, "small": Int16.max, "big": Int64.min, "score": 0.1, "ratio": Float(0.1),
                "price": Decimal(string: "-1234567890.12345") ?? 0, "flag": true,
                "born": Date(timeIntervalSinceReferenceDate: 336_046_917.00164199),
                "photo": Data((0..<300).map { UInt8($0 % 256) }),
                "code": UUID(uuidString: "6F1D5C6E-0B3B-4A8B-9A51-9B1E5D0C1A2B") ?? UUID(),
                "page": URL(string: "https://example.com/a%20b?c=d&e=f#g") ?? URL(fileURLWithPath: "/"),
                "tags": ["a", "b"] as NSArray,
            ],
            [
                "name": "", "age": Int32.max, "small": Int16.min, "big": Int64.max, "score": 5e-324, "ratio": Float.infinity,
                "price": Decimal(string: "1e-20") ?? 0, "flag": false, "born": Date(timeIntervalSinceReferenceDate: 1e-25),
                "photo": Data(), "tags": NSNumber(value: 7),
            ],
            [
                "name": " \n ", "score": -Double.infinity, "ratio": -Float.greatestFiniteMagnitude,
                "born": Date(timeIntervalSinceReferenceDate: -62_135_769_600.25), "photo": Data(count: 1_000_000),
            ],
            ["name": NSNull(), "age": NSNull()],
        ]
    }

    private func expectValues(_ people: [NSManagedObject], at location: SourceLocation = #_sourceLocation) {
        #expect(people.count == Self.values.count, sourceLocation: location)
        for (person, values) in zip(people, Self.values) {
            for (key, attribute) in person.entity.attributesByName where !attribute.isTransient && key != "level" {
                let found = person.value(forKey: key)
                var wanted = values[key]
                if wanted is NSNull { wanted = nil }
                if wanted == nil, key == "age", values[key] == nil { wanted = 18 }
                if key == "tags" {
                    #expect((found as? NSObject) == (wanted as? NSObject), "\(key)", sourceLocation: location)
                    continue
                }
                let same =
                    switch (found, wanted) {
                    case (nil, nil): true
                    case (let found as String, let wanted as String): found.utf8.elementsEqual(wanted.utf8)
                    case (let found as NSDecimalNumber, let wanted as Decimal): found.decimalValue == wanted
                    case (let found as NSNumber, let wanted as Float): found.floatValue == wanted
                    case (let found as NSNumber, let wanted as Double): found.doubleValue == wanted
                    case (let found as NSNumber, let wanted as Bool): found.boolValue == wanted
                    case (let found as NSNumber, let wanted as any BinaryInteger): found.int64Value == Int64(wanted)
                    case (let found as AnyHashable, let wanted as AnyHashable): found == wanted
                    default: false
                    }
                #expect(same, "\(key): \(found ?? "nil"), not \(wanted ?? "nil")", sourceLocation: location)
            }
        }
    }

    @Test("STO-20: values of all types are as they were when the file is opened again", arguments: StackKind.atomicFiles)
    func allTypes(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        #expect(stack.store.type == kind.storeType)
        #expect(!FileManager.default.fileExists(atPath: Self.url(stack).path))
        var uris: [URL] = []
        try stack.run { context in
            let people = Self.values.enumerated().map { number, values in
                let person = context.make(number % 2 == 0 ? "Person" : "Manager")
                for (key, value) in values {
                    person.setValue(value is NSNull ? nil : value, forKey: key)
                }
                return person
            }
            try context.save()
            uris = people.map { $0.objectID.uriRepresentation() }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path) == ["store.sqlite"])
        var reopened = try stack.reopened()
        func people(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
            try uris.map { uri in
                let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                return try context.existingObject(with: id)
            }
        }
        try reopened.run { context in
            expectValues(try people(context))
            // Changed objects are written anew, others as they were read.
            try people(context)[1].setValue(3, forKey: "level")
            try context.save()
        }
        reopened = try stack.reopened()
        try reopened.run { context in
            expectValues(try people(context))
            #expect(try people(context)[1].number("level") == 3)
        }
        #expect(reopened.store.identifier == stack.store.identifier)
    }

    @Test("Relationships of all kinds go from SQLite through both formats and back", arguments: [false, true])
    func everyRelationship(startsWithXML: Bool) throws {
        let stack = try TestStack(.sqlite, StoreCopyTests.model())
        try stack.run(StoreCopyTests.fill)
        func contents(_ stack: TestStack) throws -> [String] {
            try stack.fresh { try StoreCopyTests.contents($0, withNumbers: false) }
        }
        let before = try contents(stack)
        let types = startsWithXML ? [NSXMLStoreType, NSBinaryStoreType] : [NSBinaryStoreType, NSXMLStoreType]
        var store = stack.store
        store.metadata["owner"] = "me"
        for (number, type) in (types + types + [NSSQLiteStoreType]).enumerated() {
            let log = Mutex<[NSManagedObjectID]>([])
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator, queue: nil
            ) { note in
                guard let moved = note.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any],
                    let ids = moved.last as? [NSManagedObjectID]
                else { return }
                log.withLock { $0 = ids }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            let old = try stack.fresh { context in try names(context) }
            store = try stack.coordinator.migratePersistentStore(store, to: stack.folder.file("copy\(number)"), withType: type)
            #expect(store.type == type && store.metadata["owner"] as? String == "me")
            // A copy in an SQLite store may have another order of a relationship that is its own inverse.
            let skipped = type == NSSQLiteStoreType ? /twins: \[[^\]]*\]/ : /twins: \[\?\]/
            let (now, wanted) = try (
                contents(stack).map { $0.replacing(skipped, with: "") }, before.map { $0.replacing(skipped, with: "") }
            )
            #expect(now == wanted, "\(number): \(zip(now, wanted).first { $0 != $1 }.map { "\($0)\n\($1)" } ?? "")")
            let new = try stack.fresh { context in try names(context) }
            let ids = log.withLock { $0 }
            #expect(ids.count == 30)
            for pair in stride(from: 0, to: ids.count - 1, by: 2) {
                #expect(old[ids[pair].uriRepresentation()] == new[ids[pair + 1].uriRepresentation()])
            }
            #expect(Set(old.keys).isDisjoint(with: new.keys))
        }
        // What was copied can be changed and saved.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(ofType: types[1], configurationName: nil, at: stack.folder.file("copy3"))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            let album = try #require(try context.all("Album").first { $0.text("name") == "album 3" })
            let song = try #require(album.list("songs").first)
            // Without an inverse nobody takes the song out of it.
            for album in try context.all("Album") where album.one("favourite") === song { album.set("favourite", nil) }
            context.delete(song)
            album.mutableOrderedSetValue(forKey: "charts").insert(context.make("Song", ["name": "new"]), at: 0)
            try context.save()
        }
        let again = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try again.addPersistentStore(ofType: types[1], configurationName: nil, at: stack.folder.file("copy3"))
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = again
        context.performAndWait { context.reset() }
        let expected = try context.run { try StoreCopyTests.contents($0, withNumbers: true) }
        let found = try reader.run { try StoreCopyTests.contents($0, withNumbers: true) }
        #expect(found == expected, "\(zip(found, expected).first { $0 != $1 }.map { "\($0)\n\($1)" } ?? "")")
    }

    private func names(_ context: NSManagedObjectContext) throws -> [URL: String] {
        var result: [URL: String] = [:]
        for object in try context.all("Album") + context.all("Song") {
            result[object.objectID.uriRepresentation()] = object.text("name")
        }
        return result
    }

    @Test("STO-50, STO-52, STO-53: metadata", arguments: StackKind.atomicFiles)
    func metadata(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let url = Self.url(stack)
        let type = kind.storeType
        #expect(caught { try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url) }?.code == 260)
        let given: [String: Any] = [
            "text": "<&>\r\nä", "list": [1, 2.5, true, "x"] as [Any], "date": Date(timeIntervalSinceReferenceDate: 9),
            "data": Data([0, 255]), "nested": ["a": ["b": "c"]],
        ]
        try stack.run { context in
            stack.coordinator.setMetadata(stack.store.metadata.merging(given) { $1 }, for: stack.store)
            try context.save()
        }
        func read() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
        func expect(_ found: [String: Any], _ given: [String: Any], at location: SourceLocation = #_sourceLocation) {
            for (key, value) in given {
                #expect(
                    (found[key] as? NSObject)?.isEqual(value as? NSObject ?? NSNull()) == true, "\(key)", sourceLocation: location
                )
            }
            #expect(found[NSStoreTypeKey] as? String == type, sourceLocation: location)
            #expect(found[NSStoreUUIDKey] as? String == stack.store.identifier, sourceLocation: location)
            #expect(
                found[NSStoreModelVersionHashesKey] as? [String: Data] == stack.model.entityVersionHashesByName,
                sourceLocation: location)
            #expect(stack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: found), sourceLocation: location)
        }
        expect(try read(), given)
        try stack.run { context in
            context.make("Team", ["name": "Red"])
            try context.save()
        }
        try NSPersistentStoreCoordinator.setMetadata(
            ["other": 5, NSStoreUUIDKey: "mine"], forPersistentStoreOfType: type, at: url)
        expect(try read(), ["other": 5])
        #expect(try read()["text"] == nil)
        #expect(
            caught {
                try NSPersistentStoreCoordinator.setMetadata(
                    ["other": NSObject()], forPersistentStoreOfType: type, at: url)
            }?.code == NSPersistentStoreSaveError)
        expect(try read(), ["other": 5])
        #expect(try stack.reopened().savedNames("Team") == ["Red"])
    }

    @Test("A file that others have changed is not written over: what they saved stays", arguments: StackKind.atomicFiles)
    func changedByOthers(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        func save(_ stack: TestStack, _ name: String) throws {
            try stack.run { context in
                context.make("Team", ["name": name])
                try context.save()
            }
        }
        try save(stack, "first")
        let other = try stack.reopened()
        try save(other, "second")
        let error = caught { try save(stack, "third") }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains("changed by others") == true, "\(error?.localizedDescription ?? "")")
        #expect(try stack.reopened().savedNames("Team") == ["first", "second"])
        // The objects are there still, to be saved elsewhere.
        try stack.run { context in
            #expect(context.insertedObjects.count == 1)
            context.rollback()
        }
        try save(other, "fourth")
        #expect(try stack.reopened().savedNames("Team") == ["first", "fourth", "second"])
    }

    @Test("A save that fails leaves the file and the store as they were", arguments: StackKind.atomicFiles)
    func failingSave(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context in
            context.make("Team", ["name": "first"])
            try context.save()
        }
        let before = try Data(contentsOf: Self.url(stack))
        stack.store.metadata["bad"] = NSObject()
        try stack.run { context in
            context.make("Team", ["name": "second"])
            #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(try Data(contentsOf: Self.url(stack)) == before)
        stack.store.metadata["bad"] = nil
        try stack.run { context in try context.save() }
        #expect(try stack.reopened().savedNames("Team") == ["first", "second"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path) == ["store.sqlite"])
    }

    @Test("API: setURL(_:for:) has the next save write to another file, but over none", arguments: StackKind.atomicFiles)
    func otherURL(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context in
            context.make("Team", ["name": "first"])
            try context.save()
        }
        let other = try stack.folder.write("precious", to: "other")
        #expect(stack.coordinator.setURL(other, for: stack.store))
        try stack.run { context in
            context.make("Team", ["name": "second"])
            #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(try String(contentsOf: other, encoding: .utf8) == "precious")
        #expect(stack.coordinator.setURL(stack.folder.file("new"), for: stack.store))
        try stack.run { context in try context.save() }
        #expect(try stack.reopened().savedNames("Team") == ["first"])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: stack.folder.file("new"))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        #expect(try context.run { try $0.all("Team").map { $0.text("name") } } == ["first", "second"])
    }

    @Test("STO-60, STO-63: destroying and replacing", arguments: StackKind.atomicFiles)
    func destroyAndReplace(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        let url = Self.url(stack)
        let type = kind.storeType
        let backup = stack.folder.file("backup")
        try stack.run { context in
            context.make("Team", ["name": "first"])
            try context.save()
        }
        try stack.coordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: url, ofType: type)
        #expect(try Data(contentsOf: backup) == Data(contentsOf: url))
        try stack.coordinator.destroyPersistentStore(at: url, ofType: type)
        #expect(stack.coordinator.persistentStores.isEmpty)
        #expect(try Data(contentsOf: url).isEmpty)
        let empty = try stack.reopened()
        #expect(empty.store.identifier != stack.store.identifier)
        #expect(try empty.savedNames("Team") == [])
        try empty.coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup, ofType: type)
        #expect(try stack.reopened().savedNames("Team") == ["first"])
        // Other files stay as they are.
        let other = try stack.folder.write("<database>precious", to: "other")
        for body in [
            { try stack.coordinator.destroyPersistentStore(at: other, ofType: type) },
            { try stack.coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: backup, ofType: type) },
            { try stack.coordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: other, ofType: type) },
            { try stack.coordinator.destroyPersistentStore(at: stack.folder.url, ofType: type) },
            { try NSPersistentStoreCoordinator.setMetadata([:], forPersistentStoreOfType: type, at: other) },
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: other) },
        ] { #expect(caught(body)?.code == CocoaError.fileReadCorruptFile.rawValue) }
        #expect(try String(contentsOf: other, encoding: .utf8) == "<database>precious")
        #expect(try Data(contentsOf: backup) == Data(contentsOf: url))
        try stack.coordinator.destroyPersistentStore(at: stack.folder.file("none"), ofType: type)
        #expect(
            caught {
                try stack.coordinator.replacePersistentStore(
                    at: url, withPersistentStoreFrom: stack.folder.file("none"), ofType: type)
            }?
            .code == 260)
        let target = try TestStack.people(.inMemory)
        #expect(caught { try target.coordinator.migratePersistentStore(target.store, to: url, withType: type) }?.code == 516)
        #expect(target.coordinator.persistentStores == [target.store])
    }

    @Test("STO-21, STO-22, STO-28: what can't be opened, or not be written", arguments: StackKind.atomicFiles)
    func refusals(_ kind: StackKind) throws {
        let type = kind.storeType
        let folder = try TemporaryFolder()
        func add(_ url: URL?, _ model: NSManagedObjectModel = People.model(), _ options: [AnyHashable: Any]? = nil) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            defer { #expect(coordinator.persistentStores.isEmpty) }
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
            try coordinator.remove(coordinator.persistentStores[0])
        }
        #expect(caught { try add(nil) }?.code == NSPersistentStoreInvalidTypeError)
        #expect(caught { try add(URL(fileURLWithPath: "/dev/null")) }?.code == NSPersistentStoreInvalidTypeError)
        #expect(caught { try add(folder.file("missing/store")) }?.code == 256)
        #expect(caught { try add(folder.url) }?.code == 259)
        #expect(caught { try add(URL(fileURLWithPath: "/dev/zero")) }?.code == 259)
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(caught { try add(pipe) }?.code == 259)
        #expect(caught { try add(folder.file("none"), People.model(), [NSReadOnlyPersistentStoreOption: true]) }?.code == 260)
        // A file of each other type.
        for other in [StackKind.sqlite, .xml, .binary] where other != kind {
            let stack = try TestStack.people(other)
            try stack.run { context in
                context.make("Team", ["name": "first"])
                try context.save()
            }
            try stack.coordinator.remove(stack.store)
            let error = caught { try add(Self.url(stack)) }
            #expect(error?.code == 259, "\(other): \(error.map { "\($0)" } ?? "opened")")
            #expect(try stack.reopened().savedNames("Team") == ["first"])
        }
        // Read-only.
        let stack = try TestStack.people(kind)
        try stack.run { context in
            context.make("Team", ["name": "first"])
            try context.save()
        }
        let reader = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try reader.addPersistentStore(
            ofType: type, configurationName: nil, at: Self.url(stack), options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = reader
        try context.run { context in
            try context.all("Team")[0].set("name", "other")
            #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(try stack.reopened().savedNames("Team") == ["first"])
        // Another model.
        var maker = ModelMaker()
        maker.entity("Team", [ModelMaker.attribute("name", .string)])
        let other = maker.model()
        let mismatch = caught { try add(Self.url(stack), other) }
        #expect(mismatch?.code == NSPersistentStoreIncompatibleVersionHashError)
        let less = caught { try add(Self.url(stack), other, [NSIgnorePersistentStoreVersioningOption: true]) }
        #expect(less?.code == 259 && less?.localizedDescription.contains("“members”") == true)
        maker = ModelMaker()
        maker.entity("Person", [ModelMaker.attribute("name", .string)])
        let lost = caught { try add(Self.url(stack), maker.model(), [NSIgnorePersistentStoreVersioningOption: true]) }
        #expect(lost?.code == 259 && lost?.localizedDescription.uppercased().contains("TEAM") == true)
    }

    @Test("STO-36: types and names that a file can't have are refused when the store is added", arguments: StackKind.atomicFiles)
    func models(_ kind: StackKind) throws {
        func problem(_ change: (inout ModelMaker) -> Void) -> NSError? {
            var maker = ModelMaker()
            change(&maker)
            return caught { try TestStack(kind, maker.model()) }
        }
        let object = problem { $0.entity("A", [ModelMaker.attribute("id", .objectID)]) }
        #expect(object != nil)
        let derived = NSDerivedAttributeDescription()
        derived.name = "count"
        derived.type = .string
        derived.derivationExpression = NSExpression(format: "name")
        #expect(
            problem { $0.entity("A", [ModelMaker.attribute("name", .string), derived]) }?.code
                == NSPersistentStoreUnsupportedRequestTypeError)
        let attributes = problem {
            $0.entity("A", [ModelMaker.attribute("aName", .string), ModelMaker.attribute("aname", .string)])
        }
        let entities = problem {
            $0.entity("Abc")
            $0.entity("ABC")
        }
        if kind == .xml {
            #expect(attributes?.localizedDescription.contains("can't tell") == true)
            #expect(entities?.localizedDescription.contains("can't tell") == true)
        } else {
            #expect(attributes == nil && entities == nil)
        }
    }

    @Test("A symbolic link stands for its file, which keeps its permissions", arguments: StackKind.atomicFiles)
    func links(_ kind: StackKind) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
        let real = try folder.write("", to: "real/file")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
        try FileManager.default.createSymbolicLink(at: folder.file("store.sqlite"), withDestinationURL: real)
        let stack = try TestStack(kind, People.model(), folder: folder)
        try stack.run { context in
            context.make("Team", ["name": "first"])
            try context.save()
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("store.sqlite").path) == real.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: real.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(try stack.reopened().savedNames("Team") == ["first"])
    }

    @Test("A file with configurations has the entities of its own only", arguments: StackKind.atomicFiles)
    func configurations(_ kind: StackKind) throws {
        let model = People.model()
        let entities = model.entitiesByName
        model.setEntities(["Team", "Person", "Manager", "Desk"].compactMap { entities[$0] }, forConfigurationName: "people")
        model.setEntities(["Pet"].compactMap { entities[$0] }, forConfigurationName: "pets")
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in ["people", "pets"] {
            try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: name, at: folder.file(name))
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            context.make("Person", ["name": "Ann"])
            NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context).setValue("Rex", forKey: "name")
            try context.save()
        }
        let other = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = caught {
            try other.addPersistentStore(
                ofType: kind.storeType, configurationName: "pets", at: folder.file("people"),
                options: [NSIgnorePersistentStoreVersioningOption: true])
        }
        #expect(error?.code == 259 && error?.localizedDescription.contains("configuration") == true)
        try other.addPersistentStore(ofType: kind.storeType, configurationName: "pets", at: folder.file("pets"))
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = other
        #expect(try reader.run { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Pet")).count } == 1)
    }
}
