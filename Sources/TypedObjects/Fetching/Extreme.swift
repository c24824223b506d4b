/// The least or the greatest of some values.
enum Extreme {
    case least, greatest

    /// The store's function.
    var function: String { self == .least ? "min:" : "max:" }

    /// The same for values in memory; nil for none.
    func of<Value: Comparable>(_ values: [Value]) -> Value? { self == .least ? values.min() : values.max() }
}
