public import Foundation

/// The kinds of calls and values that an observer needs; see ``NSManagedObject/observe(_:options:changeHandler:)``.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1 << 0)
    /// The value before the change.
    public static let old = NSKeyValueObservingOptions(rawValue: 1 << 1)
    /// A first call at once, before anything has changed.
    public static let initial = NSKeyValueObservingOptions(rawValue: 1 << 2)
    /// One more call before each change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 1 << 3)
}

/// The kinds of changes of an observed property.
public enum NSKeyValueChange: UInt, Sendable {
    /// The property was set. All changes are reported as this kind.
    case setting = 1
    /// Members were added to a collection.
    case insertion
    /// Members were removed from a collection.
    case removal
    /// Members of a collection were replaced.
    case replacement
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// The type of ``kind``.
    public typealias Kind = NSKeyValueChange

    /// The kind of change. It is always ``NSKeyValueChange/setting``. Unlike with Apple's framework, changes of
    /// to-many relationships are reported with all members before and after.
    public let kind: Kind
    /// The value after the change, if the options contain ``NSKeyValueObservingOptions/new`` and there is one.
    public let newValue: Value?
    /// The value before the change, if the options contain ``NSKeyValueObservingOptions/old`` and there was one.
    public let oldValue: Value?
    /// Nil: see ``kind``.
    public let indexes: IndexSet?
    /// Whether the call comes before the change.
    public let isPrior: Bool

    package init(kind: Kind, newValue: Value?, oldValue: Value?, indexes: IndexSet?, isPrior: Bool) {
        self.kind = kind
        self.newValue = newValue
        self.oldValue = oldValue
        self.indexes = indexes
        self.isPrior = isPrior
    }
}

/// An observation that lasts until it is invalidated or released.
public final class NSKeyValueObservation: NSObject {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation. Callable on every thread, and more than once.
    public func invalidate() { end() }

    deinit { end() }
}
