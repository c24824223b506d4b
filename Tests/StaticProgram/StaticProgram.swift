import OpenCoreData

@Composite struct Address: Equatable {
    var street: String
    var floor: Int?
}

struct Reading: Codable, Equatable {
    var values: [Double]
    var at: Date
}

@Entity final class Person: NSManagedObject {
    @Attribute(.unique) var name: String
    var born: Date?
    var balance: Decimal = 0
    var token: UUID?
    var page: URL?
    var photo: Data?
    var address: Address?
    @Attribute(.codable) var reading: Reading?
    @Attribute(.transformable) var tags: [String]?
    @Attribute(.transformable) var anything: NSObject?
    @Relationship(inverse: \Person.friendOf) var friends: Set<Person>
    var friendOf: Set<Person>
    @Relationship(inverse: \Person.follower) var followed: [Person]
    var follower: Person?
}

/// A program for `make static`: what behaves differently where Swift and Foundation are linked into the program.
///
/// Everything that a store takes is written, read back by another stack, and asked for by predicates. The first thing that is not as it was ends the
/// program with a message.
@main
enum StaticProgram {
    struct Failure: LocalizedError {
        let errorDescription: String?
    }

    static func main() {
        do {
            try run()
            print("static-program: all is as it was")
        } catch {
            FileHandle.standardError.write(Data("static-program: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("static-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome = Result { try check(folder.appendingPathComponent("People.sqlite")) }
        try FileManager.default.removeItem(at: folder)
        try outcome.get()
        try checkCasts()
        try checkInMemory()
    }

    private static func open(_ url: URL?) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "People", entities: Person.self)
        let description = NSPersistentStoreDescription(url: url ?? URL(fileURLWithPath: "/dev/null"))
        description.type = url == nil ? NSInMemoryStoreType : NSSQLiteStoreType
        description.setOption(true as NSNumber, forKey: "NSPersistentHistoryTrackingKey")
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    private static func check(_ url: URL) throws {
        do {
            let container = try open(url)
            try fill(container.newBackgroundContext())
            try insertByRequest(container.newBackgroundContext())
            try setMetadata(container)
        }
        let container = try open(url)
        try read(container.newBackgroundContext())
        let store = try require(container.persistentStoreCoordinator.persistentStores.first, "a store")
        let metadata = container.persistentStoreCoordinator.metadata(for: store)
        try expect(metadata["list"] as? [String] == ["a", "b"], "metadata: \(metadata["list"] ?? "nil")")
        try expect(metadata["numbers"] as? [String: Int] == ["one": 1], "metadata: \(metadata["numbers"] ?? "nil")")
        try expect(metadata["NSStoreModelVersionHashes"] is [String: Data], "version hashes")
    }

    private static func checkInMemory() throws {
        let context = try open(nil).newBackgroundContext()
        try fill(context)
        try read(context)
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let ann = Person(context: context, name: "Ann")
            let bob = Person(context: context, name: "Bob")
            ann.born = Date(timeIntervalSinceReferenceDate: 1)
            ann.balance = Decimal(string: "12345.678") ?? 0
            ann.token = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")
            ann.page = URL(string: "https://example.com/a")
            ann.photo = Data([1, 2, 3])
            ann.address = Address(street: "Main Street", floor: 3)
            ann.reading = Reading(values: [1, 2.5], at: Date(timeIntervalSinceReferenceDate: 9))
            ann.tags = ["x", "y"]
            ann.anything = NSDictionary(dictionary: [
                "list": NSArray(array: ["a", 1]), "date": NSDate(timeIntervalSinceReferenceDate: 4),
            ])
            bob.setValue(Set([ann]), forKey: "friends")
            bob.setValue(["z"], forKey: "tags")
            bob.setValue(NSNumber(value: 2.5), forKey: "balance")
            bob.setValue(["street": "Side Street", "floor": 1] as [String: Any], forKey: "address")
            bob.setValue(NSOrderedSet(array: [ann]), forKey: "followed")
            try context.save()
        }
    }

    private static func insertByRequest(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let objects: [[String: Any]] = [["name": "Cid", "balance": Decimal(7), "born": Date(), "tags": ["v"]]]
            _ = try context.execute(NSBatchInsertRequest(entityName: "Person", objects: objects))
        }
    }

