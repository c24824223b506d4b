/// Whether the least or the greatest value is wanted.
enum Extreme {
    case least, greatest

    /// The name of the function in a store.
    var function: String { self == .least ? "min:" : "max:" }

    /// The least or greatest of values in memory. It is nil if there are no values.
    func of<Value: Comparable>(_ values: [Value]) -> Value? { self == .least ? values.min() : values.max() }
}
