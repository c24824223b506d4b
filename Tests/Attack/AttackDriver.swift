import Foundation
import TestSupport

/// Runs the attacks in child processes, each doing one after the other until one of them ends it.
struct AttackDriver {
    private static let batch = 250
    /// How long an attack may take when the machine has much else to do. What the processor may be asked for is limited by the worker.
    private static let patience: TimeInterval = 240

    let seed: UInt64
    let count: Int
    private let folder: AttackFolder
    private var outcomes: [String: Int] = [:]
    private var failures: [String] = []

    init(seed: UInt64, count: Int) throws {
        (self.seed, self.count) = (seed, count)
        folder = try AttackFolder.make()
    }

    /// - Returns: Whether nothing happened that must not.
    mutating func run() throws -> Bool {
        report("attack: \(count) attacks, seed \(seed)")
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let outside = folder.stateOfOutside()
        var next = 0
        while next < count {
            let end = min(count, next + Self.batch)
            next = try runWorker(next..<end)
            if folder.stateOfOutside() != outside {
                fail("attacks up to \(next): files outside of the stores' folder were changed")
                break
            }
            if next.isMultiple(of: 5000) { report("attack: \(next) done, \(failures.count) failures") }
        }
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { report("attack:   \(count) × \(outcome)") }
        for failure in failures { report("attack: FAILURE \(failure)") }
        report(
            "attack: \(next) attacks, seed \(seed): \(failures.isEmpty ? "nothing happened that must not" : "\(failures.count) failures")"
        )
        return failures.isEmpty
    }

    /// Writes a line at once, also into a pipe.
    private func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private mutating func fail(_ text: String) {
        failures.append(text)
        report("attack: \(text)")
    }

    /// - Returns: The number of the next attack to make.
    private mutating func runWorker(_ numbers: Range<Int>) throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["worker", folder.url.path, "\(seed)", "\(numbers.lowerBound)", "\(numbers.upperBound)"]
        process.currentDirectoryURL = folder.current
        let errors = folder.url.appendingPathComponent("errors.txt")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        try process.run()
        let identifier = process.processIdentifier
        let watchdog = Watchdog(patience: Self.patience) { kill(identifier, SIGKILL) }
        var (current, title, done) = (numbers.lowerBound, "", false)
        for line in Lines(pipe.fileHandleForReading) {
            watchdog.rest()
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch parts.first {
            case "begin":
                (current, title, done) = (Int(parts[1]) ?? current, parts.count > 2 ? parts[2] : "", false)
            case "end":
                done = true
                outcomes[parts.count > 2 ? parts[2] : "", default: 0] += 1
            case "wrong": fail("case \(seed) \(current) (\(title)): \(line.dropFirst(6))")
            default: break
            }
        }
        process.waitUntilExit()
        watchdog.stop()
        let text = String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self)
        try? FileManager.default.removeItem(at: errors)
        if process.terminationReason == .exit, process.terminationStatus == 0, done { return numbers.upperBound }
        let reason = text.split(separator: "\n").first { $0.contains("Fatal error") }.map(String.init) ?? String(text.suffix(300))
        if AttackWorker.isDocumentedStop(title: title, reason: reason) {
            outcomes["the documented stop of an accessor", default: 0] += 1
        } else {
            fail(
                "case \(seed) \(current) (\(title)): ended with \(process.terminationReason == .exit ? "status" : "signal") \(process.terminationStatus): \(reason)"
            )
        }
        let leftOver = folder.work.appendingPathComponent("\(current)")
        try? FileManager.default.removeItem(at: leftOver)
        return current + 1
    }
}

/// Ends a process that says nothing for too long.
// @unchecked Sendable: the state is under the lock.
private final class Watchdog: @unchecked Sendable {
    private let lock = NSLock()
    private var deadline: Date?
    private let patience: TimeInterval

    init(patience: TimeInterval, _ bite: @escaping @Sendable () -> Void) {
        self.patience = patience
        deadline = Date() + patience
        Thread.detachNewThread { [self] in
            while let deadline = lock.withLock({ deadline }) {
                if Date() > deadline { return bite() }
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
    }

    func rest() { lock.withLock { if deadline != nil { deadline = Date() + patience } } }
    func stop() { lock.withLock { deadline = nil } }
}

/// The lines of a pipe, as they come.
private struct Lines: Sequence, IteratorProtocol {
    private let handle: FileHandle
    private var rest = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
