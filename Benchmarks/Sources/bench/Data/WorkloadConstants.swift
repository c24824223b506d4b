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
