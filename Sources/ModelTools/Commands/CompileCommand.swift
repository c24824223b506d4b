import DataModel
import Foundation

/// `coredata compile MODEL COMPILED`
package enum CompileCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "compile", "Compile a source model as Xcode does. Writes the compiled model.",
        [
            .argument("MODEL", "an .xcdatamodeld or .xcdatamodel"),
            .argument("COMPILED", "the .momd for the first, the .mom for the second"),
        ], example: "coredata compile Cinema.xcdatamodeld Cinema.momd")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let source = try ModelFile.existing(arguments.required("MODEL"))
        let target = try arguments.required("COMPILED")
        let warnings = try NSManagedObjectModel.compileModel(at: source, to: URL(fileURLWithPath: target))
        if arguments.has("json") {
            output.write(.object(["path": .string(target), "warnings": .array(warnings.map(JSONValue.string))]))
        } else {
            for warning in warnings { output.remark(TextWidth.shown(warning)) }
            output.line(TextWidth.shown("compiled to \(target)"))
        }
        return .success
    }
}
