import Foundation

/// The figures of a run, as a table and as JSON.
struct Report: Codable {
    struct Line: Codable {
        let workload: Workload
        /// Medians over the rounds, in the workload's unit.
        let raw: Double?
        let library: Double
        /// The median of the rounds' ratios, each taken inside its round: the machine may be busier in one round than in another.
        let ratio: Double?
        let ratios: [Double]
    }

    let lines: [Line]
    let movies: Int
    let rounds: Int
    let machine: Machine
    let date: Date

    init(lines: [Line], size: DatasetSize, rounds: Int) {
        self.lines = lines
        self.rounds = rounds
        movies = size.movies
        machine = .current
        date = Date()
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(self).write(to: file)
    }

    /// A Markdown table.
    var table: String {
        let header = ["workload", "", "raw SQLite", "OpenCoreData", "unit", "ratio", "must", "reach", ""]
        let rows = [header] + lines.map(\.cells)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let text = rows.map { row in
            "| " + zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " | ") + " |"
        }
        let rule = "| " + widths.map { String(repeating: "-", count: max(1, $0)) }.joined(separator: " | ") + " |"
        let title = "\(machine), \(movies) movies, median of \(rounds) rounds, processor time\n"
        return ([title, text[0], rule] + text.dropFirst()).joined(separator: "\n")
    }
}

extension Report.Line {
    fileprivate var cells: [String] {
        let target = workload.target
        return [
            workload.rawValue, workload.summary, raw.map(Self.number) ?? "-", Self.number(library), workload.unit.rawValue,
            ratio.map { Self.decimals($0, 2) } ?? "-", target.map { Self.decimals($0.must, 2) } ?? "-",
            target.map { Self.decimals($0.reach, 2) } ?? "-", verdict,
        ]
    }

    private var verdict: String {
        guard let target = workload.target else { return "" }
        let figure = target.isRatio ? ratio ?? .infinity : library
        return figure <= target.reach ? "reached" : figure <= target.must ? "met" : "SHORT"
    }

    private static func number(_ value: Double) -> String {
        decimals(value, value < 100 ? 2 : 0)
    }

    private static func decimals(_ value: Double, _ count: Int) -> String {
        String(format: "%.\(count)f", value)
    }
}
