import OpenCoreData
import TestSupport
import Testing

@Suite("The example of the article on questions")
struct QuestionsExampleTests {
    private static let article = CodeExample.package.appendingPathComponent(
        "Sources/OpenCoreData/Documentation.docc/AskingQuestions.md")

    @Test(
        "The first Swift code of AskingQuestions.md is what QuestionsExample.swift has between its marks",
        .enabled(if: FileManager.default.fileExists(atPath: article.path)))
    func sameText() throws {
        #expect(
            try CodeExample.firstCode(in: Self.article) == CodeExample.marked("QUESTIONS", in: "QuestionsExample.swift"))
    }

    @Test("The three notations find the same movies") @MainActor
    func runs() throws {
        let folder = try TemporaryFolder()
        let container = try CodeExample.cinema(in: folder)
        let context = container.viewContext
        let kurosawa = Director(context: context, name: "Akira Kurosawa")
        let lean = Director(context: context, name: "David Lean")
        Movie(context: context, imdbID: "1", title: "Ran", director: kurosawa).duration = 162
        Movie(context: context, imdbID: "2", title: "Ikiru", director: kurosawa).duration = 143
        Movie(context: context, imdbID: "3", title: "Rashomon", director: kurosawa).duration = 88
        Movie(context: context, imdbID: "4", title: "Oliver Twist", director: lean).duration = 153
        // Unsaved objects are found as well as saved ones.
        #expect(try longMovies(in: context).map { $0.map(\.title) } == Array(repeating: ["Ikiru", "Ran"], count: 3))
        try context.save()
        #expect(try longMovies(in: context).map { $0.map(\.title) } == Array(repeating: ["Ikiru", "Ran"], count: 3))
    }
}
