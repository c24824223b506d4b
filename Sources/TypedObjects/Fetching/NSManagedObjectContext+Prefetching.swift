import DataModel
public import Foundation
public import ObjectGraph

extension NSManagedObjectContext {
    /// Fetches the objects of a class together with what they are related to.
    ///
    /// ```swift
    /// let movies = try context.fetch(Movie.self, where: #Predicate { $0.duration > 180 }, prefetching: \.director, \.scenes)
    /// ```
    ///
    /// Reading the relationships afterwards, and the values of their objects, needs no further look into the store. Otherwise as
    /// `fetch(_:where:sortedBy:limit:offset:)`.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects to take; nil for all.
    ///   - sortDescriptors: the order; without any, it is that of the store.
    ///   - limit: the greatest number of objects; nil for no limit.
    ///   - offset: how many of the first objects to leave out.
    ///   - relationship: a relationship, or one at the end of a path of relationships.
    ///   - others: more of them. There is one look into the store for each, however many objects there are.
    /// - Throws: what the fetch throws, and 134060 for a key path to anything but a relationship.
    public func fetch<Object: TypedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0, prefetching relationship: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...
    ) throws -> [Object] {
        let paths = try storedPaths([relationship] + others)
        let objects = try fetch(type, where: predicate, sortedBy: sortDescriptors, limit: limit, offset: offset)
        return try prefetch(paths, of: objects)
    }

    /// Fetches the objects of a class that a condition made of keys is true for, together with what they are related to.
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
