import Foundation

/// Runs contenders in turn, each trial in a process of its own, and collects the figures.
struct Driver {
    let scratch: ScratchDirectory
    let size: DatasetSize
    let rounds: Int

    func run(_ workloads: [Workload]) throws -> Report {
        let stores = scratch.newURL()
        try spawn(["prepare", stores.path])
        var results: [Report.Line] = []
        for workload in workloads {
            FileHandle.standardError.write(Data("\(workload.rawValue) \(workload.summary) ...\n".utf8))
            results.append(try measure(workload, stores))
        }
        return Report(lines: results, size: size, rounds: rounds)
    }

    /// The library's figures alone.
    func figures(_ workloads: [Workload]) throws -> [Double] {
        let stores = scratch.newURL()
        try spawn(["prepare", stores.path])
        return try workloads.map { workload in
            FileHandle.standardError.write(Data("\(workload.rawValue) with \(size.movies) ...\n".utf8))
            return try (0..<rounds).map { _ in try trial(.opencoredata, workload, stores).figure }.median
        }
    }

    private func measure(_ workload: Workload, _ stores: URL) throws -> Report.Line {
        var raw: [Double] = []
        var library: [Double] = []
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let theirs = workload.hasRaw ? try trial(.raw, workload, stores) : nil
            let ours = try trial(.opencoredata, workload, stores)
            if let theirs {
                guard !workload.hasCommonChecksum || theirs.checksum == ours.checksum else {
                    throw BenchmarkError("\(workload.rawValue): contenders disagree, \(theirs.checksum) and \(ours.checksum)")
                }
                raw.append(theirs.figure)
                ratios.append(ours.figure / theirs.figure)
            }
            library.append(ours.figure)
        }
        return Report.Line(
            workload: workload, raw: raw.isEmpty ? nil : raw.median, library: library.median,
            ratio: ratios.isEmpty ? nil : ratios.median, ratios: ratios)
    }

    private func trial(_ contender: ContenderKind, _ workload: Workload, _ stores: URL) throws -> Trial {
        let output = try spawn([contender.rawValue, workload.rawValue, "--stores", stores.path])
        return try JSONDecoder().decode(Trial.self, from: output)
    }

    /// Runs this program again and gives what it printed.
    @discardableResult
    private func spawn(_ arguments: [String]) throws -> Data {
        guard let executable = Bundle.main.executableURL else { throw BenchmarkError("cannot find this program's file") }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments + ["--movies", String(size.movies)]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": scratch.url.path]) { $1 }
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
}
