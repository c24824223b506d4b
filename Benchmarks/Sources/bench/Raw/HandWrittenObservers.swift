import BenchmarkKit

/// What users write themselves without typed observation: each of ten observers goes through all changed objects and picks its own type.
struct HandWrittenObservers {
    let size: DatasetSize

    private class Object {
        var year: Int64 = 0
    }
    private final class Movie: Object {}
    private final class Person: Object {}

    func run(_ meter: inout Meter) -> Outcome {
        let count = size.movies
        let objects: [Object] = (0..<count).map { $0 < size.people ? Person() : Movie() }
        var checksum = Checksum()
        meter.measure {
            for observer in 0..<10 {
                if observer % 2 == 0 {
                    checksum.add(objects.compactMap { $0 as? Movie }.count)
                } else {
                    checksum.add(objects.compactMap { $0 as? Person }.count)
                }
            }
        }
        return Outcome(units: count, checksum: checksum)
    }
}
