import DataModel
import Foundation

/// `coredata export STORE --to json`
package enum ExportCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "export", "Everything in a store as JSON, which coredata import takes, or as comma-separated values.",
        [
            .argument("STORE", "the store's file"), .option("to", "FORMAT", "json or csv", choices: ["json", "csv"]),
            .option("output", "PATH", "a new file, for csv a new folder; standard output unless given"),
            .option("entity", "ENTITY", "the entity of which csv is written; all of them with --output"),
            .option("model", "MODEL", "a model, if the store carries none"),
        ], example: "coredata export Cinema.sqlite --to json --output Cinema.json")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let opened = try OpenedStore(arguments.required("STORE"), modelPath: arguments.text("model"))
        let format = arguments.text("to") ?? "json"
        let path = arguments.text("output")
        var export = try StoreExport(opened)
        // Lines are whole: the output adds their ends.
        let lines = LineWriter(output)
        if format == "json" {
            guard arguments.text("entity") == nil else { throw ToolError.usage("--entity is for --to csv") }
            let count = export.count
            let progress = { (done: Int) in
                if done % 1000 == 0 { output.progress("\(done) of \(count) objects") }
            }
            if let path {
                try TextFile.write(path) { write in try export.writeJSON(write, progress: progress) }
            } else {
                try export.writeJSON(lines.write, progress: progress)
            }
        } else if let name = arguments.text("entity") {
            let entity = try opened.entity(name)
            if let path {
                try TextFile.write(path) { write in try export.writeCSV(entity, write) }
            } else {
                try export.writeCSV(entity, lines.write)
            }
        } else {
            guard let path else {
                throw ToolError.usage("--to csv needs --entity, or --output for a folder with a file for each entity")
            }
            let folder = try ModelFile.new(path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for entity in opened.entities where !entity.isAbstract {
                // Names of entities come from the file: they must not lead elsewhere.
                let name = (entity.name ?? "").filter { $0.isLetter || $0.isNumber || "_-".contains($0) }
                try TextFile.write("\(path)/\(name).csv") { write in try export.writeCSV(entity, write) }
            }
        }
        lines.finish()
        if export.danglingCount > 0 {
            output.remark(
                "warning: \(export.danglingCount) relationships lead to objects that are not there; they were left out. "
                    + "coredata doctor lists them")
        }
        return opened.reportFailures(output)
    }
}

/// Collects pieces of text and gives whole lines to an output.
@MainActor private final class LineWriter {
    private let output: any ToolOutput
    private var rest = ""

    init(_ output: any ToolOutput) { self.output = output }

    func write(_ text: String) {
        rest += text
        guard rest.utf8.count > 1 << 14, let end = rest.utf8.lastIndex(of: UInt8(ascii: "\n")) else { return }
        output.line(String(rest[..<end]))
        rest = String(rest[rest.utf8.index(after: end)...])
    }

    func finish() {
        while rest.utf8.last == UInt8(ascii: "\n") { rest.unicodeScalars.removeLast() }
        if !rest.isEmpty { output.line(rest) }
        rest = ""
    }
}
