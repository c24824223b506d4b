import Foundation
import TestSupport
import Testing

@Suite("The article “Bringing an app's model layer to Linux”")
struct ArticleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let article = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/OpenCoreData/Documentation.docc/BringingAModelLayer.md")

    private static func lines(_ url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The Swift code of the article, block by block.
    private static func blocks() throws -> [[String]] {
        var blocks: [[String]] = []
        var open: [String]?
        for line in try lines(article) {
            if line == "```swift" {
                open = []
            } else if line == "```", let block = open {
                blocks.append(block)
                open = nil
            } else {
                open?.append(line)
            }
        }
        return blocks
    }

    @Test("Its code is compiled: each block stands in a source that is ported, or in a test")
    func code() throws {
        let files = ["PortedModelTests.swift", "Model/PortedMovie.swift"]
        // Among the other tests' classes these have names of their own, for which lines may be broken elsewhere, with a comma more.
        func letters(_ lines: [String]) -> String {
            lines.joined().filter { !$0.isWhitespace && $0 != "," }.replacingOccurrences(of: "Ported", with: "")
        }
        let sources = try files.map { letters(try Self.lines(Self.folder.appendingPathComponent($0))) }
        let code = try Self.blocks().filter { $0.first != "// swift-tools-version: 6.2" }
        #expect(code.count == 3)
        for block in code { #expect(sources.contains { $0.contains(letters(block)) }, "\(block.joined(separator: "\n"))") }
    }

    @Test("Its manifest is one that SwiftPM takes, and excludes the sources here")
    func manifest() throws {
        let manifest = try #require(try Self.blocks().first { $0.first == "// swift-tools-version: 6.2" })
        let folder = try TemporaryFolder()
        try folder.write(manifest.joined(separator: "\n"), to: "Package.swift")
        let outcome = try runProcess("swift", ["package", "--package-path", folder.url.path, "dump-package"])
        try #require(outcome.status == 0, "\(outcome.errorText)")
        let package = try #require(try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        let target = try #require((package["targets"] as? [[String: Any]])?.first { $0["name"] as? String == "Cinema" })
        #expect(target["exclude"] as? [String] == ["Model"])
        #expect((target["pluginUsages"] as? [Any])?.count == 2)
    }
}
