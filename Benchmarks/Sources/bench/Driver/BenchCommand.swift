import Foundation

/// The command line.
enum BenchCommand {
    static let usage = """
        bench run [--rounds N] [--json FILE] [--movies N] [WORKLOAD...]   measure contenders in turn and print the table
        bench linear [--rounds N] [--movies N] [WORKLOAD...]   does four times the work take four times as long?
        bench raw|opencoredata WORKLOAD [--stores DIR] [--movies N] [--repetitions N] [--no-warm-up]   one contender, one workload
        bench prepare DIR [--movies N]   make the files that workloads start from

        Workloads: \(Workload.allCases.map(\.rawValue).joined(separator: " "))
        """

    static func run(_ arguments: [String]) throws {
        var options = try Options(arguments)
        switch options.words.isEmpty ? "help" : options.words.removeFirst() {
        case "run": try runAll(options)
        case "linear": try compareSizes(options)
        case "prepare":
            guard let directory = options.words.first else { throw BenchmarkError(usage) }
            try prepare(URL(fileURLWithPath: directory), options)
        case let name:
            guard let kind = ContenderKind(rawValue: name), let word = options.words.first else { throw BenchmarkError(usage) }
            try runOne(kind, try Workload(named: word), options)
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

    private static func workloads(_ options: Options) throws -> [Workload] {
        try options.words.isEmpty ? Workload.allCases : options.words.map { try Workload(named: $0) }
    }

    private static func prepare(_ directory: URL, _ options: Options) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try StoreMaker(size: options.size).prepare(PreparedStores(directory: directory))
    }

    private static func runOne(_ kind: ContenderKind, _ workload: Workload, _ options: Options) throws {
        let scratch = try ScratchDirectory()
        let directory = options.stores.map { URL(fileURLWithPath: $0) } ?? scratch.url.appendingPathComponent("prepared")
        if options.stores == nil { try prepare(directory, options) }
        let trial = try kind.trial(workload, stores: PreparedStores(directory: directory), scratch: scratch, options)
        print(String(decoding: try JSONEncoder().encode(trial), as: UTF8.self))
    }
}

/// Who takes part.
enum ContenderKind: String, Codable, CaseIterable {
    case raw
    case opencoredata

    func trial(_ workload: Workload, stores: PreparedStores, scratch: ScratchDirectory, _ options: Options) throws -> Trial {
        switch self {
        case .raw: try trial(RawContender(size: options.size), workload, stores, scratch, options)
        case .opencoredata: try trial(LibraryContender(size: options.size), workload, stores, scratch, options)
        }
    }

    private func trial(
        _ contender: some Contender, _ workload: Workload, _ stores: PreparedStores, _ scratch: ScratchDirectory,
        _ options: Options
    ) throws -> Trial {
        try Trial.run(
            contender, workload, stores: stores, scratch: scratch, repetitions: options.repetitions, warmUp: options.warmUp)
    }
}

extension Workload {
    init(named name: String) throws {
        guard let workload = Workload(rawValue: name) ?? Workload(rawValue: name.uppercased()) else {
            throw BenchmarkError("no workload \(name)\n\(BenchCommand.usage)")
        }
        self = workload
    }
}
