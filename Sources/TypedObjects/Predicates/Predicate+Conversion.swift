import DataModel
package import Foundation
package import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Converts a Swift predicate to a predicate with stored names, which a store can evaluate.
    ///
    /// - Returns: The predicate, or nil if a part has no meaning in a store, such as a computed property. The Swift predicate is
    ///   then evaluated in memory.
    package func storedForm<Object: NSManagedObject>(of predicate: Predicate<Object>) throws -> NSPredicate? {
        do {
            return try storedPredicate(for: predicate)
        } catch let error as InvalidPredicateError where error.kind == .unsupported {
            return nil
        }
    }

    /// Converts a Swift predicate that a store must evaluate.
    ///
    /// - Throws: An error that shows the part of the predicate that has no meaning in a store.
    func storedPredicate<Object: NSManagedObject>(for predicate: Predicate<Object>) throws -> NSPredicate {
        let conversion = PredicateConversion(keyName: KeyPathNames.storedPathOrIdentity) { type in
            guard let name = (type as? any TypedObject.Type)?._typedSchema.entityName else { return nil }
            let entities = self.topEntities(of: NSManagedObject.self).flatMap(\.withDescendants)
            return entities.filter { $0.isKindOfEntity(named: name) }.compactMap(\.name)
        }
        return try conversion.node(predicate).predicate
    }
}

extension KeyPathNames {
    /// The stored names, or the key that stands for the object itself.
    fileprivate static func storedPathOrIdentity(of keyPath: AnyKeyPath) -> String? {
        storedPath(of: keyPath) ?? identity(keyPath)
    }

    /// The key that stands for the object itself. The key path is `\Movie.typedID` or `\Movie.objectID`.
    private static func identity(_ keyPath: AnyKeyPath) -> String? {
        func isIdentity<Root: TypedObject>(_ root: Root.Type) -> Bool {
            keyPath == \Root.typedID || keyPath == \Root.objectID
        }
        guard let root = type(of: keyPath).rootType as? any TypedObject.Type else { return nil }
        return isIdentity(root) ? "objectID" : nil
    }
}

extension NSEntityDescription {
    var withDescendants: [NSEntityDescription] { [self] + subentities.flatMap(\.withDescendants) }
}