    private static func read(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let ann = try require(context.fetch(Person.self, where: #Predicate { $0.name == "Ann" }).first, "Ann")
            try expect(ann.born == Date(timeIntervalSinceReferenceDate: 1), "born")
            try expect(ann.balance == Decimal(string: "12345.678"), "balance: \(ann.balance)")
            try expect(ann.token?.uuidString.hasSuffix("0A") == true, "token")
            try expect(ann.page?.absoluteString == "https://example.com/a", "page")
            try expect(ann.photo == Data([1, 2, 3]), "photo")
            try expect(ann.address == Address(street: "Main Street", floor: 3), "address")
            try expect(ann.reading?.values == [1, 2.5], "reading")
            try expect(ann.tags == ["x", "y"], "tags: \(ann.tags ?? [])")
            let anything = try require(ann.anything as? NSDictionary, "anything: \(String(describing: ann.anything))")
            try expect((anything["list"] as? NSArray)?.count == 2 && anything["date"] is Date, "anything: \(anything)")
            try expect((ann.value(forKey: "tags") as? NSArray)?.count == 2, "tags by key")
            try expect(ann.value(forKey: "balance") as? NSDecimalNumber == NSDecimalNumber(string: "12345.678"), "balance by key")
            try expect((ann.value(forKey: "friendOf") as? Set<Person>)?.count == 1, "friendOf by key")
            try expect(ann.value(forKeyPath: "friendOf.name") as? Set<String> == ["Bob"], "friendOf.name")
            try expect(ann.value(forKeyPath: "address.street") as? String == "Main Street", "address.street")
            for (format, arguments) in formats {
                let request = NSFetchRequest<Person>(entityName: "Person")
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let names = try context.fetch(request).map(\.name)
                try expect(names == ["Ann"], "\(format): \(names)")
            }
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "balance", "born"]
            request.predicate = NSPredicate(format: "name == 'Ann'")
            let row = try require(context.fetch(request).first, "a dictionary")
            try expect(row["balance"] as? Decimal == Decimal(string: "12345.678") || row["balance"] is NSDecimalNumber, "\(row)")
            try expect(row["born"] is Date, "\(row)")
        }
    }

    private static var formats: [(String, [Any])] {
        [
            ("name IN %@", [["Ann", "Zoe"]]), ("name IN %@", [NSArray(array: ["Ann"])]), ("name IN %@", [Set(["Ann"])]),
            ("name IN %@", [NSSet(array: ["Ann"])]), ("name IN {'Ann'}", []),
            ("name BEGINSWITH[cd] 'än'", []), ("name MATCHES 'A.n'", []), ("name ==[cd] 'ANN'", []),
            ("balance BETWEEN %@", [[Decimal(12000), Decimal(13000)]]), ("balance > %@", [NSDecimalNumber(value: 100)]),
            ("token == %@", [UUID(uuidString: "00000000-0000-0000-0000-00000000000A") ?? UUID()]),
            ("page == %@", [URL(string: "https://example.com/a") ?? URL(fileURLWithPath: "/")]),
            ("born < %@ AND photo == %@", [Date(timeIntervalSinceReferenceDate: 2), Data([1, 2, 3])]),
            ("ANY friendOf.name IN %@", [["Bob"]]), ("address.street == 'Main Street'", []),
            ("SUBQUERY(friendOf, $f, $f.balance == 2.5).@count == 1", []),
        ]
    }

    private static func setMetadata(_ container: NSPersistentContainer) throws {
        let coordinator = container.persistentStoreCoordinator
        let store = try require(coordinator.persistentStores.first, "a store")
        var metadata = coordinator.metadata(for: store)
        metadata["list"] = ["a", "b"]
        metadata["numbers"] = ["one": 1]
        metadata["date"] = Date()
        coordinator.setMetadata(metadata, for: store)
        let context = container.newBackgroundContext()
        try context.performAndWait { try context.save() }
    }

    /// What Foundation turns into objects where a program passes `Any`.
    private static func checkCasts() throws {
        let values: [Any] = [
            ["a"], ["a": 1], Set(["a"]), "a", true, 1, 1.5, Decimal(1), Date(), Data(), UUID(), URL(fileURLWithPath: "/"),
            IndexPath(indexes: [0, 1]), DateComponents(year: 1),
        ]
        for value in values {
            try expect(value is NSObject, "\(type(of: value)) is not an object of Foundation's")
            // Foundation's hash of a decimal number, which its archiver asks for, never returns; linked in or not.
            if value is Decimal { continue }
            let archive = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
            try expect(!archive.isEmpty, "\(type(of: value)) archived")
        }
    }

    private static func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        if !condition { throw Failure(errorDescription: what()) }
    }

    private static func require<T>(_ value: T?, _ what: @autoclosure () -> String) throws -> T {
        guard let value else { throw Failure(errorDescription: "nothing for " + what()) }
        return value
    }
}
