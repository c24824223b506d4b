import BenchmarkKit
import Foundation
import OpenCoreData

/// One property of a thousand movies, again and again: by the accessor, by the slot under it, and by key.
extension LibraryContender {
    private static let passes = 1000

    // MARK: Reading

    func readScalar(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { $1.add($0.duration) }
    }

    func readString(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { $1.add($0.tagline) }
    }

    func readSlot(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { $1.add($0._integer(Movie.durationSlot)) }
    }

    func readByKey(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { $1.add($0.value(forKey: "duration") as? Int64 ?? 0) }
    }

    // MARK: Writing

    func writeScalar(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { movie, _ in movie.duration = 120 }
    }

    func writeSlot(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { movie, _ in movie._setInteger(Movie.durationSlot, 120) }
    }

    func writeByKey(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter) { movie, _ in movie.setValue(120 as Int64, forKey: "duration") }
    }

    // MARK: The accessors of classes in Apple's form

    func readManaged(_ meter: inout Meter) throws -> Outcome {
        try withPortedMovies(&meter) { $1.add($0.duration) }
    }

    func writeManaged(_ meter: inout Meter) throws -> Outcome {
        try withPortedMovies(&meter) { movie, _ in movie.duration = 120 }
    }

    @inline(__always)
    private func withPortedMovies(_ meter: inout Meter, _ access: (PortedMovie, inout Checksum) -> Void) throws -> Outcome {
        let context = try PortedMovie.makeContext()
        defer { withExtendedLifetime(context) {} }
        let movies = Dataset(size: size).movies.prefix(1000).map { values in
            let movie = PortedMovie(context: context)
            movie.duration = values.duration
            return movie
        }
        try context.save()
        let checksum = measure(movies, &meter, access) { $0.duration }
        return Outcome(units: movies.count * Self.passes, checksum: checksum)
    }

    // MARK: Measuring

    @inline(__always)
    func withMovies(
        _ stores: PreparedStores, _ meter: inout Meter, isTracked: Bool = false, _ access: (Movie, inout Checksum) -> Void
    ) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        container.viewContext.tracksObservation = isTracked
        let movies = try allMovies(container.viewContext, limit: 1000)
        let checksum = measure(movies, &meter, access) { $0.duration }
        return Outcome(units: movies.count * Self.passes, checksum: checksum)
    }

    /// Goes through unretained references: a retain and a release per object would cost several times as much as the accessor.
    @inline(__always)
    private func measure<Object: NSManagedObject>(
        _ objects: [Object], _ meter: inout Meter, _ access: (Object, inout Checksum) -> Void, result: (Object) -> Int64
    ) -> Checksum {
        let references = objects.map(Unmanaged.passUnretained)
        var checksum = Checksum()
        meter.measure {
            for _ in 0..<Self.passes {
                for reference in references { reference._withUnsafeGuaranteedRef { access($0, &checksum) } }
            }
        }
        for object in objects { checksum.add(result(object)) }
        return checksum
    }
}

extension Movie {
    fileprivate static let durationSlot = 1
}
