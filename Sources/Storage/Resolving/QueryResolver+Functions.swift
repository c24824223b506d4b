import Predicates

/// Functions.
extension QueryResolver {
    mutating func function(_ function: PredicateFunction, _ arguments: [ExpressionNode]) throws -> Term {
        if function.isAggregate {
            if computesRows, arguments.count == 1, arguments[0].distinctRowValues != nil {
                return try rowsAggregate(function, of: arguments[0])
            }
            let terms = try terms(arguments)
            if terms.count == 1, case .members(let members) = terms[0] { return try aggregate(function, of: members) }
            guard computesRows, terms.count == 1, !arguments[0].isCollection else { throw Inexpressible() }
            return try rowsAggregate(function, of: arguments[0])
        }
        if function == .elementAtIndex {
            _ = try arguments.first.flatMap { try attempt($0) }
            throw Inexpressible()
        }
        guard arguments.count == function.argumentCount else { throw Inexpressible() }
        if function == .cast { return try cast(arguments[0], arguments[1]) }
        var values: [(expression: RowExpression, type: RowType)] = []
        for term in try terms(arguments) { values.append(try value(term)) }
        switch values.count {
        case 1: return try unary(function, values[0].expression, values[0].type)
        case 2: return try binary(function, values[0], values[1])
        default: throw Inexpressible()
        }
    }

    private mutating func cast(_ argument: ExpressionNode, _ typeName: ExpressionNode) throws -> Term {
        let terms = try terms([argument])
        guard case .constant(.string(let name)) = typeName, let target = CastType(rawValue: name) else { throw Inexpressible() }
        let (expression, type) = try value(terms[0])
        switch (target, type) {
        case (.date, .date), (.string, .text), (.data, .data), (.uuid, .uuid), (.url, .url), (.decimal, .decimal):
            return .value(expression, type)
        case (.date, _) where type.isNumber: return .value(.real(expression), .date)
        case (.number, .date): return .value(.real(expression), .real)
        case (.number, _) where type.isNumber: return .value(expression, type)
        default: throw Inexpressible()
        }
    }

    // MARK: One argument

    private mutating func unary(_ function: PredicateFunction, _ argument: RowExpression, _ type: RowType) throws -> Term {
        if type == .opaque { throw Inexpressible() }
        switch function {
        case .noIndex: return .value(argument, type)
        case .uppercase, .lowercase, .canonical, .length:
            guard type == .text || type == .null else {
                throw InvalidPredicateError(.type, "\"\(function.rawValue)\" needs a text, not \(type.name)")
            }
            return .value(.function(function, [argument]), function == .length ? .integer : .text)
        case .randomBelow: throw Inexpressible()
        default: break
        }
        guard type.isNumber || type == .null else { throw needsNumber(function.rawValue, type) }
        if type == .mixed { throw Inexpressible() }
        switch function {
        case .negate: return .value(.operation(.subtract, [constant(.integer(0)), argument]), type)
        case .onesComplement:
            return .value(type == .integer ? .operation(function, [argument]) : .function(function, [argument]), .integer)
        case .absolute: return .value(.function(function, [argument]), type == .integer ? .number : type)
        case .floor, .ceiling, .truncate:
            return .value(.function(function, [type == .decimal ? .real(argument) : argument]), type == .decimal ? .real : type)
        default: return .value(.function(function, [argument]), .real)
        }
    }

    // MARK: Two arguments

    private typealias Value = (expression: RowExpression, type: RowType)

    private mutating func binary(_ function: PredicateFunction, _ a: Value, _ b: Value) throws -> Term {
        if a.type == .opaque || b.type == .opaque { throw Inexpressible() }
        let arguments = [a.expression, b.expression]
        if let date = dateArithmetic(function, a, b) { return date }
        for type in [a.type, b.type] where !type.isNumber && type != .null { throw needsNumber(function.rawValue, type) }
        if a.type == .null || b.type == .null { return .value(.null, .null) }
        if a.type == .mixed || b.type == .mixed { throw Inexpressible() }
        let isWhole = a.type == .integer && b.type == .integer
        switch function {
        case .add, .subtract, .multiply, .divide, .modulus: return try arithmetic(function, a, b)
        case .raise: return .value(.function(function, arguments), .real)
        case .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift:
            return .value(isWhole ? .operation(function, arguments) : .function(function, arguments), .integer)
        case .bitwiseXor: return .value(.function(function, arguments), .integer)
        default: throw Inexpressible()
        }
    }

    /// Seconds are floating-point numbers. Stores keep whole ones as integers, whose arithmetic differs from 2⁵³ on.
    private func dateArithmetic(_ function: PredicateFunction, _ a: Value, _ b: Value) -> Term? {
        let operation = RowExpression.operation(
            function, [a, b].map { $0.type == .date ? .real($0.expression) : $0.expression })
        switch (function, a.type, b.type) {
        case (.subtract, .date, .date): return .value(operation, .real)
        case (.add, .date, let other), (.add, let other, .date), (.subtract, .date, let other):
            return other.isNumber ? .value(operation, .date) : other == .null ? .value(.null, .null) : nil
        default: return nil
        }
    }

    private func arithmetic(_ function: PredicateFunction, _ a: Value, _ b: Value) throws -> Term {
        let arguments = [a.expression, b.expression]
        let isNative = function != .modulus
        switch (a.type, b.type) {
        case (.integer, .integer): return .value(.operation(function, arguments), .integer)
        case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal):
            // A quotient of decimals has more digits than a store keeps.
            guard isNative, function != .divide else { throw Inexpressible() }
            return .value(.decimalOperation(function, arguments), .decimal)
        case (.decimal, .number), (.number, .decimal): throw Inexpressible()
        default:
            let type: RowType = a.type == .number || b.type == .number ? .number : .real
            return .value(isNative ? .operation(function, arguments) : .function(function, arguments), type)
        }
    }
}
