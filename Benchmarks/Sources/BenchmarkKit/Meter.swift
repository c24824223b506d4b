import CBenchmarkSystem
import Foundation

/// Counts what the parts of a trial that are to be measured cost, over all threads of the process.
package struct Meter {
    /// Processor time.
    package private(set) var nanoseconds: Int64 = 0
    /// Pages of fresh memory that the system had to bring.
    package private(set) var pageFaults: Int64 = 0

    package init() {}

    /// Runs `body` and adds its cost. Never inlined, so that callgrind finds it by its name.
    @inline(never)
    package mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = Usage.now
        defer { add(Usage.now, since: start, times: 1) }
        return try body()
    }

    /// Runs `body` and takes its cost away: for what a trial has to do beside the work in question.
    package mutating func measureNegative<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = Usage.now
        defer { add(Usage.now, since: start, times: -1) }
        return try body()
    }

    private mutating func add(_ end: Usage, since start: Usage, times: Int64) {
        nanoseconds += (end.nanoseconds - start.nanoseconds) * times
        pageFaults += (end.pageFaults - start.pageFaults) * times
    }

    /// The bytes that malloc has given out and not got back; the resident size where malloc doesn't tell.
    package static var allocatedBytes: Int {
        let bytes = bench_allocated_bytes()
        return bytes > 0 ? Int(bytes) : residentBytes
    }

    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// What the process has used so far.
private struct Usage {
    let nanoseconds: Int64
    let pageFaults: Int64

    static var now: Usage {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Usage(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), pageFaults: Int64(bench_page_faults()))
    }
}
