package import DataModel
package import Foundation

/// Builds a model from the `model.json` beside a store: the model that Core Data cached in that store.
package enum ModelJSON {
    /// The model of a store folder, such as "pulse-logs".
    package static func model(ofStore name: String) throws -> NSManagedObjectModel {
        try model(at: Fixtures.stores.appendingPathComponent(name).appendingPathComponent("model.json"))
    }

    /// The model in a `model.json` file.
    package static func model(at url: URL) throws -> NSManagedObjectModel {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        guard let json = json as? [String: [String: Any]] else { throw CocoaError(.fileReadCorruptFile) }
        var entities: [String: NSEntityDescription] = [:]
        for (name, fields) in json { entities[name] = entity(name, fields) }
        for (name, fields) in json.sorted(by: { $0.key < $1.key }) {
            if let parent = fields["parent"] as? String, let child = entities[name] {
                entities[parent]?.subentities.append(child)
            }
        }
        for (name, fields) in json { entities[name]?.link(fields, entities) }
        let model = NSManagedObjectModel()
        model.entities = entities.sorted { $0.key < $1.key }.map(\.value)
        model.listsImplicitIndexes = true
        return model
    }

    /// A model around one entity whose description holds also inherited properties: ancestors and destinations are empty entities.
    package static func model(ofSingleEntity name: String, _ fields: [String: Any]) -> NSManagedObjectModel {
        var fields = fields
        for (own, inherited) in [("attributes", "inheritedAttributes"), ("relationships", "inheritedRelationships")] {
            let all = fields[own] as? [String: Any] ?? [:]
            fields[own] = all.merging(fields[inherited] as? [String: Any] ?? [:]) { first, _ in first }
        }
        var entities = [name: entity(name, fields)]
        func stub(_ other: String) -> NSEntityDescription {
            if let known = entities[other] { return known }
            let stub = NSEntityDescription()
            stub.name = other
            entities[other] = stub
            return stub
        }
        if let parent = fields["parent"] as? String, let child = entities[name] { stub(parent).subentities = [child] }
        for relationship in (fields["relationships"] as? [String: [String: Any]] ?? [:]).values {
            guard let destination = relationship["destination"] as? String else { continue }
            let target = stub(destination)
            guard let inverse = relationship["inverse"] as? String, target.relationshipsByName[inverse] == nil else { continue }
            let back = NSRelationshipDescription()
            back.name = inverse
            if destination != name { target.properties.append(back) }
        }
        entities[name]?.link(fields, entities)
        let model = NSManagedObjectModel()
        model.entities = entities.sorted { $0.key < $1.key }.map(\.value)
        return model
    }

    private static func entity(_ name: String, _ fields: [String: Any]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        if let className = fields["className"] as? String { entity.managedObjectClassName = className }
        entity.isAbstract = fields["abstract"] as? Bool ?? false
        entity.renamingIdentifier = fields["renamingIdentifier"] as? String
        entity.versionHashModifier = fields["versionHashModifier"] as? String
        entity.uniquenessConstraints = fields["uniquenessConstraints"] as? [[Any]] ?? []
        let attributes = (fields["attributes"] as? [String: [String: Any]] ?? [:]).map {
            attribute($0, $1) as NSPropertyDescription
        }
        let relationships = (fields["relationships"] as? [String: [String: Any]] ?? [:]).map {
            relationship($0, $1) as NSPropertyDescription
        }
        entity.properties = (attributes + relationships).sorted { $0.name < $1.name }
        return entity
    }

    private static func attribute(_ name: String, _ fields: [String: Any]) -> NSAttributeDescription {
        let attribute = fields["derived"] as? Bool == true ? NSDerivedAttributeDescription() : NSAttributeDescription()
        setCommonValues(of: attribute, name, fields)
        attribute.type = .init(rawValue: fields["typeCode"] as? UInt ?? 0)
        attribute.attributeValueClassName = fields["valueClass"] as? String
        attribute.valueTransformerName = fields["transformer"] as? String
        attribute.defaultValue = defaultValue(fields["default"], of: attribute.type)
        let flags = fields["flags"] as? Int ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
        return attribute
    }

    private static func relationship(_ name: String, _ fields: [String: Any]) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        setCommonValues(of: relationship, name, fields)
        relationship.minCount = fields["minCount"] as? Int ?? 0
        relationship.maxCount = fields["maxCount"] as? Int ?? 0
        relationship.isOrdered = fields["ordered"] as? Bool ?? false
        let rules: [String: NSDeleteRule] = [
            "NoAction": .noActionDeleteRule, "Nullify": .nullifyDeleteRule, "Cascade": .cascadeDeleteRule,
            "Deny": .denyDeleteRule,
        ]
        relationship.deleteRule = (fields["deleteRule"] as? String).flatMap { rules[$0] } ?? .nullifyDeleteRule
        return relationship
    }

    private static func setCommonValues(of property: NSPropertyDescription, _ name: String, _ fields: [String: Any]) {
        property.name = name
        property.isOptional = fields["optional"] as? Bool ?? false
        property.isTransient = fields["transient"] as? Bool ?? false
        property.isIndexed = fields["indexed"] as? Bool ?? false
        property.versionHashModifier = fields["versionHashModifier"] as? String
    }

    private static func defaultValue(_ json: Any?, of type: NSAttributeDescription.AttributeType) -> Any? {
        switch json {
        case let text as String: ModelText.value(text, of: type)
        case let number as NSNumber where type == .boolean: number.boolValue
        case let number as NSNumber: ModelText.value(number.stringValue, of: type)
        default: nil
        }
    }
}

extension NSEntityDescription {
    fileprivate func link(_ fields: [String: Any], _ entities: [String: NSEntityDescription]) {
        for (name, relationship) in fields["relationships"] as? [String: [String: Any]] ?? [:] {
            guard let description = relationshipsByName[name],
                let destination = (relationship["destination"] as? String).flatMap({ entities[$0] })
            else { continue }
            description.destinationEntity = destination
            description.inverseRelationship = (relationship["inverse"] as? String).flatMap { destination.relationshipsByName[$0] }
        }
        indexes = (fields["fetchIndexes"] as? [[String: Any]] ?? []).map { index in
            let elements = (index["elements"] as? [[String: Any]] ?? []).compactMap {
                element -> NSFetchIndexElementDescription? in
                guard let property = (element["property"] as? String).flatMap({ propertiesByName[$0] }) else { return nil }
                let description = NSFetchIndexElementDescription(
                    property: property, collationType: element["type"] as? Int == 1 ? .rTree : .binary)
                description.isAscending = element["ascending"] as? Bool ?? true
                return description
            }
            return NSFetchIndexDescription(name: index["name"] as? String ?? "", elements: elements)
        }
    }
}
