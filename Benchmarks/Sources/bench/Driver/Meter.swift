import CBenchmarkSystem
import Foundation

/// Counts the processor time of the parts of a trial that are to be measured, over all threads of the process.
struct Meter {
    private(set) var nanoseconds: Int64 = 0

    /// Runs `body` and adds its processor time. Never inlined, so that `valgrind --toggle-collect='*Meter*measure*'` finds it.
    @inline(never)
    mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = Self.processorTime()
        defer { nanoseconds += Self.processorTime() - start }
        return try body()
    }

    /// Runs `body` and takes its processor time away: for what a trial has to do beside the work in question.
    mutating func measureNegative<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = Self.processorTime()
        defer { nanoseconds -= Self.processorTime() - start }
        return try body()
    }

    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The bytes that malloc has given out and not got back; the resident size where malloc doesn't tell.
    static var allocatedBytes: Int {
        let bytes = bench_allocated_bytes()
        return bytes > 0 ? Int(bytes) : residentBytes
    }

    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
