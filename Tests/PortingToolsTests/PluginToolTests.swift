import DataModel
import Foundation
import TestSupport
import Testing

@Suite("The programs behind the build tool plugins")
struct PluginToolTests {
    @Test("port-source writes the copy that is compiled, with every line where it was")
    func copies() throws {
        let folder = try TemporaryFolder()
        try folder.write("@objc(A)\nclass A {\n    let k = #keyPath(A.b)\n}\n", to: "A.swift")
        let source = folder.file("A.swift").path
        let outcome = try Tool.portSource.run(source, "Out/Deep/A-ported.swift", in: folder)
        #expect(outcome.status == 0 && outcome.errorText == "")
        #expect(
            try folder.text("Out/Deep/A-ported.swift")
                == "#sourceLocation(file: \"\(source)\", line: 1)\n\nclass A {\n    let k = \"b\"\n}\n")
    }

    @Test("port-source fails with the place of what it can't port, and writes nothing")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.write("class A {\n", to: "A.swift")
        try folder.write("extension A {\n    @NSManaged func f()\n}\n", to: "B.swift")
        try folder.write("let s = #selector(f)\n", to: "C.swift")
        #expect(
            try Tool.portSource.run("A.swift", "A2.swift", in: folder).errorText.hasPrefix("A.swift:1:10: error: expected '}'"))
        #expect(
            try Tool.portSource.run("B.swift", "B2.swift", in: folder).errorText.hasPrefix(
                "B.swift:2:21: error: @NSManaged needs"))
        #expect(
            try Tool.portSource.run("D.swift", "D2.swift", in: folder).errorText.hasPrefix(
                "D.swift: error: the source can't be read"))
        #expect(try Tool.portSource.run("A.swift", in: folder).errorText.hasPrefix("usage:"))
        for name in ["A2.swift", "B2.swift", "D2.swift"] {
            #expect(!FileManager.default.fileExists(atPath: folder.file(name).path))
        }
        // The compiler fails where the source is needed; here is the reason.
        let warned = try Tool.portSource.run("C.swift", "C2.swift", in: folder)
        #expect(warned.status == 0 && warned.errorText.hasPrefix("C.swift:1:9: warning: #selector needs Objective-C"))
    }

    private static func model(_ entity: String) -> String {
        "<model type=\"com.apple.IDECoreDataModeler.DataModel\"><entity name=\"\(entity)\"/></model>"
    }

    private static func current(_ name: String) -> String {
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>"
    }

    @Test("compile-model makes a .momd that is read like its model: the current version, and each one by itself")
    func momd() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.model("One"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
        try folder.write(Self.model("Two"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
        try folder.write(Self.current("M 2.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
        let outcome = try Tool.compileModel.run("M.xcdatamodeld", "Out/M.momd", in: folder)
        #expect(outcome.status == 0 && outcome.errorText == "")
        func entities(_ name: String) throws -> [String] {
            try NSManagedObjectModel(readingModelAt: folder.file("Out/\(name)")).entities.compactMap(\.name)
        }
        #expect(try entities("M.momd") == ["Two"] && entities("M.momd/M.mom") == ["One"] && entities("M.momd/M 2.mom") == ["Two"])
        let bundle = try #require(Bundle(path: folder.file("Out").path))
        let found = try #require(bundle.url(forResource: "M", withExtension: "momd"))
        #expect(NSManagedObjectModel(contentsOf: found)?.entities.map(\.name) == ["Two"])
        #expect(bundle.url(forResource: "M", withExtension: "mom", subdirectory: "M.momd") != nil)
        #expect(NSManagedObjectModel.mergedModel(from: [bundle])?.entities.map(\.name) == ["Two"])
        // B45: an edited model is compiled anew, with nothing left of what is gone.
        try FileManager.default.removeItem(at: folder.file("M.xcdatamodeld/M.xcdatamodel"))
        try folder.write(Self.model("Three"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
        try FileManager.default.removeItem(at: folder.file("M.xcdatamodeld/.xccurrentversion"))
        #expect(try Tool.compileModel.run("M.xcdatamodeld", "Out/M.momd", in: folder).status == 0)
        #expect(try entities("M.momd") == ["Three"])
        #expect(!FileManager.default.fileExists(atPath: folder.file("Out/M.momd/M.mom").path))
    }

    @Test("Without a mark the version named like the model is current, as among the sources")
    func unmarked() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.model("One"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
        try folder.write(Self.model("Two"), to: "M.xcdatamodeld/A.xcdatamodel/contents")
        #expect(try Tool.compileModel.run("M.xcdatamodeld", "M.momd", in: folder).status == 0)
        #expect(try NSManagedObjectModel(readingModelAt: folder.file("M.momd")).entities.map(\.name) == ["One"])
        try FileManager.default.removeItem(at: folder.file("M.momd/M.mom"))
        try FileManager.default.removeItem(at: folder.file("M.momd/VersionInfo.plist"))
        try folder.write(Self.model("Three"), to: "M.momd/B.mom")
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: folder.file("M.momd")) }
        #expect(error?.localizedDescription.contains("no version of “A.mom”, “B.mom” is marked as the current one") == true)
    }

    @Test("A model by itself becomes a .mom")
    func mom() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.model("One"), to: "M.xcdatamodel/contents")
        #expect(try Tool.compileModel.run("M.xcdatamodel", "M.mom", in: folder).status == 0)
        #expect(try NSManagedObjectModel(readingModelAt: folder.file("M.mom")).entities.map(\.name) == ["One"])
        let bundle = try #require(Bundle(path: folder.url.path))
        #expect(NSManagedObjectModel.mergedModel(from: [bundle])?.entities.map(\.name) == ["One"])
    }

    @Test("Models that can't be read fail with their path and the reason; an old version that can't be read is left out")
    func badModels() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "Empty.xcdatamodeld/.xccurrentversion")
        try folder.write(Self.model("One"), to: "Gone.xcdatamodeld/A.xcdatamodel/contents")
        try folder.write(Self.current("B.xcdatamodel"), to: "Gone.xcdatamodeld/.xccurrentversion")
        try folder.write("bplist00", to: "Old.xcdatamodeld/A.xcdatamodel/elements")
        try folder.write(Self.model("One"), to: "Mark.xcdatamodeld/A.xcdatamodel/contents")
        try folder.write("nonsense", to: "Mark.xcdatamodeld/.xccurrentversion")
        for (name, reason) in [
            ("Empty", ".xccurrentversion” can't be read: it is not a property list"),
            ("Gone", "its current version “B.xcdatamodel” is not in the folder"),
            ("Old", "it is not a keyed archive"), ("Mark", ".xccurrentversion” can't be read: it is not a property list"),
            ("None", "there is no such folder"),
        ] {
            let outcome = try Tool.compileModel.run("\(name).xcdatamodeld", "Out/\(name).momd", in: folder)
            #expect(outcome.status == 1 && outcome.errorText.contains("\(name).xcdatamodeld: error: "), "\(outcome.errorText)")
            #expect(outcome.errorText.contains(reason), "\(outcome.errorText)")
        }
        try folder.write(Self.model("One"), to: "Old.xcdatamodeld/Old.xcdatamodel/contents")
        let outcome = try Tool.compileModel.run("Old.xcdatamodeld", "Old.momd", in: folder)
        #expect(
            outcome.status == 0 && outcome.errorText.contains("A.xcdatamodel: warning: "))
        #expect(try NSManagedObjectModel(readingModelAt: folder.file("Old.momd")).entities.map(\.name) == ["One"])
    }

    @Test("A model with something that compiled models are not known to hold is taken as it is, with a warning")
    func uncompilable() throws {
        let folder = try TemporaryFolder()
        let request = "<fetchRequest name=\"R\" entity=\"One\" predicateString=\"SUBQUERY(a, $x, $x.b == 1).@count > 0\"/>"
        let text = Self.model("One").replacingOccurrences(of: "</model>", with: request + "</model>")
        try folder.write(text, to: "M.xcdatamodel/contents")
        let outcome = try Tool.compileModel.run("M.xcdatamodel", "M.mom", in: folder)
        #expect(outcome.status == 0 && outcome.errorText.contains("M.xcdatamodel: warning: "))
        #expect(outcome.errorText.contains("the fetch request “R”") && outcome.errorText.contains("SUBQUERY"))
        #expect(try folder.text("M.mom") == text)
        #expect(try NSManagedObjectModel(readingModelAt: folder.file("M.mom")).entities.map(\.name) == ["One"])
    }
}
