public import DataModel
public import Foundation
public import ObjectGraph
import Predicates

/// A property of a class, or a property at the end of a path of relationships and composites, with its type and its name in the
/// model.
///
/// The class has the keys, as in `Movie.keys.title`. Use them where Core Data's API takes a name:
///
/// ```swift
/// let long = try context.fetch(Movie.self, where: Movie.keys.duration > 180 && Movie.keys.director.name == "Akira Kurosawa")
/// request.sortDescriptors = [Movie.keys.title.ascending]
/// request.predicate = (Movie.keys.genre == .drama).predicate
/// let length = NSExpression(forKeyPath: Movie.keys.duration.storedName)
/// ```
///
/// A key can't be made from a key path that does not lead to a managed property. It stops the program.
@dynamicMemberLookup
public struct TypedKey<Object: TypedObject, Value> {
    /// The name in the model. Key-value coding, format strings, sort descriptors, `propertiesToFetch` and prefetching take this
    /// name. A path has dots between the names.
    public let storedName: String

    init(storedName: String) { self.storedName = storedName }

    /// Makes the key of a property.
    ///
    /// - Parameter keyPath: A key path to a managed property, with one or several steps.
    public init(_ keyPath: KeyPath<Object, Value>) {
        guard let name = KeyPathNames.storedPath(of: keyPath) else {
            preconditionFailure("\(keyPath) is not a managed property of \(Object.self): a key needs one that the model has")
        }
        storedName = name
    }

    private func appending(_ keyPath: AnyKeyPath) -> String {
        guard let name = KeyPathNames.storedPath(of: keyPath) else {
            preconditionFailure("\(keyPath) is not a managed property: a key needs one that the model has")
        }
        return "\(storedName).\(name)"
    }

    /// The key of a property of the object or composite that this key leads to.
    public subscript<Next>(dynamicMember keyPath: KeyPath<Value, Next>) -> TypedKey<Object, Next> {
        TypedKey<Object, Next>(storedName: appending(keyPath))
    }

    /// The key of a property of the optional object or composite that this key leads to.
    public subscript<Wrapped, Next>(dynamicMember keyPath: KeyPath<Wrapped, Next>) -> TypedKey<Object, Next?>
    where Value == Wrapped? {
        TypedKey<Object, Next?>(storedName: appending(keyPath))
    }

    /// The key of an optional property of the optional object or composite that this key leads to.
    public subscript<Wrapped, Next>(dynamicMember keyPath: KeyPath<Wrapped, Next?>) -> TypedKey<Object, Next?>
    where Value == Wrapped? {
        TypedKey<Object, Next?>(storedName: appending(keyPath))
    }

    /// The key of a property of the objects of the to-many relationship that this key leads to: `Movie.keys.scenes.text`.
    public subscript<Next>(dynamicMember keyPath: KeyPath<Value.Element, Next>) -> TypedKey<Object, [Next]>
    where Value: Collection, Value.Element: NSManagedObject {
        TypedKey<Object, [Next]>(storedName: appending(keyPath))
    }

    /// The slot of the property in an object. It is nil if the property belongs to another object.
    public func slot(in object: Object) -> Int? { object._slot(forKey: storedName) ?? object.compositeSlot(forKey: storedName) }

    /// The property's description in the model of a context. It is nil if the model has no such property.
    public func description(in context: NSManagedObjectContext) -> NSPropertyDescription? {
        context.property(at: storedName, of: Object.self)
    }

    // MARK: Sorting

    /// A sort descriptor that sorts in ascending order.
    public var ascending: NSSortDescriptor { NSSortDescriptor(key: storedName, ascending: true) }
    /// A sort descriptor that sorts in descending order.
    public var descending: NSSortDescriptor { NSSortDescriptor(key: storedName, ascending: false) }
}

extension TypedKey: CustomStringConvertible {
    /// The class and the name in the model.
    public var description: String { "\(Object.self).\(storedName)" }
}
