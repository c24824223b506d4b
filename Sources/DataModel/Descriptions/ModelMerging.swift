import Foundation

/// Puts the entities of several models into one.
struct ModelMerging {
    private var kept: [String: NSEntityDescription] = [:]
    private var order: [NSEntityDescription] = []
    private var dropped: [NSEntityDescription] = []
    private var configurations: [String: [String]] = [:]
    private var identifiers: Set<AnyHashable> = []
    private var templates: [String: FetchSettings] = [:]
    private var hashes: [Data: Data] = [:]
    private var localization: [String: String]?
    private var issues: [String] = []
    private var listsImplicitIndexes = true
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
        templates.merge(copy.fetchTemplates) { first, _ in first }
        hashes.merge(copy.knownVersionHashes) { first, _ in first }
        if let texts = copy.localizationDictionary { localization = (localization ?? [:]).merging(texts) { first, _ in first } }
        issues += copy.loadingIssues
        listsImplicitIndexes = listsImplicitIndexes && copy.listsImplicitIndexes
        let entities = copy.entities
        for entity in entities {
            let name = entity.name ?? ""
            guard let other = kept[name] else {
                kept[name] = entity
                order.append(entity)
                continue
            }
            if other.structuralHash != entity.structuralHash {
                problems.append("“\(name)” is in two models, and not the same in both")
            }
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
        model.fetchTemplates = templates.mapValues { $0.replacingEntity { kept[$0.name ?? ""] } }
        model.knownVersionHashes = hashes
        model.localizationDictionary = localization
        model.loadingIssues = issues
        model.listsImplicitIndexes = listsImplicitIndexes && !order.isEmpty
    }
}
