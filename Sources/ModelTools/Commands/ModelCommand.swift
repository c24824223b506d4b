import DataModel

/// `coredata model MODEL`
package enum ModelCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "model", "A model as an outline, its likely mistakes, its differences from another one, or a diagram.",
        [
            .argument("MODEL", "an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that carries a model"),
            .flag("lint", "show what is allowed and most often a mistake"),
            .option("diff", "OTHER", "show what is different in another model or store"),
            .option("diagram", "LANGUAGE", "print a diagram: mermaid or dot", choices: ["mermaid", "dot"]),
        ], example: "coredata model Cinema.xcdatamodeld --diff Cinema.sqlite")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let tasks = ["lint", "diff", "diagram"].filter(arguments.has)
        guard tasks.count <= 1 else { throw ToolError.usage("give one of \(tasks.map { "--\($0)" }.joined(separator: ", "))") }
        let model = try ModelFile.read(arguments.required("MODEL"))
        if arguments.has("lint") { return list(model.loadingIssues + model.warnings, arguments, output) }
        if let other = arguments.text("diff") {
            return list(try model.differences(from: ModelFile.read(other)).map { $0 }, arguments, output)
        }
        if let language = arguments.text("diagram") {
            let lines = language == "dot" ? ModelDiagram.dot(model) : ModelDiagram.mermaid(model)
            if arguments.has("json") {
                output.write(.string(lines.joined(separator: "\n")))
            } else {
                for line in lines { output.line(line) }
            }
            return .success
        }
        if arguments.has("json") {
            output.write(ModelOutline.json(model))
        } else {
            for line in ModelOutline.lines(model) { output.line(line.first == " " ? line : output.style.bold(line)) }
        }
        return .success
    }

    private static func list(_ texts: [String], _ arguments: CommandArguments, _ output: any ToolOutput) -> ToolStatus {
        if arguments.has("json") {
            output.write(.array(texts.map(JSONValue.string)))
        } else {
            for text in texts { output.line(TextWidth.shown(text)) }
        }
        return texts.isEmpty ? .success : .findings
    }
}
