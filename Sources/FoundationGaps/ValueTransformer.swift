public import Foundation

/// The name of a value transformer.
public struct NSValueTransformerName: Hashable, RawRepresentable, Sendable {
    /// The name's text.
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Objects as keyed archives. Transformable attributes without another transformer use it.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
    /// The same under an older name. It decodes only the classes that the secure one allows.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// The same under the oldest name. It decodes only the classes that the secure one allows, and reads only keyed
    /// archives.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// The opposite of a boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether there is no value.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether there is a value.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
}

/// Turns values into others and back; for transformable attributes, objects into data.
///
/// Subclass it, override ``transformedValue(_:)`` (object to data) and ``reverseTransformedValue(_:)`` (data to
/// object), and register an instance under the name that the model uses. Linux Foundation has no such class. This
/// one has the part of Apple's class that Core Data needs.
///
/// An instance may be called on the queue of every context, so it must not change after it is registered.
open class ValueTransformer: NSObject {
    // Only touched under its lock.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var transformers: [NSValueTransformerName: ValueTransformer] = [
        .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        .keyedUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        .unarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        .negateBooleanTransformerName: BooleanTransformer(isReversible: true) { ($0 as? NSNumber)?.boolValue != true },
        .isNilTransformerName: BooleanTransformer(isReversible: false) { $0 == nil || $0 is NSNull },
        .isNotNilTransformerName: BooleanTransformer(isReversible: false) { $0 != nil && !($0 is NSNull) },
    ]

    /// Makes a transformer.
    public override init() { super.init() }

    /// Registers a transformer under a name, or removes the registered one with nil. Callable on every thread.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        // The former transformer may end here, and not under the lock, because its class may belong to the program.
        let former = lock.withLock {
            defer { transformers[name] = transformer }
            return transformers[name]
        }
        withExtendedLifetime(former) {}
    }

    /// The transformer that is registered under a name. Callable on every thread.
    package class func registered(forName name: NSValueTransformerName) -> ValueTransformer? {
        lock.withLock { transformers[name] }
    }

    /// The registered names. Callable on every thread.
    public class func valueTransformerNames() -> [NSValueTransformerName] { lock.withLock { Array(transformers.keys) } }

    /// The class of the results of ``transformedValue(_:)``. `NSObject` unless overridden. This package does not
    /// use it.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether ``reverseTransformedValue(_:)`` works. True unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The other form of a value. The value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value for another form. Calls ``transformedValue(_:)`` unless overridden.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// A transformer to a boolean.
private final class BooleanTransformer: ValueTransformer {
    private let isReversible: Bool
    private let answer: (Any?) -> Bool

    init(isReversible: Bool, _ answer: @escaping (Any?) -> Bool) {
        self.isReversible = isReversible
        self.answer = answer
        super.init()
    }

    override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: answer(value)) }
    override func reverseTransformedValue(_ value: Any?) -> Any? { isReversible ? transformedValue(value) : nil }
}

extension ValueTransformer: _ClassCluster {}

extension _ClassCluster where Self == ValueTransformer {
    /// The transformer that is registered under a name; nil if there is none. Callable on every thread.
    public init?(forName name: NSValueTransformerName) {
        guard let registered = ValueTransformer.registered(forName: name) else { return nil }
        self = registered
    }
}
