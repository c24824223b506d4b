import Foundation

/// The result of one process: one contender doing one workload several times.
package struct Trial: Codable {
    /// The median over the repetitions, in the workload's unit.
    package let figure: Double
    /// The median over the repetitions, per object, query or access.
    package let pageFaults: Double
    package let checksum: UInt64

    /// Does `workload` once unmeasured, then several times, each time with copies of the prepared files.
    package static func run(
        _ contender: some Contender, _ workload: Workload, stores: PreparedStores, scratch: ScratchDirectory, _ options: Options
    ) throws -> Trial {
        var figures: [Double] = []
        var pageFaults: [Double] = []
        var checksum: UInt64?
        for repetition in (options.warmUp ? -1 : 0)..<options.repetitions {
            let directory = scratch.newURL()
            let copies = try stores.copy(to: directory)
            defer { try? FileManager.default.removeItem(at: directory) }
            var meter = Meter()
            let outcome = try contender.run(workload, stores: copies, meter: &meter)
            if let checksum, checksum != outcome.checksum.value {
                throw BenchmarkError("\(workload.rawValue): the check sum changed between repetitions")
            }
            checksum = outcome.checksum.value
            guard repetition >= 0 else { continue }
            figures.append(workload.unit.figure(meter: meter, outcome: outcome))
            pageFaults.append(Double(meter.pageFaults) / Double(outcome.units))
        }
        return Trial(figure: figures.median, pageFaults: pageFaults.median, checksum: checksum ?? 0)
    }

    /// What a process of a contender does: one trial, printed as JSON.
    ///
    /// - Parameter prepare: Makes the prepared files in a folder, for a process that was not given any.
    package static func print(
        _ contender: some Contender, _ workload: Workload, _ options: Options, prepare: (PreparedStores) throws -> Void
    ) throws {
        let scratch = try ScratchDirectory()
        let directory = options.stores.map { URL(fileURLWithPath: $0) } ?? scratch.url.appendingPathComponent("prepared")
        let stores = PreparedStores(directory: directory)
        if options.stores == nil { try prepare(stores) }
        let trial = try run(contender, workload, stores: stores, scratch: scratch, options)
        Swift.print(String(decoding: try JSONEncoder().encode(trial), as: UTF8.self))
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
    package var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
