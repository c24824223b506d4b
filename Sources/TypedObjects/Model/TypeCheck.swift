import DataModel
import ObjectGraph

/// Compares what a class says about its properties with what a model says about the class's entity.
enum TypeCheck {
    /// One text for each property in which a class and its entity disagree: class, property, Swift type, model type.
    static func mismatches(of type: any TypedObject.Type, with entity: NSEntityDescription) -> [String] {
        let schema = type._typedSchema
        // What a superclass declares is checked with the superclass's entity.
        let inheritsCheck = schema.parent != nil && schema.parent?.entityName == entity.superentity?.name
        return mismatches(of: inheritsCheck ? schema.properties : schema.allProperties, in: type, with: entity)
    }

    static func mismatches(
        of properties: [TypedProperty], in type: NSManagedObject.Type, with entity: NSEntityDescription
    ) -> [String] {
        let descriptions = entity.propertiesByName
        return properties.compactMap { property in
            let place = "\(type).\(property.name): Swift type \(describe(property.type)), "
            guard let found = descriptions[property.storedName] else {
                return place + "the entity “\(entity.name ?? "")” has no property “\(property.storedName)”"
            }
            return fits(property, found) ? nil : place + "model type \(describe(found))"
        }
    }

    private static func fits(_ property: TypedProperty, _ description: NSPropertyDescription) -> Bool {
        switch (property.kind, description) {
        case (.attribute(let attribute), let description as NSAttributeDescription):
            return attribute.fits(description.attributeType)
        case (.relationship(let relationship), let description as NSRelationshipDescription):
            guard relationship.isToMany == description.isToMany,
                !relationship.isToMany || relationship.isOrdered == description.isOrdered
            else { return false }
            // A class that is no entity itself can't be compared; reading an object of another class is found out then.
            guard let destination = relationship.destination as? any TypedObject.Type else { return true }
            return description.destinationEntity?.isNamedOrDescends(from: destination._typedSchema.entityName) ?? false
        default:
            return false
        }
    }

    /// `Double?` and not `Optional<Double>`.
    static func describe(_ type: Any.Type) -> String {
        let name = "\(type)"
        for (prefix, start, end) in [("Optional<", "", "?"), ("Array<", "[", "]")] where name.hasPrefix(prefix) {
            return start + name.dropFirst(prefix.count).dropLast() + end
        }
        return name
    }

    private static func describe(_ property: NSPropertyDescription) -> String {
        switch property {
        case let attribute as NSAttributeDescription:
            return "\(attribute.type)"
        case let relationship as NSRelationshipDescription:
            let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
            return "\(kind) relationship to “\(relationship.destinationEntity?.name ?? "")”"
        default:
            return "\(Swift.type(of: property))"
        }
    }
}

extension NSEntityDescription {
    fileprivate func isNamedOrDescends(from name: String) -> Bool {
        sequence(first: self, next: \.superentity).contains { $0.name == name }
    }
}
