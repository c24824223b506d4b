import DataModel
import Foundation
public import ObjectGraph

extension TypedObject {
    /// Loads the object and what it is related to, or tells what can't be read, where accessors would stop the program.
    ///
    /// ```swift
    /// try movie.load(\.director, \.scenes)
    /// show(movie.title, movie.scenes)
    /// ```
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - relationship: a relationship, or one at the end of a path of relationships.
    ///   - others: more of them.
    /// - Throws: `ReadingFailure`; 133000 for an object without row; 134060 for a key path to anything but a relationship.
    public func load(_ relationship: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...) throws {
        let paths = try KeyPathNames.storedPaths(of: [relationship] + others)
        guard let context = managedObjectContext else { return try load() }
        try context.load(CollectionOfOne(self), relationships: paths)
    }

    /// Loads what the property in a slot needs of the store.
    func loadForReading(_ slot: Int) throws {
        do {
            try load()
            if let context = managedObjectContext, hasToManyFault(atSlot: slot) {
                try context.throwingFailures { _ = _toMany(slot).objects }
            }
        } catch let failure as ReadingFailure {
            throw failure
        } catch {
            // Without a row, or without a context: the accessor says what that means.
        }
    }
}

extension NSManagedObjectContext {
    /// Loads objects and what they are related to, with few looks into the store; or tells what can't be read.
    ///
    /// ```swift
    /// try context.load(directors, \.movies)
    /// ```
    ///
    /// Afterwards the accessors of all these objects need the store no more. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - objects: objects of the context.
    ///   - relationship: a relationship, or one at the end of a path of relationships.
    ///   - others: more of them.
    /// - Throws: the first `ReadingFailure`; 133000 for an object without row; 134060 for a key path to anything but a
    ///   relationship.
    public func load<Object: TypedObject>(
        _ objects: some Sequence<Object>, _ relationship: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>...
    ) throws {
        try load(objects.map { $0 as NSManagedObject }, relationships: KeyPathNames.storedPaths(of: [relationship] + others))
    }
}

extension KeyPathNames {
    /// The names in the model of paths of relationships.
    static func storedPaths<Object: TypedObject>(of keyPaths: [PartialKeyPath<Object>]) throws -> [String] {
        try keyPaths.map { keyPath in
            if let path = storedPath(of: keyPath) { return path }
            throw NSError.coreData(NSCoreDataError, "\(keyPath) can't be loaded: it is not a relationship of \(Object.self)")
        }
    }
}
