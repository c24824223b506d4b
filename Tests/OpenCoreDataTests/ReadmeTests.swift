import OpenCoreData
import TestSupport
import Testing

@Suite("The example of the README")
struct ReadmeTests {
    private static let readme = CodeExample.package.appendingPathComponent("README.md")

    @Test(
        "The first Swift code of README.md is what ReadmeExample.swift has between its marks",
        .enabled(if: FileManager.default.fileExists(atPath: readme.path)))
    func sameText() throws {
        let text = try CodeExample.firstCode(in: Self.readme)
        #expect(try text == CodeExample.marked("README", in: "ReadmeExample.swift"))
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
        let container = try CodeExample.cinema(in: folder)
        let movies = try container.viewContext.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)])
        #expect(movies.map(\.title) == ["Ikiru", "Ran"])
        #expect(movies.map(\.userRating) == [nil, nil])
        #expect(movies.map(\.duration) == [0, 162])
    }
}
