import Foundation
import TestSupport
import Testing

@Suite("The command coredata-port")
struct PortCommandTests {
    private static let movie = """
        import CoreData

        @objc(Movie)
        public class Movie: NSManagedObject {
            @NSManaged public var title: String?
        }

        """
    private static let ported = """
        import CoreData

        public class Movie: NSManagedObject {
            @Managed public var title: String?
        }

        """

    private func app() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.movie, to: "Sources/App/Movie.swift")
        try folder.write("let answer = 42\n", to: "Sources/App/Answer.swift")
        try folder.write(Self.movie, to: "Sources/App/.build/Movie.swift")
        return folder
    }

    @Test("edits files in place, says which, and has nothing to do the second time")
    func edits() throws {
        let folder = try app()
        let first = try Tool.port.run("Sources", in: folder)
        #expect(first.status == 0 && first.errorText == "")
        #expect(first.text == "Sources/App/Movie.swift: 2 changes\n1 of 2 files changed\n")
        #expect(try folder.text("Sources/App/Movie.swift") == Self.ported)
        #expect(try folder.text("Sources/App/.build/Movie.swift") == Self.movie)
        #expect(try Tool.port.run("Sources/App/Movie.swift", in: folder).text == "0 of 1 file changed\n")
    }

    @Test("leaves links and permissions as they are")
    func links() throws {
        let folder = try app()
        let manager = FileManager.default
        let source = folder.file("Sources/App/Movie.swift").path
        let link = folder.file("Link.swift").path
        try manager.createSymbolicLink(atPath: link, withDestinationPath: "Sources/App/Movie.swift")
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: source)
        #expect(try Tool.port.run("Link.swift", in: folder).text == "Link.swift: 2 changes\n1 of 1 file changed\n")
        #expect(try manager.destinationOfSymbolicLink(atPath: link) == "Sources/App/Movie.swift")
        #expect(try folder.text("Sources/App/Movie.swift") == Self.ported)
        #expect(try manager.attributesOfItem(atPath: source)[.posixPermissions] as? Int == 0o640)
    }

    @Test("shows a difference that patch takes, and changes nothing")
    func dryRun() throws {
        let folder = try app()
        let shown = try Tool.port.run("--dry-run", "Sources", in: folder)
        #expect(
            shown.text == """
                --- Sources/App/Movie.swift
                +++ Sources/App/Movie.swift
                @@ -1,6 +1,5 @@
                 import CoreData
                \u{20}
                -@objc(Movie)
                 public class Movie: NSManagedObject {
                -    @NSManaged public var title: String?
                +    @Managed public var title: String?
                 }

                """)
        #expect(try folder.text("Sources/App/Movie.swift") == Self.movie)
    }

    @Test("differences of several places, with no line end at the end", .enabled(if: Self.hasPatch))
    func differences() throws {
        let folder = try TemporaryFolder()
        var lines = (1...60).map { "let a\($0) = \($0)" }
        for index in [0, 9, 10, 17, 40, 59] { lines[index] = "@objc class A\(index) {}" }
        lines[30] = "@objc\nclass B {}"
        let source = lines.joined(separator: "\n")
        try folder.write(source, to: "A.swift")
        let difference = try Tool.port.run("--dry-run", "A.swift", in: folder).text
        try folder.write(difference, to: "a.diff")
        let patched = try runProcess("patch", ["-i", "a.diff", "A.swift"], folder: folder.url)
        #expect(patched.status == 0, "\(patched.text)\(difference)")
        let result = try folder.text("A.swift")
        #expect(result == source.replacing("@objc\n", with: "").replacing("@objc ", with: ""))
    }

    private static let hasPatch = (try? runProcess("patch", ["--version"]))?.status == 0

    @Test("reports what sources need, by count")
    func check() throws {
        let folder = try app()
        let spotlight = "import Combine\nlet m = NSCoreDataCoreSpotlightDelegate()\nlet n: NSCoreDataCoreSpotlightDelegate?\n"
        try folder.write(spotlight, to: "Sources/App/Search.swift")
        try folder.write("let s = #selector(f)\n", to: "Sources/App/Hand.swift")
        let report = try Tool.port.run("--check", "Sources", in: folder)
        #expect(
            report.text == """
                4 files
                     1  build as they are
                     1  need edits that coredata-port makes
                     1  need a look by hand: see the messages
                     1  use what is missing here

                Edits:
                     1  @objc and @objcMembers removed
                     1  @NSManaged var → @Managed var

                Missing:
                     2  Spotlight, first in Sources/App/Search.swift:2
                     1  module Combine, first in Sources/App/Search.swift:1

                """)
        #expect(report.errorText.hasPrefix("Sources/App/Hand.swift:1:9: warning: #selector needs Objective-C"))
        #expect(report.status == 0 && report.errorText.split(separator: "\n").count == 1)
        #expect(try folder.text("Sources/App/Movie.swift") == Self.movie)
    }

    @Test("what can't be read or done is told with its place, the rest is done")
    func failures() throws {
        let folder = try app()
        try folder.write("@objc class A {\n", to: "Sources/App/Broken.swift")
        try folder.write("", to: "Sources/App/Latin.swift")
        try Data([0x2f, 0x2f, 0xe9, 0x0a]).write(to: folder.file("Sources/App/Latin.swift"))
        let outcome = try Tool.port.run("Sources", in: folder)
        #expect(outcome.status == 1 && outcome.text.hasSuffix("1 of 3 files changed\n"))
        #expect(outcome.errorText.contains("Sources/App/Broken.swift:1:16: error: expected '}' to end class"))
        #expect(outcome.errorText.contains("Sources/App/Latin.swift:1:1: error: the source is not UTF-8 text"))
        #expect(try folder.text("Sources/App/Broken.swift") == "@objc class A {\n")
        #expect(try Tool.port.run("--check", "Sources", in: folder).text.contains("     1  can't be read\n"))
        #expect(try Tool.port.run("Nowhere", in: folder).errorText.contains("Nowhere: there is no such file or folder"))
    }

    @Test("tells how it is used", arguments: [["--dry-run", "--check", "A"], [], ["--model"], ["--what", "A"]])
    func usage(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let program = Bundle.main.bundleURL.appendingPathComponent(Tool.port.rawValue).path
        let outcome = try runProcess(program, arguments, folder: folder.url)
        #expect(outcome.status == 2 && outcome.errorText.contains("usage: coredata-port [--dry-run | --check]"))
        #expect(try Tool.port.run("--help", in: folder).text.hasPrefix("usage: coredata-port"))
    }

    @Test("compares classes with a model: missing properties and relationships, contradicting types, classes elsewhere")
    func models() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Movie" representedClassName="App.Movie">
                    <attribute name="title" attributeType="String"/>
                    <attribute name="length" attributeType="Integer 32"/>
                    <attribute name="seen" attributeType="Boolean"/>
                    <attribute name="made" attributeType="Date"/>
                    <attribute name="poster" attributeType="Transformable"/>
                    <relationship name="actors" toMany="YES" destinationEntity="Actor" inverseName="movies" inverseEntity="Actor"/>
                    <relationship name="director" maxCount="1" destinationEntity="Actor"/>
                </entity>
                <entity name="Actor" representedClassName="Actor">
                    <relationship name="movies" toMany="YES" ordered="YES" destinationEntity="Movie" inverseName="actors" inverseEntity="Movie"/>
                </entity>
                <entity name="Ghost" representedClassName="Ghost"/>
                <entity name="Plain"/>
            </model>
            """, to: "Cinema.xcdatamodel/contents")
        try folder.write(
            """
            class Movie: NSManagedObject {
                @NSManaged var title: Int16
                @NSManaged var length: Int64
                @NSManaged var seen: String?
                @NSManaged var made: TimeInterval
                @NSManaged var poster: Poster?
                @NSManaged var genre: String?
                @NSManaged var director: Set<Actor>
                @NSManaged private var primitiveTitle: String?
            }
            extension Movie {
                @NSManaged func addToActors(_ value: Actor)
                @NSManaged func addToWriters(_ value: Actor)
                @NSManaged func removeFromActors(at index: Int)
            }
            """, to: "Sources/Model/Movie.swift")
        try folder.write("class Actor: NSManagedObject { @NSManaged var movies: NSSet? }\n", to: "Sources/Model/Actor.swift")
        try folder.write("extension Actor { @NSManaged var age: Int16 }\n", to: "Sources/App/Actor+More.swift")
        let outcome = try Tool.port.run("--check", "--model", "Cinema.xcdatamodel", "Sources", in: folder)
        let expected = [
            "Cinema.xcdatamodel: warning: the class Ghost of the entity Ghost is not in the files: if Xcode generates it, write it out (Editor > Create NSManagedObject Subclass)",
            "Sources/App/Actor+More.swift:1:11: warning: the class Actor is in Sources/Model/Actor.swift, which belongs to another module; its managed properties must be in the module of the class",
            "Sources/App/Actor+More.swift:1:34: warning: Actor.age: the entity Actor has no property age",
            "Sources/Model/Actor.swift:1:47: warning: Actor.movies is declared as NSSet?, but Actor.movies is an ordered to-many relationship",
            "Sources/Model/Movie.swift:1:7: warning: the class Movie is in the module Model, but the entity Movie says App.Movie",
            "Sources/Model/Movie.swift:2:20: warning: Movie.title is declared as Int16, but Movie.title is an attribute of the type String",
            "Sources/Model/Movie.swift:4:20: warning: Movie.seen is declared as String?, but Movie.seen is an attribute of the type Boolean",
            "Sources/Model/Movie.swift:7:20: warning: Movie.genre: the entity Movie has no property genre",
            "Sources/Model/Movie.swift:8:20: warning: Movie.director is declared as Set<Actor>, but Movie.director is a relationship to one object",
            "Sources/Model/Movie.swift:13:5: warning: this accessor does not fit: the entity Movie has no relationship writers",
            "Sources/Model/Movie.swift:14:5: warning: this accessor does not fit: the relationship Movie.actors is not ordered",
        ]
        #expect(outcome.errorText.split(separator: "\n").map(String.init).sorted() == expected.sorted())
        #expect(outcome.status == 0)
        let missing = try Tool.port.run("--check", "--model", "Nothing.xcdatamodel", "Sources", in: folder)
        #expect(missing.status == 1 && missing.errorText.contains("Nothing.xcdatamodel: error: "))
    }
}
