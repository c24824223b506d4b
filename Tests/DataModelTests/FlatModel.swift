import DataModel
import Foundation

/// Our model in the form of `ModelOracle`.
struct FlatModel {
    private(set) var fields: [String: String] = [:]

    init(_ model: NSManagedObjectModel) {
        set("versionIdentifiers", model.versionIdentifiers.compactMap { $0 as? String }.sorted())
        for entity in model.entities { add(entity) }
        for (name, settings) in model.fetchTemplates { add(settings, at: "fetchRequestTemplates/\(name)") }
        for name in model.configurations {
            set("configurations/\(name)", (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted())
        }
    }

    // MARK: Values

    private mutating func set(_ path: String, _ text: String?) { fields[path] = text.map { "s:" + $0 } ?? "null" }
    private mutating func set(_ path: String, _ flag: Bool) { fields[path] = String(flag) }
    private mutating func set(_ path: String, _ number: Int) { fields[path] = String(number) }
    private mutating func set(_ path: String, _ list: [String]) {
        fields[path + "/count"] = String(list.count)
        for (index, text) in list.enumerated() { fields["\(path)/\(index)"] = "s:" + text }
    }
    private mutating func set(_ path: String, _ userInfo: [AnyHashable: Any]?) {
        for (key, value) in userInfo ?? [:] { fields["\(path)/\(key)"] = "s:\(value)" }
    }

    // MARK: Descriptions

    private mutating func add(_ entity: NSEntityDescription) {
        let path = "entities/\(entity.name ?? "")"
        set(path + "/className", entity.managedObjectClassName)
        set(path + "/parent", entity.superentity?.name)
        set(path + "/subentities", entity.subentities.compactMap(\.name).sorted())
        set(path + "/abstract", entity.isAbstract)
        set(path + "/renamingIdentifier", entity.renamingIdentifier)
        set(path + "/versionHashModifier", entity.versionHashModifier)
        set(path + "/userInfo", entity.userInfo)
        for property in entity.ownProperties {
            switch property {
            case let attribute as NSAttributeDescription: add(attribute, at: "\(path)/attributes/\(property.name)")
            case let relationship as NSRelationshipDescription: add(relationship, at: "\(path)/relationships/\(property.name)")
            case let fetched as NSFetchedPropertyDescription: add(fetched, at: "\(path)/fetchedProperties/\(property.name)")
            default: break
            }
        }
        for property in entity.properties where property.entity !== entity {
            set("\(path)/inheritedProperties/\(property.name)", property.entity.name)
        }
        set(path + "/uniquenessConstraints", entity.uniquenessConstraints as? [[String]] ?? [])
        // Indexes made from the file's compound indexes are not fetch indexes to the oracle.
        let indexes = entity.indexes.filter { !$0.isCompoundIndex }
        fields[path + "/fetchIndexes/count"] = String(indexes.count)
        for (number, index) in indexes.enumerated() { add(index, at: "\(path)/fetchIndexes/\(number)") }
    }

    private mutating func add(_ property: NSFetchedPropertyDescription, at path: String) {
        set(path + "/optional", property.isOptional)
        set(path + "/userInfo", property.userInfo)
        if let settings = property.fetchSettings { add(settings, at: path + "/fetchRequest") }
    }

    private mutating func add(_ settings: FetchSettings, at path: String) {
        set(path + "/entity", settings.entityName)
        // The oracle has the text as it stands in the file: that it was read is what can be compared.
        fields[path + "/hasPredicate"] = String(settings.predicate != nil)
        set(path + "/resultType", Int(settings.resultType))
        set(path + "/fetchLimit", settings.fetchLimit)
        set(path + "/fetchBatchSize", settings.fetchBatchSize)
        set(path + "/includesSubentities", settings.includesSubentities)
        set(path + "/includesPropertyValues", settings.includesPropertyValues)
        set(path + "/includesPendingChanges", settings.includesPendingChanges)
        set(path + "/returnsObjectsAsFaults", settings.returnsObjectsAsFaults)
        set(path + "/returnsDistinctResults", settings.returnsDistinctResults)
    }

    private mutating func set(_ path: String, _ groups: [[String]]) {
        fields[path + "/count"] = String(groups.count)
        for (number, group) in groups.enumerated() { set("\(path)/\(number)", group) }
    }

    private mutating func add(_ index: NSFetchIndexDescription, at path: String) {
        set(path + "/name", index.name)
        set(path + "/partialPredicate", index.partialIndexPredicateString)
        fields[path + "/elements/count"] = String(index.elements.count)
        for (number, element) in index.elements.enumerated() {
            set("\(path)/elements/\(number)/property", element.propertyName)
            set("\(path)/elements/\(number)/ascending", element.isAscending)
            set("\(path)/elements/\(number)/type", element.collationType == .binary ? "Binary" : "RTree")
        }
    }

    private mutating func addCommon(_ property: NSPropertyDescription, at path: String) {
        set(path + "/optional", property.isOptional)
        set(path + "/transient", property.isTransient)
        set(path + "/indexed", property.isIndexed)
        set(path + "/renamingIdentifier", property.renamingIdentifier)
        set(path + "/versionHashModifier", property.versionHashModifier)
        set(path + "/userInfo", property.userInfo)
    }

    private mutating func add(_ relationship: NSRelationshipDescription, at path: String) {
        addCommon(relationship, at: path)
        set(path + "/destination", relationship.destinationEntity?.name)
        set(path + "/inverse", relationship.inverseRelationship?.name)
        set(path + "/inverseEntity", relationship.inverseRelationship?.entity.name)
        set(path + "/toMany", relationship.isToMany)
        set(path + "/minCount", relationship.minCount)
        set(path + "/maxCount", relationship.maxCount)
        set(path + "/ordered", relationship.isOrdered)
        set(path + "/deleteRule", ["NoAction", "Nullify", "Cascade", "Deny"][Int(relationship.deleteRule.rawValue)])
    }

    private mutating func add(_ attribute: NSAttributeDescription, at path: String) {
        addCommon(attribute, at: path)
        set(path + "/type", attribute.type.description)
        set(path + "/typeCode", Int(attribute.attributeType.rawValue))
        fields[path + "/default"] = defaultText(attribute)
        set(path + "/valueClass", attribute.attributeValueClassName)
        set(path + "/transformer", attribute.valueTransformerName)
        set(path + "/externalStorage", attribute.allowsExternalBinaryDataStorage)
        set(path + "/preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
        set(path + "/allowsCloudEncryption", attribute.allowsCloudEncryption)
        let limits = attribute.validationLimits
        set(path + "/minimum", limitText(limits.minimum, attribute))
        set(path + "/maximum", limitText(limits.maximum, attribute))
        set(path + "/regularExpression", limits.regularExpression)
        let derived = attribute as? NSDerivedAttributeDescription
        set(path + "/derived", derived != nil)
        set(path + "/derivationExpression", derived?.derivationExpressionString)
        let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
        fields[path + "/elements/count"] = String(elements.count)
        for (number, element) in elements.enumerated() {
            set("\(path)/elements/\(number)/name", element.name)
            add(element, at: "\(path)/elements/\(number)")
        }
    }

    private func limitText(_ text: String?, _ attribute: NSAttributeDescription) -> String? {
        guard let text else { return nil }
        if attribute.type == .date { return Double(text).map { dateText(Date(timeIntervalSinceReferenceDate: $0)) } }
        return ModelText.decimal(text)?.description
    }

    private func defaultText(_ attribute: NSAttributeDescription) -> String {
        switch attribute.defaultValue {
        case nil: "null"
        case let number as NSDecimalNumber where attribute.type == .decimal: "s:\(number.decimalValue)"
        case let flag as Bool where attribute.type == .boolean: String(flag)
        case let number as Float where attribute.type == .float: "\(Double("\(number)") ?? .nan)"
        case let number as Double where attribute.type == .double: "\(number)"
        case let number as Int64 where [.integer16, .integer32, .integer64].contains(attribute.type): String(number)
        case let text as String: "s:" + text
        case let date as Date: "s:" + dateText(date)
        case let url as URL: "s:" + url.absoluteString
        case let uuid as UUID: "s:" + uuid.uuidString
        case let other?: "unexpected \(other)"
        }
    }

    /// ISO 8601 with microseconds, as the oracle writes dates.
    private func dateText(_ date: Date) -> String {
        let micros = Int((date.timeIntervalSinceReferenceDate * 1_000_000).rounded(.toNearestOrEven))
        let seconds = micros >= 0 ? micros / 1_000_000 : -((-micros + 999_999) / 1_000_000)
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let whole = Date(timeIntervalSinceReferenceDate: Double(seconds)).formatted(style).dropLast()
        return whole + String(format: ".%06dZ", micros - seconds * 1_000_000)
    }
}
