package import DataModel
import Foundation

/// A model as an outline that people read.
package enum ModelOutline {
    package static func lines(_ model: NSManagedObjectModel) -> [String] {
        var lines: [String] = []
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            if !lines.isEmpty { lines.append("") }
            lines += Self.lines(entity)
        }
        let templates = model.fetchTemplates.keys.sorted()
        if !templates.isEmpty { lines += ["", "fetch requests: \(templates.joined(separator: ", "))"] }
        let configurations = model.configurations.filter { $0 != NSManagedObjectModel.defaultConfigurationName }.sorted()
        if !configurations.isEmpty { lines.append("configurations: \(configurations.joined(separator: ", "))") }
        return lines.map { TextWidth.shown($0) }
    }

    private static func lines(_ entity: NSEntityDescription) -> [String] {
        let name = entity.name ?? ""
        var title = entity.isAbstract ? "abstract \(name)" : name
        if let parent = entity.superentity?.name { title += " : \(parent)" }
        let className = entity.managedObjectClassName ?? ""
        if className != name, className != "NSManagedObject" { title += "  (class \(className))" }
        var lines = [title]
        let properties = entity.ownProperties.sorted { $0.name < $1.name }
        for case let attribute as NSAttributeDescription in properties { lines.append("    \(text(attribute))") }
        for case let relationship as NSRelationshipDescription in properties { lines.append("    \(text(relationship))") }
        for case let fetched as NSFetchedPropertyDescription in properties {
            lines.append("    \(fetched.name): fetched \(fetched.fetchSettings?.entityName ?? "")")
        }
        for group in entity.uniquenessConstraintNames { lines.append("    unique (\(group.joined(separator: ", ")))") }
        for index in entity.indexes.sorted(by: { $0.name < $1.name }) {
            lines.append("    index \(index.name) (\(index.elements.map { $0.propertyName ?? "?" }.joined(separator: ", ")))")
        }
        return lines
    }

    package static func text(_ attribute: NSAttributeDescription) -> String {
        var text = "\(attribute.name): \(typeName(attribute.type))\(attribute.isOptional ? "?" : "")"
        if let value = attribute.defaultValue { text += " = \(StoredValue.text(value, attribute.type))" }
        var remarks: [String] = []
        if attribute.isTransient { remarks.append("transient") }
        if let derived = attribute as? NSDerivedAttributeDescription {
            remarks.append("derived from \(derived.derivationExpressionString ?? "?")")
        }
        if attribute.allowsExternalBinaryDataStorage { remarks.append("external storage") }
        if let name = attribute.valueTransformerName { remarks.append("by \(name)") }
        let limits = attribute.validationLimits
        if limits.minimum != nil || limits.maximum != nil { remarks.append("\(limits.minimum ?? "")…\(limits.maximum ?? "")") }
        if let pattern = limits.regularExpression { remarks.append("matches \(pattern)") }
        if let old = attribute.renamingIdentifier, old != attribute.name { remarks.append("was \(old)") }
        return remarks.isEmpty ? text : "\(text)  (\(remarks.joined(separator: ", ")))"
    }

    private static func text(_ relationship: NSRelationshipDescription) -> String {
        let destination = relationship.destinationEntity?.name ?? "?"
        let type: String
        if relationship.isToMany {
            type = relationship.isOrdered ? "[\(destination)]" : "Set<\(destination)>"
        } else {
            type = destination + (relationship.isOptional ? "?" : "")
        }
        var remarks = [relationship.inverseRelationship.map { "inverse \($0.name)" } ?? "no inverse"]
        switch relationship.deleteRule {
        case .cascadeDeleteRule: remarks.append("deletion cascades")
        case .denyDeleteRule: remarks.append("deletion is denied")
        case .noActionDeleteRule: remarks.append("no action at deletion")
        default: break
        }
        if relationship.isToMany, relationship.minCount > 0 || relationship.maxCount > 0 {
            remarks.append("\(relationship.minCount)…\(relationship.maxCount > 0 ? "\(relationship.maxCount)" : "")")
        }
        return "\(relationship.name): \(type)  (\(remarks.joined(separator: ", ")))"
    }

    package static func typeName(_ type: NSAttributeDescription.AttributeType) -> String {
        switch type {
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .binaryData: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .boolean: "Boolean"
        case .date: "Date"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .transformable: "Transformable"
        case .composite: "Composite"
        case .objectID: "Object ID"
        default: "Undefined"
        }
    }

    package static func json(_ model: NSManagedObjectModel) -> JSONValue {
        .object([
            "checksum": .string(model.versionChecksum),
            "entities": .object(
                Dictionary(
                    model.entities.map { ($0.name ?? "", json($0)) }, uniquingKeysWith: { first, _ in first })),
        ])
    }

    private static func json(_ entity: NSEntityDescription) -> JSONValue {
        .object([
            "class": JSONValue(entity.managedObjectClassName), "isAbstract": .bool(entity.isAbstract),
            "superentity": JSONValue(entity.superentity?.name),
            "uniquenessConstraints": .array(entity.uniquenessConstraintNames.map { .array($0.map(JSONValue.string)) }),
            "attributes": .object(
                Dictionary(
                    entity.ownProperties.compactMap { $0 as? NSAttributeDescription }.map { attribute in
                        (
                            attribute.name,
                            .object([
                                "type": .string(typeName(attribute.type)), "isOptional": .bool(attribute.isOptional),
                                "isTransient": .bool(attribute.isTransient),
                                "default": StoredValue.json(attribute.defaultValue, attribute.type),
                            ])
                        )
                    }, uniquingKeysWith: { first, _ in first })),
            "relationships": .object(
                Dictionary(
                    entity.ownProperties.compactMap { $0 as? NSRelationshipDescription }.map { relationship in
                        (
                            relationship.name,
                            .object([
                                "destination": JSONValue(relationship.destinationEntity?.name),
                                "inverse": JSONValue(relationship.inverseRelationship?.name),
                                "isToMany": .bool(relationship.isToMany), "isOrdered": .bool(relationship.isOrdered),
                                "isOptional": .bool(relationship.isOptional),
                            ])
                        )
                    }, uniquingKeysWith: { first, _ in first })),
        ])
    }
}
