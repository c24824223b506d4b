/// `coredata completions SHELL`
package enum CompletionCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "completions", "Print the completions for a shell.", [.argument("SHELL", "bash, zsh or fish")],
        example: "coredata completions bash > ~/.local/share/bash-completion/completions/coredata")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let syntaxes = Tool.commands.map { $0.syntax }
        let text: String
        switch try arguments.required("SHELL") {
        case "bash": text = bash(syntaxes)
        case "zsh": text = "#compdef coredata\nautoload -U +X bashcompinit && bashcompinit\n" + bash(syntaxes)
        case "fish": text = fish(syntaxes)
        case let other:
            throw ToolError.usage("“\(TextWidth.shown(other, limit: 40))” is not a shell that is known: bash, zsh, fish")
        }
        if arguments.has("json") { output.write(.string(text)) } else { output.line(text) }
        return .success
    }

    private static func bash(_ syntaxes: [CommandSyntax]) -> String {
        let cases = syntaxes.map { syntax in
            let options = syntax.parameters.filter(\.isNamed).map { "--\($0.name)" }.joined(separator: " ")
            return "            \(syntax.name)) words=\"\(options)\" ;;"
        }
        return """
            _coredata() {
                local words="\(syntaxes.map(\.name).joined(separator: " "))"
                local word="${COMP_WORDS[COMP_CWORD]}"
                if [ "$COMP_CWORD" -gt 1 ]; then
                    case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
                    esac
                    [[ "$word" == -* ]] || { COMPREPLY=($(compgen -f -- "$word")); return; }
                fi
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o filenames -F _coredata coredata
            """
    }

    private static func fish(_ syntaxes: [CommandSyntax]) -> String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
        var lines: [String] = []
        for syntax in syntaxes {
            lines.append("complete -c coredata -n __fish_use_subcommand -f -a \(syntax.name) -d \(quoted(syntax.summary))")
            for parameter in syntax.parameters where parameter.isNamed {
                var line = "complete -c coredata -n '__fish_seen_subcommand_from \(syntax.name)' -l \(parameter.name)"
                if case .option(_, let choices) = parameter.kind {
                    line += choices.isEmpty ? " -r" : " -x -a \(quoted(choices.joined(separator: " ")))"
                }
                lines.append(line + " -d \(quoted(parameter.summary))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
