import Foundation

/// Predicates joined by AND or OR, or one under NOT.
///
/// Format strings and conversions give these. To programs it is Linux Foundation's `NSCompoundPredicate`. It adds a format
/// string that reads back, and compiled evaluation. Objects of Foundation's own class work inside these predicates and in
/// fetches too.
final class CompoundPredicate: NSCompoundPredicate, LazilyCompiled {
    private(set) var compiled = LazyCompilation()

    /// Joins predicates.
    ///
    /// - Parameters:
    ///   - type: NOT, AND or OR.
    ///   - subpredicates: The operands. NOT takes the first and must have one. Without operands AND is true and OR is false.
    override init(type: LogicalType, subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    /// The operands. Setting it, which Apple's class doesn't have, is only good while no other thread uses the predicate.
    override var subpredicates: [NSPredicate] {
        get { super.subpredicates }
        set {
            super.subpredicates = newValue
            compiled = LazyCompilation()
        }
    }

    /// NOT, AND or OR. Setting it, which Apple's class doesn't have, is only good while no other thread uses the predicate.
    override var compoundPredicateType: LogicalType {
        get { super.compoundPredicateType }
        set {
            super.compoundPredicateType = newValue
            compiled = LazyCompilation()
        }
    }

    /// The predicate as a format string, from which `NSPredicate(format:)` makes an equal one.
    override var predicateFormat: String { PredicatePrinter.print(PredicateNode(self)) }

    /// The format string.
    override var description: String { predicateFormat }

    /// Whether the predicate is true for an object.
    ///
    /// Where Apple's method raises an exception (a variable without a value, ANY of something that is not a collection) the
    /// program stops with a message; ``Foundation/NSPredicate/evaluate(validating:substitutionVariables:)`` throws it
    /// instead.
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.evaluateOrStop(PredicateNode(self), object, bindings)
    }

    /// Equal predicates have the same type and equal operands in the same order.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSCompoundPredicate else { return false }
        return self === other || PredicateNode(self) == PredicateNode(other)
    }

    /// A hash that equal predicates have in common.
    override var hash: Int { PredicateNode(self).hashValue }

    /// A predicate with the same operands.
    override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }
}
