import Foundation
import FoundationGaps
import Predicates

/// Builds the descriptions of a model from a compiled model (`.mom`), or from the copy of one in a store.
///
/// The archive's classes are known by name; the rest of it is never looked at. Objects refer to others by number, but entities
/// and relationships are linked by their names, as in a model's source, so that circles do no harm.
struct ModelArchiveReader {
    private let graph: ArchiveGraph
    private let attributes: ArchivedAttributes
    private var requests: ArchivedFetchRequests
    private var unlinked = UnlinkedModel()
    private var listsIndexes = false

    private init(_ graph: ArchiveGraph) {
        self.graph = graph
        attributes = ArchivedAttributes(graph)
        requests = ArchivedFetchRequests(graph)
    }

    /// Fills an empty model; gives everything that is wrong.
    ///
    /// - Throws: `KeyedArchive.Failure` if the archive is damaged, or not one of a model.
    static func fill(_ model: NSManagedObjectModel, from graph: ArchiveGraph, root: ArchiveGraph.Object) throws -> [ModelProblem]
    {
        guard root.className == "NSManagedObjectModel" else {
            throw KeyedArchive.Failure(reason: "it is an archive of the class \(root.className), not of a data model")
        }
        var reader = ModelArchiveReader(graph)
        try reader.read(root)
        model.listsImplicitIndexes = reader.listsIndexes
        model.isCompiled = true
        return ModelAssembly.fill(model, with: reader.unlinked)
    }

    private mutating func read(_ root: ArchiveGraph.Object) throws {
        unlinked.hasInheritedCopies = true
        for value in try graph.member("NSVersionIdentifiers", of: root).flatMap(graph.items) ?? [] {
            if let text = try graph.text(value) { unlinked.versionIdentifiers.insert(text) }
        }
        guard let entities = try graph.member("NSEntities", of: root).flatMap(graph.entries) else {
            throw KeyedArchive.Failure(reason: "the archive has no entities")
        }
        var parts: [(name: String, object: ArchiveGraph.Object)] = []
        for entry in entities {
            switch try graph.resolve(entry.value) {
            case .null: continue
            case .object(let object) where object.className == "NSEntityDescription":
                guard let name = try graph.text("NSEntityName", of: object), !name.isEmpty else {
                    unlinked.problems.append(ModelProblem("an entity has no name"))
                    continue
                }
                parts.append((name, object))
            default: unlinked.problems.append(ModelProblem("the archive has something else in place of an entity"))
            }
        }
        for part in parts.sorted(by: { $0.name < $1.name }) { try readEntity(part.object, name: part.name) }
        for entry in try graph.member("NSConfigurations", of: root).flatMap(graph.entries) ?? [] {
            guard let name = try graph.text(entry.key), !name.isEmpty else { continue }
            let members = try (graph.items(entry.value) ?? []).compactMap(entityName).sorted()
            unlinked.configurations.append(
                UnlinkedModel.Configuration(name: name, members: members.map { UnlinkedModel.Group(names: [$0]) }))
        }
        for entry in try graph.member("NSFetchRequestTemplates", of: root).flatMap(graph.entries) ?? [] {
            guard let name = try graph.text(entry.key), !name.isEmpty else { continue }
            guard let settings = try requests.read(entry.value, path: "the fetch request “\(name)”") else { continue }
            unlinked.templates.append(UnlinkedModel.Template(name: name, settings: settings))
        }
        unlinked.issues += requests.issues
    }

    /// The name of an entity or property that a value refers to, or is.
    private func entityName(_ value: ArchiveGraph.Value) throws -> String? {
        if let text = try graph.text(value) { return text }
        guard case .object(let object) = try graph.resolve(value) else { return nil }
        return try graph.text("NSPropertyName", of: object) ?? graph.text("NSEntityName", of: object)
    }

