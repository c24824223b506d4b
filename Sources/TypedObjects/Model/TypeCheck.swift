import DataModel
import ObjectGraph

/// Compares the schema of a class with the class's entity in a model.
enum TypeCheck {
    /// One text for each property in which a class and its entity differ. It names the class, the property, the Swift type and
    /// the model's type.
    static func mismatches(of type: any TypedObject.Type, with entity: NSEntityDescription) -> [String] {
        mismatches(of: properties(of: type, toCompareWith: entity), in: "\(type)", with: entity)
    }

    /// The properties of a class to compare with an entity. A superclass's properties are compared with the superclass's entity.
    static func properties(of type: any TypedObject.Type, toCompareWith entity: NSEntityDescription) -> [_TypedProperty] {
        let schema = type._typedSchema
        let inheritsCheck = schema.parent != nil && schema.parent?.entityName == entity.superentity?.name
        return inheritsCheck ? schema.properties : schema.allProperties
    }

    static func mismatches(of properties: [_TypedProperty], in type: String, with entity: NSEntityDescription) -> [String] {
        mismatches(of: properties, in: type, with: entity.propertiesByName, of: "the entity “\(entity.name ?? "")”")
    }

    private static func mismatches(
        of properties: [_TypedProperty], in type: String, with descriptions: [String: NSPropertyDescription], of owner: String
    ) -> [String] {
        properties.flatMap { property -> [String] in
            let place = "\(type).\(property.name): Swift type \(describe(property.type)), "
            guard let found = descriptions[property.storedName] else {
                return [place + "\(owner) has no property “\(property.storedName)”"]
            }
            guard fits(property, found) else { return [place + "model type \(describe(found))"] }
            guard case .attribute(let attribute) = property.kind else { return [] }
            return mismatches(of: attribute, in: "\(type).\(property.name)", place, with: found)
        }
    }

    /// The mismatches in the elements of a composite, and in being derived.
    private static func mismatches(
        of attribute: TypedAttribute, in path: String, _ place: String, with description: NSPropertyDescription
    ) -> [String] {
        let isDerived = attribute.options.contains { if case .derived = $0.kind { true } else { false } }
        if isDerived, !(description is NSDerivedAttributeDescription) {
            return [place + "but the model's attribute is not a derived one"]
        }
        guard let elements = attribute.elements, let composite = description as? NSCompositeAttributeDescription else {
            return []
        }
        let byName = Dictionary(composite.elements.map { ($0.name, $0 as NSPropertyDescription) }) { first, _ in first }
        return mismatches(of: elements, in: path, with: byName, of: "the composite attribute “\(composite.name)”")
    }

    private static func fits(_ property: _TypedProperty, _ description: NSPropertyDescription) -> Bool {
        switch (property.kind, description) {
        case (.attribute(let attribute), let description as NSAttributeDescription):
            return attribute.fits(description.attributeType)
        case (.relationship(let relationship), let description as NSRelationshipDescription):
            guard relationship.isToMany == description.isToMany,
                !relationship.isToMany || relationship.isOrdered == description.isOrdered
            else { return false }
            // A class that is not an entity can't be compared. An object of another class is found when it is read.
            guard let destination = relationship.destination as? any TypedObject.Type else { return true }
            return description.destinationEntity?.isKindOfEntity(named: destination._typedSchema.entityName) ?? false
        case (.fetched(let fetch), let description as NSFetchedPropertyDescription):
            guard let destination = fetch.destination as? any TypedObject.Type else { return true }
            return description.destinationEntity?.isKindOfEntity(named: destination._typedSchema.entityName) ?? false
        default:
            return false
        }
    }

    /// The name of a type, in the form `Double?` and not `Optional<Double>`.
    static func describe(_ type: Any.Type) -> String {
        let name = "\(type)"
        for (prefix, start, end) in [("Optional<", "", "?"), ("Array<", "[", "]")] where name.hasPrefix(prefix) {
            return start + name.dropFirst(prefix.count).dropLast() + end
        }
        return name
    }

    static func describe(_ property: NSPropertyDescription) -> String {
        switch property {
        case let attribute as NSAttributeDescription:
            return "\(attribute.type)"
        case let relationship as NSRelationshipDescription:
            let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
            return "\(kind) relationship to “\(relationship.destinationEntity?.name ?? "")”"
        case let fetched as NSFetchedPropertyDescription:
            return fetched.fetchRequest.map { "fetched property of “\($0.entityName ?? "")”" }
                ?? "fetched property without request"
        default:
            return "\(Swift.type(of: property))"
        }
    }
}

extension NSFetchedPropertyDescription {
    /// The entity of the fetched objects.
    fileprivate var destinationEntity: NSEntityDescription? {
        fetchRequest?.entityName.flatMap { owningEntity?.owningModel?.entitiesByName[$0] }
    }
}

extension NSEntityDescription {
    /// Whether the entity, or an entity that it inherits from, has a name.
    func isKindOfEntity(named name: String?) -> Bool {
        sequence(first: self, next: \.superentity).contains { $0.name == name }
    }
}
