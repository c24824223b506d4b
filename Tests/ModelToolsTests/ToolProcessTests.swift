import Foundation
import TestSupport
import Testing

@MainActor struct ToolProcessTests {
    private static let program = Bundle.main.bundleURL.appendingPathComponent("coredata").path

    @Test("The program prints results to standard output, remarks to standard error, and paints nothing in a pipe")
    func outputs() throws {
        let cinema = try Cinema()
        let shown = try runProcess(Self.program, ["show", cinema.store.path, "Director", "--columns", "name"])
        #expect(shown.status == 0)
        #expect(shown.text == "id  name\np1  Akira Kurosawa\np2  小津 安二郎\n")
        #expect(shown.errorText == "")
        let wrong = try runProcess(Self.program, ["show", cinema.store.path, "Directr"])
        #expect(wrong.status == 1)
        #expect(wrong.text == "")
        #expect(wrong.errorText == "coredata show: there is no entity “Directr”\nhint: did you mean “Director”?\n")
        #expect(try runProcess(Self.program, []).status == 2)
    }

    @Test("A reader that closes its end ends the program quietly")
    func closedPipe() throws {
        let cinema = try Cinema()
        let outcome = try runProcess(
            "bash",
            [
                "-c",
                "{ '\(Self.program)' manual; echo $? >&2; } | true; sleep 1; '\(Self.program)' export '\(cinema.store.path)' | head -c 10",
            ])
        #expect(outcome.errorText == "0\n")
        #expect(outcome.text.hasPrefix("{\"format\""))
    }

    @Test("The commands of the guide work as they are")
    func guide() throws {
        let cinema = try Cinema()
        try cinema.folder.write(Cinema.contents, to: "Cinema.xcdatamodeld/Cinema.xcdatamodel/contents")
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/OpenCoreData/Documentation.docc/LookingIntoStores.md")
        let commands = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("$ coredata ") }.map { String($0.dropFirst(2)) }
        #expect(commands.count > 15)
        let path = URL(fileURLWithPath: Self.program).deletingLastPathComponent().path
        for command in commands {
            // Extracting makes a model that is there already.
            let line = command.replacing("--to Cinema.xcdatamodel", with: "--to Extracted.xcdatamodel")
            let outcome = try runProcess("bash", ["-c", "PATH='\(path)':$PATH; \(line)"], folder: cinema.folder.url)
            #expect(outcome.status == 0, "\(command): \(outcome.errorText)")
        }
    }
}
