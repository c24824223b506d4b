import OpenCoreData
import TestSupport
import Testing

/// The program `attack`; see there.
enum AttackProgram {
    static func run(_ arguments: [String]) throws -> ProcessOutcome {
        try runProcess(try #require(SaveLoop.program(named: "attack")).path, arguments)
    }
}

@Suite("Hostile stores, models and queries")
struct AttackTests {
    @Test(
        "Some of the attacks of `make attack`, with another seed each time: nothing stops the program, hangs, is lost, or touches other files"
    )
    func attacks() throws {
        var random = Fuzz.random("Attacks")
        let outcome = try AttackProgram.run(["run", "\(Fuzz.count(100))", "\(random.next())"])
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("nothing happened that must not"))
    }
}
