import BenchmarkKit
import Foundation

// bench-grdb position|name|codable WORKLOAD --stores DIR [--movies N] …: one workload in one style, as `bench raw` does it.

func run() throws {
    var options = try Options(Array(CommandLine.arguments.dropFirst()))
    guard options.words.count == 2 else { throw BenchmarkError("bench-grdb needs a style and a workload") }
    let style = options.words.removeFirst()
    let workload = try Workload(named: options.words[0])
    func trial(_ contender: some Contender) throws {
        try Trial.print(contender, workload, options) { _ in throw BenchmarkError("bench-grdb needs --stores") }
    }
    switch style {
    case "position": try trial(GRDBContender<PositionMovie>(size: options.size))
    case "name": try trial(GRDBContender<NamedMovie>(size: options.size))
    case "codable": try trial(GRDBContender<CodableMovie>(size: options.size))
    default: throw BenchmarkError("no style \(style)")
    }
}

do {
    try run()
} catch {
    FileHandle.standardError.write(Data("bench-grdb: \(error.localizedDescription)\n".utf8))
    exit(1)
}
