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
        return "\(machine), \(movies) movies, median of \(rounds) rounds, processor time\n\n"
            + markdownTable(header, lines.map(\.cells))
    }
}

extension Report.Line {
    fileprivate var cells: [String] {
        let target = workload.target
        return [
            workload.rawValue, workload.summary, raw.map(\.figure) ?? "-", library.figure, workload.unit.rawValue,
            ratio.map { $0.text(decimals: 2) } ?? "-", target.map { $0.must.text(decimals: 2) } ?? "-",
            target.map { $0.reach.text(decimals: 2) } ?? "-", verdict,
        ]
    }

    private var verdict: String {
        guard let target = workload.target else { return "" }
        let figure = target.isRatio ? ratio ?? .infinity : library
        return figure <= target.reach ? "reached" : figure <= target.must ? "met" : "SHORT"
    }
}
