import Foundation

/// An attribute that groups other attributes. Its value is a dictionary from element names to values.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`; `freeze()` freezes the elements too.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// Makes a composite without elements; its type is `composite`.
    public required init() {
        super.init()
        type = .composite
    }

    /// The attributes of the group. An element may be a composite itself.
    public final var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        (copy as? NSCompositeAttributeDescription)?.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    }

    package override func freeze() {
        super.freeze()
        for element in elements { element.freeze() }
    }
}
