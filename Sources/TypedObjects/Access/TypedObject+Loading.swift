import DataModel
import Foundation
public import ObjectGraph

extension TypedObject {
    /// Loads the object and the objects that it is related to. Throws an error if something can't be read, where an accessor
    /// would stop the program.
    ///
    /// ```swift
    /// try movie.load(\.director, \.scenes)
    /// show(movie.title, movie.scenes)
    /// ```
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - relationship: A relationship, or one at the end of a path of relationships.
    ///   - others: More relationships.
    /// - Throws: A `ReadingFailure` if the store can't be read, 133000 if the object has no row, or 134060 if a key path does not
    ///   lead to a relationship.
    public func load(_ relationship: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...) throws {
        let paths = try KeyPathNames.storedPaths(of: [relationship] + others)
        guard let context = managedObjectContext else { return try load() }
        try context.load(CollectionOfOne(self), relationships: paths)
    }

    /// Loads everything from the store that reading a property needs.
    func loadForReading(_ slot: Int) throws {
        do {
            try load()
            if let context = managedObjectContext, hasToManyFault(atSlot: slot) {
                try context.throwingFailures { _ = _toMany(slot).objects }
            }
        } catch let failure as ReadingFailure {
            throw failure
        } catch {
            // The object has no row or no context. The accessor reports that.
        }
    }
}

extension NSManagedObjectContext {
    /// Loads objects and the objects that they are related to, with few fetches, however many objects there are. Throws an error
    /// if something can't be read.
    ///
    /// ```swift
    /// try context.load(directors, \.movies)
    /// ```
    ///
    /// Afterwards the accessors of all these objects no longer read from the store. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - objects: Objects of the context.
    ///   - relationship: A relationship, or one at the end of a path of relationships.
    ///   - others: More relationships.
    /// - Throws: The first `ReadingFailure` if the store can't be read, 133000 if an object has no row, or 134060 if a key path
    ///   does not lead to a relationship.
    public func load<Object: TypedObject>(
        _ objects: some Sequence<Object>, _ relationship: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...
    ) throws {
        try load(objects.map { $0 as NSManagedObject }, relationships: KeyPathNames.storedPaths(of: [relationship] + others))
    }
}

extension KeyPathNames {
    /// The names in the model of relationships and of paths of relationships.
    static func storedPaths<Object: TypedObject>(of keyPaths: [PartialKeyPath<Object>]) throws -> [String] {
        try keyPaths.map { keyPath in
            if let path = storedPath(of: keyPath) { return path }
            throw NSError.coreData(NSCoreDataError, "\(keyPath) can't be loaded: it is not a relationship of \(Object.self)")
        }
    }
}
