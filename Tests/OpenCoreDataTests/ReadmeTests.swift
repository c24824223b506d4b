import OpenCoreData
import TestSupport
import Testing

@Suite("The example of the README")
struct ReadmeTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let readme = package.appendingPathComponent("README.md")

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Lines without the indentation that they have in common.
    private static func withoutIndentation(_ lines: [String]) -> String {
        let indentations = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(min($0.prefix { $0 == " " }.count, indentations.min() ?? 0))) }.joined(
            separator: "\n"
        )
        .trimmingCharacters(in: .newlines)
    }

    @Test(
        "The first Swift code of README.md is what ReadmeExample.swift has between its marks",
        .enabled(if: FileManager.default.fileExists(atPath: readme.path)))
    func sameText() throws {
        let example = try Self.lines(
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("ReadmeExample.swift"))
        let start = try #require(example.firstIndex(of: "// README BEGIN"))
        let end = try #require(example.firstIndex(of: "// README END"))
        let readme = try Self.lines(Self.readme)
        let open = try #require(
            readme.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "```swift" }, "README.md has no Swift code")
        let close = try #require(readme[(open + 1)...].firstIndex { $0.trimmingCharacters(in: .whitespaces) == "```" })
        #expect(
            Self.withoutIndentation(Array(readme[(open + 1)..<close]))
                == Self.withoutIndentation(Array(example[(start + 1)..<end])))
    }

    @Test("It does what it says") @MainActor
    func runs() throws {
        let folder = try TemporaryFolder()
        var lines: [String] = []
        try rateMovies(storedAt: folder.file("Cinema.sqlite")) { lines.append($0) }
        #expect(
            lines == [
                "new: Ran by Akira Kurosawa", "changed: Ran is rated 8.2", "new: Ikiru by Akira Kurosawa",
                "changed: Ran is rated not at all",
                "long: [\"Ran\"], all by Akira Kurosawa: 2",
            ])
        // Nil is nil in the file too, and a second store is as good as the first.
        let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("Cinema.sqlite"))]
        try container.loadPersistentStores()
        let movies = try container.viewContext.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)])
        #expect(movies.map(\.title) == ["Ikiru", "Ran"])
        #expect(movies.map(\.userRating) == [nil, nil])
        #expect(movies.map(\.duration) == [0, 162])
    }
}
