import Foundation

/// An attribute whose value the store computes from other values.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// How the value is computed, as the model file writes it: `canonical:(name)`, `items.@count`, `now()`.
    package final var derivationExpressionString: String? { willSet { requireMutable() } }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        (copy as? NSDerivedAttributeDescription)?.derivationExpressionString = derivationExpressionString
    }
}
