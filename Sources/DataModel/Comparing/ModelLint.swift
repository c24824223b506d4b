import Foundation

/// What is allowed in a model and most often a mistake.
struct ModelLint {
    private(set) var warnings: [String] = []
    private let isForCloudKit: Bool

    init(_ model: NSManagedObjectModel) {
        isForCloudKit = ["YES", "true", "1"].contains(model.editorValues["usedWithCloudKit"])
        for entity in model.entities {
            check(entity)
            for property in entity.ownProperties {
                checkName(property)
                if let attribute = property as? NSAttributeDescription { check(attribute) }
                if let relationship = property as? NSRelationshipDescription { check(relationship) }
            }
        }
        for (name, settings) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
            guard let entity = settings.entityName, model.entitiesByName[entity] == nil else { continue }
            warnings.append("the fetch request “\(name)”: the entity “\(entity)” is not in the model")
        }
    }

    private mutating func warn(_ property: NSPropertyDescription, _ text: String) {
        warnings.append("\(property.qualifiedName): \(text)")
    }

    private mutating func check(_ entity: NSEntityDescription) {
        let name = entity.name ?? ""
        if let first = name.first, !first.isUppercase, first.isLetter {
            warnings.append("\(name): the name of an entity begins with an upper-case letter in Apple's model editor")
        }
        for group in entity.uniquenessConstraintNames {
            for property in group where entity.propertiesByName[property]?.isTransient == true {
                warnings.append("\(name): a uniqueness constraint names “\(property)”, which is transient and in no store")
            }
            if isForCloudKit {
                warnings.append("\(name): CloudKit does not know uniqueness constraints (\(group.joined(separator: ", ")))")
            }
        }
        for index in entity.indexes {
            for element in index.elements where element.property?.isTransient == true {
                warnings.append("\(name): the index “\(index.name)” names “\(element.propertyName ?? "")”, which is transient")
            }
        }
    }

    /// Names that Apple's model editor refuses, because managed objects have methods of these names.
    private static let reservedNames: Set<String> = [
        "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "copy", "dealloc", "debugDescription",
        "delete", "description", "entity", "faultingState", "hasChanges", "hash", "init", "isDeleted", "isEqual", "isFault",
        "isInserted", "isProxy", "isUpdated", "managedObjectContext", "objectID", "observationInfo", "release", "retain",
        "retainCount", "self", "superclass", "willSave", "zone",
    ]

    private mutating func checkName(_ property: NSPropertyDescription) {
        if Self.reservedNames.contains(property.name) {
            warn(property, "managed objects have a method of this name, which hides the property: rename it")
        }
    }

    private mutating func check(_ attribute: NSAttributeDescription) {
        if attribute.type == .undefined, !attribute.isTransient {
            warn(attribute, "it has no type and is not transient, so that no store keeps it")
        }
        let limits = attribute.validationLimits
        if let minimum = limits.minimum.flatMap(ModelText.double), let maximum = limits.maximum.flatMap(ModelText.double),
            minimum > maximum
        {
            warn(attribute, "its minimum \(minimum) is greater than its maximum \(maximum), so that no value is valid")
        }
        if let value = attribute.defaultValue {
            for case let limit as LimitPredicate in attribute.validationPredicates where !limit.evaluate(with: value) {
                warn(attribute, "its default \(value) is not valid: \(limit.text)")
            }
        }
        if isForCloudKit, !attribute.isOptional, attribute.defaultValue == nil, !attribute.isTransient {
            warn(attribute, "CloudKit needs it to be optional, or to have a default")
        }
    }

    private mutating func check(_ relationship: NSRelationshipDescription) {
        if let inverse = relationship.inverseRelationship {
            if inverse.inverseRelationship !== relationship {
                warn(relationship, "its inverse \(inverse.qualifiedName) does not lead back")
            }
        } else {
            warn(relationship, "it has no inverse: objects that are deleted stay in it, and nothing keeps both ends in step")
        }
        if relationship.deleteRule == .noActionDeleteRule {
            warn(relationship, "its deletion rule is No Action, which leaves objects with a relationship to nothing")
        }
        if relationship.isOrdered, !relationship.isToMany { warn(relationship, "it is ordered, but holds one object only") }
        if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
            warn(relationship, "its minimum count \(relationship.minCount) is greater than its maximum \(relationship.maxCount)")
        }
        guard isForCloudKit else { return }
        if relationship.isOrdered { warn(relationship, "CloudKit does not know ordered relationships") }
        if !relationship.isOptional { warn(relationship, "CloudKit needs it to be optional") }
        if relationship.deleteRule == .denyDeleteRule { warn(relationship, "CloudKit does not know the deletion rule Deny") }
    }
}

extension NSManagedObjectModel {
    /// What is allowed in the model and most often a mistake, each with its place: what Apple's model editor warns about, such as
    /// relationships without inverse, defaults that are not valid, and, in a model that is marked for CloudKit, what CloudKit
    /// can't do. Not in Apple's framework.
    ///
    /// The list is computed at each call.
    public final var warnings: [String] { ModelLint(self).warnings }
}
