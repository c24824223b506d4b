import Foundation

/// TRUEPREDICATE or FALSEPREDICATE: Foundation's `NSPredicate(value:)`, equal to it, with a readable description.
final class TruthPredicate: NSPredicate {
    private let value: Bool

    override init(value: Bool) {
        self.value = value
        super.init(value: value)
    }

    override var predicateFormat: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

    override var description: String { predicateFormat }

    // Foundation's compounds look to Foundation like predicates that are always false.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return PredicateNode(other) == .constant(value)
    }

    override var hash: Int { value.hashValue }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}
