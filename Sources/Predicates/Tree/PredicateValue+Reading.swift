package import Foundation
import Synchronization

/// The class that was last found not to be one of Foundation's values. Nearly always the next object is of the same class, and
/// finding out again takes a dozen casts.
private let latestObjectClass = Atomic<UInt>(0)

extension PredicateValue {
    /// Reads any value, however many optionals it is wrapped in.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        self = Self.common(value) ?? PredicateValue(rareValue: value)
    }

    /// Reads a value of one of the types that nearly all values have: comparing types is far cheaper than casts, which look them
    /// up and try to bridge.
    ///
    /// `Value` is the type inside the `Any`, except that generic code of others may have put an `Any` into an `Any`; then it is
    /// that and nothing fits.
    private static func common<Value>(_ value: Value) -> PredicateValue? {
        // Every unchecked cast here is to the type that was compared, or from a class, whose values are references.
        let type: Any.Type = Value.self
        if type == String.self { return .string(unsafeBitCast(value, to: String.self)) }
        if type == Int64.self { return .integer(unsafeBitCast(value, to: Int64.self)) }
        if type == Int.self { return .integer(Int64(unsafeBitCast(value, to: Int.self))) }
        if type == Double.self { return .double(unsafeBitCast(value, to: Double.self)) }
        if type == Bool.self { return .boolean(unsafeBitCast(value, to: Bool.self)) }
        if type == Date.self { return .date(unsafeBitCast(value, to: Date.self)) }
        let identifier = UInt(bitPattern: ObjectIdentifier(type))
        if identifier == latestObjectClass.load(ordering: .relaxed) { return .object(unsafeBitCast(value, to: AnyObject.self)) }
        guard type is AnyObject.Type else { return nil }
        let result = PredicateValue(object: unsafeBitCast(value, to: AnyObject.self))
        if case .object = result { latestObjectClass.store(identifier, ordering: .relaxed) }
        return result
    }

    /// The result of a calculation. NaN is no value, as in a store.
    package init(result number: Double) {
        self = number.isNaN ? .null : .double(number)
    }

    /// The result of a calculation. NaN is no value, as in a store.
    package init(result number: Decimal) {
        self = number.isNaN ? .null : .decimal(number)
    }

    /// Reads a number.
    package init(_ number: Decimal) {
        self = number.isNaN ? .double(.nan) : .decimal(number)
    }

    /// Reads an object.
    package init(object: AnyObject) {
        switch object {
        case let value as NSString: self = .string(value as String)
        case let value as NSDecimalNumber: self.init(value as Decimal)
        case let value as NSNumber: self.init(value)
        case let value as NSDate: self = .date(value as Date)
        case let value as NSSet: self.init(elements: value.allObjects, kind: .set)
        case let value as NSArray: self.init(elements: Array(value), kind: .array)
        case let value as NSOrderedSet: self.init(elements: value.array, kind: .orderedSet)
        case let value as NSData: self = .data(value as Data)
        case let value as NSUUID: self = .uuid(value as UUID)
        case let value as NSURL: self = .url(value as URL)
        case is NSNull: self = .null
        case let value as NSDictionary: self = .other(OpaqueValue(value))
        default: self = .object(object)
        }
    }

    private init(_ number: NSNumber) {
        // The Objective-C type code tells how the number was made; asking for an integer would round a fraction away.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self.init(whole: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    private init(elements: [Any], kind: ValueCollection.Kind) {
        self = .collection(ValueCollection(kind: kind, elements: elements.map { PredicateValue($0) }))
    }

    private init(whole number: some BinaryInteger) {
        if let small = Int64(exactly: number) {
            self = .integer(small)
        } else if let large = UInt64(exactly: number) {
            self = .unsigned(large)
        } else {
            self = .double(Double(number))
        }
    }

    private init(rareValue value: Any) {
        switch value {
        case let value as UUID: self = .uuid(value)
        case let value as Data: self = .data(value)
        case let value as URL: self = .url(value)
        case let value as Decimal: self.init(value)
        case let value as any BinaryInteger: self.init(whole: value)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as Substring: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as any UntypedCollection:
            self.init(elements: value.untypedElements, kind: value.untypedKind)
        case is any UntypedDictionary: self = .other(OpaqueValue(value))
        case let value as any RawRepresentable: self.init(value.rawValue)
        case let value as any ObjectReference: self = .object(value.referencedObject)
        case let value as String: self = .string(value)
        case let value as Bool: self = .boolean(value)
        case let value as Date: self = .date(value)
        default:
            if type(of: value) is AnyObject.Type {
                self.init(object: value as AnyObject)
                return
            }
            guard let flat = Optional<Any>.flattening(value) else {
                self = .null
                return
            }
            // An optional was taken off; anything else comes back as it was.
            if Swift.type(of: flat) == Swift.type(of: value) {
                self = .other(OpaqueValue(value))
            } else {
                self.init(flat)
            }
        }
    }

    /// The value as users know it: numbers as `NSNumber`, which gives itself out as any type of number, the rest as Swift's
    /// types.
    package var any: Any? {
        switch self {
        case .null: nil
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .collection(let value): value.any
        case .object(let value): value
        case .other(let value): value.value
        }
    }
}

extension ValueCollection {
    var any: Any {
        let values = elements.map { $0.any ?? NSNull() }
        switch kind {
        case .array: return values
        case .set: return NSSet(array: values)
        case .orderedSet: return NSOrderedSet(array: values)
        }
    }
}

/// A Swift collection whose element type is not known.
private protocol UntypedCollection {
    var untypedElements: [Any] { get }
    var untypedKind: ValueCollection.Kind { get }
}

extension UntypedCollection where Self: Sequence {
    fileprivate var untypedElements: [Any] { Array(self) }
    fileprivate var untypedKind: ValueCollection.Kind { .array }
}

extension Array: UntypedCollection {}
extension ArraySlice: UntypedCollection {}
extension ContiguousArray: UntypedCollection {}
extension Set: UntypedCollection {
    fileprivate var untypedKind: ValueCollection.Kind { .set }
}

/// A Swift dictionary whose types are not known.
protocol UntypedDictionary {
    func untypedValue(forKey key: AnyHashable) -> Any?
    var untyped: [AnyHashable: Any] { get }
}

extension Dictionary: UntypedDictionary {
    func untypedValue(forKey key: AnyHashable) -> Any? {
        guard let key = key as? Key ?? key.base as? Key, let value = self[key] else { return nil }
        // Converting the generic value would put an Any into another one, which is slow to read.
        return Value.self == Any.self ? unsafeBitCast(value, to: Any.self) : value
    }

    var untyped: [AnyHashable: Any] { self }
}
