/// What W4 asks for.
enum FilterWorkload {
    static let rating = 5.0
    static let text = "ab"
}

/// What W5 writes.
enum UpdateWorkload {
    /// The new rating of the object at a place.
    static func rating(_ index: Int) -> Double { Double(index % 1000) / 8 + 0.5 }
}

/// What the workload with ANY asks for.
enum MemberWorkload {
    /// One book of a hundred thousand has such a number, so few shelves are found.
    static let numbers: ClosedRange<Int64> = 10...29
}
