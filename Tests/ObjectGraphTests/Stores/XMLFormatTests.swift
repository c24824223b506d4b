import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("The format of XML stores")
struct XMLFormatTests {
    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Department", [ModelMaker.attribute("name", .string)])
        maker.entity(
            "Employee",
            [
                ModelMaker.attribute("name", .string), ModelMaker.attribute("salary", .integer32),
                ModelMaker.attribute("hireDate", .date), ModelMaker.attribute("isActive", .boolean),
                ModelMaker.attribute("badge", .binaryData), ModelMaker.attribute("rate", .float),
                ModelMaker.attribute("bonus", .decimal), ModelMaker.attribute("code", .uuid), ModelMaker.attribute("site", .uri),
                ModelMaker.attribute("extra", .transformable),
            ])
        maker.entity("Boss", parent: "Employee", [ModelMaker.attribute("title", .string)])
        maker.relate("Employee", "department", .one, "Department", "employees", .many)
        maker.relate("Department", "ranking", .ordered, "Employee", "ranked", .one)
        return maker.model()
    }

    private static func file(_ objects: String, next: String = "105", metadata: String = "<metadata></metadata>") -> String {
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>
                <nextObjectID>\(next)</nextObjectID>
                \(metadata)
            </databaseInfo>
        \(objects)
        </database>
        """
    }

    private static let people = """
            <object type="DEPARTMENT" id="z104">
                <attribute name="name" type="string">R&amp;D \\u3c00lab\\u3e00 C:\\users</attribute>
                <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z102 z103"></relationship>
                <relationship name="ranking" type="0/0" destination="EMPLOYEE" idrefs="z103 z102"></relationship>
            </object>
            <object type="EMPLOYEE" id="z102">
                <attribute name="salary" type="int32">100</attribute>
                <attribute name="rate" type="float">0.5</attribute>
                <attribute name="name" type="string"><![CDATA[Al<i>ce]]></attribute>
                <attribute name="isactive" type="bool">1</attribute>
                <attribute name="hiredate" type="date">445103622.25000000000000000000</attribute>
                <attribute name="extra" type="transformable">AQID</attribute>
                <attribute name="bonus" type="decimal">12.50</attribute>
                <attribute name="badge" type="binary">AQ
        ID
        </attribute>
                <relationship name="department" type="1/1" destination="DEPARTMENT" idrefs="z104"></relationship>
                <relationship name="ranked" type="1/1" destination="DEPARTMENT" idrefs="z104"></relationship>
            </object>
            <object type="BOSS" id="z103">
                <attribute name="name" type="string"></attribute>
                <attribute name="title" type="string"> Dr </attribute>
                <relationship name="department" type="1/1" destination="DEPARTMENT" idrefs="z104"></relationship>
                <relationship name="ranked" type="1/1" destination="DEPARTMENT" idrefs="z104"></relationship>
            </object>
        """

    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ text: String, _ model: NSManagedObjectModel = model(), ignoresVersion: Bool = false
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        try open(at: folder.write(text, to: "store.xml"), model, ignoresVersion: ignoresVersion)
    }

    private func open(
        at url: URL, _ model: NSManagedObjectModel, ignoresVersion: Bool = false
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: nil, at: url,
            options: [NSIgnorePersistentStoreVersioningOption: ignoresVersion])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }

    @Test("A file as Apple's framework writes it is read; objects keep their IDs when it is saved")
    func reading() throws {
        let model = Self.model()
        var (coordinator, context) = try open(Self.file(Self.people), model)
        func expectPeople(_ context: NSManagedObjectContext) throws {
            let lab = try #require(try context.all("Department").first)
            #expect(lab.text("name") == "R&D <lab> C:\\users")
            #expect(lab.objectID.uriRepresentation().path == "/Department/p104")
            #expect(lab.names("employees") == ["Al<i>ce", ""])
            #expect(lab.nameList("ranking") == ["", "Al<i>ce"])
            let alice = try context.named("Al<i>ce", "Employee")
            #expect(alice.number("salary") == 100)
            #expect(alice.value(forKey: "rate") as? Float == 0.5)
            #expect(alice.value(forKey: "isActive") as? Bool == true)
            #expect(alice.value(forKey: "hireDate") as? Date == Date(timeIntervalSinceReferenceDate: 445_103_622.25))
            #expect(alice.value(forKey: "bonus") as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
            #expect(alice.value(forKey: "badge") as? Data == Data([1, 2, 3]))
            #expect(alice.value(forKey: "code") == nil && alice.value(forKey: "site") == nil)
            let boss = try #require(try context.all("Boss").first)
            #expect(boss.text("title") == " Dr " && boss.text("name") == "" && boss.one("department") === lab)
            #expect(boss.value(forKey: "salary") == nil)
        }
        try context.run(expectPeople)
        #expect(coordinator.persistentStores[0].identifier == "7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE")
        try context.run { context in
            let new = context.make("Department", ["name": "new"])
            try context.save()
            #expect(new.objectID.uriRepresentation().lastPathComponent == "p106")
            context.delete(new)
            try context.save()
        }
        let text = try String(contentsOf: folder.file("store.xml"), encoding: .utf8)
        #expect(text.contains("<nextObjectID>106</nextObjectID>"))
        // The bytes of a value that nobody could decode are there still.
        #expect(text.contains("<attribute name=\"extra\" type=\"binary\">AQID\n</attribute>"))
        (coordinator, context) = try open(at: folder.file("store.xml"), model)
        try context.run(expectPeople)
    }

    @Test("What is written is laid out as in the files of Apple's framework")
    func writing() throws {
        let (coordinator, context) = try open(Self.file(""), Self.model())
        try context.run { context in
            let boss = context.make("Boss", ["name": "A & <b>", "salary": -1, "isActive": false])
            boss.set("hireDate", Date(timeIntervalSinceReferenceDate: 336_046_917.00164199))
            boss.set("badge", Data(repeating: 0, count: 60))
            boss.set("code", UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
            boss.set("site", URL(string: "http://a/?b&c"))
            try context.save()
            let lab = context.make("Department")
            boss.set("department", lab)
            try context.save()
        }
        let text = try String(contentsOf: folder.file("store.xml"), encoding: .utf8)
        let objects = text.range(of: "    </databaseInfo>\n").map { text[$0.upperBound...] }
        #expect(
            objects == """
                    <object type="BOSS" id="z106">
                        <attribute name="site" type="uri">http://a/?b&amp;c</attribute>
                        <attribute name="salary" type="int32">-1</attribute>
                        <attribute name="name" type="string">A &amp; &lt;b&gt;</attribute>
                        <attribute name="isactive" type="bool">0</attribute>
                        <attribute name="hiredate" type="date">336046917.00164198875427246094</attribute>
                        <attribute name="code" type="uuid">00000000-0000-0000-0000-00000000000A</attribute>
                        <attribute name="badge" type="binary">AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                AAAA
                </attribute>
                        <relationship name="department" type="0/1" destination="DEPARTMENT" idrefs="z107"></relationship>
                        <relationship name="ranked" type="0/1" destination="DEPARTMENT"></relationship>
                    </object>
                    <object type="DEPARTMENT" id="z107">
                        <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z106"></relationship>
                        <relationship name="ranking" type="0/0" destination="EMPLOYEE"></relationship>
                    </object>
                </database>
                """)
        #expect(
            text.hasPrefix(
                "<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n<database>\n    <databaseInfo>\n        <version>134481920</version>\n        <UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>\n        <nextObjectID>107</nextObjectID>\n        <metadata>\n<plist version=\"1.0\">"
            ))
        _ = coordinator
    }

    @Test("A file with Apple's version hashes is opened by entity names, by a model whose hashes nobody knows")
    func foreignHashes() throws {
        func metadata(_ names: [String]) -> String {
            "<metadata><plist version=\"1.0\"><dict><key>NSStoreModelVersionHashes</key><dict>"
                + names.map { "<key>\($0)</key><data>AAAA</data>" }.joined() + "</dict></dict></plist></metadata>"
        }
        let file = Self.file(Self.people, metadata: metadata(["Boss", "Department", "Employee"]))
        let (coordinator, context) = try open(file)
        #expect(try context.run { try $0.all("Employee").count } == 2)
        #expect(
            (coordinator.persistentStores[0].metadata[NSStoreModelVersionHashesKey] as? [String: Data])?["Boss"]
                == Data([0, 0, 0]))
        let other = caught { try open(Self.file("", metadata: metadata(["Boss", "Department"]))) }
        #expect(other?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("IDs that other programs wrote are read; objects get numbers of their own")
    func foreignIDs() throws {
        let text = Self.people.replacing("z104", with: "lab").replacing("z102", with: "z0102").replacing(
            "z103", with: "z99999999999999999999")
        let (_, context) = try open(Self.file(text, next: "9223372036854775807"))
        try context.run { context in
            #expect(try context.all("Department")[0].names("employees") == ["Al<i>ce", ""])
            context.make("Department")
            try context.save()
            #expect(Set(try context.all("Department").map { $0.objectID.uriRepresentation().lastPathComponent }).count == 2)
        }
        let (_, again) = try open(at: folder.file("store.xml"), Self.model())
        #expect(try again.run { try $0.all("Employee").count } == 2)
    }

    @Test("Large texts, and characters that XML does not have")
    func largeValues() throws {
        let url = folder.file("store.xml")
        let model = Self.model()
        let name = String(repeating: "é<\u{1}\\u0100\r\n", count: 200_000)
        let badge = Data((0..<16_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var (_, context) = try open(at: url, model)
        try context.run { context in
            context.make("Employee", ["name": name, "badge": badge])
            try context.save()
        }
        (_, context) = try open(at: url, model)
        try context.run { context in
            let employee = try context.all("Employee")[0]
            #expect(employee.text("name")?.utf8.elementsEqual(name.utf8) == true)
            #expect(employee.value(forKey: "badge") as? Data == badge)
        }
    }

    // MARK: Hostile files

    /// What stands in the place of a part of a good file, and a part of the message.
    static let attacks: [(String, String, String)] = [
        ("<database>", "<model>", "must be <database>"),
        ("type=\"DEPARTMENT\" id=\"z104\"", "type=\"Nobody\" id=\"z104\"", "“Nobody”"),
        ("type=\"DEPARTMENT\" id=\"z104\"", "id=\"z104\"", "without type"),
        ("type=\"DEPARTMENT\" id=\"z104\"", "type=\"DEPARTMENT\"", "without an ID"),
        ("type=\"DEPARTMENT\" id=\"z104\"", "type=\"DEPARTMENT\" id=\"z1 04\"", "without an ID"),
        ("id=\"z103\"", "id=\"z102\"", "“z102” of a “Boss” is that of another object"),
        ("idrefs=\"z102 z103\"", "idrefs=\"z102 z105\"", "“employees” of “Department” z104 leads to “z105”"),
        ("idrefs=\"z102 z103\"", "idrefs=\"z102 z102\"", "twice"),
        ("idrefs=\"z102 z103\"", "idrefs=\"z102 z104\"", "must lead to objects of “Employee”"),
        ("idrefs=\"z102 z103\"", "idrefs=\"z102 z103 z102\"", "twice"),
        ("DEPARTMENT\" idrefs=\"z104\"", "DEPARTMENT\" idrefs=\"z104 z104\"", "to-one"),
        ("DEPARTMENT\" idrefs=\"z104\"", "DEPARTMENT\" idrefs=\"z102\"", "must lead to objects of “Department”"),
        ("name=\"salary\"", "name=\"wage\"", "“Employee” z102 has “wage”"),
        ("name=\"salary\"", "name=\"department\"", "is a relationship"), ("name=\"salary\"", "nam=\"salary\"", "without a name"),
        ("name=\"rate\"", "name=\"salary\"", "“salary”"),
        ("<relationship name=\"ranked\"", "<relationship name=\"department\"", "twice"),
        ("<relationship name=\"ranked\"", "<relationship name=\"name\"", "twice"),
        (">100<", ">abc<", "“salary” of “Employee” 102 is “abc”"), (">100<", ">2147483648<", "too great"),
        (">100<", "><", "“salary”"), (">100<", ">1<b/>00<", "<b> is not expected"), (">0.5<", ">nan<", "not a number"),
        (">0.5<", ">1e300<", "greatest Float"), (">0.5<", ">0x10<", "not a number"), (">1<", ">2<", "neither 0 nor 1"),
        (">445103622.25000000000000000000<", ">inf<", "not a valid date"),
        (">445103622.25000000000000000000<", ">1e999<", "not a valid date"),
        (">445103622.25000000000000000000<", ">yesterday<", "not a valid date"), (">12.50<", ">12.50.1<", "“bonus”"),
        (">12.50<", ">1e999<", "“bonus”"), ("type=\"int32\">100", "type=\"date\">100", "in the model of the type “int32”"),
        ("type=\"string\"><![CDATA[", "type=\"int16\"><![CDATA[", "in the model of the type “string”"),
        ("<attribute name=\"salary\"", "<property name=\"salary\"", "<property>"),
        ("<database>", "<database><other></other>", "<other>"),
        ("134481920", "134481921", "version"), ("134481920", "x", "version"),
        ("<UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>", "", "no UUID"),
        ("7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE", "../../x y", "can't stand in the URLs"),
        ("<metadata></metadata>", "<metadata><plist><dict></metadata>", "closing tag"),
        ("<metadata></metadata>", "<metadata>text</metadata>", "property list"),
        ("<metadata></metadata>", "<metadata><plist version=\"1.0\"><array></array></plist></metadata>", "property list"),
        ("<metadata></metadata>", "<metadata>" + String(repeating: "<a>", count: 10_000), "levels deep"),
        ("</databaseInfo>", "</databaseInfo><databaseInfo></databaseInfo>", "<databaseInfo>"),
        ("CoreData.dtd\">", "CoreData.dtd\" [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>", "declares entities"),
        ("CoreData.dtd\">", "CoreData.dtd\" [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", "declares entities"),
        ("R&amp;D", "&none;", "malformed XML"), ("version=\"1.0\"?>", "version=\"1.0\" encoding=\"UTF-7\"?>", "encoding"),
        ("version=\"1.0\"?>", "version=\"1.0\" encoding=\"UTF-16\"?>", "encoding"),
        ("</database>", "", "ends too early"), ("</database>", "</database><database>", "malformed XML"),
        ("Al<i>ce", "\u{1}", "malformed XML"), (Self.people, String(repeating: "<object>", count: 200), "without type"),
    ]

    @Test("A file that no framework would write is refused, by a message that says what and where, and stays as it is")
    func attacks() throws {
        let good = Self.file(Self.people)
        for (part, instead, message) in Self.attacks {
            let bad = good.replacing(part, with: instead, maxReplacements: 1)
            #expect(bad != good, "\(part)")
            let error = caught { try open(bad) }
            #expect(error != nil, "\(part) → \(instead.prefix(80))")
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(
                error?.localizedDescription.contains(message) == true,
                "\(instead.prefix(80)): \(error?.localizedDescription ?? "")")
            #expect(try String(contentsOf: folder.file("store.xml"), encoding: .utf8) == bad)
        }
        #expect(throws: Never.self) { try open(good) }
    }

    @Test("Relationships whose ends contradict each other are refused; one end alone is enough")
    func ends() throws {
        let one = Self.people.replacing(" idrefs=\"z102 z103\"", with: "")
        let (_, context) = try open(Self.file(one))
        #expect(try context.run { try $0.all("Department")[0].names("employees") } == ["Al<i>ce", ""])
        let second = """
                <object type="DEPARTMENT" id="z105">
                    <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z102"></relationship>
                </object>
            """
        let error = caught { try open(Self.file(Self.people + second)) }
        #expect(error?.localizedDescription.contains("contradict") == true, "\(error?.localizedDescription ?? "")")
    }

    @Test(
        "A file that is cut off, or changed anywhere, is read or refused, and never ends the program",
        arguments: StackKind.atomicFiles)
    func mutations(_ kind: StackKind) throws {
        let model = Self.model()
        _ = try open(Self.file(Self.people), model)
        let url = folder.file("store")
        let coordinator = try open(at: folder.file("store.xml"), model).0
        try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: url, withType: kind.storeType)
        try coordinator.remove(coordinator.persistentStores[0])
        let good = try Data(contentsOf: url)
        func attempt(_ data: Data) throws -> Bool {
            try data.write(to: url)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            do {
                let store = try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: url)
                try coordinator.remove(store)
                return true
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain && !error.localizedDescription.isEmpty)
                return false
            }
        }
        #expect(try attempt(good))
        for count in stride(from: 1, to: good.count - 1, by: kind == .xml ? 17 : 3) {
            #expect(try !attempt(good.prefix(count)), "\(count) of \(good.count) bytes")
        }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            var bad = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bad[Int.random(in: 0..<bad.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try attempt(bad)
        }
    }

    @Test("A binary store of Apple's framework is refused, by a message that says what to do")
    func foreignBinary() throws {
        let url = try folder.write(Data("bplist00".utf8) + Data(count: 100), to: "store.bin")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let error = caught { try coordinator.addPersistentStore(ofType: NSBinaryStoreType, configurationName: nil, at: url) }
        #expect(error?.code == 259 && error?.localizedDescription.contains("not public") == true)
        #expect(error?.localizedDescription.contains("migrate") == true)
    }

    // MARK: Real files

    /// The entities of the mapping models of Xcode's editor, as their files show them.
    private static func mappingModel() -> NSManagedObjectModel {
        func text(_ names: [String]) -> [NSAttributeDescription] { names.map { ModelMaker.attribute($0, .string) } }
        func data(_ names: [String]) -> [NSAttributeDescription] { names.map { ModelMaker.attribute($0, .binaryData) } }
        var maker = ModelMaker()
        maker.entity(
            "XDDevMappingModel",
            text(["sourceModelPath", "destinationModelPath"]) + data(["sourceModelData", "destinationModelData"]))
        maker.entity(
            "XDDevEntityMapping",
            text([
                "name", "sourceName", "destinationName", "mappingTypeName", "migrationPolicyClassName",
                "sourceFilterPredicateString",
            ]) + data(["userInfoData"]) + [
                ModelMaker.attribute("mappingNumber", .integer16), ModelMaker.attribute("autoGenerateExpression", .boolean),
            ])
        maker.entity(
            "XDDevPropertyMapping", text(["name"]) + data(["valueExpressionData"])
        ).isAbstract = true
        maker.entity("XDDevAttributeMapping", parent: "XDDevPropertyMapping")
        maker.entity(
            "XDDevRelationshipMapping", parent: "XDDevPropertyMapping",
            text(["sourceKeyPath", "sourceMappingName"]) + [ModelMaker.attribute("autoGenerateExpression", .boolean)])
        maker.relate("XDDevMappingModel", "entityMappings", .many, "XDDevEntityMapping", "mappingModel", .one)
        maker.relate("XDDevEntityMapping", "attributeMappings", .many, "XDDevAttributeMapping", "entityMapping", .one)
        maker.relate("XDDevEntityMapping", "relationshipMappings", .many, "XDDevRelationshipMapping", "entityMapping", .one)
        return maker.model()
    }

    @Test("The mapping models of Xcode's editor are XML stores: read, saved and read again", .enabled(if: Fixtures.isAvailable))
    func mappingModels() throws {
        let files = FileManager.default.enumerator(at: Fixtures.models, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        let stores = try #require(files).filter { $0.lastPathComponent == "xcmapping.xml" }
        #expect(stores.count == 12)
        let model = Self.mappingModel()
        func contents(_ context: NSManagedObjectContext) throws -> [String] {
            try ["XDDevMappingModel", "XDDevEntityMapping", "XDDevPropertyMapping"].flatMap { name in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).map { object in
                    let values = object.entity.propertiesByName.keys.sorted().map { key -> String in
                        switch object.value(forKey: key) {
                        case let other as NSManagedObject: "\(key): \(other.objectID.uriRepresentation())"
                        case let set as Set<NSManagedObject>:
                            "\(key): \(set.map { $0.objectID.uriRepresentation().absoluteString }.sorted())"
                        case let data as Data: "\(key): \(data.count) \(data.hashValue)"
                        case let value: "\(key): \(value ?? "nil")"
                        }
                    }
                    return "\(object.objectID.uriRepresentation()) \(values)"
                }
            }.sorted()
        }
        for (number, store) in stores.enumerated() {
            let url = try folder.write(Data(contentsOf: store), to: "\(number)/xcmapping.xml")
            // By the names of the entities, which are those of the file's hashes.
            let (coordinator, context) = try open(at: url, model)
            let text = try String(contentsOf: url, encoding: .utf8)
            let before = try context.run(contents)
            #expect(before.count == text.split(separator: "<object ").count - 1)
            let metadata = coordinator.persistentStores[0].metadata ?? [:]
            #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.count == 5)
            try context.run { context in
                coordinator.persistentStores[0].metadata = metadata.merging(["seen": 1]) { $1 }
                try context.save()
            }
            let (again, reader) = try open(at: url, model)
            #expect(try reader.run(contents) == before)
            let kept = again.persistentStores[0].metadata ?? [:]
            for (key, value) in metadata { #expect((kept[key] as? NSObject) == (value as? NSObject), "\(key)") }
            // Nothing but the layout differs.
            func lines(_ text: String) -> [String] {
                let objects = text.range(of: "</databaseInfo>").map { text[$0.upperBound...] } ?? ""
                return objects.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.map { line in
                    guard let refs = line.range(of: "idrefs=\"") else { return line }
                    let ids = line[refs.upperBound...].prefix { $0 != "\"" }
                    return line[..<refs.lowerBound] + ids.split(separator: " ").sorted().joined(separator: " ")
                }.map { $0.replacingOccurrences(of: "type=\"[01]/[01]\"", with: "", options: .regularExpression) }.sorted()
            }
            #expect(try lines(String(contentsOf: url, encoding: .utf8)) == lines(text), "\(store.path)")
        }
    }
}
