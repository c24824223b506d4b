import OpenCoreData
import TestSupport
import Testing

@Suite("The example of the article on fetched results")
struct FetchedResultsExampleTests {
    private static let article = CodeExample.package.appendingPathComponent(
        "Sources/OpenCoreData/Documentation.docc/ListsThatFollow.md")

    @Test(
        "The first Swift code of ListsThatFollow.md is what FetchedResultsExample.swift has between its marks",
        .enabled(if: FileManager.default.fileExists(atPath: article.path)))
    func sameText() throws {
        let text = try CodeExample.firstCode(in: Self.article)
        #expect(try text == CodeExample.marked("ARTICLE", in: "FetchedResultsExample.swift"))
    }

    @Test("It does what it says") @MainActor
    func runs() throws {
        let folder = try TemporaryFolder()
        let container = try CodeExample.cinema(in: folder)
        let context = container.viewContext
        let kurosawa = Director(context: context, name: "Akira Kurosawa")
        let ran = Movie(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa)
        ran.duration = 162
        try context.save()

        let list = try Watchlist(context)
        #expect(list.rows == ["Ran"])
        let ikiru = Movie(context: context, imdbID: "tt0044741", title: "Ikiru", director: kurosawa)
        try context.save()
        #expect(list.rows == ["Ran"])
        ikiru.duration = 143
        try context.save()
        #expect(list.rows == ["Ikiru", "Ran"])
        ikiru.title = "To Live"
        ran.duration = 160
        try context.save()
        #expect(list.rows == ["Ran", "To Live"])
        context.delete(ran)
        try context.save()
        #expect(list.rows == ["To Live"] && list.movies.first === ikiru)
    }
}
