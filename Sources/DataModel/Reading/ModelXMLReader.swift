import Foundation

/// Builds the descriptions of a model from the tree of a model file.
///
/// Unknown elements and attributes are skipped, as Apple adds some with each Xcode. What only the model editor uses is kept for
/// writing the file again.
final class ModelXMLReader {
    private let root: ModelXMLNode
    private let attributeReader: AttributeXMLReader
    private var requestReader = FetchRequestXMLReader()
    private var unlinked = UnlinkedModel()

    init(_ root: ModelXMLNode) {
        self.root = root
        attributeReader = AttributeXMLReader(composites: root.children(named: "composite"))
    }

    /// Fills an empty model; gives everything that is wrong.
    func fill(_ model: NSManagedObjectModel) -> [ModelProblem] {
        unlinked.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
        for node in root.children(named: "entity") { readEntity(node) }
        for node in root.children(named: "configuration") { readConfiguration(node) }
        for node in root.children(named: "fetchRequest") { readTemplate(node) }
        unlinked.problems += attributeReader.problems
        unlinked.issues += attributeReader.issues + requestReader.issues
        model.editorValues = root.attributes
        model.editorPredicates = requestReader.texts
        model.editorDiagram = root.children(named: "elements").first.map { $0.children(named: "element").map(\.attributes) }
        return ModelAssembly.fill(model, with: unlinked)
    }

    // MARK: Entities

    private func readEntity(_ node: ModelXMLNode) {
        guard let name = node.nonEmpty("name") else {
            return unlinked.problems.append(ModelProblem("an entity has no name", line: node.line))
        }
        let entity = NSEntityDescription()
        entity.name = name
        if let className = node.nonEmpty("representedClassName") { entity.managedObjectClassName = className }
        entity.isAbstract = node.flag("isAbstract")
        entity.userInfo = node.userInfo
        entity.versionHashModifier = node["versionHashModifier"]
        entity.renamingIdentifier = node.nonEmpty("elementID")
        entity.editorValues = node.values(of: NSEntityDescription.editorKeys)
        entity.properties = node.children.compactMap { readProperty($0, of: name) }
        var part = UnlinkedModel.Entity(entity: entity, parent: node.nonEmpty("parentEntity"), line: node.line)
        for child in node.children {
            if let property = child["name"] { part.propertyLines[property] = child.line }
        }
        part.indexes = node.children(named: "fetchIndex").map(readFetchIndex)
        part.compoundIndexes = node.children(named: "compoundIndexes").flatMap { $0.children(named: "compoundIndex") }.map {
            Self.group($0, of: "index")
        }
        part.constraints = node.children(named: "uniquenessConstraints").flatMap {
            $0.children(named: "uniquenessConstraint")
        }.map { Self.group($0, of: "constraint") }
        unlinked.entities.append(part)
    }

    private static func group(_ node: ModelXMLNode, of kind: String) -> UnlinkedModel.Group {
        UnlinkedModel.Group(names: node.children(named: kind).compactMap { $0["value"] }, line: node.line)
    }

    private func readFetchIndex(_ node: ModelXMLNode) -> UnlinkedModel.Index {
        let elements = node.children(named: "fetchIndexElement").map { child in
            UnlinkedModel.Element(
                property: child["property"], text: child["property"] ?? child["expression"] ?? "",
                kind: child["type"] ?? "Binary", isAscending: child["order"] != "descending", line: child.line)
        }
        return UnlinkedModel.Index(
            name: node["name"] ?? "", elements: elements, partialPredicate: node.nonEmpty("partialIndexPredicate"))
    }

    private func readProperty(_ node: ModelXMLNode, of entity: String) -> NSPropertyDescription? {
        guard ["attribute", "relationship", "fetchedProperty"].contains(node.name) else { return nil }
        guard let name = node.nonEmpty("name") else {
            unlinked.problems.append(ModelProblem("\(entity): a property (\(node.name)) has no name", line: node.line))
            return nil
        }
        if node.name == "attribute" { return attributeReader.read(node, name: name, path: "\(entity).\(name)") }
        if node.name == "fetchedProperty" { return readFetchedProperty(node, name: name, path: "\(entity).\(name)") }
        return readRelationship(node, name: name, path: "\(entity).\(name)")
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
            unlinked.issues.append(
                ModelProblem("\(path): it is marked \(kind), but its maxCount is \(relationship.maxCount)", line: node.line))
        }
        switch node["deletionRule"]?.replacingOccurrences(of: " ", with: "") {
        case nil, "Nullify": relationship.deleteRule = .nullifyDeleteRule
        case "Cascade": relationship.deleteRule = .cascadeDeleteRule
        case "Deny": relationship.deleteRule = .denyDeleteRule
        case "NoAction": relationship.deleteRule = .noActionDeleteRule
        default:
            unlinked.problems.append(
                ModelProblem("\(path): there is no deletion rule “\(node["deletionRule"] ?? "")”", line: node.line))
        }
        unlinked.relationships.append(
            UnlinkedModel.Relationship(
                relationship: relationship, destination: node.nonEmpty("destinationEntity"),
                inverse: node.nonEmpty("inverseName"), inverseEntity: node.nonEmpty("inverseEntity"), line: node.line))
        return relationship
    }

    private func readCount(_ key: String, of node: ModelXMLNode, path: String) -> Int? {
        guard let text = node[key] else { return nil }
        if let count = Int(text) { return count }
        unlinked.problems.append(ModelProblem("\(path): \(key) “\(text)” is not a number", line: node.line))
        return nil
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

    private func readTemplate(_ node: ModelXMLNode) {
        guard let name = node.nonEmpty("name") else {
            return unlinked.issues.append(ModelProblem("a fetch request has no name", line: node.line))
        }
        guard let settings = requestReader.read(node, path: "the fetch request “\(name)”") else { return }
        unlinked.templates.append(UnlinkedModel.Template(name: name, settings: settings, line: node.line))
    }

    private func readConfiguration(_ node: ModelXMLNode) {
        guard let name = node.nonEmpty("name") else {
            return unlinked.problems.append(ModelProblem("a configuration has no name", line: node.line))
        }
        let members = node.children(named: "memberEntity").map { UnlinkedModel.Group(names: [$0["name"] ?? ""], line: $0.line) }
        unlinked.configurations.append(UnlinkedModel.Configuration(name: name, members: members))
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
        editorValues = node.values(of: Self.editorKeys)
    }
}
