import Foundation

/// Puts the entities of several models into one.
struct ModelMerging {
    private var kept: [String: NSEntityDescription] = [:]
    private var order: [NSEntityDescription] = []
    private var dropped: [NSEntityDescription] = []
    private var configurations: [String: [String]] = [:]
    private var identifiers: Set<AnyHashable> = []
    private(set) var problems: [String] = []

    /// - Parameter models: They stay as they are.
    init(_ models: [NSManagedObjectModel]) {
        for model in models { add(model) }
        relink()
    }

    private mutating func add(_ model: NSManagedObjectModel) {
        guard let copy = model.copy() as? NSManagedObjectModel else { return }
        for name in copy.configurations {
            configurations[name, default: []] += (copy.entities(forConfigurationName: name) ?? []).compactMap(\.name)
        }
        identifiers.formUnion(copy.versionIdentifiers)
        let entities = copy.entities
        for entity in entities {
            let name = entity.name ?? ""
            guard let other = kept[name] else {
                kept[name] = entity
                order.append(entity)
                continue
            }
            if other.versionHash != entity.versionHash { problems.append("“\(name)” is in two models, and not the same in both") }
            dropped.append(entity)
        }
        copy.entities = []
    }

    /// What leads to an entity that was left out leads to its twin from now on.
    private func relink() {
        for entity in dropped {
            guard let twin = kept[entity.name ?? ""] else { continue }
            let news = entity.subentities.filter { isKept($0) }
            if !news.isEmpty { twin.subentities += news }
        }
        for relationship in order.flatMap(\.ownProperties).compactMap({ $0 as? NSRelationshipDescription }) {
            guard let destination = relationship.destinationEntity, !isKept(destination),
                let twin = kept[destination.name ?? ""]
            else { continue }
            relationship.destinationEntity = twin
            if let inverse = relationship.inverseRelationship {
                relationship.inverseRelationship = twin.relationshipsByName[inverse.name]
            }
        }
    }

    private func isKept(_ entity: NSEntityDescription) -> Bool { kept[entity.name ?? ""] === entity }

    func fill(_ model: NSManagedObjectModel) {
        model.entities = order
        for (name, entities) in configurations {
            model.setEntities(Array(Set(entities)).sorted().compactMap { kept[$0] }, forConfigurationName: name)
        }
        model.versionIdentifiers = identifiers
    }
}
