import ObjectGraph
import Synchronization

/// The names in the model of what key paths lead to. Callable on every thread.
package enum KeyPathNames {
    /// The stored name for a key path of one step, or names with dots between them for one through required to-one relationships
    /// and composites, as in `\Movie.director.name`; nil for properties that are not stored.
    package static func storedPath(of keyPath: AnyKeyPath) -> String? {
        if let property = TypedTable.property(at: keyPath) { return property.storedName }
        if let known = longPaths.withLock({ $0[Path(keyPath)] }) { return known }
        guard let found = findLongPath(keyPath) else { return nil }
        longPaths.withLock { $0[Path(keyPath)] = found }
        return found
    }

    /// Key paths can't be taken apart, but they can be put together and compared: of the paths with more steps those are made
    /// that end in the right type.
    private static func findLongPath(_ keyPath: AnyKeyPath) -> String? {
        let end = type(of: keyPath).valueType
        var level: [(path: AnyKeyPath, name: String)] = []
        func step(from start: (path: AnyKeyPath, name: String)?, _ type: Any.Type) -> [(path: AnyKeyPath, name: String)] {
            guard let table = TypedTable.of(type) else { return [] }
            return zip(table.keyPaths, table.properties).compactMap { next, property in
                guard let start else { return (next, property.storedName) }
                return start.path.appending(path: next).map { ($0, "\(start.name).\(property.storedName)") }
            }
        }
        /// Through the objects of a to-many relationship: what leads on from them is a path of its own.
        func each(from start: (path: AnyKeyPath, name: String)) -> [(path: AnyKeyPath, name: String)] {
            guard let collection = type(of: start.path).valueType as? any EachCollection.Type else { return [] }
            var inner = step(from: nil, collection.elementType)
            inner += inner.flatMap { step(from: $0, type(of: $0.path).valueType) }
            return inner.compactMap { path, name in
                collection.each(path).flatMap { start.path.appending(path: $0) }.map { ($0, "\(start.name).\(name)") }
            }
        }
        level = step(from: nil, type(of: keyPath).rootType)
        for _ in 0..<3 {
            level = level.flatMap { step(from: $0, type(of: $0.path).valueType) + each(from: $0) }
            if let found = level.first(where: { type(of: $0.path).valueType == end && $0.path == keyPath }) { return found.name }
        }
        return nil
    }

    /// What was found. There are as many as the program's source text has.
    private static let longPaths = Mutex<[Path: String]>([:])

    // @unchecked Sendable: a key path that a table's paths were compared with has no captured subscript arguments, so it is
    // immutable.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath

        init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
    }
}
