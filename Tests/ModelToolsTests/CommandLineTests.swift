import Foundation
import ModelTools
import TestSupport
import Testing

@MainActor struct CommandLineTests {
    @Test("Each command has a help with an example that its own syntax takes, and the exit codes")
    func help() throws {
        for command in Tool.commands {
            let syntax = command.syntax
            let (status, output) = Recorder.run(syntax.name, "--help")
            #expect(status == .success)
            #expect(output.text.contains("example: \(syntax.example)"))
            #expect(output.text.contains("3 done and found problems"))
            #expect(syntax.example.hasPrefix("coredata \(syntax.name)"))
            #expect(Recorder.run("--help").output.text.contains(syntax.summary))
            #expect(Recorder.run("manual").output.text.contains(".SS coredata \(syntax.name.replacing("-", with: "\\-"))"))
            for shell in ["bash", "zsh", "fish"] { #expect(Recorder.run("completions", shell).output.text.contains(syntax.name)) }
        }
    }

    @Test(
        "A wrong command line says what is wrong and what was meant, with exit code 2",
        arguments: [
            (["shwo"], "did you mean coredata show?"), (["show", "a", "b", "--limt", "3"], "did you mean --limit?"),
            (["show", "a"], "ENTITY is missing"), (["show", "a", "b", "c"], "one argument too many"),
            (["show", "a", "b", "--limit"], "--limit needs a value"), (["export", "a", "--to", "jsn"], "did you mean json?"),
            (["info", "a", "--json=1"], "takes no value"), ([], "coredata --help lists them"),
        ])
    func mistakes(_ arguments: [String], _ text: String) {
        let output = Recorder()
        #expect(Tool.run(arguments, output) == .usage)
        #expect(output.remarkText.contains(text), "\(output.remarks)")
        #expect(output.lines.isEmpty)
    }

    @Test("Options may come anywhere, with an equals sign, and -- ends them")
    func places() throws {
        let syntax = ShowCommand.syntax
        let parsed = try syntax.parse(["--limit=3", "a", "--json", "--", "-b"])
        #expect(try parsed.count("limit") == 3)
        #expect(parsed.text("STORE") == "a")
        #expect(parsed.text("ENTITY") == "-b")
        #expect(parsed.has("json"))
        #expect(throws: ToolError.self) { try syntax.parse(["a", "b", "--limit", "-3"]).count("limit") }
    }

    @Test("A query is split at its keywords, not inside of quotes and brackets")
    func query() throws {
        let query = try QueryText("Movie where title == 'a where b' AND ANY (x select y) GROUP BY a.b, c select count, avg(d)")
        #expect(query.entity == "Movie")
        #expect(query.condition == "title == 'a where b' AND ANY (x select y)")
        #expect(query.groupKeys == ["a.b", "c"])
        #expect(query.columns == ["count", "avg(d)"])
        #expect(throws: ToolError.self) { try QueryText("Movie where") }
        #expect(throws: ToolError.self) { try QueryText("Movie where a == 1 where b == 2") }
        #expect(throws: ToolError.self) { try QueryText("") }
    }

    @Test("B47: dates count from 2001 in UTC, keep all digits, and are not made up")
    func dates() {
        #expect(DateText.shown(667_100_904.697671) == "2022-02-21T01:48:24.698Z")
        #expect(DateText.exact(667_100_904.697671) == "2022-02-21T01:48:24.697671Z")
        #expect(DateText.shown(0) == "2001-01-01T00:00:00Z")
        #expect(DateText.shown(-978_307_200) == "1970-01-01T00:00:00Z")
        #expect(DateText.shown(123_456_789_012).contains("not a plausible date"))
        #expect(DateText.shown(.nan).contains("not a plausible date"))
        #expect(DateText.shown(Date.distantPast.timeIntervalSinceReferenceDate) == "0000-12-30T00:00:00Z")
        for seconds in [
            0, -0.25, 198_486_849.05758706, 209_738_709.23558203, 667_100_904.697671, -1e-9, 0.1, -63_114_076_800,
            252_423_993_599.5,
        ] {
            #expect(DateText.exact(seconds).flatMap(DateText.seconds) == seconds, "\(seconds)")
        }
        #expect(DateText.exact(1e13) == nil)
    }

    @Test("JSON is read back as it was written, and mistakes have their line")
    func json() throws {
        let value = JSONValue.object([
            "a": .array([.integer(.min), .real(0.1), .real(1e300), .null, .bool(false)]),
            "ü\u{1F600}\u{0}\"": .string("\\\n\u{2028}"),
        ])
        #expect(try JSONReader.read(value.line) == value)
        #expect(try JSONReader.read(value.pretty) == value)
        #expect(try JSONReader.read(#""\ud83d\ude00""#) == .string("😀"))
        for text in [
            "", "[1,]", "{\"a\":1,\"a\":2}", "nan", "0x10", "[1] 2", "\"\\ud83d\"", "\"a", String(repeating: "[", count: 200),
        ] {
            #expect(throws: ToolError.self, "\(text)") { try JSONReader.read(text) }
        }
        let error = #expect(throws: ToolError.self) { try JSONReader.read("[\n1,\nx]") }
        #expect(error?.message.contains("line 3") == true)
    }
}
