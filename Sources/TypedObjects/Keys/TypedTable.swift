import ObjectGraph
import Synchronization

/// Finds the properties of a class or a composite struct by key path. There is one table for each type.
// @unchecked Sendable: it is written in `init` only. Key paths are immutable, and the closures in the properties capture only
// types and default values, which never change.
package final class TypedTable: @unchecked Sendable {
    /// The properties in the order of their slots.
    package let properties: [_TypedProperty]
    package let keyPaths: [AnyKeyPath]
    private let indexByKeyPath: [AnyKeyPath: Int]

    private init(properties: [_TypedProperty], keyPaths: [AnyKeyPath]) {
        self.properties = properties
        self.keyPaths = keyPaths
        indexByKeyPath = Dictionary(zip(keyPaths, keyPaths.indices)) { first, _ in first }
    }

    /// The position of a property. It is the slot if the type is a class.
    package func index(of keyPath: AnyKeyPath) -> Int? { indexByKeyPath[keyPath] }

    private static let tables = Mutex<[ObjectIdentifier: TypedTable]>([:])

    /// The table of an `@Entity` class or a `@Composite` struct. It is nil for other types. May be called on every thread.
    package static func of(_ type: Any.Type) -> TypedTable? {
        let key = ObjectIdentifier(type)
        if let known = tables.withLock({ $0[key] }) { return known }
        let made: TypedTable
        switch type {
        case let type as any TypedObject.Type:
            made = TypedTable(properties: type._typedSchema.allProperties, keyPaths: type._typedKeyPaths)
        case let type as any CompositeValue.Type:
            made = TypedTable(properties: type._compositeSchema.properties, keyPaths: type._typedKeyPaths)
        default: return nil
        }
        return tables.withLock { tables in
            let first = tables[key] ?? made
            tables[key] = first
            return first
        }
    }

    /// The property that a key path of one step leads to.
    package static func property(at keyPath: AnyKeyPath) -> _TypedProperty? {
        guard let table = of(type(of: keyPath).rootType), let index = table.index(of: keyPath) else { return nil }
        return table.properties[index]
    }
}
