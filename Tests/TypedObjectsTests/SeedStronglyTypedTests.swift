import Foundation
import OpenCoreData
import Testing

// The code of seeds/strongly-typed-objects.txt. What differs: @Managed stands for @NSManaged (which needs Objective-C), `makeInstance(in:)` and its
// protocol are the library's, classes that the text declares more than once have a suffix, and slips of the text that don't compile or that
// assign a property to itself (`length` and `owner` for `newValue`) are put right.

class ScalarObject: NSManagedObject {
    @Managed public var double: NSNumber?
    @Managed public var float: NSNumber?
    @Managed public var boolean: NSNumber?
    @Managed public var integer16: NSNumber?
    @Managed public var integer32: NSNumber?
    @Managed public var integer64: NSNumber?
}

class PlainScalarObject: NSManagedObject {
    @Managed public var double: Double
    @Managed public var float: Float
    @Managed("boolean") public var bool: Bool
    @Managed public var integer16: Int16
    @Managed public var integer32: Int32
    @Managed public var integer64: Int64
}

class SeedMovie: NSManagedObject {
    @Managed private var cd_userRating: NSNumber?
    @Managed private var cd_duration: NSNumber?
}

extension SeedMovie {
    // nil represents no rating at all
    var userRating: Double? {
        get { return cd_userRating?.doubleValue }
        set { cd_userRating = newValue.map { NSNumber(value: $0) } }
    }
    // movie duration in minutes
    var duration: Int32 {
        get { return cd_duration!.int32Value }
        set { cd_duration = NSNumber(value: newValue) }
    }
}

class User: NSManagedObject {}
class File: NSManagedObject {}

class Folder: NSManagedObject {
    @Managed private var cd_owner: User?
    @Managed private var cd_files: NSSet?
}

extension Folder {
    var owner: User {
        get { return cd_owner! }
        set { cd_owner = newValue }
    }
    var files: Set<File> {
        get { return (cd_files ?? []) as! Set<File> }
        set { cd_files = newValue as NSSet }
    }
}

class Sender: NSManagedObject {}

class Message: NSManagedObject {
    @Managed private var cd_sender: Sender?
}

extension Message {
    var sender: Sender { return cd_sender! }
}

extension Message {
    convenience init(context: NSManagedObjectContext, sender: Sender) {
        self.init(context: context)
        cd_sender = sender
    }
}

extension Message {
    static func makeInstance(sender: Sender, in context: NSManagedObjectContext) -> Message {
        let message = Message.makeInstance(in: context)
        message.cd_sender = sender
        return message
    }
}

@Suite("Seed: making working with managed objects strongly typed")
struct SeedStronglyTypedTests {
    @Test("optional numbers are nil until set, and zero is not nil")
    func optionalNumbers() throws {
        let attributes: [(String, NSAttributeType)] = [
            ("double", .doubleAttributeType), ("float", .floatAttributeType), ("boolean", .booleanAttributeType),
            ("integer16", .integer16AttributeType), ("integer32", .integer32AttributeType),
            ("integer64", .integer64AttributeType),
        ]
        let store = try TestStore(handWritten([("ScalarObject", ScalarObject.self, attributes, [])]))
        try store.run { context in
            let object = ScalarObject(context: context)
            #expect(object.double == nil)
            #expect(object.boolean == nil)
            object.double = 1.5
            object.float = 0.25
            object.boolean = false
            object.integer16 = 0
            object.integer32 = -7
            object.integer64 = NSNumber(value: Int64.max)
            try context.save()
        }
        try store.fresh { context in
            let object = try #require(try context.fetch(ScalarObject.self).first)
            #expect(object.double == 1.5)
            #expect(object.float == 0.25)
            #expect(object.boolean == false)
            #expect(object.integer16 == 0)
            #expect(object.integer32 == -7)
            #expect(object.integer64 == NSNumber(value: Int64.max))
        }
    }

