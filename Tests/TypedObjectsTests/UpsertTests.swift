import Foundation
import OpenCoreData
import TestSupport
import Testing

@Composite struct Frame: Equatable {
    var width: Int
    var height: Int?
}

@Entity final class Edition: NSManagedObject {
    @Attribute(.unique) var isbn: String
    var title: String
    var rating: Double?
    var copies: Int = 1
    var genre: Text = .a
    var frame: Frame?
    @Attribute(.transformable) var marks: [String]?
    @Attribute(.codable) var weight: Portion = Portion(grams: 1)
    var added: Date = Date()
    var key: UUID = UUID()
    var house: House?
    var shops: Set<House>
}

struct Portion: Codable, Equatable { var grams: Int }

@Entity final class House: NSManagedObject {
    var name: String
    @Relationship(inverse: \Edition.house) var editions: Set<Edition>
    @Relationship(inverse: \Edition.shops) var stock: Set<Edition>
}

@Suite("Saving a new object with a stored row's unique value")
struct UpsertTests {
    private static let added = Date(timeIntervalSinceReferenceDate: 7)
    private static let key = UUID()

    private static func store() throws -> TestStore {
        let folder = try TemporaryFolder()
        let store = try TestStore(
            NSPersistentContainer(name: "Upsert", entities: Edition.self, House.self), at: folder.file("store.sqlite"))
        store.container.viewContext.userInfo["folder"] = folder
        try store.run { context in
            let house = House(context: context, name: "h")
            _ = Edition(
                context: context, isbn: "1", title: "old", rating: 4, copies: 7, genre: .b, frame: Frame(width: 3, height: 4),
                marks: ["x"],
                weight: Portion(grams: 9), added: added, key: key, house: house, shops: [house])
            try context.save()
        }
        return store
    }

    private static func check(_ store: TestStore, title: String, copies: Int = 7, rating: Double? = 4) throws {
        try store.fresh { context in
            let all = try context.fetch(Edition.self)
            #expect(all.count == 1)
            let edition = try #require(all.first)
            #expect(edition.title == title && edition.copies == copies && edition.rating == rating && edition.genre == .b)
            #expect(edition.frame == Frame(width: 3, height: 4) && edition.marks == ["x"] && edition.weight == Portion(grams: 9))
            #expect(edition.added == added && edition.key == key, "computed initial values are not set either")
            #expect(edition.house?.name == "h" && edition.shops.map(\.name) == ["h"])
        }
    }

    private static let policies: [NSMergePolicyType] = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]

    @Test("R03: what was not passed to the generated initializer keeps its stored value", arguments: policies)
    func initializer(_ policy: NSMergePolicyType) throws {
        let store = try Self.store()
        try store.fresh { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            _ = Edition(context: context, isbn: "1", title: "new")
            try context.save()
        }
        try Self.check(store, title: "new")
    }

    @Test("R03: makeInstance and assignments: what was assigned counts, the default value as well", arguments: policies)
    func assignments(_ policy: NSMergePolicyType) throws {
        let store = try Self.store()
        try store.fresh { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let edition = Edition.makeInstance(in: context)
            edition.isbn = "1"
            edition.title = "new"
            edition.copies = 1
            edition.rating = nil
            try context.save()
        }
        try Self.check(store, title: "new", copies: 1, rating: nil)
    }

    @Test("R03: what was passed and differs from the default counts, through a child, too", arguments: policies)
    func child(_ policy: NSMergePolicyType) throws {
        let store = try Self.store()
        try store.fresh { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.performAndWait {
                _ = Edition(context: child, isbn: "1", title: "new", copies: 3)
                try child.save()
            }
            try context.save()
        }
        try Self.check(store, title: "new", copies: 3)
    }

    @Test("R03: a batch insert sets what its closure sets", arguments: policies)
    func batch(_ policy: NSMergePolicyType) throws {
        let store = try Self.store()
        try store.fresh { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            var isDone = false
            let request = NSBatchInsertRequest(entityName: "Edition") { (object: NSManagedObject) in
                guard !isDone, let edition = object as? Edition else { return true }
                (edition.isbn, edition.title) = ("1", "new")
                isDone = true
                return false
            }
            try context.execute(request)
        }
        try Self.check(store, title: "new")
    }

    @Test("R03: the initializer's defaults are what a new object has")
    func defaults() throws {
        let store = try Self.store()
        try store.fresh { context in
            let edition = Edition(context: context, isbn: "2", title: "t")
            #expect(edition.copies == 1 && edition.rating == nil && edition.genre == .a && edition.weight == Portion(grams: 1))
            #expect(abs(edition.added.timeIntervalSinceNow) < 1000 && edition.key != Self.key)
            #expect(Set(edition.changedValues().keys) == ["isbn", "title"])
            try context.save()
        }
        try store.fresh { context in
            let edition = try #require(try context.fetch(Edition.self).first { $0.isbn == "2" })
            #expect(edition.copies == 1 && edition.genre == .a && edition.weight == Portion(grams: 1))
        }
    }
}
