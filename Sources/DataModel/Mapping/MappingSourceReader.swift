import Foundation
import FoundationGaps
import Predicates

/// Reads the sources of mapping models, and makes of them what Apple's compiler makes.
///
/// A source is an XML store of objects that refer to each other by their IDs. It has both models as archives of the old model
/// editor, though it is written up to the present day.
struct MappingSourceReader {
    private struct Entry {
        var attributes: [String: String] = [:]
        var relationships: [String: [String]] = [:]
    }

    private var entries: [String: Entry] = [:]
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel

    /// - Throws: `ModelProblem` for what is wrong, `KeyedArchive.Failure` for an archive inside that is damaged.
    static func mappings(in data: Data) throws -> [NSEntityMapping] {
        let root: ModelXMLNode
        switch ModelXMLParser.parse(data, keepsText: true) {
        case .failure(let problem): throw KeyedArchive.Failure(reason: problem.message)
        case .success(let node): root = node
        }
        guard root.name == "database" else {
            throw KeyedArchive.Failure(reason: "it is not a mapping model: its root element is <\(root.name)>")
        }
        var entries: [String: Entry] = [:]
        var kinds: [String: [String]] = [:]
        for node in root.children(named: "object") {
            guard let id = node["id"], let type = node["type"] else { continue }
            var entry = Entry()
            for child in node.children {
                guard let name = child["name"] else { continue }
                if child.name == "attribute" { entry.attributes[name] = child.text }
                if child.name == "relationship" {
                    entry.relationships[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
                }
            }
            entries[id] = entry
            kinds[type, default: []].append(id)
        }
        guard let model = kinds["XDDEVMAPPINGMODEL"]?.first.flatMap({ entries[$0] }) else {
            throw KeyedArchive.Failure(reason: "it has no mapping model")
        }
        let reader = MappingSourceReader(
            entries: entries, source: try Self.model(model, "sourcemodeldata"),
            destination: try Self.model(model, "destinationmodeldata"))
        // Editors leave objects behind that belong to nothing any more.
        let ids = model.relationships["entitymappings"] ?? []
        let sorted = ids.compactMap { entries[$0] }.sorted { reader.number($0) < reader.number($1) }
        return try sorted.map(reader.entityMapping)
    }

    private static func model(_ entry: Entry, _ key: String) throws -> NSManagedObjectModel {
        guard let data = try bytes(entry, key) else { throw ModelProblem("it has no \(key)") }
        let graph = try ArchiveGraph(data)
        guard case .object(let root) = try graph.root(), root.className == ElementsReader.rootClass else {
            throw ModelProblem("its \(key) is not a data model")
        }
        let model = NSManagedObjectModel()
        let problems = try ElementsReader.fill(model, from: graph, root: root)
        if let problem = problems.first { throw ModelProblem("its \(key): \(problem.text)") }
        return model
    }

    private static func bytes(_ entry: Entry, _ key: String) throws -> Data? {
        guard let text = entry.attributes[key], !text.isEmpty else { return nil }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw ModelProblem("its \(key) is not base64")
        }
        return data
    }

    private func number(_ entry: Entry) -> Int { entry.attributes["mappingnumber"].flatMap { Int($0) } ?? 0 }

    // MARK: Entities

