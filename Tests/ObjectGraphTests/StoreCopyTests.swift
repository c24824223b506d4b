import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("A store that goes on elsewhere keeps everything that it has")
struct StoreCopyTests {
    /// Relationships of every kind of storage, from an entity and its subentity, and binary data that the store keeps in files.
    static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        let picture = ModelMaker.attribute("picture", .binaryData)
        picture.allowsExternalBinaryDataStorage = true
        maker.entity("Album", [ModelMaker.attribute("name", .string), picture, ModelMaker.attribute("small", .binaryData)])
        maker.entity("Box", parent: "Album")
        maker.entity("Song", [ModelMaker.attribute("name", .string)])
        maker.entity("Single", parent: "Song")
        maker.relate("Album", "songs", .ordered, "Song", "album", .one)
        maker.relate("Album", "loose", .many, "Song", "home", .one)
        maker.relate("Album", "guests", .many, "Song", "hosts", .many)
        maker.relate("Album", "charts", .ordered, "Song", "charted", .many)
        maker.relate("Album", "polls", .many, "Song", "polled", .ordered)
        maker.relate("Album", "both", .ordered, "Song", "bothToo", .ordered)
        maker.relate("Album", "cover", .one, "Song", "covers", .one)
        maker.relateToSelf("Song", "alike", .many)
        maker.relateToSelf("Song", "twins", .ordered)
        maker.relate("Song", "next", .one, "Song", "previous", .one)
        maker.point("Album", "pointed", .many, "Song")
        maker.point("Album", "listed", .ordered, "Song")
        maker.point("Album", "favourite", .one, "Song")
        return maker.model()
    }

    private static let manyKeys = ["loose", "guests", "polls", "pointed"]
    private static let orderedKeys = ["songs", "charts", "both", "listed"]

    static func fill(_ context: NSManagedObjectContext) throws {
        let songs = (0..<9).map { context.make($0 % 3 == 2 ? "Single" : "Song", ["name": "song \($0)"]) }
        for number in 0..<6 {
            let album = context.make(number % 2 == 0 ? "Album" : "Box", ["name": "album \(number)"])
            // Beside and beyond what goes into a file of its own.
            album.setValue(Data(repeating: UInt8(number), count: number * 60_000), forKey: "picture")
            album.setValue(Data([UInt8(number)]), forKey: "small")
            func some(_ step: Int) -> [NSManagedObject] { (0..<4).map { songs[($0 * step + number) % 9] } }
            for (index, key) in manyKeys.enumerated() { album.setValue(NSSet(array: some(index + 1)), forKey: key) }
            for (index, key) in orderedKeys.enumerated() {
                album.setValue(NSOrderedSet(array: some(5 - index).reversed()), forKey: key)
            }
            album.setValue(songs[number], forKey: "cover")
            album.setValue(songs[8 - number], forKey: "favourite")
        }
        for (number, song) in songs.enumerated() {
            song.setValue(NSSet(array: [songs[(number + 1) % 9], songs[(number + 4) % 9], song]), forKey: "alike")
            song.setValue(NSOrderedSet(array: [songs[8 - number], songs[(number + 2) % 9]]), forKey: "twins")
            if number > 0 { song.setValue(songs[number - 1], forKey: "previous") }
        }
        try context.save()
    }

    /// Everything that a context finds, as text.
    static func contents(_ context: NSManagedObjectContext) throws -> [String] { try contents(context, withNumbers: true) }

    static func contents(_ context: NSManagedObjectContext, withNumbers: Bool) throws -> [String] {
        try ["Album", "Song"].flatMap { entity in
            try context.all(entity).map { object -> String in
                let values = object.entity.propertiesByName.keys.sorted().map { key -> String in
                    let text =
                        switch object.value(forKey: key) {
                        case let object as NSManagedObject: object.text("name") ?? ""
                        case let set as NSOrderedSet: "\(set.array.map { ($0 as? NSManagedObject)?.text("name") ?? "" })"
                        case let set as NSSet: "\(set.allObjects.map { ($0 as? NSManagedObject)?.text("name") ?? "" }.sorted())"
                        case let data as Data: "\(data.count) \(data.first ?? 0) \(data.last ?? 0)"
                        case let other: "\(other ?? "nil")"
                        }
                    return "\(key): \(text)"
                }
                let number = withNumbers ? object.objectID.uriRepresentation().lastPathComponent : ""
                return "\(object.entity.name ?? "") \(number) \(values.joined(separator: "; "))"
            }.sorted()
        }
    }

    @Test("R68: ordered and many-to-many relationships and external binary data, to memory and to a file, and back")
    func everything() throws {
        let stack = try TestStack(.sqlite, Self.model())
        try stack.run(Self.fill)
        // As Apple's framework keeps large values.
        let name = UUID().uuidString
        let files = stack.folder.file(".store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data(repeating: 5, count: 300_000).write(to: files.appendingPathComponent(name))
        let column = ([2] + Array(name.utf8) + [0]).map { String(format: "%02X", $0) }.joined()
        try Database(stack.folder.file("store.sqlite")).execute(
            "UPDATE ZALBUM SET ZPICTURE = x'\(column)' WHERE ZNAME = 'album 5'")
        let before = try stack.fresh(Self.contents)
        #expect(before.count == 15 && before.contains { $0.contains("300000 5 5") })
        var store = stack.store
        let places: [(URL, String)] = [
            (stack.folder.file("first.sqlite"), NSSQLiteStoreType), (URL(fileURLWithPath: "/dev/null"), NSInMemoryStoreType),
            (stack.folder.file("second.sqlite"), NSSQLiteStoreType),
            (stack.folder.file("third.sqlite"), NSSQLiteStoreType), (URL(fileURLWithPath: "/dev/null"), NSInMemoryStoreType),
            (stack.folder.file("fourth.sqlite"), NSSQLiteStoreType),
        ]
        for (number, (place, type)) in places.enumerated() {
            store = try stack.coordinator.migratePersistentStore(store, to: place, withType: type)
            #expect(store.type == type)
            let now = try stack.fresh(Self.contents)
            #expect(now == before, "\(number)")
        }
        // Every file has its own copy of the value, or has it in the row.
        let copied = stack.folder.file(".first_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: copied.path) == [name])
        try FileManager.default.removeItem(at: copied)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [name])
        // The graph can be changed there as everywhere.
        try stack.fresh { context in
            let album = try #require(try context.all("Album").first { $0.text("name") == "album 3" })
            let first = try #require((album.value(forKey: "songs") as? NSOrderedSet)?.firstObject as? NSManagedObject)
            context.delete(first)
            album.setValue(Data(repeating: 7, count: 400_000), forKey: "picture")
            let new = context.make("Song", ["name": "new"])
            album.mutableOrderedSetValue(forKey: "charts").insert(new, at: 0)
            try context.save()
            #expect(!before.contains { $0.contains("Song \(new.objectID.uriRepresentation().lastPathComponent) ") })
        }
        let changed = try stack.fresh(Self.contents)
        let reopened = TestReopening(stack.folder.file("fourth.sqlite"), Self.model())
        #expect(try reopened.contents(Self.contents) == changed)
        #expect(changed.contains { $0.contains("400000 7 7") && $0.contains("charts: [\"new\"") })
    }
}

/// Opens a file once more, as another program would.
private struct TestReopening {
    private let url: URL
    private let model: NSManagedObjectModel

    init(_ url: URL, _ model: NSManagedObjectModel) {
        self.url = url
        self.model = model
    }

    func contents<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.run(body)
    }
}
