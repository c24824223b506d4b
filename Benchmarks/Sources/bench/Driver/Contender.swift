import Foundation

/// Somebody who does the workloads.
protocol Contender {
    init(size: DatasetSize)

    /// Does one workload once.
    ///
    /// - Parameters:
    ///   - workload: What to do.
    ///   - stores: The prepared files; a contender may change them, they are its own copies.
    ///   - meter: Takes the time of the part that counts.
    func run(_ workload: Workload, stores: PreparedStores, meter: inout Meter) throws -> Outcome
}

/// What a contender answers for one trial.
struct Outcome {
    /// Objects, queries or accesses.
    let units: Int
    let checksum: Checksum
    /// For the memory workload: how much the objects take together.
    var bytes: Int?
}

/// The files that workloads start from.
struct PreparedStores {
    /// People only: what inserting starts from.
    let people: URL
    /// People and movies.
    let full: URL
    /// Shelves and books: what has an inverse with many.
    let shelves: URL

    init(directory: URL) {
        people = directory.appendingPathComponent("people.sqlite")
        full = directory.appendingPathComponent("full.sqlite")
        shelves = directory.appendingPathComponent("shelves.sqlite")
    }

    /// Copies the files into another folder.
    func copy(to directory: URL) throws -> PreparedStores {
        let copy = PreparedStores(directory: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (from, to) in [(people, copy.people), (full, copy.full), (shelves, copy.shelves)] {
            try FileManager.default.copyItem(at: from, to: to)
        }
        return copy
    }
}
