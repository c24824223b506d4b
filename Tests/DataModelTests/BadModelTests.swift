import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Model files that can't be read")
struct BadModelTests {
    private static let head = "<model type=\"com.apple.IDECoreDataModeler.DataModel\" userDefinedModelVersionIdentifier=\"\">\n"

    private func read(_ text: String) throws -> NSManagedObjectModel {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "Cinema.xcdatamodel/contents")
        return try NSManagedObjectModel(readingModelAt: folder.file("Cinema.xcdatamodel"))
    }

    private func error(_ text: String) -> NSError {
        do {
            _ = try read(text)
            return NSError(domain: "none", code: 0)
        } catch {
            return error as NSError
        }
    }

    @Test(
        "Malformed XML is error 259 with line and column",
        arguments: [
            ("<model>\n<entity name=\"A\">\n</model>", "line 3"), ("<model>\n<entity a=\"1\" a=\"2\"/>\n</model>", "line 2"),
            ("<model>\n\n<entity", "line 3"), ("<model>\n<entity name=\"&nbsp;\"/></model>", "line 2"),
            ("no XML at all", "line 1"),
        ])
    func malformed(text: String, line: String) {
        let error = error(text)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 259)
        #expect(error.localizedDescription.contains("\(line), column"), "\(error.localizedDescription)")
        #expect(error.localizedDescription.contains("Cinema.xcdatamodel/contents"))
        #expect(error.userInfo[NSFilePathErrorKey] as? String != nil)
    }

    @Test("Text that is no UTF-8 is error 259 with its line")
    func notUTF8() throws {
        let bytes = Data("<model>\n<ent".utf8) + Data([0xff, 0xc3]) + Data("ity/>\n</model>".utf8)
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel().read(bytes, from: URL(fileURLWithPath: "/test")) }
        #expect(error?.code == 259)
        #expect(error?.localizedDescription.contains("line 2") == true)
    }

    @Test("An empty file, another root and another kind of document are error 259")
    func notAModel() {
        #expect(error("").code == 259)
        #expect(error("").localizedDescription.contains("empty"))
        #expect(error("<plist/>").code == 259)
        #expect(error("<plist/>").localizedDescription.contains("not a keyed archive"))
        #expect(error("<model type=\"other\"/>").localizedDescription.contains("type=\"other\""))
        #expect(error("bplist00xyz").localizedDescription.contains("not a keyed archive"))
    }

    @Test("Every cut of a good file is refused without a trap")
    func truncated() throws {
        let text = try goodModel()
        _ = try read(text)
        let end = text.trimmingCharacters(in: .whitespacesAndNewlines).count
        for length in stride(from: 0, to: end, by: 7) { #expect(error(String(text.prefix(length))).code == 259, "\(length)") }
    }

    @Test("Random damage of a good file is either harmless or an error, never a trap")
    func damaged() throws {
        let good = Array(try goodModel().utf8)
        var random = SeededGenerator(seed: 2024)
        for _ in 0..<500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let model = NSManagedObjectModel()
            do {
                try model.read(Data(bytes), from: URL(fileURLWithPath: "/damaged"))
                #expect(model.structuralProblems == [])
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain)
                #expect([259, 134060].contains(error.code))
            }
        }
    }

    private func goodModel() throws -> String {
        Self.head + """
            <entity name="Movie" representedClassName=".Movie" elementID="Film">
                <attribute name="title" attributeType="String" defaultValueString="A &amp; B"/>
                <attribute name="length" optional="YES" attributeType="Integer 32" defaultValueString="90"/>
                <relationship name="director" maxCount="1" deletionRule="Nullify" destinationEntity="Director" inverseName="movies" inverseEntity="Director"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="title"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="Director"><relationship name="movies" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Movie" inverseName="director" inverseEntity="Movie"/></entity>
            </model>
            """
    }

    @Test(
        "A model that contradicts itself is error 134060 with line, entity and property",
        arguments: [
            ("<entity name='A' parentEntity='Z'/>", ["line 2", "A: ", "parent entity “Z”"]),
            ("<entity name='A' parentEntity='B'/>\n<entity name='B' parentEntity='A'/>", ["line 3", "inherits from itself"]),
            ("<entity name='A' parentEntity='A'/>", ["A: it inherits from itself"]),
            ("<entity name='A'/>\n<entity name='A'/>", ["line 3", "two entities of the model are named “A”"]),
            ("<entity/>", ["line 2", "entity has no name"]),
            (
                "<entity name='A'>\n<attribute name='x' attributeType='String'/>\n<relationship name='x' destinationEntity='A'/></entity>",
                ["line 4", "A.x", "twice"]
            ),
            (
                "<entity name='A'><attribute name='x' attributeType='String'/></entity>\n<entity name='B' parentEntity='A'>"
                    + "<attribute name='x' attributeType='String'/></entity>", ["line 3", "B.x", "inherited from “A”"]
            ),
            ("<entity name='A'><attribute attributeType='String'/></entity>", ["A: a property (attribute) has no name"]),
            ("<entity name='A'><attribute name='x' attributeType='Text'/></entity>", ["A.x", "“Text”"]),
            ("<entity name='A'><relationship name='r'/></entity>", ["A.r", "no destination entity"]),
            (
                "<entity name='A'>\n<relationship name='r' destinationEntity='Q'/></entity>",
                ["line 3", "A.r", "“Q” is not in the model"]
            ),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='s' inverseEntity='A'/></entity>",
                ["A.r", "“A.s” does not exist"]
            ),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='s' inverseEntity='C'/></entity>",
                ["A.r", "“C” of its inverse"]
            ),
            ("<entity name='A'><relationship name='r' destinationEntity='A' deletionRule='Burn'/></entity>", ["A.r", "“Burn”"]),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' maxCount='many'/></entity>",
                ["A.r", "maxCount “many”"]
            ),
            (
                "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint>"
                    + "</uniquenessConstraints></entity>", ["A: ", "“x”"]
            ),
            ("<entity name='A'/><configuration name='C'><memberEntity name='B'/></configuration>", ["“C”", "“B”"]),
            ("<configuration/>", ["configuration has no name"]),
            ("<entity name='A'><attribute name='x' attributeType='Composite' composite='P'/></entity>", ["A.x", "“P” is not"]),
            (
                "<entity name='A'><attribute name='x' attributeType='Composite' composite='P'/></entity>"
                    + "<composite name='P'><attribute name='y' attributeType='Composite' composite='P'/></composite>",
                ["A.x.y", "“P” contains itself"]
            ),
        ])
    func contradictions(body: String, fragments: [String]) {
        let error = error(Self.head + body + "\n</model>")
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 134060)
        for fragment in fragments { #expect(error.localizedDescription.contains(fragment), "\(error.localizedDescription)") }
    }

    @Test("All problems of a file are in one error, in the order of their lines")
    func several() throws {
        let body = "<entity name='A' parentEntity='Z'>\n<attribute name='x' attributeType='Text'/>\n</entity>\n<entity name='A'/>"
        let error = error(Self.head + body + "</model>")
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
        #expect(details.count == 3)
        #expect(details.map { $0.localizedDescription.contains("line 2") } == [true, false, false])
        let text = error.localizedDescription
        #expect(text.contains("3 problems"))
        let lines = try ["line 2", "line 3", "line 5"].map { try #require(text.range(of: $0)?.lowerBound) }
        #expect(lines == lines.sorted())
    }

    @Test("Composites that double at every level are refused")
    func compositeBomb() {
        var body = "<entity name='A'><attribute name='x' attributeType='Composite' composite='C0'/></entity>"
        for level in 0..<40 {
            let elements = ["a", "b"].map { "<attribute name='\($0)' attributeType='Composite' composite='C\(level + 1)'/>" }
                .joined()
            body += "<composite name='C\(level)'>\(elements)</composite>"
        }
        body += "<composite name='C40'/>"
        #expect(error(Self.head + body + "</model>").localizedDescription.contains("more than 100000 attributes"))
    }

    @Test(
        "Defaults that don't fit are reported with entity, attribute and text, and are nil",
        arguments: [
            ("Integer 16", "70000"), ("Integer 32", "1,5"), ("Integer 64", "many"), ("Double", "0x10"), ("Float", "1,0"),
            ("Decimal", "1.2.3"), ("Boolean", "maybe"), ("UUID", "empy"), ("Binary", "abc"), ("Transformable", "x"),
        ])
    func badDefaults(type: String, text: String) throws {
        let body = "<entity name='A'><attribute name='x' attributeType='\(type)' defaultValueString='\(text)'/></entity>"
        let model = try read(Self.head + body + "</model>")
        #expect(model.entitiesByName["A"]?.attributesByName["x"]?.defaultValue == nil)
        #expect(model.loadingIssues == ["line 2: A.x: the default “\(text)” does not fit the type \(type)"])
    }

    @Test("B44: missing files and folders, and a bundle without versions, are error 260")
    func missing() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "Empty.xcdatamodel/readme")
        try folder.write("", to: "Empty.xcdatamodeld/readme")
        for name in ["Nothing.xcdatamodeld", "Empty.xcdatamodel", "Empty.xcdatamodeld"] {
            let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: folder.file(name)) }
            #expect(error?.code == 260)
            #expect(error?.localizedDescription.contains(name) == true)
        }
        #expect(NSManagedObjectModel(contentsOf: folder.file("Nothing.xcdatamodeld")) == nil)
    }

    @Test("B44: one version without a mark is used; of two, the one named like the bundle, else both are named in an error")
    func ambiguousVersion() throws {
        let folder = try TemporaryFolder()
        let contents = Self.head + "<entity name='One'/></model>"
        try folder.write(contents, to: "M.xcdatamodeld/A.xcdatamodel/contents")
        #expect(try NSManagedObjectModel(readingModelAt: folder.file("M.xcdatamodeld")).entities.map(\.name) == ["One"])
        try folder.write(contents.replacingOccurrences(of: "One", with: "Two"), to: "M.xcdatamodeld/B.xcdatamodel/contents")
        let bundle = folder.file("M.xcdatamodeld")
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: bundle) }
        #expect(error?.code == 134060)
        #expect(error?.localizedDescription.contains("“A.xcdatamodel”, “B.xcdatamodel”") == true)
        try folder.write(contents.replacingOccurrences(of: "One", with: "Three"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
        #expect(try NSManagedObjectModel(readingModelAt: bundle).entities.map(\.name) == ["Three"])
        let mark = "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>B.xcdatamodel</string></dict></plist>"
        try folder.write(mark, to: "M.xcdatamodeld/.xccurrentversion")
        #expect(try NSManagedObjectModel(readingModelAt: bundle).entities.map(\.name) == ["Two"])
        try folder.write("nonsense", to: "M.xcdatamodeld/.xccurrentversion")
        #expect(#expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: bundle) }?.code == 259)
    }

    @Test("An archive that is cut off, and the copy for Apple's framework alone, are refused by name")
    func otherKinds() throws {
        let folder = try TemporaryFolder()
        try folder.write("bplist00", to: "M.mom")
        try folder.write("bplist00", to: "Old.xcdatamodel/elements")
        try folder.write("momv2$", to: "M.omo")
        let texts = [("M.mom", "not a keyed archive"), ("Old.xcdatamodel", "not a keyed archive"), ("M.omo", "give the .mom")]
        for (name, text) in texts {
            let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: folder.file(name)) }
            #expect(error?.localizedDescription.contains(text) == true)
        }
    }
}
