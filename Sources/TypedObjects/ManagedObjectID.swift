import DataModel
import Foundation
public import FoundationGaps
public import ObjectGraph
public import Predicates

/// A `Sendable` reference to an object of a class. Unlike the object, it may be used in every context and on every thread.
///
/// ```swift
/// let id = ManagedObjectID(movie)                       // or movie.typedID
/// try await background.perform { [id] in
///     let movie = try background[id]                    // a Movie of the other context
/// }
/// ```
///
/// A `#Predicate` can capture it, as in `#Predicate<Movie> { $0.director.typedID == id }`, but can't capture an object. It is
/// encoded as the URI of the object.
public struct ManagedObjectID<Object: NSManagedObject>: Hashable, Sendable {
    /// The untyped ID.
    public let objectID: NSManagedObjectID

    /// Makes a reference to an object. Before the first save its ID is temporary, and is valid only in the object's own context.
    public init(_ object: Object) { objectID = object.objectID }

    /// Makes a reference from an untyped ID.
    ///
    /// - Parameters:
    ///   - objectID: The ID.
    ///   - context: A context whose model has the class of the ID's entity.
    /// - Returns: Nil if the objects of the ID's entity are of another class.
    public init?(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) {
        self.init(objectID, ofEntities: context.topEntities(of: Object.self).compactMap(\.name))
    }

    /// - Parameter entities: The names of the topmost entities whose objects are of the class.
    init?(_ objectID: NSManagedObjectID, ofEntities entities: [String]) {
        guard entities.contains(where: { objectID.entity.isKindOfEntity(named: $0) }) else { return nil }
        self.objectID = objectID
    }

    /// Makes a reference from an ID that is known to belong to an object of the class.
    init(unchecked objectID: NSManagedObjectID) { self.objectID = objectID }

    /// The same reference for a superclass of the object's class.
    public func asID<Superclass: NSManagedObject>(of type: Superclass.Type) -> ManagedObjectID<Superclass>? {
        Object.self is Superclass.Type ? ManagedObjectID<Superclass>(unchecked: objectID) : nil
    }
}

extension ManagedObjectID: Codable, ObjectReference {
    /// Encodes the URI.
    ///
    /// - Throws: An `EncodingError` if the object was never saved, because a temporary ID can't be found again.
    public func encode(to encoder: any Encoder) throws { try objectID.encode(to: encoder) }

    /// Decodes a URI. May be called on every thread.
    ///
    /// - Throws: A `DecodingError` if no coordinator of the program has the store of the URI, or if the object is of another
    ///   class.
    public init(from decoder: any Decoder) throws {
        objectID = try NSManagedObjectID(from: decoder)
        guard objectID.objectClass is Object.Type else {
            let text = "\(objectID) names an object of class \(objectID.objectClass), which is not a \(Object.self)"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    package var referencedObject: AnyObject { objectID }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The ID as text.
    public var description: String { objectID.description }
}

extension _ClassCluster where Self: NSManagedObject {
    /// A `Sendable` reference to the object.
    public var typedID: ManagedObjectID<Self> { ManagedObjectID(self) }
}

extension NSManagedObjectContext {
    /// The object of a reference.
    ///
    /// Use it on the context's queue.
    ///
    /// - Throws: 133000 if the object no longer exists, or the store's error.
    public subscript<Object: NSManagedObject>(id: ManagedObjectID<Object>) -> Object {
        get throws {
            let object = try existingObject(with: id.objectID)
            guard let typed = object as? Object else {
                throw NSError.coreData(
                    NSCoreDataError, "\(id) names an object of class \(type(of: object)), which is not a \(Object.self)")
            }
            return typed
        }
    }
}