    @Test("scalar properties by hand")
    func scalars() throws {
        let attributes: [(String, NSAttributeType)] = [
            ("double", .doubleAttributeType), ("float", .floatAttributeType), ("boolean", .booleanAttributeType),
            ("integer16", .integer16AttributeType), ("integer32", .integer32AttributeType),
            ("integer64", .integer64AttributeType),
        ]
        let store = try TestStore(handWritten([("PlainScalarObject", PlainScalarObject.self, attributes, [])]))
        try store.run { context in
            let object = PlainScalarObject(context: context)
            object.double = 1.5
            object.float = 0.25
            object.bool = true
            object.integer16 = -3
            object.integer32 = 70_000
            object.integer64 = .min
            #expect(object.double == 1.5)
            #expect(object.float == 0.25)
            #expect(object.bool)
            #expect(object.integer16 == -3)
            #expect(object.integer32 == 70_000)
            #expect(object.integer64 == .min)
            #expect(object.value(forKey: "boolean") as? Bool == true)
        }
    }

    @Test("two layers over numbers: a typed property above, NSNumber below")
    func twoLayers() throws {
        let store = try TestStore(
            handWritten([
                (
                    "SeedMovie", SeedMovie.self,
                    [("cd_userRating", .doubleAttributeType), ("cd_duration", .integer32AttributeType)], []
                )
            ]))
        try store.run { context in
            let movie = SeedMovie(context: context)
            #expect(movie.userRating == nil)
            movie.userRating = 0
            #expect(movie.userRating == 0)
            movie.userRating = nil
            #expect(movie.userRating == nil)
            movie.duration = 162
            #expect(movie.duration == 162)
        }
    }

    @Test("two layers over relationships: a required object and a typed set above, NSSet below")
    func relationships() throws {
        let store = try TestStore(
            handWritten([
                ("User", User.self, [], []), ("File", File.self, [], []),
                ("Folder", Folder.self, [], [("cd_owner", "User", 1), ("cd_files", "File", 0)]),
            ]))
        try store.run { context in
            let folder = Folder(context: context)
            #expect(folder.files == [])
            let user = User(context: context)
            let files = [File(context: context), File(context: context)]
            folder.owner = user
            folder.files = Set(files)
            #expect(folder.owner === user)
            #expect(folder.files == Set(files))
            folder.files.remove(files[0])
            #expect(folder.files == [files[1]])
        }
    }

    @Test("read-only properties, set by an initializer or by makeInstance")
    func readOnly() throws {
        let store = try TestStore(
            handWritten([("Sender", Sender.self, [], []), ("Message", Message.self, [], [("cd_sender", "Sender", 1)])]))
        try store.run { context in
            let sender = Sender.makeInstance(in: context)
            #expect(Message(context: context, sender: sender).sender === sender)
            #expect(Message.makeInstance(sender: sender, in: context).sender === sender)
            #expect(context.insertedObjects.count == 3)
        }
    }
}

private typealias HandWrittenEntity = (
    name: String, type: NSManagedObject.Type, attributes: [(String, NSAttributeType)],
    relationships: [(name: String, destination: String, maxCount: Int)]
)

/// A container over a model built by hand, as for classes without `@Entity`.
private func handWritten(_ list: [HandWrittenEntity]) -> NSPersistentContainer {
    let model = NSManagedObjectModel()
    var entities: [String: NSEntityDescription] = [:]
    for item in list {
        let entity = NSEntityDescription()
        entity.name = item.name
        entity.managedObjectClassName = NSStringFromClass(item.type)
        entities[item.name] = entity
    }
    for item in list {
        let attributes = item.attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let relationships = item.relationships.map { name, destination, maxCount in
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entities[destination]
            relationship.maxCount = maxCount
            return relationship
        }
        entities[item.name]?.properties = attributes + relationships
    }
    model.entities = list.compactMap { entities[$0.name] }
    return NSPersistentContainer(name: "Seed", managedObjectModel: model)
}
