/// What W4 asks for.
package enum FilterWorkload {
    package static let rating = 5.0
    package static let text = "ab"
}

/// What W5 writes.
package enum UpdateWorkload {
    /// The new rating of the object at a place.
    package static func rating(_ index: Int) -> Double { Double(index % 1000) / 8 + 0.5 }
}

/// What the workload with ANY asks for.
package enum MemberWorkload {
    /// One book of a hundred thousand has such a number, so few shelves are found.
    package static let numbers: ClosedRange<Int64> = 10...29
}

/// What the lists that follow show.
package enum ListWorkload {
    package static let lists = 100
    package static let changes = 1000
    package static let firstYear = 1900

    /// The year that a movie gets, and with it another list.
    package static func newYear(_ year: Int) -> Int { firstYear + (year - firstYear + 1) % lists }
}

/// Who learns of a save.
package enum MergeWorkload {
    package static let contexts = 10
}
