import BenchmarkKit

/// How the time of each workload grows with its size.
struct LinearReport {
    /// How much larger the large run is.
    static let factor = 4
    /// The most that the large run may take, in times of the small one.
    static let limit = 4.6

    /// The figures of the small and of the large run, in nanoseconds per object.
    let small: [Double]
    let large: [Double]
    let workloads: [Workload]
    let size: DatasetSize

    /// A Markdown table.
    var table: String {
        let sizes = ["\(size.movies) movies", "\(size.movies * Self.factor) movies"]
        let lines = workloads.indices.map { index in
            let growth = large[index] / small[index] * Double(Self.factor)
            return [
                workloads[index].rawValue, workloads[index].summary, small[index].figure, large[index].figure,
                workloads[index].unit.rawValue, growth.text(decimals: 2), growth <= Self.limit ? "linear" : "NOT LINEAR",
            ]
        }
        return markdownTable(["workload", ""] + sizes + ["unit", "time of \(Self.factor) times the work", ""], lines)
    }
}
