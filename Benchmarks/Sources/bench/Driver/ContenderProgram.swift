import BenchmarkKit
import Foundation

/// Who takes part, each with the program that does its work.
struct ContenderProgram {
    let name: String
    let executable: URL
    /// What the program gets before the workload.
    let arguments: [String]
    private let workloads: Set<Workload>?

    static let raw = "raw"
    static let library = "opencoredata"

    /// The library, and who is measured beside it.
    static func all() throws -> (raw: ContenderProgram, library: ContenderProgram, peers: [ContenderProgram]) {
        guard let bench = Bundle.main.executableURL else { throw BenchmarkError("cannot find this program's file") }
        let grdb = bench.deletingLastPathComponent().appendingPathComponent("bench-grdb")
        let styles = ["position", "name", "codable"]
        let peers =
            FileManager.default.isExecutableFile(atPath: grdb.path)
            ? styles.map {
                ContenderProgram(name: "GRDB by \($0)", executable: grdb, arguments: [$0], workloads: Workload.ofPeers)
            }
            : []
        return (
            ContenderProgram(name: raw, executable: bench, arguments: [raw], workloads: nil),
            ContenderProgram(name: library, executable: bench, arguments: [library], workloads: nil), peers
        )
    }

    func does(_ workload: Workload) -> Bool {
        workloads?.contains(workload) ?? true
    }

    /// Runs one trial in a process of its own.
    func trial(_ workload: Workload, stores: URL, size: DatasetSize, _ memory: MemorySetting, _ scratch: ScratchDirectory) throws
        -> Trial
    {
        let output = try spawn(
            executable, arguments + [workload.rawValue, "--stores", stores.path, "--movies", String(size.movies)],
            memory.environment.merging(["TMPDIR": scratch.url.path]) { $1 })
        return try JSONDecoder().decode(Trial.self, from: output)
    }
}

/// Runs a program and gives what it printed.
@discardableResult
func spawn(_ executable: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Data {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw BenchmarkError("\(arguments.joined(separator: " ")) ended with status \(process.terminationStatus)")
    }
    return output
}
