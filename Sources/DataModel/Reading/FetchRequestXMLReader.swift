import Foundation
import Predicates

/// Reads the `fetchRequest` elements of a model file: templates, and the requests of fetched properties.
struct FetchRequestXMLReader {
    /// What was wrong. A request whose predicate can't be read is left out: without it, it would find too much.
    private(set) var issues: [ModelProblem] = []

    /// The texts of the predicates that were read, by those that the same predicates are printed as.
    private(set) var texts: [String: String] = [:]

    /// - Parameter path: The request's name, for messages.
    mutating func read(_ node: ModelXMLNode, path: String) -> FetchSettings? {
        guard let entity = node.nonEmpty("entity") else {
            issues.append(ModelProblem("\(path) has no entity", line: node.line))
            return nil
        }
        var settings = FetchSettings(entityName: entity)
        if let text = node.nonEmpty("predicateString") {
            do {
                let node = try PredicateParser.predicate(text, [])
                settings.predicate = node.predicate
                texts[PredicatePrinter.print(node)] = text
            } catch {
                issues.append(ModelProblem("\(path): its predicate “\(text)” can't be read: \(error)", line: node.line))
                return nil
            }
        }
        settings.resultType = UInt(clamping: number("resultType", of: node, path: path))
        settings.fetchLimit = number("fetchLimit", of: node, path: path)
        settings.fetchBatchSize = number("fetchBatchSize", of: node, path: path)
        settings.includesSubentities = node.flag("includeSubentities", default: true)
        // What is left out depends on the result: IDs need no values, dictionaries know no unsaved changes.
        settings.includesPropertyValues = node.flag("includePropertyValues", default: settings.resultType != 1)
        settings.includesPendingChanges = node.flag("includesPendingChanges", default: settings.resultType != 2)
        settings.returnsObjectsAsFaults = node.flag("returnObjectsAsFaults", default: true)
        settings.returnsDistinctResults = node.flag("returnDistinctResults", default: false)
        return settings
    }

    private mutating func number(_ key: String, of node: ModelXMLNode, path: String) -> Int {
        guard let text = node.nonEmpty(key) else { return 0 }
        if let number = Int(text), number >= 0 { return number }
        issues.append(ModelProblem("\(path): \(key) “\(text)” is not a number", line: node.line))
        return 0
    }
}
