import DataModel
import Foundation
import ModelTools
import TestSupport
import Testing

@MainActor struct ModelCommandTests {
    let cinema: Cinema

    init() throws { cinema = try Cinema() }

    @Test("model prints an outline")
    func outline() {
        let (status, output) = Recorder.run("model", cinema.model.path)
        #expect(status == .success)
        #expect(
            output.lines == [
                "Director  (class Cinema.Director)", "    name: String",
                "    movies: Set<Movie>  (inverse director, deletion cascades)", "",
                "Movie  (class Cinema.Movie)", "    minutes: Integer 32 = 0", "    poster: Binary?", "    rating: Double?",
                "    seen: Date?", "    tags: Transformable?  (by NoSuchTransformer)", "    title: String",
                "    director: Director  (inverse movies)", "    sequelOf: Set<Movie>  (inverse sequels)",
                "    sequels: [Movie]  (inverse sequelOf)",
            ])
    }

    @Test("model draws diagrams with one line for both sides")
    func diagrams() {
        let mermaid = Recorder.run("model", cinema.model.path, "--diagram", "mermaid").output.lines
        #expect(mermaid.first == "classDiagram")
        #expect(mermaid.contains("    Director \"1\" --> \"*\" Movie : movies / director"))
        #expect(mermaid.contains("        Double? rating"))
        let dot = Recorder.run("model", cinema.model.path, "--diagram", "dot").output.lines
        #expect(dot.first == "digraph model {" && dot.last == "}")
        #expect(dot.contains("    \"Director\" -> \"Movie\" [label=\"movies / director\", taillabel=\"1\", headlabel=\"*\"];"))
    }

    @Test("Differences and likely mistakes have their own exit code")
    func findings() throws {
        try cinema.folder.write(
            Cinema.contents.replacing("name=\"poster\"", with: "name=\"image\""), to: "B.xcdatamodel/contents")
        let (status, output) = Recorder.run("model", cinema.model.path, "--diff", cinema.folder.file("B.xcdatamodel").path)
        #expect(status == .findings)
        #expect(output.text.contains("image") && output.text.contains("poster"))
        #expect(Recorder.run("model", cinema.model.path, "--diff", cinema.store.path).status == .success)
        #expect(Recorder.run("model", cinema.model.path, "--lint").status == .success)
        let lint = Cinema.contents.replacing(" inverseName=\"movies\" inverseEntity=\"Director\"", with: "")
        try cinema.folder.write(lint, to: "C.xcdatamodel/contents")
        let found = Recorder.run("model", cinema.folder.file("C.xcdatamodel").path, "--lint")
        #expect(found.status == .findings)
        #expect(found.output.text.contains("Movie.director"))
    }

    @Test("A model that is extracted from a store, and one that is compiled, are the store's")
    func extractAndCompile() {
        let source = cinema.folder.file("X.xcdatamodel").path
        #expect(Recorder.run("extract", cinema.store.path, "--to", source).status == .success)
        #expect(Recorder.run("model", source, "--diff", cinema.store.path).status == .success)
        let compiled = cinema.folder.file("X.mom").path
        #expect(Recorder.run("compile", source, compiled).status == .success)
        #expect(Recorder.run("model", compiled, "--diff", cinema.store.path).status == .success)
        #expect(Recorder.run("extract", cinema.store.path, "--to", source).status == .failure)
    }
}
