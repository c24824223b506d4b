import DataModel
import Foundation
import Predicates
import Storage

/// A dictionary fetch as a request to one store.
struct StoreColumns {
    private let runtime: ModelRuntime
    private var columns: [QueryResolver.Column] = []
    private(set) var request: ColumnRequest

    /// Makes nil for expressions that only memory can compute.
    init?(_ fetch: DictionaryFetch, _ query: StoreQuery, _ store: NSPersistentStore) throws {
        // Entities without attributes have empty dictionaries, but a statement needs columns.
        guard !fetch.columns.isEmpty else { return nil }
        runtime = fetch.context.runtime
        request = ColumnRequest(query.request)
        var resolver = query.resolver
        resolver.computesRows = true
        func column(_ node: ExpressionNode) throws -> QueryResolver.Column? {
            do {
                return try resolver.column(node)
            } catch let error as InvalidPredicateError {
                throw NSError.coreData(
                    NSCoreDataError, fetch.failure("\(error)").localizedDescription, [NSUnderlyingErrorKey: error])
            }
        }
        for given in fetch.columns {
            guard let found = try column(given.node) else { return nil }
            columns.append(found)
        }
        for group in fetch.groups {
            guard let found = try column(group) else { return nil }
            request.groups += found.expressions
        }
        if let having = fetch.having {
            do {
                let (condition, isExact) = try resolver.predicate(having)
                guard isExact else { return nil }
                request.condition = condition
            } catch let error as InvalidPredicateError {
                throw NSError.coreData(
                    NSCoreDataError, fetch.failure("havingPredicate: \(error)").localizedDescription,
                    [NSUnderlyingErrorKey: error])
            }
        }
        for descriptor in fetch.settings.sortDescriptors ?? [] {
            guard let key = descriptor.key, let comparison = try StoreQuery.textComparison(descriptor),
                let sorted = try column(fetch.node(sortedBy: key)), !sorted.isObject
            else { return nil }
            request.order.append(
                ColumnRequest.Order(
                    sorted.expressions[0], isAscending: descriptor.ascending, sorted.isText ? comparison : .codePoints))
        }
        request.columns = columns.flatMap(\.expressions)
        guard let source = store.engine.columns,
            (request.columns + request.groups + request.order.map(\.expression)).allSatisfy(source.evaluates)
        else { return nil }
        request.isGrouped = fetch.isGrouped
        request.isDistinct = fetch.settings.returnsDistinctResults
        request.limit = fetch.window.limit
        request.offset = fetch.window.offset
        request.rows.constants = resolver.constants
        request.rows.sortKeys = []
    }

    /// One result in the order of the fetch's columns, with values as objects have them: a store has bytes for a UUID,
    /// and text for a URL.
    func row(_ values: [RowValue?], _ store: StoreReference) -> [PredicateValue] {
        var rest = values[...]
        return columns.map { column in
            let first = rest.popFirst() ?? nil
            guard column.isObject else {
                return PredicateValue(first.flatMap { DictionaryColumn.shown($0.predicateValue, as: column.type) })
            }
            guard case .entity(let entity)? = rest.popFirst() ?? nil, case .integer(let key)? = first, key > 0
            else { return .null }
            return .object(NSManagedObjectID(runtime: runtime, entityIndex: entity, key: key, store: store))
        }
    }
}

extension RowValue {
    fileprivate var predicateValue: PredicateValue {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .double(value)
        case .text(let text): .string(text)
        case .bytes(let data): .data(data)
        case .entity, .list: .null
        }
    }
}

extension DictionaryFetch {
    /// The node for a sort key: a column's name or a property.
    func node(sortedBy key: String) throws -> ExpressionNode {
        let node = columns.first { $0.name == key }?.node ?? .keyPath(key)
        guard !isGrouped || hasOneValue(node) else {
            throw failure("it can't be sorted by “\(key)”, which is neither a column nor in propertiesToGroupBy")
        }
        return node
    }
}
