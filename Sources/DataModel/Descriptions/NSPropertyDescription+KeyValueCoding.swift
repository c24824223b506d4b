public import Predicates

/// What a model says, by name, for predicates such as `name == $FETCHED_PROPERTY.userInfo.search`.
extension NSPropertyDescription: KeyValueCoding {
    /// The value of one of the description's properties; nil for a name that it does not have.
    public final func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        case "entity": owningEntity
        case "optional", "isOptional": isOptional
        case "transient", "isTransient": isTransient
        case "indexed", "isIndexed": isIndexed
        case "indexedBySpotlight", "isIndexedBySpotlight": isIndexedBySpotlight
        case "renamingIdentifier": renamingIdentifier
        case "versionHash": versionHash
        case "versionHashModifier": versionHashModifier
        default: ownValue(forKey: key)
        }
    }

    private func ownValue(forKey key: String) -> Any? {
        switch self {
        case let attribute as NSAttributeDescription:
            switch key {
            case "attributeType": attribute.attributeType.rawValue
            case "attributeValueClassName": attribute.attributeValueClassName
            case "defaultValue": attribute.defaultValue
            case "valueTransformerName": attribute.valueTransformerName
            default: nil
            }
        case let relationship as NSRelationshipDescription:
            switch key {
            case "destinationEntity": relationship.destinationEntity
            case "inverseRelationship": relationship.inverseRelationship
            case "toMany", "isToMany": relationship.isToMany
            case "ordered", "isOrdered": relationship.isOrdered
            case "minCount": relationship.minCount
            case "maxCount": relationship.maxCount
            case "deleteRule": relationship.deleteRule.rawValue
            default: nil
            }
        default: nil
        }
    }
}

extension NSEntityDescription: KeyValueCoding {
    /// The keys that have values.
    package static let keys: Set<String> = [
        "name", "userInfo", "managedObjectClassName", "abstract", "isAbstract", "superentity", "renamingIdentifier",
        "versionHash",
        "versionHashModifier",
    ]

    /// The value of one of the description's properties; nil for a name that it does not have.
    public final func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        case "managedObjectClassName": managedObjectClassName
        case "abstract", "isAbstract": isAbstract
        case "superentity": superentity
        case "renamingIdentifier": renamingIdentifier
        case "versionHash": versionHash
        case "versionHashModifier": versionHashModifier
        default: nil
        }
    }
}
