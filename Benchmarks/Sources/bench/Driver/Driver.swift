import BenchmarkKit
import Foundation

/// Runs contenders in turn, each trial in a process of its own, and collects the figures.
struct Driver {
    let scratch: ScratchDirectory
    let size: DatasetSize
    let rounds: Int

    func run(_ workloads: [Workload]) throws -> Report {
        let contenders = try ContenderProgram.all()
        let stores = try prepare()
        var lines: [Report.Line] = []
        for workload in workloads {
            FileHandle.standardError.write(Data("\(workload.rawValue) \(workload.summary) ...\n".utf8))
            lines.append(try measure(workload, stores, contenders))
        }
        return Report(lines: lines, peers: contenders.peers.map(\.name), size: size, rounds: rounds)
    }

    /// The library's figures alone.
    func figures(_ workloads: [Workload]) throws -> [Double] {
        let library = try ContenderProgram.all().library
        let stores = try prepare()
        return try workloads.map { workload in
            FileHandle.standardError.write(Data("\(workload.rawValue) with \(size.movies) ...\n".utf8))
            return try (0..<rounds).map { _ in try trial(library, workload, stores, .system).figure }.median
        }
    }

    private func prepare() throws -> URL {
        let stores = scratch.newURL()
        guard let bench = Bundle.main.executableURL else { throw BenchmarkError("cannot find this program's file") }
        try spawn(bench, ["prepare", stores.path, "--movies", String(size.movies)], ["TMPDIR": scratch.url.path])
        return stores
    }

    private func measure(
        _ workload: Workload, _ stores: URL,
        _ contenders: (raw: ContenderProgram, library: ContenderProgram, peers: [ContenderProgram])
    ) throws -> Report.Line {
        var line = Report.Line(workload: workload)
        for memory in MemorySetting.allCases {
            for _ in 0..<rounds {
                let raw = workload.hasRaw ? try trial(contenders.raw, workload, stores, memory) : nil
                let library = try trial(contenders.library, workload, stores, memory)
                try line.add(library, .library, memory, beside: raw)
                for peer in contenders.peers where peer.does(workload) {
                    try line.add(try trial(peer, workload, stores, memory), .peer(peer.name), memory, beside: raw)
                }
            }
        }
        return line
    }

    private func trial(_ contender: ContenderProgram, _ workload: Workload, _ stores: URL, _ memory: MemorySetting) throws
        -> Trial
    {
        try contender.trial(workload, stores: stores, size: size, memory, scratch)
    }
}
