import DataModel
public import Foundation
public import LiveQueries
public import ObjectGraph

extension FetchedResults where Object: TypedObject {
    /// Fetches the objects of a class, and keeps them up to date.
    ///
    /// ```swift
    /// let long = try FetchedResults(
    ///     Movie.self, where: #Predicate { $0.duration > 180 }, sortedBy: [SortDescriptor(\.title)], in: context)
    /// let byGenre = try FetchedResults(
    ///     Movie.self, sortedBy: [Movie.keys.genre.ascending, Movie.keys.title.ascending], sectionedBy: \.genre, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class; objects of subclasses count as its own.
    ///   - predicate: Which objects; nil for all. All of its parts have to be managed properties and to have a meaning in a
    ///     store.
    ///   - sortDescriptors: The order, by numbers, dates or texts that a store can sort by.
    ///   - section: The property by whose value objects are in sections, which may be one that the class computes: the first sort
    ///     descriptor has to keep the objects of a section together. Nil for one section.
    ///   - context: The context, on whose queue the call must be.
    /// - Throws: An error that shows the part of the predicate that a store can't evaluate, or the sort descriptor that it can't
    ///   sort by; 134060 if the context's model has no single entity for the class; or an error of the store.
    public convenience init(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [SortDescriptor<Object>],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        let order = try context.requiredOrder(sortDescriptors)
        try self.init(type, predicate.map(context.storedPredicate), order, section, context)
    }

    /// The same with a condition made of keys or key paths: `where: \.duration > 180`.
    public convenience init(
        _ type: Object.Type, where predicate: TypedPredicate<Object>, sortedBy sortDescriptors: [SortDescriptor<Object>],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        try self.init(type, predicate.predicate, context.requiredOrder(sortDescriptors), section, context)
    }

    /// The same in the order of keys: `sortedBy: [Movie.keys.title.ascending]`.
    @_disfavoredOverload
    public convenience init(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil, sortedBy sortDescriptors: [NSSortDescriptor],
        sectionedBy section: PartialKeyPath<Object>? = nil, in context: NSManagedObjectContext
    ) throws {
        try self.init(type, predicate.map(context.storedPredicate), sortDescriptors, section, context)
    }

    /// The same with a condition made of keys or key paths, in the order of keys.
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
