import Foundation

/// Builds the descriptions of a model from the tree of a model file.
///
/// Faults that would change what a store holds are problems; the model is then not usable. Others (a default value that is not a
/// number, an inverse that does not lead back) become the model's `loadingIssues`. Unknown elements and attributes are skipped,
/// as Apple adds some with each Xcode.
final class ModelXMLReader {
    private let root: ModelXMLNode
    private var attributeReader: AttributeXMLReader
    private var requestReader = FetchRequestXMLReader()
    private var problems: [ModelProblem] = []
    private var issues: [ModelProblem] = []
    private var entities: [(node: ModelXMLNode, entity: NSEntityDescription)] = []
    private var entitiesByName: [String: NSEntityDescription] = [:]
    private var relationships: [(node: ModelXMLNode, relationship: NSRelationshipDescription)] = []

    init(_ root: ModelXMLNode) {
        self.root = root
        attributeReader = AttributeXMLReader(composites: root.children(named: "composite"))
    }

    /// Fills an empty model; gives everything that is wrong.
    func fill(_ model: NSManagedObjectModel) -> [ModelProblem] {
        model.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
        for node in root.children(named: "entity") { readEntity(node) }
        linkParents()
        checkNames()
        for (node, relationship) in relationships { linkRelationship(node: node, relationship: relationship) }
        reportAsymmetricInverses()
        for (node, entity) in entities { readIndexesAndConstraints(node: node, entity: entity) }
        model.entities = entities.map(\.entity)
        for node in root.children(named: "configuration") { readConfiguration(node, into: model) }
        for node in root.children(named: "fetchRequest") { readTemplate(node, into: model) }
        // Skipped for good: `elements`, which is only the editor's drawing.
        problems += attributeReader.problems
        model.loadingIssues = (issues + attributeReader.issues + requestReader.issues).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
            .map(\.message)
        return problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    // MARK: Entities

    private func readEntity(_ node: ModelXMLNode) {
        guard let name = node.nonEmpty("name") else {
            return problems.append(ModelProblem("an entity has no name", line: node.line))
        }
        let entity = NSEntityDescription()
        entity.name = name
        if let className = node.nonEmpty("representedClassName") { entity.managedObjectClassName = className }
        entity.isAbstract = node.flag("isAbstract")
        entity.userInfo = node.userInfo
        entity.versionHashModifier = node["versionHashModifier"]
        entity.renamingIdentifier = node.nonEmpty("elementID")
        entity.properties = node.children.compactMap { readProperty($0, of: name) }
        if entitiesByName.updateValue(entity, forKey: name) != nil {
            problems.append(ModelProblem("two entities of the model are named “\(name)”: rename one of them", line: node.line))
        }
        entities.append((node, entity))
    }

    private func readProperty(_ node: ModelXMLNode, of entity: String) -> NSPropertyDescription? {
        guard ["attribute", "relationship", "fetchedProperty"].contains(node.name) else { return nil }
        guard let name = node.nonEmpty("name") else {
            problems.append(ModelProblem("\(entity): a property (\(node.name)) has no name", line: node.line))
            return nil
        }
        if node.name == "attribute" { return attributeReader.read(node, name: name, path: "\(entity).\(name)") }
        if node.name == "fetchedProperty" { return readFetchedProperty(node, name: name, path: "\(entity).\(name)") }
        return readRelationship(node, name: name, path: "\(entity).\(name)")
    }

    private func linkParents() {
        let parents = Dictionary(
            entities.compactMap { node, entity in
                node.nonEmpty("parentEntity").flatMap { parent in entity.name.map { ($0, parent) } }
            },
            uniquingKeysWith: { first, _ in first })
        for (node, entity) in entities {
            guard let parentName = node.nonEmpty("parentEntity") else { continue }
            guard let parent = entitiesByName[parentName] else {
                problems.append(
                    ModelProblem("\(entity.name ?? ""): the parent entity “\(parentName)” is not in the model", line: node.line))
                continue
            }
            guard let problem = Self.problem(of: entity.name ?? "", parents) else {
                parent.subentities.append(entity)
                continue
            }
            problems.append(ModelProblem("\(entity.name ?? ""): \(problem)", line: node.line))
        }
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
    private func checkNames() {
        for (node, entity) in entities {
            var owners: [String: NSEntityDescription] = [:]
            for property in entity.superentity?.properties ?? [] { owners[property.name] = property.owningEntity }
            for property in entity.ownProperties {
                guard let other = owners.updateValue(entity, forKey: property.name) else { continue }
                let line = node.children.last { $0["name"] == property.name }?.line ?? node.line
                let where_ = other === entity ? "stands twice" : "is already inherited from “\(other.name ?? "")”"
                problems.append(ModelProblem("\(property.qualifiedName): a property of this name \(where_)", line: line))
            }
        }
    }

    // MARK: Relationships

    private func readRelationship(_ node: ModelXMLNode, name: String, path: String) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.readCommonValues(node, name: name)
        let isToMany = node.flag("toMany")
        relationship.minCount = readCount("minCount", of: node, path: path) ?? 0
        relationship.maxCount = readCount("maxCount", of: node, path: path) ?? (isToMany ? 0 : 1)
        relationship.isOrdered = node.flag("ordered")
        if isToMany != relationship.isToMany {
            let kind = isToMany ? "to-many" : "to-one"
            issues.append(
                ModelProblem("\(path): it is marked \(kind), but its maxCount is \(relationship.maxCount)", line: node.line))
        }
        switch node["deletionRule"]?.replacingOccurrences(of: " ", with: "") {
        case nil, "Nullify": relationship.deleteRule = .nullifyDeleteRule
        case "Cascade": relationship.deleteRule = .cascadeDeleteRule
        case "Deny": relationship.deleteRule = .denyDeleteRule
        case "NoAction": relationship.deleteRule = .noActionDeleteRule
        default:
            problems.append(
                ModelProblem("\(path): there is no deletion rule “\(node["deletionRule"] ?? "")”", line: node.line))
        }
        relationships.append((node, relationship))
        return relationship
    }

    private func readCount(_ key: String, of node: ModelXMLNode, path: String) -> Int? {
        guard let text = node[key] else { return nil }
        if let count = Int(text) { return count }
        problems.append(ModelProblem("\(path): \(key) “\(text)” is not a number", line: node.line))
        return nil
    }

    private func linkRelationship(node: ModelXMLNode, relationship: NSRelationshipDescription) {
        let path = relationship.qualifiedName
        guard let destinationName = node.nonEmpty("destinationEntity") else {
            return problems.append(ModelProblem("\(path): the relationship has no destination entity", line: node.line))
        }
        guard let destination = entitiesByName[destinationName] else {
            return problems.append(
                ModelProblem("\(path): the destination entity “\(destinationName)” is not in the model", line: node.line))
        }
        relationship.destinationEntity = destination
        guard let inverseName = node.nonEmpty("inverseName") else { return }
        let inverseEntityName = node.nonEmpty("inverseEntity") ?? destinationName
        guard let inverseEntity = entitiesByName[inverseEntityName] else {
            return problems.append(
                ModelProblem("\(path): the entity “\(inverseEntityName)” of its inverse is not in the model", line: node.line))
        }
        guard let inverse = inverseEntity.relationshipsByName[inverseName] else {
            return problems.append(
                ModelProblem("\(path): its inverse “\(inverseEntityName).\(inverseName)” does not exist", line: node.line))
        }
        relationship.inverseRelationship = inverse
    }

    private func reportAsymmetricInverses() {
        for (node, relationship) in relationships {
            guard let inverse = relationship.inverseRelationship, inverse.inverseRelationship !== relationship else { continue }
            let back = inverse.inverseRelationship.map { "the inverse \($0.qualifiedName)" } ?? "no inverse"
            issues.append(
                ModelProblem("\(relationship.qualifiedName): its inverse \(inverse.qualifiedName) has \(back)", line: node.line))
        }
    }

    // MARK: Indexes, constraints, configurations

    private func readIndexesAndConstraints(node: ModelXMLNode, entity: NSEntityDescription) {
        let properties = entity.propertiesByName
        var indexes = node.children(named: "fetchIndex").compactMap { readFetchIndex($0, of: entity, properties) }
        indexes += readCompoundIndexes(node, of: entity, properties, existing: indexes)
        entity.indexes = indexes
        let groups = node.children(named: "uniquenessConstraints").flatMap { $0.children(named: "uniquenessConstraint") }
        entity.uniquenessConstraints = groups.compactMap { group in
            let names = group.children(named: "constraint").compactMap { $0["value"] }
            for name in names where properties[name] == nil {
                problems.append(
                    ModelProblem(
                        "\(entity.name ?? ""): a uniqueness constraint names “\(name)”, which is not a property", line: group.line
                    ))
            }
            return names.isEmpty ? nil : names
        }
    }

    private func readFetchIndex(
        _ node: ModelXMLNode, of entity: NSEntityDescription, _ properties: [String: NSPropertyDescription]
    ) -> NSFetchIndexDescription? {
        let name = node["name"] ?? ""
        let path = "\(entity.name ?? ""): the fetch index “\(name)”"
        var elements: [NSFetchIndexElementDescription] = []
        for child in node.children(named: "fetchIndexElement") {
            guard let property = child["property"].flatMap({ properties[$0] }) else {
                // An index changes no result, so one over an expression or an unknown property is left out.
                let what = child["property"] ?? child["expression"] ?? ""
                issues.append(ModelProblem("\(path) names “\(what)”, which is not a property", line: child.line))
                return nil
            }
            let kind = child["type"] ?? "Binary"
            if kind != "Binary" && kind != "RTree" {
                issues.append(ModelProblem("\(path) has an element of unknown type “\(kind)”", line: child.line))
            }
            let element = NSFetchIndexElementDescription(property: property, collationType: kind == "RTree" ? .rTree : .binary)
            element.isAscending = child["order"] != "descending"
            elements.append(element)
        }
        let index = NSFetchIndexDescription(name: name, elements: elements)
        index.partialIndexPredicateString = node.nonEmpty("partialIndexPredicate")
        return index
    }

    /// Compound indexes are what fetch indexes were before Xcode 9.
    private func readCompoundIndexes(
        _ node: ModelXMLNode, of entity: NSEntityDescription, _ properties: [String: NSPropertyDescription],
        existing: [NSFetchIndexDescription]
    ) -> [NSFetchIndexDescription] {
        var known = Set(existing.map { $0.elements.compactMap(\.propertyName) })
        return node.children(named: "compoundIndexes").flatMap { $0.children(named: "compoundIndex") }.compactMap { compound in
            let names = compound.children(named: "index").compactMap { $0["value"] }
            for name in names where properties[name] == nil {
                issues.append(
                    ModelProblem(
                        "\(entity.name ?? ""): a compound index names “\(name)”, which is not a property", line: compound.line))
                return nil
            }
            guard !names.isEmpty, known.insert(names).inserted else { return nil }
            let elements = names.compactMap { properties[$0] }
            return NSFetchIndexDescription(
                name: names.joined(separator: "_"),
                elements: elements.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
        }
    }

    // MARK: Fetch requests

    private func readFetchedProperty(_ node: ModelXMLNode, name: String, path: String) -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.readCommonValues(node, name: name)
        property.isTransient = true
        property.fetchSettings = node.children(named: "fetchRequest").first.flatMap {
            requestReader.read($0, path: "\(path): its fetch request")
        }
        return property
    }

    private func readTemplate(_ node: ModelXMLNode, into model: NSManagedObjectModel) {
        guard let name = node.nonEmpty("name") else {
            return issues.append(ModelProblem("a fetch request has no name", line: node.line))
        }
        let path = "the fetch request “\(name)”"
        guard let settings = requestReader.read(node, path: path) else { return }
        if entitiesByName[settings.entityName ?? ""] == nil {
            issues.append(ModelProblem("\(path): the entity “\(settings.entityName ?? "")” is not in the model", line: node.line))
        }
        model.fetchTemplates[name] = settings
    }

    private func readConfiguration(_ node: ModelXMLNode, into model: NSManagedObjectModel) {
        guard let name = node.nonEmpty("name") else {
            return problems.append(ModelProblem("a configuration has no name", line: node.line))
        }
        var members: [NSEntityDescription] = []
        for member in node.children(named: "memberEntity") {
            if let entity = member["name"].flatMap({ entitiesByName[$0] }) {
                members.append(entity)
            } else {
                let text = "the configuration “\(name)” holds the entity “\(member["name"] ?? "")”, which is not in the model"
                problems.append(ModelProblem(text, line: member.line))
            }
        }
        model.setEntities(members, forConfigurationName: name)
    }
}

extension NSPropertyDescription {
    /// What attributes and relationships have in common in a model file. There, absent means required.
    func readCommonValues(_ node: ModelXMLNode, name: String) {
        self.name = name
        isOptional = node.flag("optional")
        isTransient = node.flag("transient")
        isIndexed = node.flag("indexed")
        isIndexedBySpotlight = node.flag("spotlightIndexingEnabled")
        userInfo = node.userInfo
        versionHashModifier = node["versionHashModifier"]
        renamingIdentifier = node.nonEmpty("elementID")
    }
}
