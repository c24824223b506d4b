/// What a frozen entity keeps ready, so that lookups cost no walk through the parents.
final class EntityLookup: Sendable {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    /// The entity and all its ancestors.
    let ancestry: Set<ObjectIdentifier>

    init(_ entity: NSEntityDescription, properties: [NSPropertyDescription]) {
        self.properties = properties
        propertiesByName = Dictionary(properties.map { ($0.name, $0) }) { _, last in last }
        attributesByName = propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
        relationshipsByName = propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
        var ancestry: Set<ObjectIdentifier> = []
        var next: NSEntityDescription? = entity
        while let candidate = next, ancestry.insert(ObjectIdentifier(candidate)).inserted { next = candidate.superentity }
        self.ancestry = ancestry
    }
}
