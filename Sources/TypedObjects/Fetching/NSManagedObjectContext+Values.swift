public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Fetches the values of a property of the objects of a class and its subclasses, without the objects.
    ///
    /// ```swift
    /// let titles = try context.values(\.title, of: Movie.self, sortedBy: [Movie.keys.title.ascending])          // [String]
    /// ```
    ///
    /// The store reads only the property if the property and the condition are stored, and if the context has no unsaved changes
    /// to objects of the class. Otherwise the objects are loaded. The result is what the context sees in both cases, with one
    /// exception: the store returns saved values, even if the context has not merged them.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - type: The class.
    ///   - predicate: Which objects to use, or nil for all.
    ///   - sortDescriptors: The order. Without any, it is not specified.
    ///   - limit: The greatest number of results, or nil for no limit.
    ///   - offset: The number of results at the beginning that are left out.
    /// - Throws: The error of a fetch, for example 134060 if the limit or offset is negative.
    public func values<Object: TypedObject, Value>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        try column(keyPath, ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func values<Object: TypedObject, Value>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        try column(keyPath, ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    /// Fetches the values of several properties of the objects of a class and its subclasses, without the objects.
    ///
    /// ```swift
    /// for (title, duration) in try context.values(\.title, \.duration, of: Movie.self, where: \.genre == .drama) { … }
    /// ```
    ///
    /// See the form with one property.
    public func values<Object: TypedObject, each Value>(
        _ keyPaths: repeat KeyPath<Object, each Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try columns(repeat each keyPaths, where: ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func values<Object: TypedObject, each Value>(
        _ keyPaths: repeat KeyPath<Object, each Value>, of type: Object.Type, where predicate: TypedPredicate<Object>,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try columns(repeat each keyPaths, where: ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    private func column<Object: TypedObject, Value>(
        _ keyPath: KeyPath<Object, Value>, _ condition: ObjectCondition<Object>, _ sortDescriptors: [NSSortDescriptor],
        _ limit: Int?, _ offset: Int
    ) throws -> [Value] {
        try results(of: Object.self, condition, sortDescriptors, limit, offset) { query in
            query.addColumn(keyPath).map { reader in { row in reader.read(row[0]) } }
        } ofObject: { object in
            object[keyPath: keyPath]
        }
    }

    private func columns<Object: TypedObject, each Value>(
        _ keyPaths: repeat KeyPath<Object, each Value>, where condition: ObjectCondition<Object>,
        _ sortDescriptors: [NSSortDescriptor], _ limit: Int?, _ offset: Int
    ) throws -> [(repeat each Value)] {
        try results(of: Object.self, condition, sortDescriptors, limit, offset) { query in
            let readers = (repeat query.addColumn(each keyPaths))
            for reader in repeat each readers { if reader == nil { return nil } }
            return { row in try? Self.read(row, repeat each readers) }
        } ofObject: { object in
            (repeat object[keyPath: each keyPaths])
        }
    }

    /// - Parameters:
    ///   - makeReader: Adds columns, and returns a function that makes a result from their values. It returns nil if only objects
    ///     have the values.
    ///   - ofObject: Makes a result from an object.
    private func results<Object: TypedObject, Result>(
        of type: Object.Type, _ condition: ObjectCondition<Object>, _ sortDescriptors: [NSSortDescriptor], _ limit: Int?,
        _ offset: Int, makeReader: (inout ColumnQuery<Object>) -> (([Any?]) -> Result?)?, ofObject: (Object) -> Result
    ) throws -> [Result] {
        let window = try FetchWindow(limit: limit ?? 0, offset: offset, of: "\(type)")
        guard limit != 0 else { return [] }
        if var query = try ColumnQuery(self, type, condition) {
            query.request.sortDescriptors = sortDescriptors
            query.request.fetchLimit = window.limit
            query.request.fetchOffset = offset
            if let read = makeReader(&query), let rows = try query.rows() {
                let results = rows.compactMap(read)
                // If the type does not know a value, the objects are read, and their accessor reports the value.
                if results.count == rows.count { return results }
            }
        }
        return try window.part(of: objects(of: type, condition).sorted(by: sortDescriptors)).map(ofObject)
    }

    private static func read<each Value>(
        _ row: [Any?], _ readers: repeat ColumnReader<each Value>?
    ) throws(NoValue) -> (repeat each Value) {
        var rest = row[...]
        func next<One>(_ reader: ColumnReader<One>?) throws(NoValue) -> One {
            guard let found = rest.popFirst(), let value = reader?.read(found) else { throw NoValue() }
            return value
        }
        return (repeat try next(each readers))
    }
}

/// Is thrown if the type of a property does not know the value of a column.
private struct NoValue: Error {}
