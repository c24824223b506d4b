import Foundation

extension PredicateValue {
    /// Reads any value, however many optionals it is wrapped in.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        // Comparing types is far cheaper than a cast that fails, and these are nearly all values there are.
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .string(text)
        } else if type == Int64.self, let number = value as? Int64 {
            self = .integer(number)
        } else if type == Int.self, let number = value as? Int {
            self = .integer(Int64(number))
        } else if type == Double.self, let number = value as? Double {
            self.init(number)
        } else if type == Bool.self, let flag = value as? Bool {
            self = .boolean(flag)
        } else if type == Date.self, let date = value as? Date {
            self = .date(date)
        } else if type is AnyObject.Type {
            self.init(object: value as AnyObject)
        } else {
            self.init(rareValue: value)
        }
    }

    /// Reads a number; NaN is no value.
    package init(_ number: Double) {
        self = number.isNaN ? .null : .double(number)
    }

    /// Reads a number; NaN is no value.
    package init(_ number: Decimal) {
        self = number.isNaN ? .null : .decimal(number)
    }

    /// Reads an object.
    package init(object: AnyObject) {
        switch object {
        case let value as NSString: self = .string(value as String)
        case let value as NSDecimalNumber: self.init(value as Decimal)
        case let value as NSNumber: self.init(value)
        case let value as NSDate: self = .date(value as Date)
        case let value as NSSet: self.init(elements: value, kind: .set)
        case let value as NSArray: self.init(elements: value, kind: .array)
        case let value as NSOrderedSet: self.init(elements: value, kind: .orderedSet)
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
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self.init(number.doubleValue)
        case UInt8(ascii: "Q"): self.init(whole: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    private init(elements: some Sequence, kind: ValueCollection.Kind) {
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
        case let value as any BinaryFloatingPoint: self.init(Double(value))
        case let value as Substring: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as any UntypedCollection:
            let kind = value.untypedKind
            self = .collection(ValueCollection(kind: kind, elements: value.untypedElements.map { PredicateValue($0) }))
        case is any UntypedDictionary: self = .other(OpaqueValue(value))
        case let value as any RawRepresentable: self.init(value.rawValue)
        default:
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

    /// The value as users know it: numbers as `NSNumber`, which gives itself out as any type of number, the rest as Swift's types.
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
        guard let key = key as? Key ?? key.base as? Key else { return nil }
        return self[key]
    }

    var untyped: [AnyHashable: Any] { self }
}
