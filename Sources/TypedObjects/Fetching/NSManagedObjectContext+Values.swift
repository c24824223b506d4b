public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// A property of the objects of a class, those of its subclasses included, without the objects.
    ///
    /// ```swift
    /// let titles = try context.values(\.title, of: Movie.self, sortedBy: [Movie.keys.title.ascending])          // [String]
    /// ```
    ///
    /// A store reads only what is asked for, if the property and the condition are stored and the context has no unsaved changes
    /// of the class's objects; otherwise the objects are loaded. Either way the result is what the context sees, but for changes
    /// of others that it has not merged: a store gives values as they are saved. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - type: the class.
    ///   - predicate: which objects to take; nil for all.
    ///   - sortDescriptors: the order; without any it is not specified.
    ///   - limit: the greatest number of results; nil for no limit.
    ///   - offset: how many of the first results to leave out.
    /// - Throws: what a fetch throws: 134060 for a negative limit or offset, for example.
    public func values<Object: TypedObject, Value>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        try column(keyPath, ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    /// The same with a condition made of keys or key paths.
    public func values<Object: TypedObject, Value>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        try column(keyPath, ObjectCondition(predicate), sortDescriptors, limit, offset)
    }

    /// Several properties of the objects of a class, those of its subclasses included, without the objects.
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

    /// The same with a condition made of keys or key paths.
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
    ///   - makeReader: adds columns, and gives what makes a result of their values; nil if only objects have them.
    ///   - ofObject: makes a result of an object.
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
                // A value that the type doesn't have is found again by reading the object, which says so.
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

/// A column has nothing that its property's type knows.
private struct NoValue: Error {}
