import BenchmarkKit
import Foundation

/// What the library does per object, counted.
struct Counts: Codable {
    struct Line: Codable {
        let workload: Workload
        let instructions: Int
        /// With two decimals: an allocation for every hundredth object is one, too.
        let allocations: Double
        let retains: Double

        init(_ workload: Workload, _ small: CallProfile, _ large: CallProfile, objects: Int) {
            func each(_ key: KeyPath<CallProfile, Int>) -> Double {
                (Double(large[keyPath: key] - small[keyPath: key]) / Double(objects) * 100).rounded() / 100
            }
            self.workload = workload
            instructions = Int(each(\.instructions))
            allocations = each(\.allocations)
            retains = each(\.retains)
        }

        fileprivate var figures: [(name: String, value: Double)] {
            [("instructions", Double(instructions)), ("allocations", allocations), ("retains", retains)]
        }
    }

    let lines: [Line]
    /// What a fetched object takes, with everything that it brings.
    let bytes: Int
    /// Counts of other versions can't be compared.
    let sqlite: String
    let system: String

    init(lines: [Line], bytes: Int) {
        self.lines = lines
        self.bytes = bytes
        sqlite = Machine.current.sqlite
        system = Machine.current.system
    }

    init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(Counts.self, from: Data(contentsOf: file))
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: file)
    }

    /// A Markdown table.
    var table: String {
        markdownTable(
            ["workload", "", "instructions", "allocations", "retains"],
            lines.map {
                [
                    $0.workload.rawValue, $0.workload.summary, String($0.instructions), $0.allocations.text(decimals: 2),
                    $0.retains.text(decimals: 2),
                ]
            }) + "\n\nper object. A fetched object takes \(bytes) bytes."
    }

    /// - Throws: If a count is more than 3 % above what the thresholds say.
    func check(against thresholds: Counts) throws {
        guard thresholds.sqlite == sqlite, thresholds.system == system else {
            print("The thresholds are those of \(thresholds.system) with SQLite \(thresholds.sqlite): nothing is compared.")
            return
        }
        var worse: [String] = []
        func compare(_ what: String, _ value: Double, _ threshold: Double) {
            // A hundredth more is rounding.
            if value > threshold * 1.03 + 0.011 { worse.append("\(what): \(value) in place of \(threshold)") }
        }
        for line in lines {
            guard let limit = thresholds.lines.first(where: { $0.workload == line.workload }) else { continue }
            for (now, then) in zip(line.figures, limit.figures) {
                compare("\(line.workload.rawValue) \(now.name)", now.value, then.value)
            }
        }
        compare("bytes", Double(bytes), Double(thresholds.bytes))
        guard worse.isEmpty else {
            throw BenchmarkError("more than 3 % worse than Benchmarks/thresholds.json\n  " + worse.joined(separator: "\n  "))
        }
        print("No count is more than 3 % above its threshold.")
    }
}