    private func name(_ key: String, of object: ArchiveGraph.Object) throws -> String? {
        try graph.member(key, of: object).flatMap(entityName).flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: Entities

    private mutating func readEntity(_ object: ArchiveGraph.Object, name: String) throws {
        let entity = NSEntityDescription()
        entity.name = name
        if let className = try graph.text("NSClassNameForEntity", of: object), !className.isEmpty {
            entity.managedObjectClassName = className
        }
        entity.isAbstract = try graph.flag("NSIsAbstract", of: object)
        entity.versionHashModifier = try graph.text("NSVersionHashModifier", of: object)
        entity.renamingIdentifier = try graph.renamingIdentifier(of: object, name: name)
        let (userInfo, issues) = try graph.userInfo(of: object, path: name)
        entity.userInfo = userInfo
        unlinked.issues += issues
        var part = UnlinkedModel.Entity(entity: entity, parent: try self.name("NSSuperentity", of: object))
        var properties: [NSPropertyDescription] = []
        for entry in try graph.member("NSProperties", of: object).flatMap(graph.entries) ?? [] {
            if let property = try readProperty(entry.value, of: name) { properties.append(property) }
        }
        entity.properties = properties.sorted { $0.name < $1.name }
        part.indexes = try readIndexes(object, of: name)
        part.compoundIndexes = try groups("NSCompoundIndexes", of: object)
        part.constraints = try groups("NSUniqueTuples", of: object)
        unlinked.entities.append(part)
    }

    private func groups(_ key: String, of object: ArchiveGraph.Object) throws -> [UnlinkedModel.Group] {
        try (graph.member(key, of: object).flatMap(graph.items) ?? []).map { group in
            UnlinkedModel.Group(names: try (graph.items(group) ?? []).compactMap(entityName))
        }
    }

    private mutating func readIndexes(_ object: ArchiveGraph.Object, of entity: String) throws -> [UnlinkedModel.Index] {
        guard let values = try graph.member("NSFetchIndexDescriptions", of: object).flatMap(graph.items) else { return [] }
        listsIndexes = true
        var indexes: [UnlinkedModel.Index] = []
        for value in values {
            guard case .object(let index) = try graph.resolve(value), index.className == "NSFetchIndexDescription" else {
                continue
            }
            let name = try graph.text("NSIndexName", of: index) ?? ""
            var elements: [UnlinkedModel.Element] = []
            for value in try graph.member("NSIndexElements", of: index).flatMap(graph.items) ?? [] {
                guard case .object(let element) = try graph.resolve(value) else { continue }
                let property = try graph.text("NSPropertyName", of: element)
                let type = try graph.integer("NSFetchIndexElementType", of: element) ?? 0
                elements.append(
                    UnlinkedModel.Element(
                        property: property, text: property ?? "", kind: type == 0 ? "Binary" : type == 1 ? "RTree" : "\(type)",
                        isAscending: try graph.flag("NSAscending", of: element)))
            }
            do {
                let predicate = try partialPredicate(of: index)
                indexes.append(UnlinkedModel.Index(name: name, elements: elements, partialPredicate: predicate))
            } catch let problem as ModelProblem {
                unlinked.issues.append(
                    ModelProblem("\(entity): the predicate of the fetch index “\(name)” can't be read: \(problem.text)"))
            }
        }
        return indexes
    }

    private func partialPredicate(of index: ArchiveGraph.Object) throws -> String? {
        guard let value = try graph.member("NSPartialIndexPredicate", of: index), !value.isNull else { return nil }
        return PredicatePrinter.print(try ArchivedPredicates.predicate(value, in: graph))
    }

    // MARK: Properties

    private mutating func readProperty(_ value: ArchiveGraph.Value, of entity: String) throws -> NSPropertyDescription? {
        guard case .object(let object) = try graph.resolve(value) else { return nil }
        // Stands for an inherited property, which its own entity has.
        if object.className == "_NSPropertyDescriptionProxy" { return nil }
        guard let name = try graph.text("NSPropertyName", of: object), !name.isEmpty else {
            unlinked.problems.append(ModelProblem("\(entity): a property (\(object.className)) has no name"))
            return nil
        }
        let path = "\(entity).\(name)"
        let property: NSPropertyDescription
        switch object.className {
        case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            let (attribute, problems, issues) = try attributes.read(object, path: path)
            unlinked.problems += problems
            unlinked.issues += issues
            property = attribute
        case "NSRelationshipDescription": property = try readRelationship(object, path: path)
        case "NSFetchedPropertyDescription":
            let fetched = NSFetchedPropertyDescription()
            if let request = try graph.member("NSFetchRequest", of: object) {
                fetched.fetchSettings = try requests.read(
                    request, path: "\(path): its fetch request", entity: try self.name("_NSFetchRequestEntityName", of: object))
            }
            property = fetched
        default:
            unlinked.problems.append(ModelProblem("\(path): the class \(object.className) is not one of a property"))
            return nil
        }
        unlinked.issues += try graph.readCommonValues(of: object, into: property, name: name, path: path)
        if property is NSFetchedPropertyDescription { property.isTransient = true }
        return property
    }

    private mutating func readRelationship(_ object: ArchiveGraph.Object, path: String) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.minCount = try graph.integer("NSMinCount", of: object) ?? 0
        relationship.maxCount = try graph.integer("NSMaxCount", of: object) ?? 0
        relationship.isOrdered = try graph.flag("NSIsOrdered", of: object)
        let rule = try graph.integer("NSDeleteRule", of: object) ?? 0
        if let known = UInt(exactly: rule).flatMap(NSDeleteRule.init(rawValue:)) {
            relationship.deleteRule = known
        } else {
            unlinked.problems.append(ModelProblem("\(path): there is no deletion rule \(rule)"))
        }
        unlinked.relationships.append(
            UnlinkedModel.Relationship(
                relationship: relationship,
                destination: try name("_NSDestinationEntityName", of: object) ?? name("NSDestinationEntity", of: object),
                inverse: try name("_NSInverseRelationshipName", of: object) ?? name("NSInverseRelationship", of: object)))
        return relationship
    }
}
