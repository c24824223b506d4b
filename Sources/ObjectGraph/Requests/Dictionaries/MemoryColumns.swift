import DataModel
import Foundation
import Predicates
import Storage

/// A dictionary fetch over objects in memory: for stores that can't compute, for several stores, and for expressions
/// that stores can't compute.
final class MemoryColumns {
    /// A function of all rows of a group. The rest of the expression uses its value as a variable.
    private struct RowFunction {
        let variable: String
        let function: PredicateFunction
        let argument: _NSExpression
        /// Whether equal values count only once.
        let isDistinct: Bool
    }

    /// A result, whose values sort descriptors find by column name, key path or not.
    private struct Result: KeyValueCoding {
        let values: [PredicateValue]
        let sortValues: [String: Any]

        func value(forKey key: String) -> Any? { sortValues[key] }
        func value(forKeyPath keyPath: String) -> Any? { sortValues[keyPath] }
    }

    private let fetch: DictionaryFetch
    private var functions: [RowFunction] = []

    init(_ fetch: DictionaryFetch) { self.fetch = fetch }

    func rows() throws -> [[PredicateValue]] {
        guard !fetch.stores.isEmpty else { return [] }
        // The objects of this context have no unsaved changes.
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.persistentStoreCoordinator = fetch.context.persistentStoreCoordinator
        scratch.moment.generation = fetch.context.generationToRead
        return try scratch.queue.owning {
            let objects = try scratch.typedResults(of: fetch.objectRequest)
            return try translating { try window(fetch.isGrouped ? grouped(objects) : plain(objects)) }
        }
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InvalidPredicateError {
            throw NSError.coreData(
                NSCoreDataError, fetch.failure("\(error)").localizedDescription, [NSUnderlyingErrorKey: error])
        }
    }

    private func window(_ results: [Result]) -> [[PredicateValue]] {
        var results = results
        if fetch.settings.returnsDistinctResults {
            var seen: Set<[PredicateValue]> = []
            results = results.filter { seen.insert($0.values).inserted }
        }
        if let descriptors = fetch.settings.sortDescriptors { results = results.sorted(by: descriptors) }
        return fetch.window.part(of: results).map(\.values)
    }

    /// The value of an expression. `variables` has the values of row functions.
    private func value(_ expression: _NSExpression, _ object: Any?, _ variables: NSMutableDictionary? = nil) throws
        -> PredicateValue
    {
        withIDs(PredicateValue(try expression.value(validating: object, context: variables)))
    }

    /// The value with IDs in place of objects, which end with the context that read them.
    private func withIDs(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .object(let object): (object as? NSManagedObject).map { .object($0.objectID) } ?? value
        case .collection(let all): .collection(ValueCollection(kind: all.kind, elements: all.elements.map(withIDs)))
        default: value
        }
    }

    // MARK: Row by row

    private func plain(_ objects: [NSManagedObject]) throws -> [Result] {
        let expressions = fetch.columns.map { _NSExpression($0.node) }
        let keys = (fetch.settings.sortDescriptors ?? []).compactMap(\.key)
        let sortExpressions = try keys.map { ($0, _NSExpression(try fetch.node(sortedBy: $0))) }
        return try objects.map { object in
            let values = try expressions.map { try value($0, object) }
            return Result(values: values, sortValues: try sortValues(sortExpressions, object, nil))
        }
    }

    private func sortValues(
        _ expressions: [(String, _NSExpression)], _ object: Any?, _ variables: NSMutableDictionary?
    ) throws -> [String: Any] {
        var result: [String: Any] = [:]
        for (key, expression) in expressions { result[key] = try value(expression, object, variables).any }
        return result
    }

    // MARK: Groups

    private func grouped(_ objects: [NSManagedObject]) throws -> [Result] {
        let columns = fetch.columns.map { _NSExpression(extract($0.node)) }
        let keys = (fetch.settings.sortDescriptors ?? []).compactMap(\.key)
        let sortExpressions = try keys.map { ($0, _NSExpression(extract(try fetch.node(sortedBy: $0)))) }
        let having = try fetch.having.map {
            try CompiledPredicate(
                $0.replacing { part in
                    fetch.isRowFunction(part) ? extract(part) : nil
                })
        }
        let groupExpressions = fetch.groups.map { _NSExpression($0) }
        var order: [[PredicateValue]] = []
        var groups: [[PredicateValue]: [NSManagedObject]] = [:]
        for object in objects {
            let key = try groupExpressions.map { try value($0, object) }
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(object)
        }
        if groupExpressions.isEmpty, order.isEmpty { order = [[]] }
        return try order.compactMap { key in
            let members = groups[key] ?? []
            let variables = NSMutableDictionary()
            for function in functions { variables[function.variable] = try value(of: function, members) ?? NSNull() }
            var bindings: [String: Any] = [:]
            for function in functions { bindings[function.variable] = variables[function.variable] }
            if let having, try !having.evaluate(members.first, bindings) { return nil }
            let values = try columns.map { try value($0, members.first, variables) }
            return Result(values: values, sortValues: try sortValues(sortExpressions, members.first, variables))
        }
    }

    /// The expression with variables in place of row functions.
    private func extract(_ node: ExpressionNode) -> ExpressionNode {
        node.replacing { part in
            guard fetch.isRowFunction(part), case .function(let function, let arguments) = part else { return nil }
            let variable = "rows\(functions.count)"
            let different = arguments[0].distinctRowValues
            functions.append(
                RowFunction(
                    variable: variable, function: function, argument: _NSExpression(different ?? arguments[0]),
                    isDistinct: different != nil))
            return .variable(variable)
        }
    }

    private func value(of function: RowFunction, _ members: [NSManagedObject]) throws -> Any? {
        var values = try members.map { try value(function.argument, $0) }.filter { !$0.isNull }
        if function.isDistinct {
            var seen: Set<PredicateValue> = []
            values = values.filter { seen.insert($0).inserted }
        }
        if function.function == .count { return values.count }
        guard !values.isEmpty else { return nil }
        let all = ExpressionNode.constant(.collection(ValueCollection(kind: .array, elements: values)))
        return try _NSExpression(.function(function.function, [all])).value(validating: nil)
    }
}
