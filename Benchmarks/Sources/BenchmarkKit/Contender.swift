import Foundation

/// Somebody who does the workloads.
package protocol Contender {
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
package struct Outcome {
    /// Objects, queries or accesses.
    package let units: Int
    package let checksum: Checksum
    /// For the memory workload: how much the objects take together.
    package var bytes: Int?

    package init(units: Int, checksum: Checksum, bytes: Int? = nil) {
        self.units = units
        self.checksum = checksum
        self.bytes = bytes
    }
}

/// The files that workloads start from.
package struct PreparedStores {
    /// People only: what inserting starts from.
    package let people: URL
    /// People and movies.
    package let full: URL
    /// Shelves and books: what has an inverse with many.
    package let shelves: URL
    /// What the workloads with rarer kinds of values and relationships start from.
    package let variety: URL

    package init(directory: URL) {
        people = directory.appendingPathComponent("people.sqlite")
        full = directory.appendingPathComponent("full.sqlite")
        shelves = directory.appendingPathComponent("shelves.sqlite")
        variety = directory.appendingPathComponent("variety.sqlite")
    }

    /// Copies the files into another folder.
    package func copy(to directory: URL) throws -> PreparedStores {
        let copy = PreparedStores(directory: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (from, to) in [(people, copy.people), (full, copy.full), (shelves, copy.shelves), (variety, copy.variety)] {
            try FileManager.default.copyItem(at: from, to: to)
        }
        return copy
    }
}
