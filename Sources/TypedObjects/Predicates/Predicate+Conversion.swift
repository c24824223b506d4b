import DataModel
package import Foundation
package import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// A Swift predicate over stored names, which a store can evaluate.
    ///
    /// - Returns: nil if a part of the predicate has no meaning in a store: a computed property, a method without counterpart.
    ///   Such a predicate is evaluated in memory.
    package func storedForm<Object: NSManagedObject>(of predicate: Predicate<Object>) throws -> NSPredicate? {
        do {
            return try storedPredicate(for: predicate)
        } catch let error as InvalidPredicateError where error.kind == .unsupported {
            return nil
        }
    }

    /// The same for where a store has to evaluate it.
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
    /// The stored names, or the key for what names an object.
    fileprivate static func storedPathOrIdentity(of keyPath: AnyKeyPath) -> String? {
        storedPath(of: keyPath) ?? identity(keyPath)
    }

    /// The key for what names an object: `\Movie.typedID`, `\Movie.objectID`.
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
