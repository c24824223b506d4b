import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Every type of property comes back from the store as it went in")
struct PropertyRoundTripTests {
    private func withStore(_ name: String = "Everything", _ body: (TestStore) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let model = try NSManagedObjectModel(entities: everyEntity)
        try body(TestStore(NSPersistentContainer(name: name, managedObjectModel: model), at: folder.file("store.sqlite")))
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    private static let uuid = UUID()

    private static func makeRequired(in context: NSManagedObjectContext) throws -> Required {
        Required(
            context: context, bool: true, int16: .min, int32: .max, int64: .min, int: 42, float: 0.1, double: 0.1,
            decimal: try #require(Decimal(string: "12345.6789")), string: "Grüße, 世界 🎬", date: date, data: Data([0, 255, 7]),
            uuid: uuid,
            url: try #require(URL(string: "https://example.com/a%20b?q=1#x")), nsDecimal: NSDecimalNumber(string: "-0.5"),
            nsString: "ns",
            nsDate: date as NSDate, nsData: Data([1, 2]) as NSData, nsUUID: uuid as NSUUID,
            nsURL: try #require(NSURL(string: "file:///tmp/x")), text: .b, number: .big, weight: Weight(rawValue: 2.5))
    }

    private static func check(_ object: Required) {
        #expect(object.bool == true)
        #expect(object.int16 == .min)
        #expect(object.int32 == .max)
        #expect(object.int64 == .min)
        #expect(object.int == 42)
        #expect(object.float == 0.1)
        #expect(object.double == 0.1)
        #expect(object.decimal == Decimal(string: "12345.6789"))
        #expect(object.string == "Grüße, 世界 🎬")
        #expect(object.date == date)
        #expect(object.data == Data([0, 255, 7]))
        #expect(object.uuid == uuid)
        #expect(object.url.absoluteString == "https://example.com/a%20b?q=1#x")
        #expect(object.nsDecimal == NSDecimalNumber(string: "-0.5"))
        #expect(object.nsString == "ns")
        #expect(object.nsDate == date as NSDate)
        #expect(object.nsData == Data([1, 2]) as NSData)
        #expect(object.nsUUID == uuid as NSUUID)
        #expect(object.nsURL.absoluteString == "file:///tmp/x")
        #expect(object.text == .b)
        #expect(object.number == .big)
        #expect(object.weight == Weight(rawValue: 2.5))
    }

    @Test("required values, before the save and after it in another context")
    func required() throws {
        try withStore { store in
            try store.run { context in
                Self.check(try Self.makeRequired(in: context))
                try context.save()
            }
            try store.fresh { context in
                Self.check(try #require(try context.fetch(Required.self).first))
            }
        }
    }

    private static func checkNil(_ object: Nullable) {
        #expect(object.bool == nil)
        #expect(object.int16 == nil)
        #expect(object.int32 == nil)
        #expect(object.int64 == nil)
        #expect(object.int == nil)
        #expect(object.float == nil)
        #expect(object.double == nil)
        #expect(object.decimal == nil)
        #expect(object.string == nil)
        #expect(object.date == nil)
        #expect(object.data == nil)
        #expect(object.uuid == nil)
        #expect(object.url == nil)
        #expect(object.nsDecimal == nil)
        #expect(object.nsString == nil)
        #expect(object.nsDate == nil)
        #expect(object.nsData == nil)
        #expect(object.nsUUID == nil)
        #expect(object.nsURL == nil)
        #expect(object.text == nil)
        #expect(object.number == nil)
        #expect(object.weight == nil)
    }

    private static func setToZero(_ object: Nullable) {
        object.bool = false
        object.int16 = 0
        object.int32 = 0
        object.int64 = 0
        object.int = 0
        object.float = 0
        object.double = 0
        object.decimal = 0
        object.string = ""
        object.date = Date(timeIntervalSinceReferenceDate: 0)
        object.data = Data()
        object.nsDecimal = 0
        object.nsString = ""
        object.nsDate = NSDate(timeIntervalSinceReferenceDate: 0)
        object.nsData = NSData()
        object.weight = Weight(rawValue: 0)
    }

    private static func checkZero(_ object: Nullable) {
        #expect(object.bool == false)
        #expect(object.int16 == 0)
        #expect(object.int32 == 0)
        #expect(object.int64 == 0)
        #expect(object.int == 0)
        #expect(object.float == 0)
        #expect(object.double == 0)
        #expect(object.decimal == 0)
        #expect(object.string == "")
        #expect(object.date == Date(timeIntervalSinceReferenceDate: 0))
        #expect(object.data == Data())
        #expect(object.nsDecimal == 0)
        #expect(object.nsString == "")
        #expect(object.nsDate == NSDate(timeIntervalSinceReferenceDate: 0))
        #expect(object.nsData == NSData())
        #expect(object.weight == Weight(rawValue: 0))
    }

    @Test("B16, B20, OG-86: nil is nil and zero is zero, before and after the save")
    func nilAndZero() throws {
        try withStore { store in
            try store.run { context in
                let empty = Nullable.makeInstance(in: context)
                let zero = Nullable.makeInstance(in: context)
                Self.checkNil(empty)
                Self.setToZero(zero)
                Self.checkZero(zero)
                try context.save()
            }
            try store.fresh { context in
                let objects = try context.fetch(Nullable.self)
                #expect(objects.count == 2)
                Self.checkNil(try #require(objects.first { $0.bool == nil }))
                Self.checkZero(try #require(objects.first { $0.bool != nil }))
            }
        }
    }

    @Test("a value can be taken away again")
    func backToNil() throws {
        try withStore { store in
            try store.run { context in
                let object = Nullable(context: context, int16: 5, string: "text", text: .a)
                try context.save()
                object.int16 = nil
                object.string = nil
                object.text = nil
                try context.save()
                Self.checkNil(object)
            }
            try store.fresh { context in
                Self.checkNil(try #require(try context.fetch(Nullable.self).first))
            }
        }
    }

    @Test("constant initial values are the model's defaults, and every new object has them")
    func defaults() throws {
        try withStore { store in
            let entity = try #require(store.container.managedObjectModel.entitiesByName["Defaults"])
            #expect(entity.attributesByName["count"]?.defaultValue as? Int == -3)
            #expect(entity.attributesByName["text"]?.defaultValue as? String == "b")
            #expect(entity.attributesByName["created"]?.defaultValue == nil)
            try store.run { context in
                for object in [Defaults(context: context, count: -3), Defaults.makeInstance(in: context)] {
                    #expect(object.flag)
                    #expect(object.count == -3)
                    #expect(object.ratio == 0.5)
                    #expect(object.price == 20)
                    #expect(object.name == "none")
                    #expect(object.text == .b)
                    #expect(object.start == Date(timeIntervalSince1970: 0))
                    #expect(object.optional == 7)
                    #expect(object.optionalText == .a)
                }
            }
        }
    }

    @Test("an initial value that isn't constant is computed for each object, however the object is made")
    func computedInitialValues() throws {
        try withStore { store in
            try store.run { context in
                let before = Date.now
                let objects = [
                    Defaults(context: context), Defaults(context: context, flag: false), Defaults.makeInstance(in: context),
                    try #require(
                        NSEntityDescription.insertNewObject(forEntityName: "Defaults", into: context) as? Defaults),
                ]
                #expect(Set(objects.map(\.token)).count == 4)
                for object in objects { #expect((before...Date.now).contains(object.created)) }
                let given = Defaults(context: context, created: Date(timeIntervalSince1970: 1))
                #expect(given.created == Date(timeIntervalSince1970: 1))
                try context.save()
                let tokens = objects.map(\.token)
                context.refreshAllObjects()
                #expect(objects.map(\.token) == tokens)
            }
        }
    }
}
