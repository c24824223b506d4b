public import DataModel
public import Foundation
import Storage

/// A closure that completes newer objects from older ones.
struct ObjectCompletion {
    let source: String
    let destination: String
    let body: (NSManagedObject, NSManagedObject, NSManagedObjectContext) throws -> Void
}

extension NSMigrationManager {
    /// Says in code, and with types, how objects of a class become objects of another one.
    ///
    /// Give closures before `migrateStore` is called without a mapping model. What can be inferred is: attributes and
    /// relationships of the same name or with a renaming identifier have their values already when the closure is called.
    /// It does the rest, such as choosing one of several objects for a relationship that was to-many, or converting values
    /// of another type.
    ///
    /// ```swift
    /// let manager = NSMigrationManager(sourceModel: older, destinationModel: newer)
    /// try manager.migrate(OldMovie.self, to: Movie.self) { old, new, context in
    ///     new.title = old.name.capitalized
    /// }
    /// try manager.migrateStore(from: url, type: .sqlite, mapping: nil, to: newURL, type: .sqlite)
    /// ```
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - old: The class of an entity of the older model.
    ///   - new: The class of the entity of the newer model that it becomes, by name or renaming identifier.
    ///   - body: Called for each pair, on the queues of both contexts, when all objects have been made and related. It gets the
    ///     older object, which it only reads, the newer one, and the newer one's context, for more objects. An error that
    ///     it throws ends the migration, and `migrateStore` throws it.
    /// - Throws: 134060 if a model has no entity for its class, or if one does not become the other.
    public final func migrate<Old: NSManagedObject, New: NSManagedObject>(
        _ old: Old.Type, to new: New.Type, _ body: @escaping (Old, New, NSManagedObjectContext) throws -> Void
    ) throws {
        guard let source = ModelRuntime.of(sourceModel).entity(for: old) else { throw Self.missing("older", old) }
        guard let destination = ModelRuntime.of(destinationModel).entity(for: new) else { throw Self.missing("newer", new) }
        let match = ModelMatch(from: sourceModel, to: destinationModel)
        guard match.source(of: destination.description) === source.description else {
            throw NSError.coreData(
                NSCoreDataError,
                "“\(source.name)” does not become “\(destination.name)”: give both the same name, or set the renaming identifier of "
                    + "“\(destination.name)” to “\(source.name)”")
        }
        completions.append(
            ObjectCompletion(source: source.name, destination: destination.name) { older, newer, context in
                guard let older = older as? Old, let newer = newer as? New else { return }
                try body(older, newer, context)
            })
    }

    private static func missing(_ which: String, _ objectClass: AnyClass) -> NSError {
        .coreData(NSCoreDataError, "The \(which) model has no entity for the class \(objectClass)")
    }
}
