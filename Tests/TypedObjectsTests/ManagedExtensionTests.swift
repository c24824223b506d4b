import Foundation
public import OpenCoreData
import TestSupport
import Testing

/// A value of the program's own in a transformable attribute.
final class Shade: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let red: Int

    init(red: Int) { self.red = red }
    init?(coder: NSCoder) { red = coder.decodeInteger(forKey: "red") }
    func encode(with coder: NSCoder) { coder.encode(red, forKey: "red") }
    override func isEqual(_ object: Any?) -> Bool { (object as? Shade)?.red == red }
    override var hash: Int { red }
}

final class ShadeTransformer: NSSecureUnarchiveFromDataTransformer, @unchecked Sendable {
    override class var allowedTopLevelClasses: [AnyClass] { [Shade.self] }
}

enum Weather: Int { case sunny, rainy }

public class Leaflet: NSManagedObject {}

// As Xcode generates it: all properties in an extension.
extension Leaflet {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Leaflet> { NSFetchRequest<Leaflet>(entityName: "Leaflet") }

    @Managed public var title: String?
    @Managed public var isRead: Bool
    @Managed public var date: Date?
    @Managed private var primitiveDate: Date?
    @Managed public var list: NSArray?
    @Managed public var info: NSDictionary?
    @Managed public var any: NSObject?
    @Managed var shade: Shade?
    @Managed public var tags: [String]?
    @Managed public var names: [String: String]?
    @Managed public var counts: [UUID: Int64]
    @Managed public var words: [String]
    @Managed public var colors: Set<String>
    @Managed public var bag: NSSet?
    @Managed public var nothing: Any?
    @Managed public var owner: Leaflet?
    @Managed public var parts: NSSet?
    @Managed public var texts: Set<Leaflet>

    func touch(_ date: Date) { primitiveDate = date }
}

public class Gauge: NSManagedObject {
    @Managed var narrow: Int16
    @Managed var wide: Int
    @Managed var flag: Bool
    @Managed var number: NSNumber?
    @Managed var whole: Int32
    @Managed var ratio: Double
    @Managed var decimal: Double
    @Managed var money: NSDecimalNumber?
    @Managed var level: Int64
    @Managed var size: CGFloat
    @Managed var count: UInt64
    @Managed var weather: Weather
    @Managed var guess: Weather?
    @Managed var seconds: TimeInterval
    @Managed var choice: Int
    @Managed var place: [String: Any]?
    @Managed var optional: Int32?
}

/// Properties of the changeable classes, and of a class that no value of an attribute is of.
public class Slate: NSManagedObject {
    @Managed var text: NSMutableString?
    @Managed var needed: NSMutableString
    @Managed var bytes: NSMutableData?
    @Managed var own: OwnData?
}

final class OwnData: NSData {}

/// Properties over attributes of which no value of theirs can be made.
public class Misfit: NSManagedObject {
    @Managed var title: Int32
    @Managed var owner: [String]?
    @Managed var missing: String?
}

@Suite("Properties under @Managed as Xcode and ported sources have them")
struct ManagedExtensionTests {
    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private static func store(_ type: NSManagedObject.Type, _ properties: [NSPropertyDescription], at url: URL? = nil) throws
        -> TestStore
    {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "\(type)"
        entity.managedObjectClassName = NSStringFromClass(type)
        let relationships = properties.compactMap { $0 as? NSRelationshipDescription }
        for relationship in relationships { relationship.destinationEntity = entity }
        entity.properties = properties
        model.entities = [entity]
        return try TestStore(NSPersistentContainer(name: "\(type)", managedObjectModel: model), at: url)
    }

    private static func leaflets(at url: URL? = nil) throws -> TestStore {
        ValueTransformer.setValueTransformer(ShadeTransformer(), forName: NSValueTransformerName("ShadeTransformer"))
        let transformables = ["list", "info", "any", "shade", "tags", "names", "counts", "words", "colors", "bag", "nothing"].map
        {
            attribute($0, .transformableAttributeType)
        }
        transformables[3].valueTransformerName = "ShadeTransformer"
        let relationships = ["owner", "parts", "texts"].map { name in
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = name == "owner" ? 1 : 0
            return relationship
        }
        let plain = [
            attribute("title", .stringAttributeType), attribute("isRead", .booleanAttributeType),
            attribute("date", .dateAttributeType),
        ]
        return try store(Leaflet.self, plain + transformables + relationships, at: url)
    }

