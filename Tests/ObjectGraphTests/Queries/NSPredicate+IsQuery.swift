import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Storage
import Testing

extension NSPredicate {
    /// Whether a store that evaluates queries does everything itself.
    func isQuery(_ model: NSManagedObjectModel, _ entityName: String = "Person") throws -> Bool {
        let layout = ModelLayout(model)
        let entity = try #require(layout.entity(named: entityName))
        let environment = QueryEnvironment(layout: layout, allowsTransients: false) { object in
            object is any PredicateIdentity ? QueryEnvironment.Identity(root: entity.root, key: 1) : nil
        } entityIndex: {
            ($0 as? NSEntityDescription)?.name.flatMap { layout.entity(named: $0)?.index }
        }
        var resolver = QueryResolver(entity, environment)
        return try resolver.predicate(PredicateNode(self)).isExact
    }
}
