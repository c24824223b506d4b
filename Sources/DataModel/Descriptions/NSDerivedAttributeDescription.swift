public import Foundation
public import Predicates

/// An attribute whose value the store computes from other values when a context saves.
///
/// What can be derived:
///
/// | expression | value |
/// | --- | --- |
/// | `title`, `author.name` | another attribute's, also over to-one relationships |
/// | `canonical:(title)`, `uppercase:(title)`, `lowercase:(title)` | the text without case and diacritics, or in one case |
/// | `notes.@count` | how many members a to-many relationship has |
/// | `notes.length.@sum` | the sum of an attribute of the members; `notes.@sum.length` is refused |
/// | `now()` | when the object was last saved |
///
/// The store keeps the values up to date, whatever changes what they are computed from, batch requests included. Objects that are
/// in memory have the value that they had until they are refreshed. Without an expression nothing is computed. An expression that
/// makes no sense is refused with 134060 when the first store is added to a coordinator of the model.
///
/// Unlike with Apple's framework, in-memory stores derive as well.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// How the value is computed, as the model file writes it: `canonical:(name)`, `items.@count`, `now()`.
    package final var derivationExpressionString: String? { willSet { requireMutable() } }

    /// How the value is computed. Nil if there is no expression, or one that can't be read.
    public final var derivationExpression: _NSExpression? {
        get {
            guard let text = derivationExpressionString, let node = try? PredicateParser.expression(text, []) else { return nil }
            return _NSExpression(node)
        }
        set { derivationExpressionString = newValue.map { PredicatePrinter.print($0.node) } }
    }

    /// Which members `@count` and `@sum` count; nil, the default, for all. It may read the members' own attributes.
    public final var filterPredicate: NSPredicate? { willSet { requireMutable() } }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivationExpressionString = derivationExpressionString
        copy.filterPredicate = filterPredicate
    }
}
