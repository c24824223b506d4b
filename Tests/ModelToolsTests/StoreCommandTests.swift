import DataModel
import Foundation
import ModelTools
import ObjectGraph
import TestSupport
import Testing

@MainActor struct StoreCommandTests {
    let cinema: Cinema

    init() throws { cinema = try Cinema() }

    private var path: String { cinema.store.path }

    @Test("info tells what a store is")
    func info() throws {
        let (status, output) = Recorder.run("info", path)
        #expect(status == .success, "\(output.remarks)")
        #expect(output.text.contains("Director"))
        let row = try #require(output.lines.first { $0.hasPrefix("Movie") })
        #expect(row.split(separator: " ")[1] == "3")
        let json = try JSONReader.read(Recorder.run("info", path, "--json").output.text)
        guard case .object(let members) = json, case .array(let entities)? = members["entities"] else {
            Issue.record("\(json)")
            return
        }
        #expect(entities.count == 2)
        #expect(members["hasHistory"] == .bool(false))
    }

    @Test("show prints objects as a table, related ones by their titles")
    func show() {
        let (status, output) = Recorder.run(
            "show", path, "Movie", "--sort", "-minutes", "--columns", "title,minutes,director.name,seen,sequels,poster")
        #expect(status == .success, "\(output.remarks)")
        #expect(
            output.lines == [
                "id  title                 minutes  director.name   seen                      sequels                      poster",
                "p1  Ran                       162  Akira Kurosawa  2022-02-21T01:48:24.698Z  Tokyo\\u{202E}Story\\n, Ikiru",
                "p2  Ikiru                     143  Akira Kurosawa                                                         3 bytes",
                "p3  Tokyo\\u{202E}Story\\n      136  小津 安二郎",
            ])
    }

    @Test("show takes conditions and limits, and tells what it left out")
    func conditions() throws {
        let (status, output) = Recorder.run(
            "show", path, "Movie", "--where", "director.name BEGINSWITH 'A'", "--limit", "1", "--json", "--columns",
            "title,director")
        #expect(status == .success)
        #expect(
            try JSONReader.read(output.text)
                == .array([.object(["$id": .string("Movie/p1"), "title": .string("Ran"), "director": .string("Director/p1")])]))
        #expect(Recorder.run("show", path, "Movie", "--limit", "1").output.remarkText.contains("1 of 3 objects"))
    }

    @Test("A wrong predicate has a caret, a wrong name its nearest one")
    func mistakes() {
        let caret = Recorder.run("show", path, "Movie", "--where", "minutes > ")
        #expect(caret.status == .failure)
        #expect(
            caret.output.remarkText.contains("\n             ^") || caret.output.remarkText.contains("^"),
            "\(caret.output.remarks)")
        #expect(Recorder.run("show", path, "Movi").output.remarkText.contains("did you mean “Movie”?"))
        #expect(Recorder.run("show", path, "Movie", "--columns", "titel").output.remarkText.contains("did you mean “title”?"))
        #expect(Recorder.run("show", path, "Movie", "--sort", "director").output.remarkText.contains("not a stored attribute"))
        let unknown = Recorder.run("show", path, "Movie", "--where", "titel == 'x'")
        #expect(unknown.status == .failure)
        #expect(unknown.output.remarkText.contains("title"), "\(unknown.output.remarks)")
        #expect(Recorder.run("object", path, "Movie/p99").output.remarkText.contains("there is no object Movie/p99"))
        #expect(Recorder.run("object", path, "Moive/p1").output.remarkText.contains("did you mean “Movie”?"))
        #expect(Recorder.run("info", cinema.folder.file("none").path).output.remarkText.contains("there is no file"))
        #expect(Recorder.run("info", cinema.model.path).output.remarkText.contains("is not an SQLite store"))
    }

    @Test("object shows one object with everything around it")
    func object() {
        let (status, output) = Recorder.run("object", path, "Movie/p1")
        #expect(status == .success, "\(output.remarks)")
        #expect(output.lines.first == "Movie: Ran")
        #expect(output.lines.contains("director  → Director"))
        #expect(output.lines.contains("            Director/p1  Akira Kurosawa"))
        #expect(output.lines.contains("sequels   → 2 of Movie"))
        #expect(output.lines[1].hasPrefix("x-coredata://"))
        #expect(Recorder.run("object", path, output.lines[1]).output.text == output.text)
    }

    @Test("query counts and computes, and explains how")
    func query() throws {
        func rows(_ query: String) throws -> JSONValue {
            let (status, output) = Recorder.run("query", path, query, "--json")
            #expect(status == .success, "\(output.remarks)")
            return try JSONReader.read(output.text)
        }
        #expect(try rows("Movie where minutes > 140") == .array([.object(["count": .integer(2)])]))
        #expect(
            try rows("Movie group by director.name select count, avg(minutes), max(rating)")
                == .array([
                    .object([
                        "director.name": .string("Akira Kurosawa"), "count": .integer(2), "avg(minutes)": .real(152.5),
                        "max(rating)": .real(8.2),
                    ]),
                    .object([
                        "director.name": .string("小津 安二郎"), "count": .integer(1), "avg(minutes)": .real(136),
                        "max(rating)": .real(0.1),
                    ]),
                ]))
        #expect(
            try rows("Movie select sum(minutes), min(title)")
                == .array([.object(["sum(minutes)": .integer(441), "min(title)": .string("Ikiru")])]))
        let (status, output) = Recorder.run("query", path, "Movie where minutes > 140", "--explain")
        #expect(status == .success)
        #expect(output.text.contains("SELECT") && output.text.contains("SCAN"), "\(output.text)")
        #expect(Recorder.run("query", path, "Movie select sum(title)").output.remarkText.contains("not a number"))
    }

    @Test("export and import are inverse, and the exact values come back")
    func roundTrip() throws {
        let json = cinema.folder.file("a.json").path
        let copy = cinema.folder.file("Copy.sqlite").path
        #expect(Recorder.run("export", path, "--output", json).status == .success)
        let imported = Recorder.run("import", json, copy)
        #expect(imported.status == .success, "\(imported.output.remarks)")
        let text = try String(contentsOfFile: json, encoding: .utf8)
        #expect(Recorder.run("export", copy).output.text + "\n" == text)
        #expect(text.contains("2022-02-21T01:48:24.697671Z") && text.contains(#""rating": 0.1"#))
        let hashes = try [path, copy].map {
            try NSManagedObjectModel(cachedInStoreAt: URL(fileURLWithPath: $0)).entityVersionHashesByName
        }
        #expect(hashes[0] == hashes[1])
        #expect(Recorder.run("model", copy, "--diff", cinema.model.path).status == .success)
        #expect(Recorder.run("doctor", copy).output.text == "5 objects checked: nothing is wrong")
        #expect(Recorder.run("import", json, copy).output.remarkText.contains("exists already"))
    }

    @Test("A wrong import leaves no store behind")
    func wrongImport() throws {
        let json = cinema.folder.file("a.json").path
        #expect(Recorder.run("export", path, "--output", json).status == .success)
        let text = try String(contentsOfFile: json, encoding: .utf8)
        for (old, new, reason) in [
            ("\"director\": \"Director/1\"", "\"director\": \"Director/9\"", "which is not there"),
            ("\"director\": \"Director/1\"", "\"director\": \"Movie/1\"", "another entity"),
            ("\"minutes\": 162", "\"minutes\": 99999999999", "not a value of the type Integer 32"),
            ("\"minutes\": 162", "\"minuts\": 162", "has no property"),
            ("coredata-export 1", "other", "not written by coredata export"),
        ] {
            let file = try cinema.folder.write(text.replacing(old, with: new), to: "wrong.json").path
            let target = cinema.folder.file("Wrong.sqlite").path
            let (status, output) = Recorder.run("import", file, target)
            #expect(status == .failure)
            #expect(output.remarkText.contains(reason), "\(output.remarks)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test("CSV quotes what needs it")
    func csv() throws {
        let (status, output) = Recorder.run("export", path, "--to", "csv", "--entity", "Movie")
        #expect(status == .success)
        #expect(output.text.hasPrefix("$id,director,minutes,poster,rating,seen,sequelOf,sequels,tags,title\r\n"))
        #expect(output.text.contains("Movie/1,Director/1,162,,8.2,2022-02-21T01:48:24.697671Z,,Movie/3 Movie/2,,Ran\r\n"))
        #expect(output.text.contains("\"Tokyo\u{202E}Story\n\""))
        let folder = cinema.folder.file("csv").path
        #expect(Recorder.run("export", path, "--to", "csv", "--output", folder).status == .success)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["Director.csv", "Movie.csv"])
        #expect(Recorder.run("export", path, "--to", "csv").status == .usage)
    }

    @Test("B46: rows that are only in the log are shown and copied")
    func log() throws {
        let (coordinator, context) = try cinema.open()
        let director = NSEntityDescription.insertNewObject(forEntityName: "Director", into: context)
        director.setValue("Yasuzō Masumura", forKey: "name")
        try context.save()
        #expect(Recorder.run("info", path).output.text.contains("changes are still in the -wal file"))
        #expect(Recorder.run("query", path, "Director").output.lines.last == "    3")
        let copy = cinema.folder.file("Copy.sqlite").path
        #expect(Recorder.run("copy", path, copy).status == .success)
        #expect(Recorder.run("query", copy, "Director").output.lines.last == "    3")
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @Test("B48: a model that does not belong to the store is refused with what differs")
    func wrongModel() throws {
        let other = Cinema.contents.replacing(
            "name=\"minutes\" attributeType", with: "name=\"minutes\" optional=\"YES\" attributeType"
        )
        .replacing("name=\"rating\"", with: "name=\"stars\"")
        try cinema.folder.write(other, to: "Other.xcdatamodel/contents")
        let (status, output) = Recorder.run("show", path, "Movie", "--model", cinema.folder.file("Other.xcdatamodel").path)
        #expect(status == .failure)
        #expect(output.remarkText.contains("stars") && output.remarkText.contains("rating"), "\(output.remarks)")
        #expect(!output.remarkText.contains("Director:"))
        #expect(Recorder.run("show", path, "Movie", "--model", cinema.model.path).status == .success)
    }

    @Test("doctor finds damage: a missing value, a relationship to nothing")
    func doctor() throws {
        #expect(Recorder.run("doctor", path).status == .success)
        try Database(cinema.store).execute("UPDATE ZMOVIE SET ZDIRECTOR = 77, ZTITLE = NULL WHERE Z_PK = 2")
        let (status, output) = Recorder.run("doctor", path)
        #expect(status == .findings)
        #expect(output.lines.contains("Movie/p2.director: leads to Director/p77, which does not exist"), "\(output.lines)")
        #expect(output.lines.contains("Movie/p2.title: the value is required and missing"))
        let export = Recorder.run("export", path)
        #expect(export.output.remarkText.contains("1 relationships lead to objects that are not there"))
    }

    @Test("A store is not written to by commands that read")
    func readsOnly() throws {
        let before = try Data(contentsOf: cinema.store)
        for arguments in [
            ["info", path], ["show", path, "Movie"], ["object", path, "Movie/p1"], ["query", path, "Movie"], ["export", path],
            ["model", path], ["doctor", path],
        ] {
            #expect(Tool.run(arguments, Recorder()) == .success)
        }
        #expect(try Data(contentsOf: cinema.store) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: cinema.folder.url.path).sorted() == [
                "Cinema.sqlite", "Cinema.xcdatamodel",
            ])
    }
}