    @Test("R61, R64: properties in an extension, transformables and bridging collections among them, keep their values")
    func extensions() throws {
        let folder = try TemporaryFolder()
        let store = try Self.leaflets(at: folder.file("leaflets.sqlite"))
        let id = UUID()
        try store.run { context in
            let leaflet = Leaflet(context: context)
            #expect(leaflet.title == nil && !leaflet.isRead && leaflet.tags == nil && leaflet.any == nil && leaflet.bag == nil)
            #expect(leaflet.counts.isEmpty && leaflet.words.isEmpty && leaflet.colors.isEmpty && leaflet.nothing == nil)
            leaflet.title = "Ran"
            leaflet.isRead = true
            leaflet.list = [1, "two"]
            leaflet.info = ["one": 1]
            leaflet.any = NSArray(array: ["any"])
            leaflet.shade = Shade(red: 7)
            leaflet.tags = ["a", "b"]
            leaflet.names = ["x": "y"]
            leaflet.counts = [id: 5]
            leaflet.words.append("word")
            leaflet.colors = ["red", "green"]
            leaflet.bag = ["in the bag"]
            leaflet.nothing = "something"
            leaflet.owner = leaflet
            leaflet.parts = [leaflet]
            leaflet.texts = [leaflet]
            leaflet.touch(Date(timeIntervalSinceReferenceDate: 3))
            #expect(leaflet.tags == ["a", "b"] && leaflet.shade == Shade(red: 7) && leaflet.list == [1, "two"])
            try context.save()
        }
        try store.fresh { context in
            let leaflet = try #require(try context.fetch(Leaflet.fetchRequest() as NSFetchRequest<Leaflet>).first)
            #expect(leaflet.title == "Ran" && leaflet.isRead && leaflet.date == Date(timeIntervalSinceReferenceDate: 3))
            #expect(leaflet.list == [1, "two"] && leaflet.info == ["one": 1] && leaflet.any as? NSArray == ["any"])
            #expect(leaflet.shade == Shade(red: 7) && leaflet.tags == ["a", "b"] && leaflet.names == ["x": "y"])
            #expect(leaflet.counts == [id: 5] && leaflet.words == ["word"] && leaflet.colors == ["red", "green"])
            #expect(leaflet.bag == ["in the bag"] && leaflet.nothing as? String == "something")
            #expect(leaflet.owner === leaflet && leaflet.parts?.count == 1 && leaflet.texts == [leaflet])
            leaflet.tags = nil
            leaflet.any = nil
            leaflet.shade = nil
            try context.save()
            context.refreshAllObjects()
            #expect(leaflet.tags == nil && leaflet.any == nil && leaflet.shade == nil && leaflet.names == ["x": "y"])
        }
    }

    private static func gauges(at url: URL? = nil) throws -> TestStore {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [attribute("street", .stringAttributeType), attribute("number", .integer32AttributeType)]
        return try store(
            Gauge.self,
            [
                attribute("narrow", .integer32AttributeType), attribute("wide", .integer16AttributeType),
                attribute("flag", .integer64AttributeType), attribute("number", .doubleAttributeType),
                attribute("whole", .doubleAttributeType), attribute("ratio", .integer32AttributeType),
                attribute("decimal", .decimalAttributeType), attribute("money", .doubleAttributeType),
                attribute("level", .booleanAttributeType), attribute("size", .floatAttributeType),
                attribute("count", .integer64AttributeType), attribute("weather", .integer16AttributeType),
                attribute("guess", .doubleAttributeType), attribute("seconds", .dateAttributeType),
                attribute("choice", .decimalAttributeType), place, attribute("optional", .floatAttributeType),
            ], at: url)
    }

