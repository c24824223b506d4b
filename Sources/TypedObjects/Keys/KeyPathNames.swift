import ObjectGraph
import Synchronization

/// Finds the names in the model of the properties that key paths lead to. May be used on every thread.
package enum KeyPathNames {
    /// The stored name of the property that a key path leads to. A path through required to-one relationships and composites, as
    /// in `\Movie.director.name`, has names with dots between them. The result is nil for a property that is not managed.
    package static func storedPath(of keyPath: AnyKeyPath) -> String? {
        if let property = TypedTable.property(at: keyPath) { return property.storedName }
        if let known = longPaths.withLock({ $0[Path(keyPath)] }) { return known }
        guard let found = findLongPath(keyPath) else { return nil }
        longPaths.withLock { $0[Path(keyPath)] = found }
        return found
    }

    /// Finds the name for a path of several steps. Key paths can't be taken apart, but they can be appended and compared. So this
    /// makes the paths that end in the right type, and compares them.
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
        /// Paths that lead on through the objects of a to-many relationship, where a path of its own begins.
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

    /// The paths that were found. There are no more of them than the program's source code has.
    private static let longPaths = Mutex<[Path: String]>([:])

    // @unchecked Sendable: the key path equals one that was made from the paths of a table, so it has no captured subscript
    // arguments and is immutable.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath

        init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
    }
}
