import DataModel
import Foundation
import ObjectGraph
import Predicates

/// A type whose values can be made from the results of a store, without an object.
protocol StoreValue {
    /// Whether a store orders all values as `<` of the type does. It is false for texts, because stores compare their bytes.
    static var isOrderedByStores: Bool { get }
    /// The value of a column. It is nil if it is not one of the type.
    static func readColumn(_ value: Any?) -> Self?
}

extension StoreValue {
    static var isOrderedByStores: Bool { false }
    static func readColumn(_ value: Any?) -> Self? { value as? Self }
}

extension StoreValue where Self: FixedWidthInteger {
    static var isOrderedByStores: Bool { true }
    static func readColumn(_ value: Any?) -> Self? { (value as? Int64).flatMap(Self.init(exactly:)) }
}

extension Int: StoreValue {}
extension Int8: StoreValue {}
extension Int16: StoreValue {}
extension Int32: StoreValue {}
extension Int64: StoreValue {}
extension UInt8: StoreValue {}
extension UInt16: StoreValue {}
extension UInt32: StoreValue {}
extension String: StoreValue {}
extension Data: StoreValue {}
extension UUID: StoreValue {}
extension URL: StoreValue {}

extension Date: StoreValue {
    static var isOrderedByStores: Bool { true }
}

extension Bool: StoreValue {
    static func readColumn(_ value: Any?) -> Bool? { (value as? NSNumber)?.boolValue }
}

extension Double: StoreValue {
    static var isOrderedByStores: Bool { true }
    static func readColumn(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }
}

extension Float: StoreValue {
    static var isOrderedByStores: Bool { true }
    static func readColumn(_ value: Any?) -> Float? { (value as? NSNumber)?.floatValue }
}

extension Decimal: StoreValue {
    static var isOrderedByStores: Bool { true }
    static func readColumn(_ value: Any?) -> Decimal? {
        // `NSNumber.decimalValue` stops the program for an infinite number.
        (value as? NSDecimalNumber)?.decimalValue ?? (value as? NSNumber).flatMap { Decimal(shortest: $0.doubleValue) }
    }
}

extension Optional: StoreValue where Wrapped: StoreValue {
    static var isOrderedByStores: Bool { Wrapped.isOrderedByStores }
    static func readColumn(_ value: Any?) -> Wrapped?? { value == nil ? .some(nil) : Wrapped.readColumn(value).map { $0 } }
}

/// Makes typed values from the values of columns, and from those of key-value coding.
struct ColumnReader<Value> {
    /// Makes a value. It returns nil if the column's value is not one of the type.
    let read: (Any?) -> Value?

    /// Makes a reader. The result is nil if only objects have values of the type.
    init?(in context: NSManagedObjectContext) {
        guard let read = Self.reader(context) else { return nil }
        self.read = read
    }

    private static func reader(_ context: NSManagedObjectContext) -> ((Any?) -> Value?)? {
        switch Value.self {
        case let type as any StoreValue.Type: reader(of: type)
        case let type as any WrappingOptional.Type: type.wrappedReader(context).map { read in { read($0) as? Value } }
        case let type as any StorableValue.Type: reader(of: type, context)
        case let type as any RawRepresentable.Type: reader(of: type, context)
        case is NSManagedObject.Type:
            { value in value as? Value ?? (value as? NSManagedObjectID).flatMap { context.object(with: $0) as? Value } }
        default: nil
        }
    }

    private static func reader<Known: StoreValue>(of type: Known.Type) -> (Any?) -> Value? {
        { type.readColumn($0).flatMap { $0 as? Value } }
    }

    private static func reader<Own: StorableValue>(
        of type: Own.Type, _ context: NSManagedObjectContext
    ) -> ((Any?) -> Value?)? {
        ColumnReader<Own.StoredValue>(in: context).map { stored in
            { stored.read($0).flatMap(Own.init(storedValue:)) as? Value }
        }
    }

    private static func reader<Raw: RawRepresentable>(
        of type: Raw.Type, _ context: NSManagedObjectContext
    ) -> ((Any?) -> Value?)? {
        ColumnReader<Raw.RawValue>(in: context).map { raw in { raw.read($0).flatMap(Raw.init(rawValue:)) as? Value } }
    }
}

/// An optional type, which can be read if its wrapped type can be read.
private protocol WrappingOptional {
    static func wrappedReader(_ context: NSManagedObjectContext) -> ((Any?) -> Any)?
}

extension Optional: WrappingOptional {
    /// An optional property reads as nil if its type does not know the value. The same applies here.
    fileprivate static func wrappedReader(_ context: NSManagedObjectContext) -> ((Any?) -> Any)? {
        ColumnReader<Wrapped>(in: context).map { wrapped in
            { value in (value == nil ? nil : wrapped.read(value)) as Any }
        }
    }
}