    @Test("R64: a Swift type of another width than the model's is converted as Apple's accessors do, both ways")
    func widths() throws {
        let folder = try TemporaryFolder()
        let store = try Self.gauges(at: folder.file("gauges.sqlite"))
        try store.run { context in
            let gauge = Gauge(context: context)
            #expect(gauge.narrow == 0 && gauge.wide == 0 && !gauge.flag && gauge.number == nil && gauge.whole == 0)
            #expect(gauge.ratio == 0 && gauge.decimal == 0 && gauge.money == nil && gauge.level == 0 && gauge.size == 0)
            #expect(gauge.count == 0 && gauge.weather == .sunny && gauge.guess == nil && gauge.seconds == 0 && gauge.choice == 0)
            #expect(gauge.place == nil && gauge.optional == nil)
            gauge.narrow = 5
            gauge.wide = 6
            gauge.flag = true
            gauge.number = 1.5
            gauge.whole = 7
            gauge.ratio = 8
            gauge.decimal = 0.1
            gauge.money = 9.25
            gauge.level = 2
            gauge.size = 2.5
            gauge.count = 10
            gauge.weather = .rainy
            gauge.guess = .rainy
            gauge.seconds = 11
            gauge.choice = 12
            gauge.place = ["street": "Main", "number": 1]
            gauge.optional = 13
            #expect(gauge.value(forKey: "decimal") as? NSDecimalNumber == NSDecimalNumber(string: "0.1"))
            try context.save()
        }
        try store.fresh { context in
            let gauge = try #require(try context.fetch(NSFetchRequest<Gauge>(entityName: "Gauge")).first)
            #expect(gauge.narrow == 5 && gauge.wide == 6 && gauge.flag && gauge.number == 1.5 && gauge.whole == 7)
            #expect(gauge.ratio == 8 && gauge.decimal == 0.1 && gauge.money == 9.25 && gauge.level == 1 && gauge.size == 2.5)
            #expect(gauge.count == 10 && gauge.weather == .rainy && gauge.guess == .rainy && gauge.seconds == 11)
            #expect(gauge.choice == 12 && gauge.place?["street"] as? String == "Main" && gauge.optional == 13)
            #expect(gauge.value(forKey: "seconds") as? Date == Date(timeIntervalSinceReferenceDate: 11))
            gauge.setValue(-2.75, forKey: "whole")
            gauge.setValue(NSDecimalNumber(string: "-12.9"), forKey: "choice")
            gauge.setValue(3, forKey: "flag")
            #expect(gauge.whole == -2 && gauge.choice == -12 && gauge.flag, "fractions are cut off, what is not zero is true")
            gauge.setValue(1e300, forKey: "optional")
            gauge.setValue(9, forKey: "guess")
            #expect(gauge.guess == nil, "nothing that the type does not have")
            gauge.optional = nil
            #expect(gauge.value(forKey: "optional") == nil)
        }
    }

    @Test(
        "R64: a number that the type has no room for is not read as another, and one that the attribute can't hold is not saved")
    func noRoom() async throws {
        let store = try Self.gauges()
        try store.run { context in
            let gauge = Gauge(context: context)
            gauge.wide = 70_000
            gauge.count = .max
            let error = #expect(throws: NSError.self) { try context.save() }
            let keys = (error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.compactMap {
                $0.userInfo[NSValidationKeyErrorKey] as? String
            }
            #expect(keys?.sorted() == ["count", "wide"])
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.gauges().run { context in
                let gauge = Gauge(context: context)
                gauge.setValue(70_000, forKey: "narrow")
                print(gauge.narrow)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Gauge.narrow is “70000”, which is not a Int16"))
    }

    @Test(
        "R64: what can never work stops at its first use, with file and line, class, property and types",
        arguments: [0, 1, 2])
    func neverWorks(_ index: Int) async {
        let result: ExitTest.Result?
        switch index {
        case 0:
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try Self.misfits().run { print(Misfit(context: $0).title) }
            }
        case 1:
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try Self.misfits().run { print(Misfit(context: $0).owner ?? []) }
            }
        default:
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try Self.misfits().run { print(Misfit(context: $0).missing ?? "") }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let expected = [
            "Misfit.title: Swift type Int32, model type String",
            "Misfit.owner: Swift type Array<String>?, model type to-one relationship",
            "Misfit.missing: Swift type String?, the entity “Misfit” has no property “missing”",
        ][index]
        #expect(text.contains(expected), "\(text)")
        #expect(text.contains("TypedObjectsTests/ManagedExtensionTests.swift:"), "\(text)")
    }

    private static func slates() throws -> TestStore {
        try store(
            Slate.self,
            [
                attribute("text", .stringAttributeType), attribute("needed", .stringAttributeType),
                attribute("bytes", .binaryDataAttributeType), attribute("own", .binaryDataAttributeType),
            ])
    }

    @Test("the changeable forms of texts and data give what is there, as copies")
    func changeableValues() throws {
        try Self.slates().run { context in
            let slate = Slate(context: context)
            #expect(slate.text == nil && slate.bytes == nil)
            slate.text = "chalk"
            slate.bytes = NSMutableData(data: Data([1, 2]))
            slate.needed = "needed"
            #expect(slate.text == "chalk" && slate.bytes == NSMutableData(data: Data([1, 2])))
            slate.text?.append(" and more")
            slate.needed.append("!")
            #expect(slate.text == "chalk" && slate.needed == "needed")
            #expect(slate.value(forKey: "text") as? String == "chalk")
            try context.save()
        }
    }

    @Test("a class of the program's own, of which an attribute has no values, is told of at the first use")
    func ownSubclass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.slates().run { print(Slate(context: $0).own as Any) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Slate.own: Swift type OwnData?, model type"))
    }

    private static func misfits() throws -> TestStore {
        let owner = NSRelationshipDescription()
        owner.name = "owner"
        owner.maxCount = 1
        return try store(Misfit.self, [attribute("title", .stringAttributeType), owner])
    }
}
