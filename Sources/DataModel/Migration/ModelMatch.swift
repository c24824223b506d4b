/// Where the entities and properties of a newer model come from in an older one, found out by names and renaming identifiers.
///
/// It says what corresponds to what, and not whether values can go that way: `MigrationInference` does.
package struct ModelMatch {
    /// An entity of the newer model.
    package struct Entity {
        package let destination: NSEntityDescription
        /// Nil for a new entity.
        package let source: NSEntityDescription?
        /// The older property for each newer one that has any, own and inherited, by the newer name.
        package let properties: [String: NSPropertyDescription]

        /// The older attribute's path for the path of a newer attribute, or of an element of a newer composite attribute.
        package func sourcePath(of path: String) -> String? {
            var names = path.split(separator: ".").map(String.init)[...]
            guard let first = names.popFirst(), var newer = destination.attributesByName[first],
                var older = properties[first] as? NSAttributeDescription
            else { return nil }
            var result = older.name
            while let name = names.popFirst() {
                guard let elements = (newer as? NSCompositeAttributeDescription)?.elements,
                    let element = elements.first(where: { $0.name == name }),
                    let olderElements = (older as? NSCompositeAttributeDescription)?.elements,
                    let match = ModelMatch.match(element, in: olderElements)
                else { return nil }
                (newer, older) = (element, match)
                result += ".\(match.name)"
            }
            return result
        }
    }

    package let source: NSManagedObjectModel
    package let destination: NSManagedObjectModel
    /// By the newer name.
    package let entities: [String: Entity]
    /// The newer entity for each older one that has any, by the older name.
    package let destinations: [String: NSEntityDescription]

    package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        self.source = source
        self.destination = destination
        let older = source.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let newer = destination.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let pairs = Self.pairs(newer, older, { $0.name ?? "" }, { $0.renamingIdentifier ?? "" })
        var destinations: [String: NSEntityDescription] = [:]
        for case (let entity, let match?) in zip(newer, pairs) { destinations[match.name ?? ""] = entity }
        var entities: [String: Entity] = [:]
        for (entity, match) in zip(newer, pairs) {
            var properties: [String: NSPropertyDescription] = [:]
            if let match {
                Self.addPairs(NSAttributeDescription.self, entity, match, to: &properties) { $0.isStored }
                Self.addPairs(NSRelationshipDescription.self, entity, match, to: &properties) { !$0.isTransient }
                for case (let name, let other as NSRelationshipDescription) in properties {
                    guard let destination = entity.relationshipsByName[name]?.destinationEntity else { continue }
                    if !Self.leads(other, to: destination, destinations) { properties[name] = nil }
                }
            }
            entities[entity.name ?? ""] = Entity(destination: entity, source: match, properties: properties)
        }
        self.entities = entities
        self.destinations = destinations
    }

    private static func addPairs<Property: NSPropertyDescription>(
        _ kind: Property.Type, _ entity: NSEntityDescription, _ match: NSEntityDescription,
        to properties: inout [String: NSPropertyDescription], where isStored: (Property) -> Bool
    ) {
        func stored(_ entity: NSEntityDescription) -> [Property] {
            entity.properties.compactMap { $0 as? Property }.filter(isStored).sorted { $0.name < $1.name }
        }
        let newer = stored(entity)
        for (property, other) in zip(newer, pairs(newer, stored(match), \.name, { $0.renamingIdentifier ?? "" })) {
            properties[property.name] = other
        }
    }

    /// Whether any object that an older relationship leads to can be one that an entity or its subentities have now.
    private static func leads(
        _ older: NSRelationshipDescription, to entity: NSEntityDescription, _ destinations: [String: NSEntityDescription]
    ) -> Bool {
        guard let target = older.destinationEntity else { return false }
        return target.family.contains { destinations[$0.name ?? ""]?.isKindOf(entity: entity) == true }
    }

    /// The older entity that a newer one comes from.
    package func source(of entity: NSEntityDescription) -> NSEntityDescription? { entities[entity.name ?? ""]?.source }

    /// The older property that a newer one comes from, as the entity that declares it has it.
    package func source(of property: NSPropertyDescription) -> NSPropertyDescription? {
        property.owningEntity.flatMap { entities[$0.name ?? ""]?.properties[property.name] }
    }

    /// The entities of the older model that the newer one does not have, by name.
    package var removedEntities: [NSEntityDescription] {
        source.entities.filter { destinations[$0.name ?? ""] == nil }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    static func match(
        _ element: NSAttributeDescription, in older: [NSAttributeDescription]
    ) -> NSAttributeDescription? {
        let identifier = element.renamingIdentifier ?? element.name
        return older.first { $0.name == identifier } ?? older.first { $0.renamingIdentifier == identifier }
            ?? older.first { $0.name == element.name }
    }

    /// For each newer element the older one: by its renaming identifier, which is an older name or the renaming identifier
    /// of an older one, and then by its name. No older element is taken twice.
    private static func pairs<Element>(
        _ newer: [Element], _ older: [Element], _ name: (Element) -> String, _ identifier: (Element) -> String
    ) -> [Element?] {
        var byName: [String: Int] = [:]
        var byIdentifier: [String: Int] = [:]
        for (index, element) in older.enumerated() {
            if byName[name(element)] == nil { byName[name(element)] = index }
            if byIdentifier[identifier(element)] == nil { byIdentifier[identifier(element)] = index }
        }
        var result = [Int?](repeating: nil, count: newer.count)
        var taken: Set<Int> = []
        func pass(_ find: (Element) -> Int?) {
            for (index, element) in newer.enumerated() where result[index] == nil {
                guard let found = find(element), !taken.contains(found) else { continue }
                result[index] = found
                taken.insert(found)
            }
        }
        // What was renamed on purpose comes before what happens to have the same name.
        pass { identifier($0) == name($0) ? nil : byName[identifier($0)] }
        pass { identifier($0) == name($0) ? nil : byIdentifier[identifier($0)] }
        pass { byName[name($0)] }
        pass { byIdentifier[identifier($0)] }
        return result.map { $0.map { older[$0] } }
    }
}

extension NSEntityDescription {
    /// The entity and all that inherit from it, parents first.
    package final var family: [NSEntityDescription] {
        var result: [NSEntityDescription] = []
        var rest = [self]
        while let next = rest.popLast() {
            result.append(next)
            rest += next.subentities.reversed()
        }
        return result
    }

    /// The ancestor without parent; the entity itself if it has none.
    package final var root: NSEntityDescription {
        var result = self
        while let parent = result.superentity { result = parent }
        return result
    }
}
