import DataModel
import Foundation

/// `coredata extract STORE --to MODEL`
package enum ExtractCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "extract", "Write the model that a store carries as a source model. Writes a new folder.",
        [.argument("STORE", "the store's file, or a compiled model"), .option("to", "MODEL", "the .xcdatamodel to make")],
        example: "coredata extract Cinema.sqlite --to Cinema.xcdatamodel")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        guard let path = arguments.text("to") else { throw ToolError.usage("--to is missing: the .xcdatamodel to make") }
        let folder = try ModelFile.new(path)
        guard folder.pathExtension == "xcdatamodel" else { throw ToolError.usage("--to needs a path that ends in .xcdatamodel") }
        let model = try ModelFile.read(arguments.required("STORE"))
        let contents = try model.sourceData()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try contents.write(to: folder.appendingPathComponent("contents"))
        let text = "\(model.entities.count) entities written to \(path)"
        if arguments.has("json") {
            output.write(.object(["path": .string(path), "entities": JSONValue(model.entities.count)]))
        } else {
            output.line(TextWidth.shown(text))
        }
        return .success
    }
}
