import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Storage
import Testing

/// What a store keeps its statements by.
struct RowPredicateText: Equatable {
    let condition: RowPredicate

    init(_ predicate: NSPredicate, _ model: NSManagedObjectModel) throws {
        let layout = ModelLayout(model)
        let environment = QueryEnvironment(layout: layout, allowsTransients: false) { _ in
            nil
        } entityIndex: { _ in
            nil
        }
        var resolver = QueryResolver(try #require(layout.entity(named: "Person")), environment)
        condition = try resolver.predicate(PredicateNode(predicate)).condition
    }
}
