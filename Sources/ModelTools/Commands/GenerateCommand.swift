import DataModel
import Foundation

/// `coredata generate MODEL --output FOLDER`
package enum GenerateCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "generate", "Write Swift classes for a model. Files for your own code are written once and never again.",
        [
            .argument("MODEL", "a model, or a store that carries one"), .option("output", "FOLDER", "where the files go"),
            .option("access", "LEVEL", "public or internal; internal unless given", choices: ["public", "internal"]),
            .option(
                "style", "STYLE", "entity: typed @Entity classes (unless given); xcode: what Xcode generates",
                choices: GeneratedClasses.Style.allCases.map(\.rawValue)),
            .flag("check", "write nothing, and fail if the files are not those that would be written"),
        ], example: "coredata generate Cinema.xcdatamodeld --output Sources/Cinema/Model --access public")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        guard let path = arguments.text("output") else { throw ToolError.usage("--output is missing: the folder for the files") }
        let source = try arguments.required("MODEL")
        let model = try ModelFile.read(source)
        let style = arguments.text("style").flatMap(GeneratedClasses.Style.init) ?? .entity
        let classes = GeneratedClasses(
            model, source: URL(fileURLWithPath: source).lastPathComponent, style: style,
            access: arguments.text("access") == "public" ? "public" : "")
        let folder = URL(fileURLWithPath: path)
        var changed: [String] = []
        for file in classes.files {
            let url = folder.appendingPathComponent(file.name)
            let old = FileManager.default.contents(atPath: url.path)
            if file.isForEdits ? old != nil : old == Data(file.text.utf8) { continue }
            changed.append(file.name)
            if arguments.has("check") { continue }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: url, options: .atomic)
        }
        if arguments.has("json") {
            output.write(
                .object([
                    "changed": .array(changed.map(JSONValue.string)),
                    "warnings": .array(classes.warnings.map(JSONValue.string)),
                ]))
        } else {
            for warning in classes.warnings { output.remark("warning: \(TextWidth.shown(warning))") }
            for name in changed { output.line(arguments.has("check") ? "\(name) is not up to date" : "\(name) written") }
            if changed.isEmpty { output.line("\(classes.files.count) files are up to date") }
        }
        return arguments.has("check") && !changed.isEmpty ? .findings : .success
    }
}
