import Foundation
import OpenCoreData
import Testing

enum Mood: Int16 { case calm, merry }

class Diary: NSManagedObject {
    @Managed var flag: Bool
    @Managed var count: Int32
    @Managed var ratio: Double
    @Managed var small: Float
    @Managed var title: String
    @Managed var picture: Data
    @Managed var price: Decimal
    @Managed var mood: Mood
    @Managed var day: Date
    @Managed private var primitiveDate: Date?
    @Managed private var primitiveURL: URL?
    @Managed private var primitiveOwner: Diary?
    @Managed private var primitiveCount: Int32
    @Managed var primitiveNote: String?

    var date: Date? {
        get {
            willAccessValue(forKey: "date")
            defer { didAccessValue(forKey: "date") }
            return primitiveDate
        }
        set {
            willChangeValue(forKey: "date")
            primitiveDate = newValue
            didChangeValue(forKey: "date")
        }
    }

    var rawCount: Int32 {
        get { primitiveCount }
        set { primitiveCount = newValue }
    }
    var rawURL: URL? {
        get { primitiveURL }
        set { primitiveURL = newValue }
    }
    var rawOwner: Diary? {
        get { primitiveOwner }
        set { primitiveOwner = newValue }
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        primitiveCount = 77
    }
}

@Suite("Properties under @Managed")
struct ManagedPropertyTests {
    private static func store(at url: URL? = nil) throws -> TestStore {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Diary"
        entity.managedObjectClassName = NSStringFromClass(Diary.self)
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let owner = NSRelationshipDescription()
        owner.name = "owner"
        owner.destinationEntity = entity
        owner.maxCount = 1
        entity.properties = [
            attribute("flag", .booleanAttributeType), attribute("count", .integer32AttributeType),
            attribute("ratio", .doubleAttributeType), attribute("small", .floatAttributeType),
            attribute("title", .stringAttributeType), attribute("picture", .binaryDataAttributeType),
            attribute("price", .decimalAttributeType), attribute("mood", .integer16AttributeType),
            attribute("day", .dateAttributeType), attribute("date", .dateAttributeType), attribute("URL", .URIAttributeType),
            attribute("primitiveNote", .stringAttributeType), attribute("note", .stringAttributeType), owner,
        ]
        model.entities = [entity]
        return try TestStore(NSPersistentContainer(name: "Diary", managedObjectModel: model), at: url)
    }

    @Test("R48: an optional attribute without value reads as Apple's accessors read it, and stays without value")
    func neutralValues() throws {
        let store = try Self.store()
        try store.run { context in
            let diary = Diary(context: context)
            #expect(!diary.flag && diary.count == 0 && diary.ratio == 0 && diary.small == 0 && diary.price == 0)
            #expect(diary.title.isEmpty && diary.picture.isEmpty && diary.mood == .calm)
            for key in ["flag", "count", "ratio", "small", "title", "picture", "price", "mood"] {
                #expect(diary.value(forKey: key) == nil, "\(key)")
            }
            diary.flag = true
            diary.mood = .merry
            try context.save()
        }
        try store.fresh { context in
            let diary = try #require(try context.fetch(NSFetchRequest<Diary>(entityName: "Diary")).first)
            #expect(diary.flag && diary.mood == .merry && diary.title.isEmpty && diary.ratio == 0)
        }
    }

    @Test("objects of several entities with one class are read and set in turn, each at its own place")
    func severalEntities() throws {
        let model = NSManagedObjectModel()
        model.entities = ["First", "Second", "Third"].enumerated().map { number, name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(Diary.self)
            let names: [(String, NSAttributeType)] = [
                ("title", .stringAttributeType), ("count", .integer32AttributeType), ("ratio", .doubleAttributeType),
                ("date", .dateAttributeType),
            ]
            entity.properties = (names[number...] + names[..<number]).map { name, type in
                let attribute = NSAttributeDescription()
                attribute.name = name
                // The second one has another width.
                attribute.attributeType = number == 1 && name == "count" ? .doubleAttributeType : type
                return attribute
            }
            return entity
        }
        try TestStore(NSPersistentContainer(name: "Diaries", managedObjectModel: model)).run { context in
            let diaries = model.entities.map { Diary(entity: $0, insertInto: context) }
            for round in 1...3 {
                for (number, diary) in diaries.enumerated() {
                    diary.title = "\(round) \(number)"
                    diary.count = Int32(round * 10 + number)
                    diary.date = Date(timeIntervalSinceReferenceDate: Double(round))
                }
                for (number, diary) in diaries.enumerated() {
                    #expect(diary.title == "\(round) \(number)" && diary.count == Int32(round * 10 + number))
                    #expect(diary.date == Date(timeIntervalSinceReferenceDate: Double(round)) && diary.ratio == 0)
                    #expect(diary.value(forKey: "title") as? String == diary.title)
                }
            }
            try context.save()
        }
    }

    @Test("R48: a date has no value that stands for none, and stops the program with its name")
    func noNeutralValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.store().run { print(Diary(context: $0).day) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Diary.day is required and has no value"))
    }

    @Test("R47: a property named like primitiveDate is the primitive value of date")
    func primitives() throws {
        let store = try Self.store()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        try store.run { context in
            let diary = Diary(context: context)
            diary.date = date
            #expect(diary.date == date && diary.value(forKey: "date") as? Date == date)
            diary.rawCount = 3
            #expect(diary.count == 3 && diary.rawCount == 3)
            diary.rawURL = URL(string: "https://example.com")
            #expect(diary.value(forKey: "URL") as? URL == URL(string: "https://example.com"))
            diary.rawOwner = diary
            #expect(diary.value(forKey: "owner") as? Diary === diary)
            diary.setValue("note", forKey: "note")
            diary.primitiveNote = "own"
            #expect(diary.value(forKey: "primitiveNote") as? String == "own" && diary.value(forKey: "note") as? String == "note")
            try context.save()
            diary.date = date + 1
            #expect(diary.changedValues()["date"] as? Date == date + 1)
            try context.save()
        }
        try store.fresh { context in
            let diary = try #require(try context.fetch(NSFetchRequest<Diary>(entityName: "Diary")).first)
            #expect(diary.date == date + 1)
            #expect(diary.count == 77, "set when it was fetched")
            #expect(!diary.hasChanges && !context.hasChanges, "which is no change")
        }
    }
}
