public import Foundation
import Predicates
import Synchronization

/// An index over one or more properties of an entity, which makes fetches by them fast.
///
/// Thread rules as for `NSPropertyDescription`.
// @unchecked Sendable: as for `NSPropertyDescription`, all setters are guarded by `requireMutable()`.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    package weak var owningEntity: NSEntityDescription?
    private let frozen = Atomic(false)
    private var storedElements: [NSFetchIndexElementDescription]

    /// Makes an index.
    ///
    /// - Parameters:
    ///   - name: A name, unique within the entity.
    ///   - elements: The indexed properties in order.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        storedElements = elements ?? []
        super.init()
        for element in storedElements { element.owningIndex = self }
    }

    /// The name of the index.
    public final var name: String { willSet { requireMutable() } }

    /// The indexed properties in order.
    public final var elements: [NSFetchIndexElementDescription] {
        get { storedElements }
        set {
            requireMutable()
            for element in storedElements { element.owningIndex = nil }
            storedElements = newValue
            for element in storedElements { element.owningIndex = self }
        }
    }

    /// The entity that has the index.
    public final var entity: NSEntityDescription? { owningEntity }

    /// Which rows the index holds; nil, the default, for all. Nil also for a condition of a model file that can't be read.
    ///
    /// An index serves speed alone: one with a condition is kept in the model, and stores that are made here leave it out.
    public final var partialIndexPredicate: NSPredicate? {
        get { partialIndexPredicateString.flatMap { try? NSPredicate(validating: $0) } }
        set { partialIndexPredicateString = newValue.map { PredicatePrinter.print(PredicateNode($0)) } }
    }

    /// The condition of a partial index, as the model file writes it.
    package final var partialIndexPredicateString: String? { willSet { requireMutable() } }

    /// Whether the model file has the index as a compound index, in the way of models before Xcode 9.
    package final var isCompoundIndex = false { willSet { requireMutable() } }

    /// An index with the same values that belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        copy(replacing: { $0 })
    }

    package final func copy(replacing: (NSPropertyDescription) -> NSPropertyDescription?) -> NSFetchIndexDescription {
        let copy = NSFetchIndexDescription(name: name, elements: storedElements.compactMap { $0.copy(replacing: replacing) })
        copy.partialIndexPredicateString = partialIndexPredicateString
        copy.isCompoundIndex = isCompoundIndex
        return copy
    }

    package final func freeze() {
        frozen.store(true, ordering: .relaxed)
    }

    package final var isFrozen: Bool {
        frozen.load(ordering: .relaxed)
    }

    package final func requireMutable() {
        if isFrozen { preconditionFailure("Can't modify an immutable model: index “\(owningEntity?.name ?? "?").\(name)”") }
    }
}
