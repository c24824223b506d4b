import OpenCoreData
import TestSupport
import Testing

@Suite("Archives in a store make nothing but values")
struct ArchiveAttackTests {
    /// Stores bytes as a document's archive, reads the value, saves another change, and expects the bytes in the file to be those that were there.
    ///
    /// - Parameter body: Gets what the attribute reads as.
    private func store(_ bytes: Data, transformer: String? = nil, _ body: @escaping (Any?) throws -> Void) throws {
        let store = try AtlasStore()
        var session = try store.open(rawTransformables: true)
        try session.context.run { context in
            _ = context.make("Document", ["name": "a", "archive": bytes])
            try context.save()
        }
        try session.close()
        let model = try Atlas.model(at: store.source)
        model.entitiesByName["Document"]?.attributesByName["archive"]?.valueTransformerName = transformer
        session = try StoreSession(store.url, model)
        try session.context.run { context in
            let document = try context.find("Document", "a")
            try body(document.value(forKey: "archive"))
            document.setValue(2, forKey: "stars")
            try context.save()
            try body(document.value(forKey: "archive"))
        }
        try session.close()
        let hex = try Database(store.url).text("SELECT hex(ZARCHIVE) FROM ZTHING WHERE ZSTARS = 2")
        #expect(hex == bytes.map { String(format: "%02X", $0) }.joined())
    }

    @Test(
        "R91: a class of the program is not made, whatever the transformer's name; the bytes stay",
        arguments: [nil, "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName"])
    func unwantedClass(transformer: String?) throws {
        for root in [
            UnwantedArchived(), NSArray(object: UnwantedArchived()),
            NSDictionary(object: UnwantedArchived(), forKey: NSString("a")),
        ] {
            let bytes = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
            try store(bytes, transformer: transformer) { #expect($0 as? Data == bytes) }
        }
        #expect(UnwantedArchived.made == 0)
    }

    @Test("R91: a class that the attribute's transformer allows is made, saved and read")
    func allowedClass() throws {
        ShapeTransformer.register
        let store = try AtlasStore()
        for round in 0..<2 {
            let model = try Atlas.model(at: store.source)
            model.entitiesByName["Document"]?.attributesByName["archive"]?.valueTransformerName = "ArchivedShapeTransformer"
            let session = try StoreSession(store.url, model)
            try session.context.run { context in
                if round == 0 {
                    let document = context.make(
                        "Document", ["name": "a", "archive": ArchivedShape(name: "s", size: 3, points: [1, 2.5])])
                    try context.save()
                    document.setValue(["no": "shape"], forKey: "archive")
                    let error = #expect(throws: NSError.self) { try context.save() }
                    #expect(error?.localizedDescription.contains("is not among those that the transformer allows") == true)
                } else {
                    let shape = try context.find("Document", "a").value(forKey: "archive") as? ArchivedShape
                    #expect(shape?.name == "s" && shape?.size == 3 && shape?.points == [1, 2.5])
                }
            }
            try session.close()
        }
    }

    @Test("R91: an object whose class the transformer does not allow is an error of the save that says what to do")
    func savingUnwanted() throws {
        let store = try AtlasStore()
        try store.run { context in
            let document = context.make(
                "Document", ["name": "a", "archive": ["x": ArchivedShape(name: "s", size: 3, points: [])]])
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("allowedTopLevelClasses") == true)
            document.setValue(["x": Set([1, 2])], forKey: "archive")
            try context.save()
            context.refresh(document, mergeChanges: false)
            #expect((document.value(forKey: "archive") as? [String: Set<Int>])?["x"] == [1, 2])
        }
    }

    @Test("R92: archives that contain themselves, lack members, are nested deeply or name wrong classes stay bytes")
    func damagedArchives() throws {
        func archive(_ make: (inout ArchiveWriter) -> Int) -> Data {
            var writer = ArchiveWriter()
            let root = make(&writer)
            return writer.data(root: root)
        }
        let archives = [
            archive { $0.add("NSArray", [("NS.objects", .objects([1]))]) },
            archive { $0.add("NSDictionary", [("NS.keys", .objects([])), ("NS.objects", .objects([1]))]) },
            archive { $0.add("NSSet", [("NS.objects", .objects([0, 999]))]) },
            archive { $0.add("NSUUID", [("NS.uuidbytes", .plain(.data(Data([1, 2]))))]) },
            archive { $0.add("NSURL", [("NS.relative", .plain(.integer(1)))]) },
            archive { writer in
                (0..<20_000).reduce(writer.add(.text("x"))) { inner, _ in
                    writer.add("NSArray", [("NS.objects", .objects([inner]))])
                }
            },
            archive { writer in writer.add("NSArray", [("NS.objects", .objects([writer.add(.text("x")), 0]))]) },
        ]
        for bytes in archives { try store(bytes) { #expect($0 as? Data == bytes) } }
    }
}

/// A class of the program that was never meant to come out of a file.
final class UnwantedArchived: NSObject, NSCoding {
    nonisolated(unsafe) static var made = 0

    override init() {}
    init?(coder: NSCoder) { Self.made += 1 }
    func encode(with coder: NSCoder) {}
}

/// A class that knows secure coding.
final class ArchivedShape: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    let size: Int
    let points: [NSNumber]

    init(name: String, size: Int, points: [NSNumber]) { (self.name, self.size, self.points) = (name, size, points) }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        size = coder.decodeInteger(forKey: "size")
        points = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "points") as? [NSNumber] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: name), forKey: "name")
        coder.encode(size, forKey: "size")
        coder.encode(NSArray(array: points), forKey: "points")
    }
}

// @unchecked Sendable: it has no state.
private final class ShapeTransformer: NSSecureUnarchiveFromDataTransformer, @unchecked Sendable {
    static let register: Void = ValueTransformer.setValueTransformer(
        ShapeTransformer(), forName: NSValueTransformerName("ArchivedShapeTransformer"))

    override class var allowedTopLevelClasses: [AnyClass] { [ArchivedShape.self] }
}
