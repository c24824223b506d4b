import BenchmarkKit
import Foundation
import Synchronization

/// Eight readers, each on a queue of its own, beside one writer.
enum ConcurrentReaders {
    static let count = 8

    /// The sum of what the readers read.
    static func run(writer: () throws -> Void, reader: @escaping @Sendable () throws -> Checksum) throws -> Checksum {
        let results = Results()
        let group = DispatchGroup()
        for index in 0..<count {
            DispatchQueue(label: "reader \(index)").async(group: group) { results.add(Result { try reader() }) }
        }
        let written = Result { try writer() }
        group.wait()
        try written.get()
        return try results.sum()
    }

    private final class Results: Sendable {
        private let all = Mutex<[Result<Checksum, any Error>]>([])

        func add(_ result: Result<Checksum, any Error>) { all.withLock { $0.append(result) } }

        func sum() throws -> Checksum {
            var sum = Checksum()
            for result in all.withLock({ $0 }) { sum.add(Int64(bitPattern: try result.get().value)) }
            return sum
        }
    }
}
