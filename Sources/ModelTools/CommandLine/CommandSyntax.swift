import Predicates

/// What a command takes, from which its arguments are read and its help, completions and manual page are made.
///
/// The parser of command lines is this file alone.
package struct CommandSyntax: Sendable {
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            /// A value without a name, at its place.
            case argument(isOptional: Bool)
            /// All remaining values without a name.
            case arguments
            /// `--name VALUE` or `--name=VALUE`.
            case option(value: String, choices: [String])
            /// `--name`
            case flag
        }

        package let name: String
        package let kind: Kind
        package let summary: String

        var isNamed: Bool {
            switch kind {
            case .argument, .arguments: false
            case .option, .flag: true
            }
        }
    }

    package let name: String
    package let summary: String
    package let parameters: [Parameter]
    /// A command line that does something useful.
    package let example: String

    package init(_ name: String, _ summary: String, _ parameters: [Parameter], example: String) {
        self.name = name
        self.summary = summary
        self.parameters = parameters + [.flag("json", "print JSON for programs"), .flag("help", "show this text")]
        self.example = example
    }
}

extension CommandSyntax.Parameter {
    package static func argument(_ name: String, _ summary: String, isOptional: Bool = false) -> Self {
        Self(name: name, kind: .argument(isOptional: isOptional), summary: summary)
    }

    package static func arguments(_ name: String, _ summary: String) -> Self {
        Self(name: name, kind: .arguments, summary: summary)
    }

    package static func option(_ name: String, _ value: String, _ summary: String, choices: [String] = []) -> Self {
        Self(name: name, kind: .option(value: value, choices: choices), summary: summary)
    }

    package static func flag(_ name: String, _ summary: String) -> Self { Self(name: name, kind: .flag, summary: summary) }

    /// The parameter as a usage line shows it.
    var usage: String {
        switch kind {
        case .argument(let isOptional): isOptional ? "[\(name)]" : name
        case .arguments: "\(name)…"
        case .option(let value, _): "[--\(name) \(value)]"
        case .flag: "[--\(name)]"
        }
    }

    /// The parameter as the list of options shows it.
    var label: String {
        switch kind {
        case .argument, .arguments: name
        case .option(let value, _): "--\(name) \(value)"
        case .flag: "--\(name)"
        }
    }
}

/// What a command line gave a command.
package struct CommandArguments: Sendable {
    fileprivate var values: [String: [String]] = [:]

    /// The value of an argument or option.
    package func text(_ name: String) -> String? { values[name]?.last }

    /// The value of an argument that the syntax requires.
    package func required(_ name: String) throws -> String {
        guard let value = text(name) else { throw ToolError.usage("\(name) is missing") }
        return value
    }

    package func texts(_ name: String) -> [String] { values[name] ?? [] }

    package func has(_ flag: String) -> Bool { values[flag] != nil }

    /// The value of an option that is a number, not negative.
    package func count(_ name: String) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw ToolError.usage("--\(name) needs a number that is not negative, not “\(TextWidth.shown(text, limit: 40))”")
        }
        return number
    }
}

extension CommandSyntax {
    /// Reads the arguments after the command's name.
    ///
    /// - Throws: `ToolError` for what the command does not take, with the nearest name.
    package func parse(_ arguments: [String]) throws -> CommandArguments {
        var result = CommandArguments()
        var places = parameters.filter { !$0.isNamed }[...]
        var rest = arguments[...]
        var takesOptions = true
        while let argument = rest.popFirst() {
            if takesOptions, argument == "--" {
                takesOptions = false
            } else if takesOptions, argument == "-h" {
                result.values["help"] = [""]
            } else if takesOptions, argument.hasPrefix("-"), argument != "-" {
                try parseOption(argument, &rest, &result)
            } else if let place = places.first {
                result.values[place.name, default: []].append(argument)
                if case .arguments = place.kind { continue }
                places.removeFirst()
            } else {
                throw ToolError.usage("“\(TextWidth.shown(argument, limit: 60))” is one argument too many")
            }
        }
        guard !result.has("help") else { return result }
        for place in places where result.values[place.name] == nil {
            if case .argument(let isOptional) = place.kind, isOptional { continue }
            throw ToolError.usage("\(place.name) is missing: \(place.summary)")
        }
        return result
    }

    private func parseOption(_ argument: String, _ rest: inout ArraySlice<String>, _ result: inout CommandArguments) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names = parameters.filter(\.isNamed)
        guard parts[0].hasPrefix("--"), let option = names.first(where: { "--\($0.name)" == parts[0] }) else {
            let nearest = NearestName.suggestion(for: parts[0], among: names.map { "--\($0.name)" })
            throw ToolError.usage(
                "there is no option \(TextWidth.shown(parts[0], limit: 60))", hint: nearest.map { "did you mean \($0)?" })
        }
        guard case .option(let placeholder, let choices) = option.kind else {
            guard parts.count == 1 else { throw ToolError.usage("--\(option.name) takes no value") }
            result.values[option.name] = [""]
            return
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw ToolError.usage("--\(option.name) needs a value: \(placeholder)")
        }
        guard choices.isEmpty || choices.contains(value) else {
            let nearest = NearestName.suggestion(for: value, among: choices)
            throw ToolError.usage(
                "--\(option.name) is one of \(choices.joined(separator: ", ")), not “\(TextWidth.shown(value, limit: 40))”",
                hint: nearest.map { "did you mean \($0)?" })
        }
        result.values[option.name, default: []].append(value)
    }

    /// The usage on one line.
    package var usage: String {
        (["coredata", name] + parameters.filter { $0.name != "help" }.map(\.usage)).joined(separator: " ")
    }

    /// The text of `--help`.
    package var help: String {
        let labels = parameters.map(\.label)
        let width = labels.map(\.count).max() ?? 0
        let lines = zip(parameters, labels).map { parameter, label in
            "  \(label)\(String(repeating: " ", count: width - label.count))  \(parameter.summary)"
        }
        return """
            usage: \(usage)

            \(summary)

            \(lines.joined(separator: "\n"))

            example: \(example)

            exit codes: \(ToolStatus.explanation)
            """
    }
}
