import Foundation

/// `coredata import JSON STORE`
package enum ImportCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "import", "Make a new store from what coredata export has written as JSON. Writes a new store.",
        [.argument("JSON", "the exported file"), .argument("STORE", "the store to make")],
        example: "coredata import Cinema.json Cinema.sqlite")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let source = try ModelFile.existing(arguments.required("JSON"))
        let path = try arguments.required("STORE")
        let target = try ModelFile.new(path)
        let data = try Data(contentsOf: source, options: .mappedIfSafe)
        let json = try data.withUnsafeBytes { try JSONReader.read($0.bindMemory(to: UInt8.self)) }
        let count = try StoreImport.makeStore(at: target, from: json)
        if arguments.has("json") {
            output.write(.object(["path": .string(path), "objects": JSONValue(count)]))
        } else {
            output.line(TextWidth.shown("\(count) objects imported into \(path)"))
        }
        return .success
    }
}
