import Foundation

/// The result of one process: one contender doing one workload several times.
struct Trial: Codable {
    /// The median over the repetitions, in the workload's unit.
    let figure: Double
    let checksum: UInt64

    /// Does `workload` once unmeasured, then `repetitions` times.
    static func run(
        _ contender: some Contender, _ workload: Workload, stores: PreparedStores, scratch: ScratchDirectory, repetitions: Int,
        warmUp: Bool
    ) throws -> Trial {
        var figures: [Double] = []
        var checksum: UInt64?
        for repetition in (warmUp ? -1 : 0)..<repetitions {
            let directory = scratch.newURL()
            let copies = try stores.copy(to: directory)
            defer { try? FileManager.default.removeItem(at: directory) }
            var meter = Meter()
            let outcome = try contender.run(workload, stores: copies, meter: &meter)
            if let checksum, checksum != outcome.checksum.value {
                throw BenchmarkError("\(workload.rawValue): the check sum changed between repetitions")
            }
            checksum = outcome.checksum.value
            if repetition >= 0 { figures.append(workload.unit.figure(meter: meter, outcome: outcome)) }
        }
        return Trial(figure: figures.median, checksum: checksum ?? 0)
    }
}

extension Workload.Unit {
    fileprivate func figure(meter: Meter, outcome: Outcome) -> Double {
        switch self {
        case .nanosecondsPerObject, .nanosecondsPerAccess: Double(meter.nanoseconds) / Double(outcome.units)
        case .millisecondsPerQuery: Double(meter.nanoseconds) / 1_000_000 / Double(outcome.units)
        case .bytesPerObject: Double(outcome.bytes ?? 0) / Double(outcome.units)
        }
    }
}

extension [Double] {
    /// The middle value; not-a-number if there is none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
