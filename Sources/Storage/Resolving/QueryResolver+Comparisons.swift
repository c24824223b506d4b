import Foundation
import Predicates

/// Comparisons.
extension QueryResolver {
    typealias Options = _NSComparisonPredicate.Options

    mutating func comparison(_ node: ComparisonNode) throws -> RowPredicate {
        let terms = try terms([node.left, node.right])
        let (left, right) = (terms[0], terms[1])
        switch node.modifier {
        case .direct: return try compare(left, node.comparisonOperator, right, node.options)
        case .any:
            return try quantified(left, "ANY") { try $0.compare($1, node.comparisonOperator, right, node.options) }
        case .all:
            return try quantified(left, "ALL") { try $0.compare($1, node.comparisonOperator, right, node.options).negated }
                .negated
        }
    }

    /// Whether a test is true for at least one element.
    ///
    /// Of `ANY movies.scenes.length > 5` the elements are the scenes of all movies of a row, and the test is `length > 5`.
    /// `exists` makes one condition of each to-many step, from the outside in. SQLite gets, shortened:
    /// ```sql
    /// EXISTS (SELECT 1 FROM ZMOVIE t1 WHERE t1.ZDIRECTOR = t0.Z_PK AND
    ///     EXISTS (SELECT 1 FROM ZSCENE t2 WHERE t2.ZMOVIE = t1.Z_PK AND t2.ZLENGTH > ?1))
    /// ```
    /// `ALL` is written by the same means, as “there is no element for which the test is false”:
    /// `ALL movies.length > 5` becomes `NOT EXISTS (… AND NOT t1.ZLENGTH > ?1)`.
    private mutating func quantified(
        _ term: Term, _ name: String, _ test: (inout QueryResolver, Term) throws -> RowPredicate
    ) throws -> RowPredicate {
        switch term {
        case .members(let members): return try exists(members, from: 0, test)
        case .elements(let elements): return .any(try elements.map { try test(&self, $0) })
        case .literal(.collection(let collection)): return .any(try collection.elements.map { try test(&self, .literal($0)) })
        case .literal(.null): return .constant(false)
        // There may be a collection in it.
        case .value(_, .opaque): throw Inexpressible()
        default:
            throw InvalidPredicateError(
                .type, "The left side of \(name) must be a to-many relationship or a collection, not \(describe(term))")
        }
    }

    private mutating func exists(
        _ members: MembersTerm, from index: Int, _ test: (inout QueryResolver, Term) throws -> RowPredicate
    ) throws -> RowPredicate {
        let step = members.steps[index]
        guard index + 1 < members.steps.count else {
            return .exists(step, try test(&self, members.element))
        }
        var inner = try exists(members, from: index + 1, test)
        // A member without the object on whose members the path goes on counts as one nil.
        let next = members.steps[index + 1].owner
        if next.mayBeNil { inner = .any([inner, .all([.isNull(.key(next)), try test(&self, .literal(.null))])]) }
        return .exists(step, inner)
    }

    mutating func compare(
        _ left: Term, _ comparisonOperator: _NSComparisonPredicate.Operator, _ right: Term, _ options: Options
    ) throws -> RowPredicate {
        switch comparisonOperator {
        case .equalTo: return try equal(left, right, options)
        case .notEqualTo: return try equal(left, right, options).negated
        case .lessThan: return try ordered(left, .less, right, options)
        case .lessThanOrEqualTo: return try ordered(left, .lessOrEqual, right, options)
        case .greaterThan: return try ordered(left, .greater, right, options)
        case .greaterThanOrEqualTo: return try ordered(left, .greaterOrEqual, right, options)
        case .between: return try between(left, right, options)
        case .in: return try contained(left, in: right, options)
        case .contains:
            switch left {
            case .members, .elements, .literal(.collection): return try contained(right, in: left, options)
            default: return try text(left, .contains, right, options)
            }
        case .beginsWith, .endsWith, .like, .matches: return try text(left, comparisonOperator, right, options)
        }
    }

    // MARK: Equality and order

