import DataModel
public import Foundation
public import LiveQueries
public import ObjectGraph

extension FetchedResults where Object: TypedObject {
    /// Fetches the objects of a class and its subclasses, and keeps the results up to date.
    ///
    /// ```swift
    /// let long = try FetchedResults(
    ///     Movie.self, where: #Predicate { $0.duration > 180 }, sortedBy: [SortDescriptor(\.title)], in: context)
    /// let byGenre = try FetchedResults(
    ///     Movie.self, sortedBy: [Movie.keys.genre.ascending, Movie.keys.title.ascending], sectionedBy: \.genre, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects to fetch, or nil for all. All of its parts must be managed properties and must have a meaning
    ///     in a store.
    ///   - sortDescriptors: The order, by numbers, dates or texts that a store can sort by.
    ///   - section: The property whose value is the section of an object, or nil for one section. The class may compute it. The
    ///     first sort descriptor must keep the objects of a section together.
    ///   - context: The context. Call the initializer on its queue.
    /// - Throws: An error that shows the part of the predicate that a store can't evaluate, or the sort descriptor that it can't
    ///   sort by; 134060 if the context's model has no single entity for the class; or an error of the store.
    public convenience init(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [SortDescriptor<Object>],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        let order = try context.requiredOrder(sortDescriptors)
        try self.init(type, predicate.map(context.storedPredicate), order, section, context)
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths, as in `where: \.duration > 180`.
    public convenience init(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, sortedBy sortDescriptors: [SortDescriptor<Object>],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        try self.init(type, predicate.predicate, context.requiredOrder(sortDescriptors), section, context)
    }

    /// See the form with a `SortDescriptor`. This one takes the order from keys, as in `sortedBy: [Movie.keys.title.ascending]`.
    @_disfavoredOverload
    public convenience init(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [NSSortDescriptor],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        try self.init(type, predicate.map(context.storedPredicate), sortDescriptors, section, context)
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths, and the order from keys.
    @_disfavoredOverload
    public convenience init(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, sortedBy sortDescriptors: [NSSortDescriptor],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        try self.init(type, predicate.predicate, sortDescriptors, section, context)
    }

    private convenience init(
        _ type: Object.Type, _ predicate: NSPredicate?, _ sortDescriptors: [NSSortDescriptor], _ section: PartialKeyPath<Object>?,
        _ context: NSManagedObjectContext
    ) throws {
        let requests = try context.fetchRequests(for: type)
        guard requests.count == 1, let request = requests.first else {
            throw NSError.coreData(
                NSCoreDataError, "The context's model has no single entity for the class \(type), which live results need")
        }
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        if let section, KeyPathNames.storedPath(of: section) == nil {
            // The class computes it.
            try self.init(request, in: context, sectionedBy: "\(section)") { ($0 as? Object)?[keyPath: section] }
        } else {
            try self.init(request, in: context, sectionedBy: section.flatMap { KeyPathNames.storedPath(of: $0) })
        }
    }
}
