import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite("The articles about typed objects")
struct DocumentationTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let articles = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/OpenCoreData/Documentation.docc")

    private static func lines(_ url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// First lines of blocks that are not compiled here: the old form, another library's, a mistake, or a package's manifest.
    private static let foreign = ["// Before", "// With ", "// Wrong", "// Package.swift", "// swift-tools-version"]

    /// What code has in a file of its own, and not among the examples, which are nested in a type.
    private static func nested(_ lines: [String]) -> [String] {
        let lines = lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") && $0 != "@main" }
        return lines.drop { $0.isEmpty }.map { $0.replacingOccurrences(of: "static ", with: "") }
    }

    /// The Swift code of an article, block by block.
    private static func blocks(_ article: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var open: [String]?
        for line in try lines(articles.appendingPathComponent(article + ".md")) {
            if line == "```swift" {
                open = []
            } else if line == "```", let block = open {
                let isOurs = block.first.map { first in !foreign.contains { first.hasPrefix($0) } } ?? false
                if isOurs { blocks.append(nested(block)) }
                open = nil
            } else {
                open?.append(line)
            }
        }
        return blocks
    }

    @Test(
        "R82: their code is compiled: each block stands in the file of examples",
        arguments: [
            ("StrongTypes", "StrongTypesExamples"), ("FromNSManagedToEntity", "PortingExamples"),
            ("FromOtherLibraries", "OtherLibrariesExamples"),
            ("ObservingChanges", "ObservingExamples"), ("FirstSteps", "FirstStepsExamples"), ("Importing", "ImportingExamples"),
            ("BackgroundWork", "BackgroundExamples"), ("Errors", "ErrorExamples"), ("Testing", "TestingExamples"),
            ("WritingAStore", "WritingAStoreExamples"), ("ChangingTheModel", "ChangingTheModelExamples"),
        ])
    func compiled(article: String, examples: String) throws {
        let source = Self.nested(try Self.lines(Self.folder.appendingPathComponent(examples + ".swift"))).joined(separator: "\n")
        let blocks = try Self.blocks(article)
        #expect(blocks.count >= 4)
        for block in blocks { #expect(source.contains(block.joined(separator: "\n")), "\(block.joined(separator: "\n"))") }
    }

    @Test("the README's table of complaints: the code of its last column is compiled, piece by piece")
    func complaints() throws {
        let package = Self.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = try Self.lines(Self.folder.appendingPathComponent("ComplaintExamples.swift")).joined(separator: "\n")
        let lines = try Self.lines(package.appendingPathComponent("README.md"))
        let start = try #require(lines.firstIndex { $0.hasPrefix("| with Core Data |") })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(rows.count == 10)
        for row in rows {
            let cell = try #require(row.components(separatedBy: " | ").last)
            let pieces = cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(!pieces.isEmpty, "\(row)")
            for piece in pieces { #expect(source.contains(piece), "\(piece)") }
        }
    }

    @Test("the examples for those who come from other libraries do what they should")
    func otherLibraries() async throws {
        typealias Examples = OtherLibrariesExamples
        let container = try NSPersistentContainer(name: "Films", entities: Examples.Director.self, Examples.Film.self)
        let folder = try TemporaryFolder()
        let store = try TestStore(container, at: folder.file("films.sqlite"))
        try await Examples.background(in: container)
        try store.run { (context: NSManagedObjectContext) throws in
            var log: [String] = []
            let observation = Examples.watch(context) { log.append($0) }
            let film = try #require(try Examples.swiftData(in: context).first)
            #expect(film.director?.name == "Akira Kurosawa")
            let found = try Examples.coreStore(in: context)
            #expect(found.films == [film] && found.minutes == 162)
            film.minutes = 1
            try Examples.grdb(film.typedID, in: context)
            #expect(film.minutes == 162)
            #expect(try Examples.values(in: context).map(\.0) == ["Ran"])
            _ = Examples.Film(context: context, title: "Ikiru")
            context.processPendingChanges()
            #expect(log == ["new: Ikiru"])
            observation.cancel()
        }
    }

    @Test("the examples of “Strong types” do what the text says")
    func strongTypes() throws {
        let container = try StrongTypesExamples.makeContainer()
        #expect(StrongTypesExamples.check(container.managedObjectModel) == [])
        let folder = try TemporaryFolder()
        let store = try TestStore(container, at: folder.file("films.sqlite"))
        let log = try store.run { (context: NSManagedObjectContext) throws in
            var log: [String] = []
            // One context stands for both here: `ManagedObjectIDTests` has two.
            try StrongTypesExamples.run(in: context, and: context) { log.append($0) }
            return log
        }
        #expect(log.first == "Ran, Ran")
        #expect(log.dropFirst().first == "0 1 162 -1.0 1")
        #expect(log[2] == "[\"Ran\"] 162 [\"Akira Kurosawa\"]" && log[3] == "0")
        #expect(log[4].hasPrefix("Film.genre is “musical”, which is not a Genre, in <x-coredata://"))
        #expect(log.suffix(2) == ["Ran", "Ran"])
        #expect(throws: Never.self) {
            try NSManagedObjectModel(
                StrongTypesExamples.Cinema.self, StrongTypesExamples.Ticket.self, StrongTypesExamples.Actor.self,
                StrongTypesExamples.Role.self)
        }
    }

    @Test("the examples of the port make a model, and find what they should")
    func port() throws {
        let container = try NSPersistentContainer(
            name: "Port", entities: PortingExamples.Reel.self, PortingExamples.Folder.self, PortingExamples.User.self,
            PortingExamples.File.self, PortingExamples.Message.self, PortingExamples.Sender.self, PortingExamples.Track.self)
        try TestStore(container).run { (context: NSManagedObjectContext) throws in
            let reel = PortingExamples.Reel(context: context, duration: 3)
            #expect(reel.userRating == nil && reel.value(forKey: "cd_duration") as? Int32 == 3)
            let folder = PortingExamples.Folder(context: context, owner: PortingExamples.User(context: context))
            let file = PortingExamples.File(context: context)
            folder.files.insert(file)
            #expect(file.folder === folder)
            let sender = PortingExamples.Sender(context: context)
            #expect(PortingExamples.Message(context: context, sender: sender).sender === sender)
            let track = PortingExamples.Track(context: context, genre: .drama, tags: ["a"])
            _ = PortingExamples.Track(context: context, genre: .comedy)
            try context.save()
            let dramas = try PortingExamples.dramas(in: context)
            #expect(dramas == [track])
        }
    }

    @Test("the examples of “Observing changes” tell what the text says")
    func observing() async throws {
        typealias Examples = ObservingExamples
        let store = try TestStore(NSPersistentContainer(name: "Films", entities: Examples.Director.self, Examples.Film.self))
        let lines = Mutex<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        try store.run { context in
            context.tracksObservation = true
            let kurosawa = Examples.Director(context: context, name: "Kurosawa")
            let ran = Examples.Film(context: context, title: "Ran", year: 1985, director: kurosawa)
            try context.save()
            let observations = Examples.observe(ran, kurosawa, in: store.container, context, log: log)
            let token = Examples.readNotifications(of: context) { log("notified, \($0)") }
            let live = try Examples.follow(in: context, log: log)
            Examples.track(ran) {
                log("shown: \($0)")
            } needsDisplay: {
                log("needs display")
            }
            context.transactionAuthor = "tester"
            ran.title = "乱"
            ran.year = 1950
            try context.save()
            kurosawa.name = "Akira Kurosawa"
            ran.rating = 8.5
            context.processPendingChanges()
            withExtendedLifetime((observations, live)) { NotificationCenter.default.removeObserver(token) }
        }
        #expect(
            Set(lines.withLock { $0 }) == [
                "notified, changed: 乱", "needs display", "tester saved 0 new films", "shown: Ran", "changed: 乱",
                "Ran → 乱, changed: [\"title\", \"year\"]", "a film of Kurosawa",
                "old films: +1 -0", "updated: Ran → 乱", "saved: 0 new, 1 changed, 0 gone", "1 films more, 1 in all",
                "directors of 1 films",
                "1 good films more", "old films: +0 -0", "0 films more, 1 in all",
            ])
        let importer = Examples.Importer(container: store.container)
        #expect(try await importer.add(["Dreams", "Madadayo"]).count == 2)
    }
}
