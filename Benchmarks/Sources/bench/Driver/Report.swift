import BenchmarkKit
import Foundation

/// The figures of a run, as tables and as JSON.
struct Report: Codable {
    /// The trials of one workload.
    struct Line: Codable {
        /// Who did the work, beside the raw contender.
        enum Who {
            case library
            case peer(String)

            fileprivate var key: String {
                switch self {
                case .library: ContenderProgram.library
                case .peer(let name): name
                }
            }
        }

        /// The trials of one contender with one setting of memory.
        struct Figures: Codable {
            fileprivate(set) var figures: [Double] = []
            fileprivate(set) var pageFaults: [Double] = []
            /// The ratios to the raw contender, each taken inside its round: the machine may be busier in one round than in another.
            fileprivate(set) var ratios: [Double] = []

            var ratio: Double? { ratios.isEmpty ? nil : ratios.median }

            fileprivate mutating func add(_ trial: Trial, beside raw: Trial?) {
                figures.append(trial.figure)
                pageFaults.append(trial.pageFaults)
                if let raw { ratios.append(trial.figure / raw.figure) }
            }
        }

        let workload: Workload
        /// By contender, then by setting.
        private(set) var trials: [String: [String: Figures]] = [:]

        init(workload: Workload) {
            self.workload = workload
        }

        mutating func add(_ trial: Trial, _ who: Who, _ memory: MemorySetting, beside raw: Trial?) throws {
            if let raw {
                guard !workload.hasCommonChecksum || raw.checksum == trial.checksum else {
                    throw BenchmarkError(
                        "\(workload.rawValue): raw and \(who.key) disagree, \(raw.checksum) and \(trial.checksum)")
                }
                if case .library = who {
                    trials[ContenderProgram.raw, default: [:]][memory.rawValue, default: Figures()].add(raw, beside: nil)
                }
            }
            trials[who.key, default: [:]][memory.rawValue, default: Figures()].add(trial, beside: raw)
        }

        func figures(_ contender: String, _ memory: MemorySetting) -> Figures? { trials[contender]?[memory.rawValue] }
    }

    let lines: [Line]
    /// Other libraries that took part.
    let peers: [String]
    let movies: Int
    let rounds: Int
    let machine: Machine
    let date: Date

    init(lines: [Line], peers: [String], size: DatasetSize, rounds: Int) {
        self.lines = lines
        self.peers = peers
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
}
