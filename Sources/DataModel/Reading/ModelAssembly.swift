import Foundation

/// Links the parts of a model that was read from a file of any kind.
///
/// Faults that would change what a store holds are problems; the model is then not usable. Others (an inverse that does not lead
/// back, an index over something unknown) become the model's `loadingIssues`.
struct ModelAssembly {
    private let unlinked: UnlinkedModel
    private var problems: [ModelProblem]
    private var issues: [ModelProblem]
    private var entitiesByName: [String: NSEntityDescription] = [:]

    private init(_ unlinked: UnlinkedModel) {
        self.unlinked = unlinked
        problems = unlinked.problems
        issues = unlinked.issues
    }

    /// Fills an empty model; gives everything that is wrong.
    static func fill(_ model: NSManagedObjectModel, with unlinked: UnlinkedModel) -> [ModelProblem] {
        var assembly = ModelAssembly(unlinked)
        return assembly.fill(model)
    }

    private mutating func fill(_ model: NSManagedObjectModel) -> [ModelProblem] {
        model.versionIdentifiers = unlinked.versionIdentifiers
        for part in unlinked.entities {
            let name = part.entity.name ?? ""
            if entitiesByName.updateValue(part.entity, forKey: name) != nil {
                problems.append(
                    ModelProblem("two entities of the model are named “\(name)”: rename one of them", line: part.line))
            }
        }
        linkParents()
        checkNames()
        for part in unlinked.relationships where part.relationship.owningEntity != nil { link(part) }
        reportAsymmetricInverses()
        for part in unlinked.entities { addIndexesAndConstraints(part) }
        model.entities = unlinked.entities.map(\.entity)
        for configuration in unlinked.configurations { add(configuration, to: model) }
        for template in unlinked.templates { add(template, to: model) }
        model.loadingIssues = issues.sorted { ($0.line ?? 0) < ($1.line ?? 0) }.map(\.message)
        return problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    // MARK: Entities

    private mutating func linkParents() {
        let parents = Dictionary(
            unlinked.entities.compactMap { part in part.parent.flatMap { parent in part.entity.name.map { ($0, parent) } } },
            uniquingKeysWith: { first, _ in first })
        var children: [String: [NSEntityDescription]] = [:]
        for part in unlinked.entities {
            guard let parentName = part.parent else { continue }
            let name = part.entity.name ?? ""
            guard entitiesByName[parentName] != nil else {
                problems.append(ModelProblem("\(name): the parent entity “\(parentName)” is not in the model", line: part.line))
                continue
            }
            guard let problem = Self.problem(of: name, parents) else {
                children[parentName, default: []].append(part.entity)
                continue
            }
            problems.append(ModelProblem("\(name): \(problem)", line: part.line))
        }
        for (name, entities) in children { entitiesByName[name]?.subentities = entities }
    }

    /// What is wrong with the chain of an entity's parents.
    private static func problem(of entity: String, _ parents: [String: String]) -> String? {
        var name = entity
        for _ in 0..<NSEntityDescription.greatestDepth {
            guard let parent = parents[name] else { return nil }
            if parent == entity { return "it inherits from itself through “\(name == entity ? parent : name)”" }
            name = parent
        }
        return "it has more than \(NSEntityDescription.greatestDepth) levels of superentities, or they inherit from themselves"
    }

    /// Property names must be unique in an entity with all its parents.
    private mutating func checkNames() {
        for part in unlinked.entities {
            let entity = part.entity
            var owners: [String: NSEntityDescription] = [:]
            for property in entity.superentity?.properties ?? [] { owners[property.name] = property.owningEntity }
            if unlinked.hasInheritedCopies, entity.ownProperties.contains(where: { owners[$0.name] != nil }) {
                entity.properties = entity.ownProperties.filter { owners[$0.name] == nil }
            }
            for property in entity.ownProperties {
                guard let other = owners.updateValue(entity, forKey: property.name) else { continue }
                let where_ = other === entity ? "stands twice" : "is already inherited from “\(other.name ?? "")”"
                problems.append(
                    ModelProblem(
                        "\(property.qualifiedName): a property of this name \(where_)",
                        line: part.propertyLines[property.name] ?? part.line))
            }
        }
    }

    // MARK: Relationships

    private mutating func link(_ part: UnlinkedModel.Relationship) {
        let path = part.relationship.qualifiedName
        guard let destinationName = part.destination else {
            return problems.append(ModelProblem("\(path): the relationship has no destination entity", line: part.line))
        }
        guard let destination = entitiesByName[destinationName] else {
            return problems.append(
                ModelProblem("\(path): the destination entity “\(destinationName)” is not in the model", line: part.line))
        }
        part.relationship.destinationEntity = destination
        guard let inverseName = part.inverse else { return }
        let inverseEntityName = part.inverseEntity ?? destinationName
        guard let inverseEntity = entitiesByName[inverseEntityName] else {
            return problems.append(
                ModelProblem("\(path): the entity “\(inverseEntityName)” of its inverse is not in the model", line: part.line))
        }
        guard let inverse = inverseEntity.relationshipsByName[inverseName] else {
            return problems.append(
                ModelProblem("\(path): its inverse “\(inverseEntityName).\(inverseName)” does not exist", line: part.line))
        }
        part.relationship.inverseRelationship = inverse
    }

    private mutating func reportAsymmetricInverses() {
        for part in unlinked.relationships {
            guard let inverse = part.relationship.inverseRelationship, inverse.inverseRelationship !== part.relationship else {
                continue
            }
            let back = inverse.inverseRelationship.map { "the inverse \($0.qualifiedName)" } ?? "no inverse"
            issues.append(
                ModelProblem(
                    "\(part.relationship.qualifiedName): its inverse \(inverse.qualifiedName) has \(back)", line: part.line))
        }
    }

    // MARK: Indexes and constraints

    private mutating func addIndexesAndConstraints(_ part: UnlinkedModel.Entity) {
        let entity = part.entity
        let properties = entity.propertiesByName
        var indexes: [NSFetchIndexDescription] = []
        for index in part.indexes {
            if let made = self.index(index, of: entity, properties) { indexes.append(made) }
        }
        indexes += compoundIndexes(part, properties, existing: indexes)
        entity.indexes = indexes
        for group in part.constraints {
            for name in group.names where properties[name] == nil {
                problems.append(
                    ModelProblem(
                        "\(entity.name ?? ""): a uniqueness constraint names “\(name)”, which is not a property", line: group.line
                    ))
            }
        }
        entity.uniquenessConstraints = part.constraints.map(\.names).filter { !$0.isEmpty }
    }

    private mutating func index(
        _ index: UnlinkedModel.Index, of entity: NSEntityDescription, _ properties: [String: NSPropertyDescription]
    ) -> NSFetchIndexDescription? {
        let path = "\(entity.name ?? ""): the fetch index “\(index.name)”"
        var elements: [NSFetchIndexElementDescription] = []
        for part in index.elements {
            guard let property = part.property.flatMap({ properties[$0] }) else {
                // An index changes no result, so one over an expression or an unknown property is left out.
                issues.append(ModelProblem("\(path) names “\(part.text)”, which is not a property", line: part.line))
                return nil
            }
            if part.kind != "Binary" && part.kind != "RTree" {
                issues.append(ModelProblem("\(path) has an element of unknown type “\(part.kind)”", line: part.line))
            }
            let element = NSFetchIndexElementDescription(
                property: property, collationType: part.kind == "RTree" ? .rTree : .binary)
            element.isAscending = part.isAscending
            elements.append(element)
        }
        let made = NSFetchIndexDescription(name: index.name, elements: elements)
        made.partialIndexPredicateString = index.partialPredicate
        return made
    }

    /// Compound indexes are what fetch indexes were before Xcode 9.
    private mutating func compoundIndexes(
        _ part: UnlinkedModel.Entity, _ properties: [String: NSPropertyDescription], existing: [NSFetchIndexDescription]
    ) -> [NSFetchIndexDescription] {
        var known = Set(existing.map { $0.elements.compactMap(\.propertyName) })
        var result: [NSFetchIndexDescription] = []
        for group in part.compoundIndexes {
            if let name = group.names.first(where: { properties[$0] == nil }) {
                issues.append(
                    ModelProblem(
                        "\(part.entity.name ?? ""): a compound index names “\(name)”, which is not a property", line: group.line))
                continue
            }
            guard !group.names.isEmpty, known.insert(group.names).inserted else { continue }
            let index = NSFetchIndexDescription(
                name: group.names.joined(separator: "_"),
                elements: group.names.compactMap { properties[$0] }.map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                })
            index.isCompoundIndex = true
            result.append(index)
        }
        return result
    }

    // MARK: Configurations and templates

    private mutating func add(_ configuration: UnlinkedModel.Configuration, to model: NSManagedObjectModel) {
        var members: [NSEntityDescription] = []
        for group in configuration.members {
            for name in group.names {
                if let entity = entitiesByName[name] {
                    members.append(entity)
                } else {
                    let text =
                        "the configuration “\(configuration.name)” holds the entity “\(name)”, which is not in the model"
                    problems.append(ModelProblem(text, line: group.line))
                }
            }
        }
        // Two entities of one name are a problem that is told already.
        model.setEntities(members.filter { $0.owningModel === model }, forConfigurationName: configuration.name)
    }

    private mutating func add(_ template: UnlinkedModel.Template, to model: NSManagedObjectModel) {
        let entity = template.settings.entityName ?? ""
        if entitiesByName[entity] == nil {
            issues.append(
                ModelProblem(
                    "the fetch request “\(template.name)”: the entity “\(entity)” is not in the model", line: template.line))
        }
        model.fetchTemplates[template.name] = template.settings
    }
}
