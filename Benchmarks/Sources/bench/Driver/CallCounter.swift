import BenchmarkKit
import Foundation

/// Counts by callgrind, which executes the program on a processor of its own: what else the machine does changes nothing.
struct CallCounter {
    let scratch: ScratchDirectory

    /// Costs that don't depend on the number of objects vanish in the difference of two sizes.
    private static let sizes = [10_000, 20_000]
    private static let workloads: [Workload] = [.insert, .fetch, .fault, .filter, .update, .delete, .traverse]

    func count() throws -> Counts {
        guard let bench = Bundle.main.executableURL else { throw BenchmarkError("cannot find this program's file") }
        var lines: [Counts.Line] = []
        var stores: [URL] = []
        for size in Self.sizes {
            let directory = scratch.newURL()
            try spawn(bench, ["prepare", directory.path, "--movies", String(size)])
            stores.append(directory)
        }
        for workload in Self.workloads {
            FileHandle.standardError.write(Data("\(workload.rawValue) \(workload.summary) ...\n".utf8))
            let profiles = try zip(stores, Self.sizes).map { try profile(bench, workload, $0, $1) }
            lines.append(Counts.Line(workload, profiles[0], profiles[1], objects: Self.sizes[1] - Self.sizes[0]))
        }
        let memory = try spawn(bench, ["opencoredata", Workload.memory.rawValue])
        return Counts(lines: lines, bytes: Int(try JSONDecoder().decode(Trial.self, from: memory).figure))
    }

    private func profile(_ bench: URL, _ workload: Workload, _ stores: URL, _ size: Int) throws -> CallProfile {
        let file = scratch.newURL()
        let arguments = [
            "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(file.path)", bench.path, "opencoredata",
            workload.rawValue, "--stores", stores.path, "--movies", String(size), "--repetitions", "1", "--no-warm-up",
        ]
        // Hashes would differ from run to run.
        try spawn(
            URL(fileURLWithPath: "/usr/bin/env"), arguments, ["SWIFT_DETERMINISTIC_HASHING": "1", "TMPDIR": scratch.url.path])
        return try CallProfile(String(contentsOf: file, encoding: .utf8))
    }
}
