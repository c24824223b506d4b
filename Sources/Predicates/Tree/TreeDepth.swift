/// How deep predicates and expressions may be nested.
///
/// Programs and texts from anywhere make trees, and walking through one, or releasing one, needs a piece of the stack for each
/// level. So a part that lies deeper is replaced by `ExpressionNode.tooDeep` when the tree is made. All work on trees is bounded
/// then.
import Foundation

package enum TreeDepth {
    /// The parser allows less; only trees built by hand can be this deep.
    package static let greatest = 400
    /// From this level on, operands of nested compounds of one kind are put into one list, because predicates joined one by one
    /// are thousands of levels deep.
    static let joining = 100
    /// How many keys a path may have where each may need a level.
    package static let greatestKeyCount = 1000

    static var error: InvalidPredicateError {
        InvalidPredicateError(.nesting, "The predicate is nested more than \(greatest) levels deep")
    }
}

extension PredicateNode {
    /// A predicate that can't be evaluated: see `ExpressionNode.tooDeep`.
    static var tooDeep: PredicateNode { .comparison(ComparisonNode(.tooDeep, .equalTo, .constant(.null))) }

    /// The tree with the operands of nested compounds of one kind in one list, without recursion for these.
    package var flattened: PredicateNode {
        func operands(_ first: [PredicateNode], _ inner: (PredicateNode) -> [PredicateNode]?) -> [PredicateNode] {
            var result: [PredicateNode] = []
            var rest = Array(first.reversed())
            while let next = rest.popLast() {
                if let operands = inner(next) { rest += operands.reversed() } else { result.append(next) }
            }
            return result
        }
        switch self {
        case .and(let first): return .and(operands(first) { if case .and(let inner) = $0 { inner } else { nil } })
        case .or(let first): return .or(operands(first) { if case .or(let inner) = $0 { inner } else { nil } })
        default: return self
        }
    }

    /// Whether the tree has more levels; nested compounds of one kind are one.
    package func isDeeper(than limit: Int) -> Bool {
        guard limit > 0 else { return true }
        return switch self {
        case .constant, .foreign: false
        case .not(let operand): operand.isDeeper(than: limit - 1)
        case .and(let operands), .or(let operands): operands.contains { $0.flattened.isDeeper(than: limit - 1) }
        case .comparison(let comparison):
            comparison.left.isDeeper(than: limit - 1) || comparison.right.isDeeper(than: limit - 1)
        }
    }
}

extension ExpressionNode {
    /// Whether the tree has more levels.
    package func isDeeper(than limit: Int) -> Bool {
        guard limit > 0 else { return true }
        func isDeeper(_ part: ExpressionNode) -> Bool { part.isDeeper(than: limit - 1) }
        return switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey: false
        case .tooDeep: true
        case .block(let block): block.arguments.contains(where: isDeeper)
        case .keyPath(let operand, _): isDeeper(operand)
        case .function(_, let arguments), .aggregate(let arguments): arguments.contains(where: isDeeper)
        case .call(let target, _, let arguments): isDeeper(target) || arguments.contains(where: isDeeper)
        case .subquery(let collection, _, let predicate): isDeeper(collection) || predicate.isDeeper(than: limit - 1)
        case .conditional(let test, let yes, let no): test.isDeeper(than: limit - 1) || isDeeper(yes) || isDeeper(no)
        case .setOperation(_, let left, let right): isDeeper(left) || isDeeper(right)
        case .fetch(let request, let context, _): isDeeper(request) || isDeeper(context)
        }
    }

    /// The tree, or `tooDeep` in its place.
    var bounded: ExpressionNode { isDeeper(than: TreeDepth.greatest) ? .tooDeep : self }
}
