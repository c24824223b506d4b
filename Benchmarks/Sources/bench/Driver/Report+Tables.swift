import BenchmarkKit
import Foundation

extension Report {
    /// Markdown tables: the library beside raw SQLite, and all libraries as ratios to raw SQLite.
    var table: String {
        let header = [
            "workload", "", "raw SQLite", "OpenCoreData", "unit", "ratio", "raw, memory kept", "OpenCoreData, memory kept",
            "ratio", "page faults", "goal", "",
        ]
        return """
            \(machine), \(movies) movies, median of \(rounds) rounds, processor time. Ratios are to raw SQLite, and page faults are \
            those per object with the system's memory settings, raw → library.

            \(markdownTable(header, lines.map(\.cells)))

            \(peerTable)
            """
    }

    private var peerTable: String {
        guard !peers.isEmpty else {
            return "Other libraries took no part: BENCHMARKS_GRDB=/path/to/GRDB.swift make bench measures GRDB, too."
        }
        let all = [ContenderProgram.library] + peers
        let rows = lines.filter { Workload.ofPeers.contains($0.workload) }.map { line in
            [line.workload.rawValue, line.workload.summary]
                + all.map { name in
                    MemorySetting.allCases.map { line.figures(name, $0)?.ratio?.text(decimals: 2) ?? "-" }.joined(
                        separator: " / ")
                }
        }
        return "Ratios to raw SQLite, with the system's memory settings / with memory kept:\n\n"
            + markdownTable(["workload", ""] + all, rows)
    }
}

extension Report.Line {
    fileprivate var cells: [String] {
        let raw = MemorySetting.allCases.map { figures(ContenderProgram.raw, $0) }
        let library = MemorySetting.allCases.map { figures(ContenderProgram.library, $0) }
        func figure(_ figures: Figures?) -> String { figures?.figures.median.figure ?? "-" }
        func ratio(_ figures: Figures?) -> String { figures?.ratio?.text(decimals: 2) ?? "-" }
        let faults = [raw[0], library[0]].map { $0.map { $0.pageFaults.median.text(decimals: 3) } ?? "-" }
        return [
            workload.rawValue, workload.summary, figure(raw[0]), figure(library[0]), workload.unit.rawValue, ratio(library[0]),
            figure(raw[1]), figure(library[1]), ratio(library[1]), faults.joined(separator: " → "), goal, verdict,
        ]
    }

    private var goal: String {
        [workload.goal?.most, workload.goalWithSystemMemory].compactMap { $0?.text(decimals: 2) }.joined(separator: ", ")
    }

    private var verdict: String {
        guard let goal = workload.goal, let kept = figures(ContenderProgram.library, .kept) else { return "" }
        var isReached = (goal.isRatio ? kept.ratio ?? .infinity : kept.figures.median) <= goal.most
        if let most = workload.goalWithSystemMemory {
            isReached = isReached && figures(ContenderProgram.library, .system)?.ratio ?? .infinity <= most
        }
        return isReached ? "reached" : "short"
    }
}
