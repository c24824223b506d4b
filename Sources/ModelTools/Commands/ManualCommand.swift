/// `coredata manual`
package enum ManualCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "manual", "Print the manual page, in the form of man(7).", [], example: "coredata manual | man -l -")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        var lines = [
            ".TH COREDATA 1", ".SH NAME", "coredata \\- look into Core Data stores and models", ".SH SYNOPSIS",
            ".B coredata", ".I COMMAND", "[arguments]", ".SH COMMANDS",
        ]
        for syntax in Tool.commands.map({ $0.syntax }) {
            lines += [".SS \(escaped(syntax.usage))", escaped(syntax.summary)]
            for parameter in syntax.parameters {
                lines += [".TP", ".B \(escaped(parameter.label))", escaped(parameter.summary)]
            }
            lines += [".PP", "Example:", ".PP", ".nf", escaped(syntax.example), ".fi"]
        }
        lines += [".SH EXIT STATUS", escaped(ToolStatus.explanation), ".SH ENVIRONMENT", ".TP", ".B NO_COLOR"]
        lines.append("If it is set and not empty, nothing is painted.")
        let text = lines.joined(separator: "\n")
        if arguments.has("json") { output.write(.string(text)) } else { output.line(text) }
        return .success
    }

    /// A line that begins with a point or an apostrophe would be a request.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
