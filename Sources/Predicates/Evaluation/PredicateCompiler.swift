import Foundation

/// Turns trees into closures.
struct PredicateCompiler {
    typealias Test = (inout EvaluationScope) throws -> Bool
    typealias Evaluation = (inout EvaluationScope) throws -> PredicateValue

    var reader: (([String]) throws -> KeyPathReader?)?
    /// The names that the subqueries around the current place give to their elements.
    var localNames: [String] = []
    /// Whether whole numbers equal the texts of their digits, as in a store.
    private let equatesDigits: Bool
    private var depth = 0

    init(reader: (([String]) throws -> KeyPathReader?)? = nil, equatesDigits: Bool = false) {
        self.reader = reader
        self.equatesDigits = equatesDigits
    }

    /// A compiler for the parts of a node.
    func deeper() throws -> PredicateCompiler {
        var compiler = self
        compiler.depth += 1
        // The closures would overflow the stack.
        guard compiler.depth <= TreeDepth.greatest else { throw TreeDepth.error }
        return compiler
    }

    // MARK: Predicates

    func test(_ node: PredicateNode) throws -> Test {
        let inner = try deeper()
        switch node {
        case .constant(let value): return { _ in value }
        case .comparison(let comparison): return try inner.test(comparison)
        case .not(let operand):
            let test = try inner.test(operand)
            return { try !test(&$0) }
        case .and(let operands):
            return try inner.all(Self.flattened(operands) { if case .and(let inner) = $0 { inner } else { nil } })
        case .or(let operands):
            return try inner.any(Self.flattened(operands) { if case .or(let inner) = $0 { inner } else { nil } })
        case .foreign(let predicate):
            let names = localNames
            return { predicate.evaluate(with: $0.original, substitutionVariables: $0.bindings(localNames: names)) }
        }
    }

    /// The operands, with those of nested compounds of the same kind in their places. Predicates joined one by one are thousands
    /// of levels deep, so there is no recursion.
    private static func flattened(_ operands: [PredicateNode], _ inner: (PredicateNode) -> [PredicateNode]?) -> [PredicateNode] {
        var result: [PredicateNode] = []
        var rest = Array(operands.reversed())
        while let next = rest.popLast() {
            if let operands = inner(next) { rest += operands.reversed() } else { result.append(next) }
        }
        return result
    }

    private func all(_ operands: [PredicateNode]) throws -> Test {
        let tests = try operands.map(test)
        if tests.count == 2 {
            let (first, second) = (tests[0], tests[1])
            return { try first(&$0) && second(&$0) }
        }
        return { scope in
            for test in tests where try !test(&scope) { return false }
            return true
        }
    }

    private func any(_ operands: [PredicateNode]) throws -> Test {
        let tests = try operands.map(test)
        if tests.count == 2 {
            let (first, second) = (tests[0], tests[1])
            return { try first(&$0) || second(&$0) }
        }
        return { scope in
            for test in tests where try test(&scope) { return true }
            return false
        }
    }

    private func test(_ node: ComparisonNode) throws -> Test {
        if equatesDigits, node.left.literalValue != nil, node.right.literalValue == nil, node.isEquality {
            return try test(ComparisonNode(node.right, node.comparisonOperator, node.left, options: node.options))
        }
        let left = try evaluation(node.left)
        let comparisonOperator = node.comparisonOperator
        let options = node.options
        if let constant = node.right.literalValue {
            let condition = try Condition.make(comparisonOperator, constant, options, equatesDigits: equatesDigits)
            switch node.modifier {
            case .direct: return { try condition(try left(&$0)) }
            case .any: return { try Self.elements(try left(&$0), .any).contains(where: condition) }
            case .all: return { try Self.elements(try left(&$0), .all).allSatisfy(condition) }
            }
        }
        let right = try evaluation(node.right)
        switch node.modifier {
        case .direct:
            return {
                let value = try left(&$0)
                return try Relation.holds(value, comparisonOperator, try right(&$0), options)
            }
        case .any:
            return {
                let elements = try Self.elements(try left(&$0), .any)
                let value = try right(&$0)
                return try elements.contains { try Relation.holds($0, comparisonOperator, value, options) }
            }
        case .all:
            return {
                let elements = try Self.elements(try left(&$0), .all)
                let value = try right(&$0)
                return try elements.allSatisfy { try Relation.holds($0, comparisonOperator, value, options) }
            }
        }
    }

    /// What ANY and ALL go through: the elements, and those of collections in it when a path crosses several to-many
    /// relationships.
    private static func elements(_ value: PredicateValue, _ modifier: _NSComparisonPredicate.Modifier) throws -> [PredicateValue]
    {
        switch value {
        case .collection(let collection): return collection.flattened
        case .null: return []
        default:
            throw InvalidPredicateError(
                .type, "The left side of \(modifier == .any ? "ANY" : "ALL") must be a collection, not \(value.typeName)")
        }
    }
}

extension ComparisonNode {
    /// Whether the sides can be exchanged.
    fileprivate var isEquality: Bool {
        modifier == .direct && (comparisonOperator == .equalTo || comparisonOperator == .notEqualTo)
    }
}
