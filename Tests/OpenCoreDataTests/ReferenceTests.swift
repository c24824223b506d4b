import Foundation
import TestSupport
import Testing

@Suite("What the reference and the guides are made of")
struct ReferenceTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let articles = package.appendingPathComponent("Sources/OpenCoreData/Documentation.docc")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    private static func articleNames() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: articles.path)
        return Set(files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) })
    }

    @Test("R81: no guide hides the page of a type by its name, and every guide is in the list")
    func names() throws {
        let articles = try Self.articleNames().subtracting(["OpenCoreData"])
        #expect(articles.count > 15)
        let declaration = #/^ *(?:public|open) (?:final )?(?:class|struct|enum|protocol|actor|typealias) (\w+)/#
            .anchorsMatchLineEndings()
        var types: Set<Substring> = []
        for file in Fixtures.files(below: Self.package.appendingPathComponent("Sources"), where: { $0.hasSuffix(".swift") }) {
            types.formUnion(try String(contentsOf: file, encoding: .utf8).matches(of: declaration).map(\.1))
        }
        #expect(types.contains("NSManagedObject") && types.contains("FetchedResults"))
        #expect(articles.filter { types.contains($0[...]) } == [])
        let overview = try Self.text("Sources/OpenCoreData/Documentation.docc/OpenCoreData.md")
        #expect(articles.filter { !overview.contains("- <doc:\($0)>") } == [])
    }

    @Test("R81: the reference follows the modules that are re-exported, and every change makes it")
    func modules() throws {
        let script = try Self.text("scripts/reference")
        #expect(script.contains("scripts/symbol-graphs ") && script.contains("--warnings-as-errors"))
        #expect(try Self.text("scripts/symbol-graphs").contains("-experimental-allowed-reexported-modules="))
        #expect(try Self.text("Makefile").contains("\n\t@scripts/reference\n"))
        let exports = try Self.text("Sources/OpenCoreData/Exports.swift").matches(of: #/@_exported (?:public )?import (\w+)/#).map
        {
            String($0.1)
        }
        for module in ["ObjectGraph", "TypedObjects", "Predicates", "DataModel"] { #expect(exports.contains(module)) }
    }

    @Test("R82: the guides that newcomers need are there, and the packages of the guide are those that the script installs")
    func guides() throws {
        let wanted: Set = ["FirstSteps", "Importing", "BackgroundWork", "Errors", "Testing", "Installing", "BringingAModelLayer"]
        #expect(try wanted.subtracting(Self.articleNames()) == [])
        let installing = try Self.text("Sources/OpenCoreData/Documentation.docc/Installing.md")
        let script = try Self.text("scripts/install-sqlite-headers")
        for package in ["libsqlite3-dev", "sqlite-devel", "sqlite-dev"] {
            #expect(installing.contains("`\(package)`") && script.contains(package), "\(package)")
        }
        for topic in ["--static-swift-stdlib", "FROM swift:", "untested", "WAL"] {
            #expect(installing.contains(topic), "\(topic)")
        }
        // The versions are those of the manifest.
        let manifest = try Self.text("Package.swift")
        let tools = try #require(manifest.firstMatch(of: #/^// swift-tools-version: (\S+)/#)).1
        #expect(installing.contains("Swift \(tools) or newer"))
    }
}
