package import DataModel
import Foundation
package import ObjectGraph

extension OpenedStore {
    /// The objects that a relationship leads to: in order if it is ordered, else by their IDs.
    package func related(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        var ids = object.objectIDs(forRelationshipNamed: relationship.name)
        if !relationship.isOrdered {
            ids.sort { ($0.entity.name ?? "", $0.key) < ($1.entity.name ?? "", $1.key) }
        }
        return ids.map { context.object(with: $0) }
    }

    /// What a key path leads to, with the property at its end. Relationships to many objects give many values.
    package func values(
        _ object: NSManagedObject, _ keys: ArraySlice<String>
    ) -> [(value: Any?, property: NSPropertyDescription)] {
        guard let key = keys.first, let property = object.entity.propertiesByName[key] else { return [] }
        guard let relationship = property as? NSRelationshipDescription else {
            return [(object.value(forKey: key), property)]
        }
        let objects = related(object, relationship)
        if keys.count == 1 { return objects.map { ($0, property) } }
        return objects.flatMap { values($0, keys.dropFirst()) }
    }

    /// The cell of a table for a key path. Related objects have their titles.
    package func cell(_ object: NSManagedObject, _ path: String) -> String {
        let found = values(object, path.split(separator: ".").map(String.init)[...])
        let shown = found.prefix(10).map { value, property in
            if let related = value as? NSManagedObject { return title(of: related) }
            return StoredValue.text(value, (property as? NSAttributeDescription)?.type)
        }
        return shown.joined(separator: ", ") + (found.count > 10 ? ", … (\(found.count))" : "")
    }

    /// The same for programs. Related objects have their IDs.
    package func json(_ object: NSManagedObject, _ path: String) -> JSONValue {
        let keys = path.split(separator: ".").map(String.init)
        let found = values(object, keys[...]).map { value, property in
            if let related = value as? NSManagedObject { return JSONValue.string(Self.shortText(related.objectID)) }
            return StoredValue.json(value, (property as? NSAttributeDescription)?.type)
        }
        return isToMany(keys, object.entity) ? .array(found) : found.first ?? .null
    }

    private func isToMany(_ keys: [String], _ entity: NSEntityDescription) -> Bool {
        var entity: NSEntityDescription? = entity
        for key in keys {
            guard let relationship = entity?.relationshipsByName[key] else { return false }
            if relationship.isToMany { return true }
            entity = relationship.destinationEntity
        }
        return false
    }
}
