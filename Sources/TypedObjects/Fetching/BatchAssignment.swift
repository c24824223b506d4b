import DataModel
import Foundation
import ObjectGraph

/// A property and the value that a batch update gives it: `.init(\.duration, to: 90)`.
///
/// The property is one of the class itself, and no relationship. Properties that are read-only where this is written can't be
/// named. For another key path the batch update throws.
public struct BatchAssignment<Object: TypedObject> {
    /// Sets the property of an object whose other properties may have no values: nothing is read.
    let apply: (Object) throws -> Void

    /// Makes an assignment.
    ///
    /// - Parameters:
    ///   - keyPath: a key path to a managed attribute.
    ///   - value: the value.
    public init<Value: AttributeValue>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { value._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as its raw value.
    public init<Value: RawRepresentable>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value)
    where Value.RawValue: AttributeValue {
        apply = { value.rawValue._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as its raw value, or of none.
    public init<Value: RawRepresentable>(_ keyPath: ReferenceWritableKeyPath<Object, Value?>, to value: Value?)
    where Value.RawValue: AttributeValue {
        apply = { (value?.rawValue)._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as JSON, or transformed.
    @_disfavoredOverload
    public init<Value: Codable>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { object in
            let (slot, attribute) = try Self.attribute(at: keyPath)
            let isCoded = attribute.options.contains { if case .codable = $0.kind { true } else { false } }
            if isCoded { object._setCoded("", slot, value) } else { object._setTransformed("", slot, value) }
        }
    }

    /// Makes an assignment of a value that is stored transformed.
    @_disfavoredOverload
    public init<Value>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { $0._setTransformed("", try Self.attribute(at: keyPath).slot, value) }
    }

    private static func attribute(at keyPath: PartialKeyPath<Object>) throws -> (slot: Int, attribute: TypedAttribute) {
        guard let table = TypedTable.of(Object.self), let slot = table.index(of: keyPath),
            case .attribute(let attribute) = table.properties[slot].kind
        else {
            let name = TypedTable.property(at: keyPath)?.name ?? "\(keyPath)"
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSCoreDataError,
                userInfo: [
                    NSLocalizedDescriptionKey: "\(Object.self).\(name) is not an attribute: a batch update can set only these"
                ]
            )
        }
        return (slot, attribute)
    }
}
