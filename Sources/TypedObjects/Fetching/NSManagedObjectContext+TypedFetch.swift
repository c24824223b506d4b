import DataModel
public import Foundation
public import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Fetches the objects of a class and its subclasses.
    ///
    /// ```swift
    /// let good = try context.fetch(
    ///     Movie.self, where: #Predicate { $0.duration > 180 }, sortedBy: [SortDescriptor(\.title)], limit: 10)
    /// ```
    ///
    /// Unsaved changes count.
    ///
    /// The store evaluates the predicate if all of its parts are managed properties and have a meaning in a store. Otherwise it
    /// is evaluated in memory. The store sorts if all sort descriptors lead to numbers, dates or texts, which may be optional.
    /// Otherwise, for example by a computed property or an enumeration, the objects are sorted in memory. The store compares
    /// texts by code points, as `String` does for texts in composed form.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to fetch, or nil for all.
    ///   - sortDescriptors: The order. Without any, it is the order of the store.
    ///   - limit: The greatest number of objects, or nil for no limit.
    ///   - offset: The number of objects at the beginning that are left out.
    /// - Throws: The error of the predicate or the store. 134060 if the limit or offset is negative, or if the context's model
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

    /// Counts the objects of a class and its subclasses.
    ///
    /// Unsaved changes count. The predicate is treated as in a fetch. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to count, or nil for all.
    /// - Throws: The error of the predicate or the store, or 134060 if the context's model has no entity for the class.
    public func count<Object: NSManagedObject>(of type: Object.Type, where predicate: Predicate<Object>? = nil) throws -> Int {
        let requests = try fetchRequests(for: type)
        let stored = try predicate.flatMap(storedForm)
        if let predicate, stored == nil { return try requests.flatMap(fetch).count { try predicate.evaluate($0) } }
        return try requests.reduce(0) { sum, request in
            request.predicate = stored
            return try sum + count(for: request)
        }
    }

    /// The requests for a class. There are several if only its subclasses have entities.
    func fetchRequests<Object: NSManagedObject>(for type: Object.Type) throws -> [NSFetchRequest<Object>] {
        try topEntities(of: type).required(for: type).map { entity in
            let request = NSFetchRequest<Object>()
            request.entity = entity
            return request
        }
    }
}

extension [NSEntityDescription] {
    /// The entities. Throws an error if there are none.
    func required(for type: NSManagedObject.Type) throws -> Self {
        guard isEmpty else { return self }
        throw NSError.coreData(NSCoreDataError, "The context's model has no entity for the class \(type)")
    }
}
