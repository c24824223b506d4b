import Foundation

/// Values for the percent signs.
extension PredicateParser {
    /// `%@`: a predicate or expression stands for itself, anything else is a constant.
    mutating func objectArgument() throws -> Item.Content {
        let argument = try nextArgument()
        switch argument {
        case let predicate as NSPredicate: return .predicate(PredicateNode(predicate))
        case let expression as _Expression: return .expression(expression.node)
        case let list as [Any] where list.first is _Expression:
            return .expression(.aggregate(list.map(ExpressionNode.init(parameter:))))
        default: break
        }
        return .expression(.constant(PredicateValue(argument)))
    }

    /// `%K`: keys with dots between them.
    mutating func keyArgument() throws -> [String] {
        let argument = try nextArgument()
        guard case .string(let path) = PredicateValue(argument) else {
            throw badArgument(argument, "a string with a key path")
        }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw Failure(
                message: "the argument \(argumentNumber) for %K, \"\(path)\", has an empty key", offset: token.range.lowerBound,
                kind: .argument)
        }
        return keys
    }

    /// `%d`, `%f`, `%s`…
    mutating func valueArgument(_ type: UInt8) throws -> PredicateValue {
        let argument = try nextArgument()
        switch type {
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            if case .string(let text) = PredicateValue(argument) { return .string(text) }
            if let pointer = argument as? UnsafePointer<CChar> { return .string(String(cString: pointer)) }
            throw badArgument(argument, "a string")
        case UInt8(ascii: "c"), UInt8(ascii: "C"):
            if case .string(let text) = PredicateValue(argument), let scalar = text.unicodeScalars.first,
                text.unicodeScalars.count == 1
            {
                return .integer(Int64(scalar.value))
            }
            return try wholeNumber(argument)
        case _ where "fFeEgGaA".utf8.contains(type):
            let value = PredicateValue(argument)
            guard value.isNumber else { throw badArgument(argument, "a number") }
            return .double(value.doubleValue)
        default: return try wholeNumber(argument)
        }
    }

    private func wholeNumber(_ argument: Any?) throws -> PredicateValue {
        switch PredicateValue(argument) {
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case let value where value.isNumber:
            if let whole = Int64(exactly: value.doubleValue.rounded(.towardZero)) { return .integer(whole) }
            throw badArgument(argument, "a whole number of 64 bits")
        default: throw badArgument(argument, "a number")
        }
    }

    private func badArgument(_ argument: Any?, _ wanted: String) -> Failure {
        let given = argument.map { "a value of type \(type(of: $0))" } ?? "nil"
        return Failure(
            message: "the argument \(argumentNumber) for \"\(tokenText)\" must be \(wanted), not \(given)",
            offset: token.range.lowerBound,
            kind: .argument)
    }
}
