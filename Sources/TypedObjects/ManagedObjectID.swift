import DataModel
import Foundation
import ObjectGraph

/// Names an object of a class, across contexts, threads and actors: a `Sendable` reference, which objects are not.
///
/// ```swift
/// let id = ManagedObjectID(movie)                       // or movie.typedID
/// try await background.perform { [id] in
///     let movie = try background[id]                    // a Movie of the other context
/// }
/// ```
public struct ManagedObjectID<Object: NSManagedObject>: Hashable, Sendable {
    /// The untyped ID.
    public let objectID: NSManagedObjectID

    /// Takes the ID of an object. Before the first save it is a temporary one, good in the object's own context only.
    public init(_ object: Object) { objectID = object.objectID }

    /// Takes an untyped ID.
    ///
    /// - Parameters:
    ///   - objectID: the ID.
    ///   - context: a context whose model tells the class of the ID's entity.
    /// - Returns: nil if the objects of the ID's entity are of another class.
    public init?(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) {
        self.init(objectID, ofEntities: context.topEntities(of: Object.self).compactMap(\.name))
    }

    /// - Parameter entities: the names of the topmost entities whose objects are of the class.
    init?(_ objectID: NSManagedObjectID, ofEntities entities: [String]) {
        guard entities.contains(where: { objectID.entity.isKindOfEntity(named: $0) }) else { return nil }
        self.objectID = objectID
    }

    /// For an ID that was found by asking for objects of the class.
    init(unchecked objectID: NSManagedObjectID) { self.objectID = objectID }

    /// The same reference for a superclass of the object's class.
    public func asID<Superclass: NSManagedObject>(of type: Superclass.Type) -> ManagedObjectID<Superclass>? {
        Object.self is Superclass.Type ? ManagedObjectID<Superclass>(unchecked: objectID) : nil
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The URL's text.
    public var description: String { objectID.description }
}

/// Gives managed objects a reference of their own class.
public protocol TypedIdentity {}

extension NSManagedObject: TypedIdentity {}

extension TypedIdentity where Self: NSManagedObject {
    /// A `Sendable` reference to the object.
    public var typedID: ManagedObjectID<Self> { ManagedObjectID(self) }
}

extension NSManagedObjectContext {
    /// The object that a reference names.
    ///
    /// Use it on the context's queue.
    ///
    /// - Throws: 133000 if the object no longer exists, and what the store throws.
    public subscript<Object: NSManagedObject>(id: ManagedObjectID<Object>) -> Object {
        get throws {
            let object = try existingObject(with: id.objectID)
            guard let typed = object as? Object else {
                throw NSError(
                    domain: NSCocoaErrorDomain, code: NSCoreDataError,
                    userInfo: [
                        NSLocalizedDescriptionKey:
                            "\(id) names an object of class \(type(of: object)), which is not a \(Object.self)"
                    ])
            }
            return typed
        }
    }
}
