package import Foundation

/// What a process printed and how it ended.
package struct ProcessOutcome: Sendable {
    package let status: Int32
    package let standardOutput: Data
    package let standardError: Data

    /// The output as text.
    package var text: String { String(decoding: standardOutput, as: UTF8.self) }
    /// The error output as text.
    package var errorText: String { String(decoding: standardError, as: UTF8.self) }
}

/// Runs a program, found by the search path unless its name is a path, and waits for it.
///
/// - Throws: If the program can't be started. A status other than 0 is no error.
package func runProcess(
    _ program: String, _ arguments: [String], folder: URL? = nil, environment: [String: String] = [:]
) throws -> ProcessOutcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files and not pipes: a full pipe would block the program while this waits for its end.
    let outputs = try TemporaryFolder()
    let files = try ["out", "err"].map { name in
        _ = FileManager.default.createFile(atPath: outputs.file(name).path, contents: nil)
        return try FileHandle(forWritingTo: outputs.file(name))
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    for file in files { try file.close() }
    return ProcessOutcome(
        status: process.terminationStatus, standardOutput: try Data(contentsOf: outputs.file("out")),
        standardError: try Data(contentsOf: outputs.file("err")))
}
