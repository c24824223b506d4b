import Foundation
import FoundationGaps
import Predicates

/// Reads compiled mapping models.
struct MappingArchiveReader {
    private let graph: ArchiveGraph

    /// - Throws: `KeyedArchive.Failure` for what is not such an archive, `ModelProblem` for what is wrong in it.
    static func mappings(in data: Data) throws -> [NSEntityMapping] {
        let graph = try ArchiveGraph(data)
        guard case .object(let root) = try graph.root(), root.className == "NSMappingModel",
            let values = try graph.member("NSEntityMappings", of: root).flatMap(graph.items)
        else { throw KeyedArchive.Failure(reason: "it is not an archive of a mapping model") }
        let reader = MappingArchiveReader(graph: graph)
        return try values.map(reader.entityMapping)
    }

    private func entityMapping(_ value: ArchiveGraph.Value) throws -> NSEntityMapping {
        guard case .object(let object) = try graph.resolve(value), object.className == "NSEntityMapping",
            let name = try graph.text("NSMappingName", of: object)
        else { throw ModelProblem("something else stands in place of an entity mapping, or it has no name") }
        let mapping = NSEntityMapping()
        mapping.name = name
        let type = try graph.integer("NSMappingType", of: object) ?? 0
        guard let known = UInt(exactly: type).flatMap(NSEntityMappingType.init(rawValue:)) else {
            throw ModelProblem("\(name): there is no type of mappings \(type)")
        }
        mapping.mappingType = known
        mapping.sourceEntityName = try graph.text("NSSourceEntityName", of: object)
        mapping.sourceEntityVersionHash = try graph.member("NSSourceEntityVersionHash", of: object).flatMap(graph.data)
        mapping.destinationEntityName = try graph.text("NSDestinationEntityName", of: object)
        mapping.destinationEntityVersionHash = try graph.member("NSDestinationEntityVersionHash", of: object).flatMap(graph.data)
        mapping.entityMigrationPolicyClassName = try graph.text("NSEntityMigrationPolicyClassName", of: object)
        mapping.sourceExpression = try expression("NSSourceExpression", of: object, path: name)
        mapping.userInfo = try userInfo(of: object, path: name)
        mapping.attributeMappings = try propertyMappings("NSAttributeMappings", of: object, path: name)
        mapping.relationshipMappings = try propertyMappings("NSRelationshipMappings", of: object, path: name)
        return mapping
    }

    private func propertyMappings(_ key: String, of object: ArchiveGraph.Object, path: String) throws -> [NSPropertyMapping] {
        try (graph.member(key, of: object).flatMap(graph.items) ?? []).map { value in
            guard case .object(let object) = try graph.resolve(value), object.className == "NSPropertyMapping" else {
                throw ModelProblem("\(path): something else stands in place of a property mapping")
            }
            let mapping = NSPropertyMapping()
            mapping.name = try graph.text("NSDestinationPropertyName", of: object)
            let place = "\(path).\(mapping.name ?? "")"
            mapping.valueExpression = try expression("NSValueExpression", of: object, path: place)
            mapping.userInfo = try userInfo(of: object, path: place)
            return mapping
        }
    }

    private func expression(_ key: String, of object: ArchiveGraph.Object, path: String) throws -> _NSExpression? {
        guard let value = try graph.member(key, of: object), !value.isNull else { return nil }
        do { return _NSExpression(try ArchivedPredicates.expression(value, in: graph)) } catch let problem as ModelProblem {
            throw ModelProblem("\(path): an expression can't be read: \(problem.text)")
        }
    }

    private func userInfo(of object: ArchiveGraph.Object, path: String) throws -> [AnyHashable: Any]? {
        let (values, issues) = try graph.userInfo(of: object, path: path)
        if let issue = issues.first { throw issue }
        return values.isEmpty ? nil : values
    }
}
