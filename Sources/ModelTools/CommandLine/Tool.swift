import Predicates

/// The tool: finds the command that a command line names, and runs it.
@MainActor package enum Tool {
    package static let commands: [any ToolCommand.Type] = [
        InfoCommand.self, ShowCommand.self, ObjectCommand.self, QueryCommand.self, ExportCommand.self, ImportCommand.self,
        ModelCommand.self, ExtractCommand.self, CompileCommand.self, CopyCommand.self, DoctorCommand.self, GenerateCommand.self,
        CompletionCommand.self,
        ManualCommand.self,
    ]

    /// Runs a command line without the program's name.
    package static func run(_ arguments: [String], _ output: any ToolOutput) -> ToolStatus {
        var name = "coredata"
        do {
            guard let first = arguments.first else { throw ToolError.usage("which command?", hint: "coredata --help lists them") }
            if ["--help", "-h", "help"].contains(first) {
                if arguments.count > 1 {
                    output.line(try command(arguments[1]).syntax.help)
                } else {
                    output.line(overview)
                }
                return .success
            }
            let command = try command(first)
            name += " \(first)"
            let parsed = try command.syntax.parse(Array(arguments.dropFirst()))
            if parsed.has("help") {
                output.line(command.syntax.help)
                return .success
            }
            return try command.run(parsed, output)
        } catch {
            let failure = ToolError(error)
            output.remark("\(name): \(failure.message)")
            if let hint = failure.hint {
                output.remark("hint: \(hint)")
            } else if failure.status == .usage {
                output.remark("hint: \(name) --help shows what it takes")
            }
            return failure.status
        }
    }

    private static func command(_ name: String) throws -> any ToolCommand.Type {
        if let command = commands.first(where: { $0.syntax.name == name }) { return command }
        let nearest = NearestName.suggestion(for: name, among: commands.map { $0.syntax.name })
        throw ToolError.usage(
            "there is no command “\(TextWidth.shown(name, limit: 40))”",
            hint: nearest.map { "did you mean coredata \($0)?" } ?? "coredata --help lists the commands")
    }

    package static var overview: String {
        let width = commands.map { $0.syntax.name.count }.max() ?? 0
        let lines = commands.map { $0.syntax }.map { syntax in
            "  \(syntax.name)\(String(repeating: " ", count: width - syntax.name.count))  \(syntax.summary)"
        }
        return """
            usage: coredata COMMAND …

            Looks into Core Data stores and models. Stores are opened read-only, with the model that they carry.

            \(lines.joined(separator: "\n"))

            coredata COMMAND --help shows what a command takes, with an example.
            exit codes: \(ToolStatus.explanation)
            """
    }
}