    private mutating func equal(_ left: Term, _ right: Term, _ options: Options) throws -> RowPredicate {
        if right.isNullLiteral { return try isNull(left) }
        if left.isNullLiteral { return try isNull(right) }
        if left.isNaNLiteral || right.isNaNLiteral { return .constant(false) }
        var ((a, leftType), (b, rightType)) = try values(left, right)
        if let same = Self.alike(left, beside: rightType) { (a, leftType) = try value(same, comparedWith: rightType) }
        if let same = Self.alike(right, beside: leftType) { (b, rightType) = try value(same, comparedWith: leftType) }
        guard leftType.isComparable(with: rightType) else { throw mismatch(left, right) }
        if rightType == .null { return .isNull(a) }
        if leftType == .null { return .isNull(b) }
        if leftType == .opaque || rightType == .opaque { throw Inexpressible() }
        if case .key(let root) = leftType, case .key(let other) = rightType, root != other {
            return .all([.isNull(a), .isNull(b)])
        }
        guard leftType == .text, !options.isEmpty, !options.contains(.normalized) else { return .equal(a, b) }
        guard options.contains(.localeSensitive) else { return .equal(folded(a, options), folded(b, options)) }
        let collated = RowPredicate.collated(a, nil, b, options.rawValue)
        if case .literal = left { return collated }
        if case .literal = right { return collated }
        return .any([collated, .all([.isNull(a), .isNull(b)])])
    }

    private static func alike(_ term: Term, beside type: RowType) -> Term? {
        guard case .literal(let literal) = term else { return nil }
        return literal.alike(beside: type).map(Term.literal)
    }

    private mutating func isNull(_ term: Term) throws -> RowPredicate {
        switch term {
        case .literal(let value): return .constant(value.isNull)
        case .value(let expression, _): return .isNull(expression)
        case .object(let path): return path.mayBeNil ? .isNull(.key(path)) : .constant(false)
        case .elements: return .constant(false)
        case .members: throw toMany(describe(term))
        case .composite(let path, let composite):
            return .all(
                try composite.elements.map { element in
                    switch element.element {
                    case .slot(let slot): .isNull(.attribute(path, slot: slot))
                    case .composite(let inner): try isNull(.composite(path, inner))
                    }
                })
        }
    }

    private mutating func ordered(
        _ left: Term, _ order: RowPredicate.Order, _ right: Term, _ options: Options
    ) throws -> RowPredicate {
        let ((a, leftType), (b, rightType)) = try values(left, right)
        guard leftType.isComparable(with: rightType), leftType.isOrdered, rightType.isOrdered else {
            throw mismatch(left, right, "have no order")
        }
        if leftType == .null || rightType == .null || left.isNaNLiteral || right.isNaNLiteral { return .constant(false) }
        if leftType == .opaque || rightType == .opaque { throw Inexpressible() }
        guard leftType == .text, !options.isEmpty, !options.contains(.normalized) else { return .ordered(a, order, b) }
        guard options.contains(.localeSensitive) else { return .ordered(folded(a, options), order, folded(b, options)) }
        return .collated(a, order, b, options.rawValue)
    }

    private mutating func between(_ value: Term, _ bounds: Term, _ options: Options) throws -> RowPredicate {
        let limits: [Term]
        switch bounds {
        case .literal(.null): return .constant(false)
        case .literal(.collection(let collection)): limits = collection.elements.map(Term.literal)
        case .elements(let elements): limits = elements
        default: throw InvalidPredicateError(.type, "BETWEEN needs two values on its right side, not \(describe(bounds))")
        }
        guard limits.count == 2 else {
            throw InvalidPredicateError(.type, "BETWEEN needs two values on its right side, not \(limits.count)")
        }
        return .all([
            try ordered(value, .greaterOrEqual, limits[0], options), try ordered(value, .lessOrEqual, limits[1], options),
        ])
    }

    private mutating func values(
        _ left: Term, _ right: Term
    ) throws -> ((RowExpression, RowType), (RowExpression, RowType)) {
        // The side that is not a constant tells what an object stands for.
        if case .literal = left {
            let second = try value(right)
            return (try value(left, comparedWith: second.1), second)
        }
        let first = try value(left)
        return (first, try value(right, comparedWith: first.1))
    }

    private mutating func folded(_ expression: RowExpression, _ options: Options) -> RowExpression {
        if case .constant(let index) = expression, replaceText(index, { TextFolding.fold($0, options) }) { return expression }
        return .folded(expression, options.rawValue)
    }

    // MARK: Membership

    private mutating func contained(_ element: Term, in whole: Term, _ options: Options) throws -> RowPredicate {
        if case .members = element { throw toMany(describe(element)) }
        switch whole {
        case .literal(.null): return .constant(false)
        case .literal(.collection(let collection)): return try contained(element, in: collection.elements, options)
        case .elements(let elements): return .any(try elements.map { try equal(element, $0, options) })
        case .members: return try quantified(whole, "IN") { try $0.equal(element, $1, options) }
        case .literal(.string), .value(_, .text): return try text(whole, .contains, element, options)
        default: throw mismatch(element, whole, "have no membership: IN needs a collection or two texts")
        }
    }

