import Foundation
import TestSupport
import Testing

/// The programs of this package that port sources and copy models.
enum Tool: String {
    case port = "coredata-port"
    case portSource = "port-source"
    case compileModel = "compile-model"

    /// Runs the program and waits for it.
    func run(_ arguments: String..., in folder: TemporaryFolder) throws -> ProcessOutcome {
        let program = Bundle.main.bundleURL.appendingPathComponent(rawValue)
        try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) was not built")
        return try runProcess(program.path, arguments, folder: folder.url)
    }
}

extension TemporaryFolder {
    func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }
}
