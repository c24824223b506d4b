import DataModel
import Foundation
public import FoundationGaps
public import ObjectGraph
public import Predicates

/// Names an object of a class, across contexts, threads and actors: a `Sendable` reference, which objects are not.
///
/// ```swift
/// let id = ManagedObjectID(movie)                       // or movie.typedID
/// try await background.perform { [id] in
///     let movie = try background[id]                    // a Movie of the other context
/// }
/// ```
///
/// It can be captured in a `#Predicate`, which objects can't: `#Predicate<Movie> { $0.director.typedID == id }`. Encoded, it is
/// the URI of the object.
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

extension ManagedObjectID: Codable, ObjectReference {
    /// Encodes the URI.
    ///
    /// - Throws: `EncodingError` for the ID of an object that was never saved, because it can't be found by it.
    public func encode(to encoder: any Encoder) throws { try objectID.encode(to: encoder) }

    /// Decodes a URI. May be called on every thread.
    ///
    /// - Throws: `DecodingError` if no coordinator of the program has the store that it names, or if the object is of another
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
    /// The URL's text.
    public var description: String { objectID.description }
}

extension _ClassCluster where Self: NSManagedObject {
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
                throw NSError.coreData(
                    NSCoreDataError, "\(id) names an object of class \(type(of: object)), which is not a \(Object.self)")
            }
            return typed
        }
    }
}
