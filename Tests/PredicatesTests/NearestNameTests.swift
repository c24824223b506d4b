import Testing

@testable import Predicates

@Suite("The name somebody probably meant")
struct NearestNameTests {
    @Test(
        "A letter too many, too few, another one, or two neighbours exchanged",
        arguments: [
            ("pagess", "pages"), ("pges", "pages"), ("pagas", "pages"), ("pagse", "pages"), ("apges", "pages"),
            ("PAGES", "pages"),
            ("directro.name", "director.name"),
        ])
    func slips(_ written: String, _ meant: String) {
        #expect(NearestName.suggestion(for: written, among: ["title", meant, "rating"]) == meant)
    }

    @Test("Of several the nearest; too far away is none; the name itself is none")
    func distance() {
        #expect(NearestName.suggestion(for: "nmae", among: ["mae", "name", "nm"]) == "mae")
        #expect(NearestName.suggestion(for: "naem", among: ["neat", "name"]) == "name")
        #expect(NearestName.suggestion(for: "shoes", among: ["hose", "name"]) == nil)
        #expect(NearestName.suggestion(for: "name", among: ["name"]) == nil)
        #expect(NearestName.suggestion(for: "", among: ["name"]) == nil)
    }
}
