public import Foundation
public import Predicates

/// A column of a dictionary result that is computed: the value of an expression, under a name.
///
/// It belongs to no entity; put it into `NSFetchRequest.propertiesToFetch`.
///
/// ```swift
/// let total = NSExpressionDescription()
/// total.name = "total"
/// total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "amount")])
/// total.resultType = .double
/// ```
///
/// Thread rules as for `NSPropertyDescription`.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    /// Makes a description without name and expression.
    public required init() { super.init() }

    /// What to compute for each row, or for each group of rows.
    public final var expression: _NSExpression? { willSet { requireMutable() } }

    /// The type of the values. With the undefined type, the default, they come as the store computes them.
    public final var resultType = NSAttributeDescription.AttributeType.undefined { willSet { requireMutable() } }

    /// The type of the values in the older notation; `undefinedAttributeType` for a type that has no older form.
    public final var expressionResultType: NSAttributeType {
        get { NSAttributeType(rawValue: resultType.rawValue) ?? .undefinedAttributeType }
        set { resultType = NSAttributeDescription.AttributeType(newValue) }
    }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.resultType = resultType
    }
}
