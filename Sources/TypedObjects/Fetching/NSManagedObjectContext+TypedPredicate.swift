import DataModel
public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Fetches the objects of a class and its subclasses for which a condition made of keys is true.
    ///
    /// ```swift
    /// let good = try context.fetch(
    ///     Movie.self, where: Movie.keys.rating > 8 && Movie.keys.title == "Ran", sortedBy: [Movie.keys.title.ascending])
    /// let one = try context.fetch(Movie.self, where: \.title == "Ran")
    /// ```
    ///
    /// Unsaved changes count. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to fetch.
    ///   - sortDescriptors: The order. Without any, it is the order of the store.
    ///   - limit: The greatest number of objects, or nil for no limit.
    ///   - offset: The number of objects at the beginning that are left out.
    /// - Throws: The store's error. 134060 if the limit or offset is negative, or if the context's model has no entity for the
    ///   class.
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, sortedBy sortDescriptors: [NSSortDescriptor] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Object] {
        try fetch(type, predicate.predicate, sortDescriptors, limit, offset)
    }

    /// Fetches the objects of a class and its subclasses for which a Swift predicate is true, sorted by keys.
    ///
    /// ```swift
    /// let movies = try context.fetch(
    ///     Movie.self, where: #Predicate { $0.duration > 180 }, sortedBy: [Movie.keys.title.ascending])
    /// ```
    ///
    /// See the form with a condition made of keys. A predicate without a meaning in a store is evaluated in memory.
    @_disfavoredOverload
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>, sortedBy sortDescriptors: [NSSortDescriptor],
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Object] {
        if let stored = try storedForm(of: predicate) { return try fetch(type, stored, sortDescriptors, limit, offset) }
        let window = try FetchWindow(limit: limit ?? 0, offset: offset, of: "\(type)")
        guard limit != 0 else { return [] }
        return try window.part(of: fetch(type, where: predicate).sorted(by: sortDescriptors))
    }

    /// Fetches the objects of a class and its subclasses, sorted by keys.
    ///
    /// ```swift
    /// let movies = try context.fetch(Movie.self, sortedBy: [Movie.keys.director.name.ascending, Movie.keys.duration.descending])
    /// ```
    ///
    /// See the form with a condition.
    @_disfavoredOverload
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, sortedBy sortDescriptors: [NSSortDescriptor], limit: Int? = nil, offset: Int = 0
    ) throws -> [Object] {
        try fetch(type, nil, sortDescriptors, limit, offset)
    }

    private func fetch<Object: TypedObject>(
        _ type: Object.Type, _ predicate: NSPredicate?, _ sortDescriptors: [NSSortDescriptor], _ limit: Int?,
        _ offset: Int
    ) throws -> [Object] {
        let window = try FetchWindow(limit: limit ?? 0, offset: offset, of: "\(type)")
        guard limit != 0 else { return [] }
        let requests = try fetchRequests(for: type)
        for request in requests {
            request.predicate = predicate
            request.sortDescriptors = sortDescriptors
        }
        if requests.count == 1 {
            requests[0].fetchLimit = window.limit
            requests[0].fetchOffset = offset
            return try fetch(requests[0])
        }
        return try window.part(of: requests.flatMap(fetch).sorted(by: sortDescriptors))
    }

    /// Counts the objects of a class and its subclasses for which a condition made of keys is true.
    ///
    /// Unsaved changes count. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to count.
    /// - Throws: The store's error, or 134060 if the context's model has no entity for the class.
    public func count<Object: TypedObject>(of type: Object.Type, where predicate: TypedPredicate<Object>) throws -> Int {
        try fetchRequests(for: type).reduce(0) { sum, request in
            request.predicate = predicate.predicate
            return try sum + count(for: request)
        }
    }
}
