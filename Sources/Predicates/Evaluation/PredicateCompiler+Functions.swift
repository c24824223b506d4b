import Foundation

extension PredicateCompiler {
    func function(_ function: PredicateFunction, _ arguments: [ExpressionNode]) throws -> Evaluation {
        guard function.takes(arguments.count) else { throw InvalidPredicateError.wrongCount(function, arguments.count) }
        if function.isAggregate { return try aggregate(function, arguments) }
        switch function {
        case .elementAtIndex: return try element(arguments[0], arguments[1])
        case .cast: return try cast(arguments[0], arguments[1])
        case .now: return { _ in .date(Date()) }
        case .random: return { _ in .integer(.random(in: 0...Int64(Int32.max))) }
        default: break
        }
        let first = try evaluation(arguments[0])
        if arguments.count == 2 {
            let operation = try Self.binary(function)
            let second = try evaluation(arguments[1])
            return {
                let left = try first(&$0)
                return try operation(left, try second(&$0))
            }
        }
        let operation = try Self.unary(function)
        return { try operation(try first(&$0)) }
    }

    static func binary(
        _ function: PredicateFunction
    ) throws -> (PredicateValue, PredicateValue) throws -> PredicateValue {
        switch function {
        case .add: Arithmetic.add
        case .subtract: Arithmetic.subtract
        case .multiply: Arithmetic.multiply
        case .divide: Arithmetic.divide
        case .modulus: Arithmetic.remainder
        case .raise: Arithmetic.power
        case .bitwiseAnd: { try Arithmetic.bits(function, $0, $1, &) }
        case .bitwiseOr: { try Arithmetic.bits(function, $0, $1, |) }
        case .bitwiseXor: { try Arithmetic.bits(function, $0, $1, ^) }
        case .leftShift: { try Arithmetic.bits(function, $0, $1, <<) }
        case .rightShift: { try Arithmetic.bits(function, $0, $1, >>) }
        default: throw InvalidPredicateError(.function, "\"\(function.rawValue)\" can't be evaluated")
        }
    }

    static func unary(_ function: PredicateFunction) throws -> (PredicateValue) throws -> PredicateValue {
        switch function {
        case .negate: Arithmetic.negate
        case .squareRoot: { try Arithmetic.apply(function, $0) { $0.squareRoot() } }
        case .logarithm: { try Arithmetic.apply(function, $0) { log10($0) } }
        case .naturalLogarithm: { try Arithmetic.apply(function, $0) { log($0) } }
        case .exponential: { try Arithmetic.apply(function, $0) { exp($0) } }
        case .floor, .ceiling, .absolute, .truncate: { try Arithmetic.round(function, $0) }
        case .onesComplement: { try Arithmetic.bits(function, $0, .integer(0)) { value, _ in ~value } }
        case .randomBelow:
            { value in
                let bound = try Arithmetic.whole(function, value)
                return bound > 0 ? .integer(.random(in: 0..<bound)) : .integer(0)
            }
        case .uppercase: { try text(function, $0) { .string($0.uppercased()) } }
        case .lowercase: { try text(function, $0) { .string($0.lowercased()) } }
        case .canonical: { try text(function, $0) { .string(TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])) } }
        case .length: { try text(function, $0) { .integer(Int64(Text.length($0))) } }
        case .noIndex: { $0 }
        default: throw InvalidPredicateError(.function, "\"\(function.rawValue)\" can't be evaluated")
        }
    }

    private static func text(
        _ function: PredicateFunction, _ value: PredicateValue, _ body: (String) -> PredicateValue
    ) throws -> PredicateValue {
        switch value {
        case .string(let text): return body(text)
        case .null: return .null
        default: throw InvalidPredicateError(.type, "\"\(function.rawValue)\" needs a text, not \(value.typeName)")
        }
    }

    private func aggregate(_ function: PredicateFunction, _ arguments: [ExpressionNode]) throws -> Evaluation {
        let evaluations = try arguments.map(evaluation)
        return { scope in
            var values = try evaluations.map { try $0(&scope) }
            if values.count == 1 {
                switch values[0] {
                case .collection(let collection): values = collection.flattened
                case .null: values = []
                default: break
                }
            }
            switch function {
            case .sum: return try Aggregate.sum(values)
            case .count: return .integer(Int64(values.count))
            case .min: return try Aggregate.minimum(values)
            case .max: return try Aggregate.maximum(values)
            case .average: return try Aggregate.average(values)
            case .median: return try Aggregate.median(values)
            case .mode: return try Aggregate.mode(values)
            default: return try Aggregate.standardDeviation(values)
            }
        }
    }

    private func cast(_ argument: ExpressionNode, _ typeName: ExpressionNode) throws -> Evaluation {
        guard case .constant(.string(let name)) = typeName, let type = CastType(rawValue: name) else {
            throw InvalidPredicateError(
                .unsupported, "CAST can't make \(PredicatePrinter.print(typeName))",
                suggestion: "The types are: \(CastType.allCases.map(\.rawValue).joined(separator: " "))")
        }
        let evaluation = try evaluation(argument)
        return {
            let value = try evaluation(&$0)
            guard let result = type.cast(value) else {
                throw InvalidPredicateError(.type, "\(value.typeName) can't be cast to \(name)")
            }
            return result
        }
    }

    private func element(_ collection: ExpressionNode, _ index: ExpressionNode) throws -> Evaluation {
        let source = try evaluation(collection)
        if case .symbol(let symbol) = index {
            return { scope in
                let value = try source(&scope)
                guard let elements = try Self.elements(value) else { return symbol == .size ? .integer(0) : .null }
                switch symbol {
                case .first: return elements.first ?? .null
                case .last: return elements.last ?? .null
                case .size: return .integer(Int64(elements.count))
                }
            }
        }
        let position = try evaluation(index)
        return { scope in
            let value = try source(&scope)
            let position = try position(&scope)
            if case .other = value, case .string(let key) = position { return try KeyPathWalk.value(of: value, forKey: key) }
            if case .object = value, case .string(let key) = position { return try KeyPathWalk.value(of: value, forKey: key) }
            guard let elements = try Self.elements(value) else { return .null }
            guard case .integer(let number) = position else {
                throw InvalidPredicateError(.type, "An index must be a whole number, not \(position.typeName)")
            }
            guard let offset = Int(exactly: number), elements.indices.contains(offset) else {
                throw InvalidPredicateError(.type, "The index \(number) is not within a collection of \(elements.count)")
            }
            return elements[offset]
        }
    }

    private static func elements(_ value: PredicateValue) throws -> [PredicateValue]? {
        switch value {
        case .collection(let collection): return collection.elements
        case .null: return nil
        default: throw InvalidPredicateError(.type, "An index needs a collection, not \(value.typeName)")
        }
    }
}
