import BenchmarkKit
import Foundation

/// The command line.
enum BenchCommand {
    static let usage = """
        bench run [--rounds N] [--json FILE] [--movies N] [WORKLOAD...]   measure contenders in turn and print the tables
        bench linear [--rounds N] [--movies N] [WORKLOAD...]   does four times the work take four times as long?
        bench counts [--thresholds FILE] [--write]   instructions, allocations, retains and bytes per object, which no noise touches
        bench raw|opencoredata WORKLOAD [--stores DIR] [--movies N] [--repetitions N] [--no-warm-up]   one contender, one workload
        bench prepare DIR [--movies N]   make the files that workloads start from

        Workloads: \(Workload.allCases.map(\.rawValue).joined(separator: " "))
        """

    static func run(_ arguments: [String]) throws {
        var options = try Options(arguments)
        switch options.words.isEmpty ? "help" : options.words.removeFirst() {
        case "run": try runAll(options)
        case "linear": try compareSizes(options)
        case "counts": try count(options)
        case "prepare":
            guard let directory = options.words.first else { throw BenchmarkError(usage) }
            try prepare(PreparedStores(directory: URL(fileURLWithPath: directory)), options)
        case "raw":
            try Trial.print(RawContender(size: options.size), workload(options), options) { try prepare($0, options) }
        case "opencoredata":
            try Trial.print(LibraryContender(size: options.size), workload(options), options) { try prepare($0, options) }
        default: throw BenchmarkError(usage)
        }
    }

    private static func runAll(_ options: Options) throws {
        let workloads = try workloads(options)
        let scratch = try ScratchDirectory()
        let driver = Driver(scratch: scratch, size: options.size, rounds: options.rounds)
        let report = try driver.run(workloads)
        print(report.table)
        if let path = options.json {
            try report.write(to: URL(fileURLWithPath: path))
            print("\nwritten to \(path)")
        }
    }

    private static func compareSizes(_ options: Options) throws {
        let workloads = try options.words.isEmpty ? Workload.allCases.filter(\.hasLinearTime) : workloads(options)
        let large = DatasetSize(movies: options.size.movies * LinearReport.factor)
        let scratch = try ScratchDirectory()
        let report = LinearReport(
            small: try Driver(scratch: scratch, size: options.size, rounds: options.rounds).figures(workloads),
            large: try Driver(scratch: scratch, size: large, rounds: options.rounds).figures(workloads),
            workloads: workloads, size: options.size)
        print(report.table)
    }

    private static func count(_ options: Options) throws {
        let scratch = try ScratchDirectory()
        let counts = try CallCounter(scratch: scratch).count()
        print(counts.table)
        guard let path = options.thresholds else { return }
        let file = URL(fileURLWithPath: path)
        if options.writes { return try counts.write(to: file) }
        try counts.check(against: Counts(contentsOf: file))
    }

    private static func workload(_ options: Options) throws -> Workload {
        guard let word = options.words.first else { throw BenchmarkError(usage) }
        return try Workload(named: word)
    }

    private static func workloads(_ options: Options) throws -> [Workload] {
        try options.words.isEmpty ? Workload.allCases : options.words.map { try Workload(named: $0) }
    }

    private static func prepare(_ stores: PreparedStores, _ options: Options) throws {
        try FileManager.default.createDirectory(
            at: stores.full.deletingLastPathComponent(), withIntermediateDirectories: true)
        try StoreMaker(size: options.size).prepare(stores)
    }
}
