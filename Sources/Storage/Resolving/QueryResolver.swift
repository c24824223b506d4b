import DataModel
import Foundation
package import Predicates

/// Turns predicates and sort keys into queries on the rows of an entity, and finds what is wrong with them.
///
/// One resolver collects the constants of all parts of one query.
package struct QueryResolver {
    /// Thrown inside for what has a meaning in memory only.
    struct Inexpressible: Error {}

    let environment: QueryEnvironment
    let entity: EntityLayout
    package private(set) var constants: [RowValue] = []
    /// Whether functions of many values may be ones of all rows of a group: in a `ColumnRequest`.
    package var computesRows = false
    /// The elements of the subqueries around the current place, by name.
    var variables: [(name: String, element: Term)] = []
    private var scopeCount = 1
    private var isExpressible = true
    /// Whether a predicate has a part that has a meaning in memory only, whatever the store can do.
    package private(set) var hasInexpressibleParts = false
    /// How many constants a query may have beside lists, and how deep a tree may be: parsers of stores have limits.
    private static let maximalConstants = 10_000
    private static let maximalDepth = 150
    static let greatestKeyCount = 64

    package init(_ entity: EntityLayout, _ environment: QueryEnvironment) {
        self.entity = entity
        self.environment = environment
    }

    /// The condition that a predicate is.
    ///
    /// - Returns: A condition for the store, and whether it is the predicate. If it is not, it leaves out rows for which the
    ///   predicate can't be true, and the predicate is evaluated in memory for the rest.
    /// - Throws: `InvalidPredicateError`
    package mutating func predicate(_ predicate: PredicateNode) throws -> (condition: RowPredicate, isExact: Bool) {
        let flat = predicate.flattened
        guard !flat.isDeeper(than: Self.maximalDepth) else { return (.constant(true), false) }
        let simple = flat.simplified()
        let parts = if case .and(let operands) = simple { operands } else { [simple] }
        var known: [RowPredicate] = []
        var expressible = 0
        for part in parts {
            isExpressible = true
            let condition = try condition(part)
            guard isExpressible else { continue }
            expressible += 1
            if condition == .constant(true) || environment.evaluates(condition) { known.append(condition) }
        }
        guard constants.count <= Self.maximalConstants else {
            constants = []
            return (.constant(true), false)
        }
        hasInexpressibleParts = hasInexpressibleParts || expressible < parts.count
        return (.all(known), known.count == parts.count)
    }

    /// The result of the body; nil if a part of it, or a condition in it, has a meaning only in memory.
    mutating func exactly<Found>(_ body: (inout Self) throws -> Found?) throws -> Found? {
        isExpressible = true
        do {
            let found = try body(&self)
            return isExpressible ? found : nil
        } catch is Inexpressible {
            return nil
        }
    }

    // MARK: Helpers

    mutating func constant(_ value: RowValue) -> RowExpression {
        constants.append(value)
        return .constant(constants.count - 1)
    }

    /// Changes a constant that nothing else uses yet.
    mutating func replaceText(_ index: Int, _ change: (String) -> String) -> Bool {
        guard case .text(let text) = constants[index] else { return false }
        constants[index] = .text(change(text))
        return true
    }

    mutating func newScope() -> Int {
        defer { scopeCount += 1 }
        return scopeCount
    }

    func layout(_ path: RowPath) -> EntityLayout { environment.layout.entities[path.entity] }

    func root(_ path: RowPath) -> Int { layout(path).root }

    // MARK: Compounds

    mutating func condition(_ node: PredicateNode) throws -> RowPredicate {
        switch node {
        case .constant(let value): return .constant(value)
        case .not(let operand): return try condition(operand).negated
        case .and(let operands): return .all(try conditions(operands))
        case .or(let operands): return .any(joinEqualities(try conditions(operands)))
        case .comparison(let node):
            do { return try comparison(node) } catch is Inexpressible { return unknown() }
        case .foreign: return unknown()
        }
    }

    private mutating func conditions(_ operands: [PredicateNode]) throws -> [RowPredicate] {
        var result: [RowPredicate] = []
        for operand in operands { result.append(try condition(operand)) }
        return result
    }

    /// Goes on, to find mistakes in the rest. Callers must check `isExpressible`, because the answer is not the
    /// condition.
    private mutating func unknown() -> RowPredicate {
        isExpressible = false
        return .constant(true)
    }

    /// `a == 1 OR a == 2 OR …` as one list: stores limit the terms of a condition, not the length of a list.
    private mutating func joinEqualities(_ operands: [RowPredicate]) -> [RowPredicate] {
        guard operands.count > 16 else { return operands }
        var groups: [RowExpression: [RowValue]] = [:]
        var rest: [RowPredicate] = []
        for operand in operands {
            if case .equal(let expression, .constant(let index)) = operand {
                groups[expression, default: []].append(constants[index])
            } else {
                rest.append(operand)
            }
        }
        for (expression, values) in groups {
            guard case .constant(let list) = constant(.list(values)) else { continue }
            rest.append(.oneOf(expression, list: list))
        }
        return rest
    }

    // MARK: Sorting

    /// The sort key for a key path.
    ///
    /// - Returns: nil for a key without mistakes by which only memory can sort.
    /// - Throws: `InvalidPredicateError`
    package mutating func sortKey(
        _ keyPath: String, isAscending: Bool, _ comparison: TextComparison
    ) throws -> RowRequest.SortKey? {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count <= TreeDepth.greatestKeyCount else { throw tooLong(keys.count) }
        let term: Term
        do {
            term = try walk(.object(RowPath(scope: 0, entity: entity.index)), keys[...])
        } catch is Inexpressible {
            return nil
        }
        switch term {
        case .value(.attribute(let path, let slot), let type):
            guard type != .opaque else { return nil }
            return RowRequest.SortKey(
                path: path.steps.isEmpty ? nil : path, slot: slot, isAscending: isAscending,
                textComparison: type == .text ? comparison : .codePoints)
        case .members: throw toMany(keyPath)
        default: return nil
        }
    }
}
