import DataModel
import Foundation
import ObjectGraph

/// A property and the value that a batch update gives it: `.init(\.duration, to: 90)`.
///
/// The property must be an attribute of the class itself. It must be writable at the place of the call. For any other key path
/// the batch update throws an error.
public struct BatchAssignment<Object: TypedObject> {
    /// Sets the property and reads nothing, because the object's other properties may have no values.
    let apply: (Object) throws -> Void

    /// Makes an assignment.
    ///
    /// - Parameters:
    ///   - keyPath: A key path to a managed attribute.
    ///   - value: The value.
    public init<Value: AttributeValue>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { value._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as its raw value.
    public init<Value: RawRepresentable>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value)
    where Value.RawValue: AttributeValue {
        apply = { value.rawValue._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as its raw value, or of nil.
    public init<Value: RawRepresentable>(_ keyPath: ReferenceWritableKeyPath<Object, Value?>, to value: Value?)
    where Value.RawValue: AttributeValue {
        apply = { (value?.rawValue)._write($0, try Self.attribute(at: keyPath).slot) }
    }

    /// Makes an assignment of a value that is stored as JSON or by a value transformer.
    @_disfavoredOverload
    public init<Value: Codable>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { object in
            let (slot, attribute) = try Self.attribute(at: keyPath)
            let isCoded = attribute.options.contains { if case .codable = $0.kind { true } else { false } }
            if isCoded { object._setCoded("", slot, value) } else { object._setTransformed("", slot, value) }
        }
    }

    /// Makes an assignment of a value that is stored by a value transformer.
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
