import Foundation
import FoundationGaps
import Predicates

/// Reads the fetch requests of a compiled model: templates, and those of fetched properties.
struct ArchivedFetchRequests {
    private let graph: ArchiveGraph
    /// What was wrong. A request whose predicate can't be read is left out: without it, it would find too much.
    private(set) var issues: [ModelProblem] = []

    init(_ graph: ArchiveGraph) { self.graph = graph }

    /// - Parameters:
    ///   - path: The request's name, for messages.
    ///   - entity: The name of the entity, if something else than the request has it.
    mutating func read(_ value: ArchiveGraph.Value, path: String, entity: String? = nil) throws -> FetchSettings? {
        guard case .object(let object) = try graph.resolve(value) else { return nil }
        guard object.className == "NSFetchRequest" else {
            issues.append(ModelProblem("\(path): the class \(object.className) is not one of a fetch request"))
            return nil
        }
        guard let name = try entityName(object) ?? entity else {
            issues.append(ModelProblem("\(path) has no entity"))
            return nil
        }
        var settings = FetchSettings(entityName: name)
        do {
            settings.predicate = try predicate("NSPredicate", of: object)
            settings.havingPredicate = try predicate("NSHavingPredicate", of: object)
        } catch let problem as ModelProblem {
            issues.append(ModelProblem("\(path): its predicate can't be read: \(problem.text)"))
            return nil
        }
        settings.sortDescriptors = try sortDescriptors(object, path: path)
        settings.fetchLimit = try count("NSFetchLimit", of: object)
        settings.fetchOffset = try count("NSFetchOffset", of: object)
        settings.fetchBatchSize = try count("NSBatchSize", of: object)
        settings.resultType = UInt(try count("NSResultType", of: object))
        settings.relationshipKeyPathsForPrefetching = try names("NSRelationshipKeyPathsForPrefetching", of: object, path: path)
        settings.propertiesToFetch = try names("NSValuesToFetch", of: object, path: path)
        settings.propertiesToGroupBy = try names("NSValuesToGroupBy", of: object, path: path)
        let flags = try graph.integer("NSFetchRequestFlags", of: object) ?? ArchivedRequestFlags.usual
        settings.returnsDistinctResults = flags & ArchivedRequestFlags.distinctResults != 0
        settings.includesSubentities = flags & ArchivedRequestFlags.subentities != 0
        settings.includesPropertyValues = flags & ArchivedRequestFlags.propertyValues != 0
        settings.returnsObjectsAsFaults = flags & ArchivedRequestFlags.faults != 0
        settings.includesPendingChanges = flags & ArchivedRequestFlags.pendingChanges != 0
        return settings
    }

    private func entityName(_ object: ArchiveGraph.Object) throws -> String? {
        if case .object(let entity)? = try graph.member("NSEntity", of: object) {
            return try graph.text("NSEntityName", of: entity) ?? graph.text(.object(entity))
        }
        return try graph.text("NSEntity", of: object) ?? graph.text("_NSFetchRequestEntityName", of: object)
    }

    private func predicate(_ key: String, of object: ArchiveGraph.Object) throws -> NSPredicate? {
        guard let value = try graph.member(key, of: object), !value.isNull else { return nil }
        return try ArchivedPredicates.predicate(value, in: graph).predicate
    }

    private func count(_ key: String, of object: ArchiveGraph.Object) throws -> Int {
        max(0, try graph.integer(key, of: object) ?? 0)
    }

    private mutating func sortDescriptors(_ object: ArchiveGraph.Object, path: String) throws -> [NSSortDescriptor]? {
        guard let values = try graph.member("NSSortDescriptors", of: object).flatMap(graph.items) else { return nil }
        var result: [NSSortDescriptor] = []
        for value in values {
            guard case .object(let descriptor) = try graph.resolve(value), descriptor.className == "NSSortDescriptor",
                let key = try graph.text("NSKey", of: descriptor)
            else {
                issues.append(ModelProblem("\(path): one of its sort descriptors can't be read"))
                continue
            }
            let name = try graph.text("NSSelector", of: descriptor) ?? TextComparison.codePoints.rawValue
            guard let comparison = TextComparison(rawValue: name) else {
                issues.append(ModelProblem("\(path): it sorts by “\(name)”, which is unknown"))
                continue
            }
            result.append(
                NSSortDescriptor(
                    key: key, ascending: try graph.flag("NSAscending", of: descriptor),
                    selector: comparison == .codePoints ? nil : Selector(comparison.rawValue)))
        }
        return result
    }

    /// Names of properties: texts, or descriptions.
    private mutating func names(_ key: String, of object: ArchiveGraph.Object, path: String) throws -> [String]? {
        guard let values = try graph.member(key, of: object).flatMap(graph.items) else { return nil }
        var result: [String] = []
        for value in values {
            if let text = try graph.text(value) {
                result.append(text)
            } else if case .object(let property) = try graph.resolve(value), property.className != "NSExpressionDescription",
                let name = try graph.text("NSPropertyName", of: property)
            {
                result.append(name)
            } else {
                issues.append(ModelProblem("\(path): a value of \(key) can't be read"))
            }
        }
        return result
    }
}
