import Foundation

do {
    try BenchCommand.run(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("bench: \(error.localizedDescription)\n".utf8))
    exit(1)
}
