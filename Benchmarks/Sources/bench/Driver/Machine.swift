import CBenchmarkSystem
import Foundation

/// What the figures were taken on.
struct Machine: Codable, CustomStringConvertible {
    let processor: String
    let cores: Int
    let system: String
    let sqlite: String

    static var current: Machine {
        let information = ProcessInfo.processInfo
        return Machine(
            processor: processorName, cores: information.processorCount, system: information.operatingSystemVersionString,
            sqlite: String(cString: sqlite3_libversion()))
    }

    private static var processorName: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return name?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    var description: String { "\(processor), \(cores) cores, \(system), SQLite \(sqlite)" }
}
