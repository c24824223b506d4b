import DataModel
public import Foundation
public import ObjectGraph

extension NSManagedObjectContext {
    /// Fetches the objects of a class together with the objects that they are related to.
    ///
    /// ```swift
    /// let movies = try context.fetch(Movie.self, where: #Predicate { $0.duration > 180 }, prefetching: \.director, \.scenes)
    /// ```
    ///
    /// Reading the relationships and the values of their objects afterwards does not read from the store again. Everything else
    /// is as in `fetch(_:where:sortedBy:limit:offset:)`.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to fetch, or nil for all.
    ///   - sortDescriptors: The order. Without any, it is the order of the store.
    ///   - limit: The greatest number of objects, or nil for no limit.
    ///   - offset: The number of objects at the beginning that are left out.
    ///   - relationship: A relationship, or one at the end of a path of relationships.
    ///   - others: More relationships. Each costs one fetch, however many objects there are.
    /// - Throws: The error of the fetch, or 134060 if a key path does not lead to a relationship.
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0, prefetching relationship: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...
    ) throws -> [Object] {
        let paths = try storedPaths([relationship] + others)
        let objects = try fetch(type, where: predicate, sortedBy: sortDescriptors, limit: limit, offset: offset)
        return try prefetch(paths, of: objects)
    }

    /// Fetches the objects of a class for which a condition made of keys is true, together with the objects that they are related
    /// to.
    ///
    /// See the form with a `#Predicate`, and
    /// ``fetch(_:where:sortedBy:limit:offset:)-(Object.Type,TypedPredicate<Object>,_,_,_)``.
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, sortedBy sortDescriptors: [NSSortDescriptor] = [],
        limit: Int? = nil, offset: Int = 0, prefetching relationship: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...
    ) throws -> [Object] {
        let paths = try storedPaths([relationship] + others)
        let objects = try fetch(type, where: predicate, sortedBy: sortDescriptors, limit: limit, offset: offset)
        return try prefetch(paths, of: objects)
    }

    private func storedPaths<Object: TypedObject>(_ keyPaths: [PartialKeyPath<Object>]) throws -> [String] {
        try keyPaths.map { keyPath in
            if let path = KeyPathNames.storedPath(of: keyPath) { return path }
            throw NSError.coreData(NSCoreDataError, "\(keyPath) can't be prefetched: it is not a relationship of \(Object.self)")
        }
    }

    private func prefetch<Object: TypedObject>(_ paths: [String], of objects: [Object]) throws -> [Object] {
        for entity in topEntities(of: Object.self) {
            try prefetch(paths, of: objects.filter { $0.entity.isKindOfEntity(named: entity.name) }, entity)
        }
        return objects
    }
}
