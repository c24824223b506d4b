import Foundation

/// An attribute that groups other attributes. Its value is a dictionary from element names to values.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`; `freeze()` freezes the elements too.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// How deep composites may be nested, and how many elements one may have with those of its elements. Each level needs a piece
    /// of the stack, and composites that hold others twice each would grow without bound.
    static let greatestDepth = 32
    static let greatestCount = 100_000

    private var storedElements: [NSAttributeDescription] = []

    /// Makes a composite without elements; its type is `composite`.
    public required init() {
        super.init()
        type = .composite
    }

    deinit {
        // One after the other: releasing a long chain would need a level of the stack for each.
        var rest = storedElements
        storedElements = []
        while var last = rest.popLast() {
            guard isKnownUniquelyReferenced(&last), let composite = last as? NSCompositeAttributeDescription else { continue }
            rest += composite.storedElements
            composite.storedElements = []
        }
    }

    /// The attributes of the group. An element may be a composite itself; a store can't be opened with composites nested more
    /// than 32 levels deep.
    public final var elements: [NSAttributeDescription] {
        get { storedElements }
        set {
            requireMutable()
            storedElements = newValue
        }
    }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.elements = nestingProblem == nil ? elements.compactMap { $0.copy() as? NSAttributeDescription } : elements
    }

    package override func freeze() {
        freezeAlone()
        var rest = storedElements
        while let next = rest.popLast() {
            guard !next.isFrozen else { continue }
            if let composite = next as? NSCompositeAttributeDescription {
                composite.freezeAlone()
                rest += composite.storedElements
            } else {
                next.freeze()
            }
        }
    }

    private func freezeAlone() { super.freeze() }

    /// What keeps the elements from being walked through: they are nested too deeply, or contain the composite itself.
    package final var nestingProblem: String? {
        var level: [NSAttributeDescription] = [self]
        var count = 0
        for _ in 0...Self.greatestDepth {
            level = level.flatMap { ($0 as? NSCompositeAttributeDescription)?.storedElements ?? [] }
            count += level.count
            if level.isEmpty { return nil }
            if count > Self.greatestCount { return "the composite holds more than \(Self.greatestCount) attributes" }
        }
        return "the composite is nested more than \(Self.greatestDepth) levels deep, or contains itself"
    }
}