    private func entityMapping(_ entry: Entry) throws -> NSEntityMapping {
        let mapping = NSEntityMapping()
        let (sourceName, destinationName) = (nonEmpty(entry, "sourcename"), nonEmpty(entry, "destinationname"))
        let fallback = [sourceName, destinationName].compactMap { $0 }.joined(separator: "To")
        let name = nonEmpty(entry, "name") ?? fallback
        guard !name.isEmpty else { throw ModelProblem("an entity mapping has neither source nor destination") }
        let sourceEntity = try entity(sourceName, source, "\(name): the source")
        let destinationEntity = try entity(destinationName, destination, "\(name): the destination")
        mapping.name = name
        mapping.sourceEntityName = sourceName
        mapping.destinationEntityName = destinationName
        mapping.sourceEntityVersionHash = sourceEntity?.versionHash
        mapping.destinationEntityVersionHash = destinationEntity?.versionHash
        mapping.entityMigrationPolicyClassName = nonEmpty(entry, "migrationpolicyclassname")
        mapping.mappingType =
            if mapping.entityMigrationPolicyClassName != nil {
                .customEntityMappingType
            } else if sourceEntity == nil {
                .addEntityMappingType
            } else if destinationEntity == nil {
                .removeEntityMappingType
            } else if mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash {
                .copyEntityMappingType
            } else {
                .transformEntityMappingType
            }
        if let sourceName {
            let filter = nonEmpty(entry, "sourcefilterpredicatestring") ?? "TRUEPREDICATE"
            mapping.sourceExpression = NSEntityMapping.allObjects(of: sourceName, where: filter)
        }
        mapping.userInfo = try userInfo(entry)
        mapping.attributeMappings = try properties(entry, "attributemappings", name) { part, property in
            guard sourceEntity?.attributesByName[property] != nil else { return nil }
            return .keyPath([property], of: .variable("source"))
        }
        mapping.relationshipMappings = try properties(entry, "relationshipmappings", name) { part, property in
            try relationship(part, property, sourceEntity, destinationEntity)
        }
        return mapping
    }

    private func nonEmpty(_ entry: Entry, _ key: String) -> String? {
        entry.attributes[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func entity(_ name: String?, _ model: NSManagedObjectModel, _ what: String) throws -> NSEntityDescription? {
        guard let name else { return nil }
        guard let entity = model.entitiesByName[name] else {
            throw ModelProblem("\(what) entity “\(name)” is not in the model that it is for")
        }
        return entity
    }

    private func userInfo(_ entry: Entry) throws -> [AnyHashable: Any]? {
        guard let data = try Self.bytes(entry, "userinfodata") else { return nil }
        let graph = try ArchiveGraph(data)
        var result: [AnyHashable: Any] = [:]
        for pair in try graph.entries(graph.root()) ?? [] {
            guard let key = try graph.text(pair.key), let value = try graph.foundationValue(pair.value) else { continue }
            result[key] = value
        }
        return result.isEmpty ? nil : result
    }

    // MARK: Properties

    /// Sorted by name, as Apple's compiler does it.
    private func properties(
        _ entry: Entry, _ key: String, _ path: String, _ automatic: (Entry, String) throws -> ExpressionNode?
    ) throws -> [NSPropertyMapping] {
        try (entry.relationships[key] ?? []).compactMap { entries[$0] }.map { part in
            let mapping = NSPropertyMapping()
            let name = part.attributes["name"] ?? ""
            mapping.name = name
            do {
                let node = try archived(part) ?? automatic(part, name)
                mapping.valueExpression = node.map { _NSExpression($0) }
            } catch let problem as ModelProblem {
                throw ModelProblem("\(path).\(name): its value can't be read: \(problem.text)")
            }
            return mapping
        }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    private func archived(_ part: Entry) throws -> ExpressionNode? {
        guard let data = try Self.bytes(part, "valueexpressiondata") else { return nil }
        let graph = try ArchiveGraph(data)
        let root = try graph.root()
        return root.isNull ? nil : try ArchivedPredicates.expression(root, in: graph)
    }

    private func relationship(
        _ part: Entry, _ name: String, _ sourceEntity: NSEntityDescription?, _ destinationEntity: NSEntityDescription?
    ) throws -> ExpressionNode? {
        func call(_ selector: String, _ argument: String, _ instances: ExpressionNode) -> ExpressionNode {
            .call(.variable("manager"), selector: selector, [.constant(.string(argument)), instances])
        }
        let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
        if let path = nonEmpty(part, "sourcekeypath"), let mapping = nonEmpty(part, "sourcemappingname") {
            do { return call(byMapping, mapping, try PredicateParser.expression(path, [])) } catch {
                throw ModelProblem("its key path “\(path)” can't be read: \(error)")
            }
        }
        guard sourceEntity?.relationshipsByName[name] != nil,
            let destination = destinationEntity?.relationshipsByName[name]?.destinationEntity, let entity = destination.name
        else { return nil }
        let instances = ExpressionNode.keyPath([name], of: .variable("source"))
        return destination.subentities.isEmpty
            ? call(byMapping, "\(entity)To\(entity)", instances)
            : call("destinationInstancesForSourceRelationshipNamed:sourceInstances:", name, instances)
    }
}
