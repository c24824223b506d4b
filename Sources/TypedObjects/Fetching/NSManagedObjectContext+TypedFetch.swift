import DataModel
public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Fetches the objects of a class, those of its subclasses included.
    ///
    /// ```swift
    /// let good = try context.fetch(
    ///     Movie.self, where: #Predicate { $0.duration > 180 }, sortedBy: [SortDescriptor(\.title)], limit: 10)
    /// ```
    ///
    /// Unsaved changes are taken into account. The predicate becomes one over the stored names, as far as all of its parts are
    /// managed properties and have a meaning in a store; another one is evaluated in memory. So do the sort descriptors, if all
    /// of them lead to numbers, dates or texts, optional or not; others (by computed properties or enumerations, say) sort in
    /// memory. The store compares texts by code points, as `String` does for texts in composed form. Call it on the context's
    /// queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects to take; nil for all.
    ///   - sortDescriptors: the order; without any, it is that of the store.
    ///   - limit: the greatest number of objects; nil for no limit.
    ///   - offset: how many of the first objects to leave out.
    /// - Throws: what the predicate or the store throws, and 134060 for a negative limit or offset, and if the context's model
    ///   has no entity for the class.
    public func fetch<Object: NSManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Object] {
        let window = try FetchWindow(limit: limit ?? 0, offset: offset, of: "\(type)")
        guard limit != 0 else { return [] }
        let requests = try fetchRequests(for: type)
        var predicate = predicate
        if let stored = try predicate.flatMap(storedForm) {
            for request in requests { request.predicate = stored }
            predicate = nil
        }
        let order = storedOrder(sortDescriptors)
        if predicate == nil, let order, requests.count == 1 {
            requests[0].sortDescriptors = order
            requests[0].fetchLimit = window.limit
            requests[0].fetchOffset = offset
            return try fetch(requests[0])
        }
        var objects = try requests.flatMap(fetch)
        if let predicate { objects = try objects.filter(predicate.evaluate) }
        if let order { objects = objects.sorted(by: order) } else { objects.sort(using: sortDescriptors) }
        return window.part(of: objects)
    }

    /// Counts the objects of a class, those of its subclasses included.
    ///
    /// Unsaved changes are taken into account. The predicate is treated as in a fetch. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects to count; nil for all.
    /// - Throws: what the predicate or the store throws, and 134060 if the context's model has no entity for the class.
    public func count<Object: NSManagedObject>(of type: Object.Type, where predicate: Predicate<Object>? = nil) throws -> Int {
        let requests = try fetchRequests(for: type)
        let stored = try predicate.flatMap(storedForm)
        if let predicate, stored == nil { return try requests.flatMap(fetch).count { try predicate.evaluate($0) } }
        return try requests.reduce(0) { sum, request in
            request.predicate = stored
            return try sum + count(for: request)
        }
    }

    /// One request, or several for a class that has no entity of its own while its subclasses have.
    func fetchRequests<Object: NSManagedObject>(for type: Object.Type) throws -> [NSFetchRequest<Object>] {
        try topEntities(of: type).required(for: type).map { entity in
            let request = NSFetchRequest<Object>()
            request.entity = entity
            return request
        }
    }
}

extension [NSEntityDescription] {
    /// The entities, of which there has to be one.
    func required(for type: NSManagedObject.Type) throws -> Self {
        guard isEmpty else { return self }
        throw NSError.coreData(NSCoreDataError, "The context's model has no entity for the class \(type)")
    }
}