    private mutating func contained(_ term: Term, in elements: [PredicateValue], _ options: Options) throws -> RowPredicate {
        let isLocal = options.contains(.localeSensitive) && !options.contains(.normalized)
        if case .composite = term { throw Inexpressible() }
        if case .literal = term { return .any(try elements.map { try equal(term, .literal($0), options) }) }
        var (expression, type) = try value(term)
        if type == .opaque { throw Inexpressible() }
        var values: [RowValue] = []
        var others: [RowPredicate] = []
        let folds = type == .text && !options.isEmpty && !options.contains(.normalized)
        for element in elements where !element.isNaN {
            let element = element.alike(beside: type) ?? element
            let (literal, literalType) = try self.literal(element, comparedWith: type)
            guard literalType.isComparable(with: type) else { throw mismatch(term, .literal(element)) }
            switch literal {
            case nil: others.append(.isNull(expression))
            case .entity: others.append(try equal(term, .literal(element), []))
            case .text(let text) where folds && !isLocal: values.append(.text(TextFolding.fold(text, options)))
            case .text where isLocal: others.append(try equal(term, .literal(element), options))
            // No row has the key 0.
            case .integer(0) where literalType == type && type.isKey: break
            case let value?: values.append(value)
            }
        }
        // Lists have no locale-aware comparison. Many single ones are quicker in memory.
        if others.count > 100 { throw Inexpressible() }
        if folds, !isLocal { expression = .folded(expression, options.rawValue) }
        if values.count == 1 {
            others.append(.equal(expression, constant(values[0])))
        } else if !values.isEmpty, case .constant(let list) = constant(.list(values)) {
            others.append(.oneOf(expression, list: list))
        }
        return .any(others)
    }

    // MARK: Texts

    private mutating func text(
        _ whole: Term, _ comparisonOperator: _NSComparisonPredicate.Operator, _ pattern: Term, _ options: Options
    ) throws -> RowPredicate {
        let options = options.contains(.normalized) ? [] : options
        var comparisonOperator = comparisonOperator
        var pattern = pattern
        if case .literal(.string(let given)) = pattern {
            // Regular expressions are checked before the store is asked.
            if comparisonOperator == .matches { _ = try TextMatcher(.matches, given, options) }
            let plain = PlainTextOperator(comparisonOperator, given)
            if plain.comparisonOperator != .equalTo || !options.contains(.localeSensitive) {
                comparisonOperator = plain.comparisonOperator
                pattern = .literal(.string(plain.text))
            }
        }
        let (a, wholeType) = try value(whole)
        let (b, patternType) = try value(pattern)
        for (term, type) in [(whole, wholeType), (pattern, patternType)] where type != .text && type != .null {
            if type == .opaque { throw Inexpressible() }
            throw InvalidPredicateError(.type, "\(comparisonOperator.name) needs texts, not \(describe(term))")
        }
        if wholeType == .null || patternType == .null { return .constant(false) }
        if comparisonOperator == .equalTo { return .equal(folded(a, options), folded(b, options)) }
        if comparisonOperator != .like, comparisonOperator != .matches, case .constant(let index) = b,
            case .text(let part) = constants[index], case .attribute = a
        {
            if part.isEmpty { return RowPredicate.isNull(a).negated }
            // An index serves a range.
            if comparisonOperator == .beginsWith, options.isEmpty, let end = part.firstAfterAllWithThisPrefix {
                return .all([.ordered(a, .greaterOrEqual, b), .ordered(a, .less, constant(.text(end)))])
            }
        }
        if options.isEmpty, comparisonOperator == .contains { return .contains(a, b) }
        return .matches(a, comparisonOperator.rawValue, b, options.rawValue)
    }
}

extension RowType {
    fileprivate var isKey: Bool {
        if case .key = self { true } else { false }
    }
}

extension RawRepresentable where Self == _NSComparisonPredicate.Operator {
    fileprivate var name: String {
        switch self {
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .equalTo: "LIKE"
        default: "MATCHES"
        }
    }
}

extension String {
    /// By code points, the least text that is greater than all texts that begin with this one; nil if there is none.
    fileprivate var firstAfterAllWithThisPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The code points of surrogates are not scalars.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            view.append(scalar)
            return String(view)
        }
        return nil
    }
}

extension PredicateValue {
    /// A constant as it is compared with values of a type. Beside texts a whole number becomes its digits; beside numbers digits
    /// become their number. The columns of Apple's stores do the same. Nil if the constant stays as it is.
    fileprivate func alike(beside type: RowType) -> PredicateValue? {
        switch (self, type) {
        case (.integer(let value), .text): .string(String(value))
        case (.double(let value), .text): Int64(exactly: value).map { .string(String($0)) }
        case (.string(let text), _) where type.isNumber: PredicateValue(digits: text)
        default: nil
        }
    }
}
