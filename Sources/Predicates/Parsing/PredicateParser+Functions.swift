import Foundation

/// What looks like a function but has rules of its own.
extension PredicateParser {
    mutating func special(_ keyword: PredicateKeyword?, _ word: String) throws -> Item {
        let start = token.range.lowerBound
        try advance()
        // Without parentheses the word can only be a key.
        guard try take(.openParenthesis) else { return try item(.keyPath([word], of: .evaluatedObject), start) }
        switch keyword {
        case .subquery: return try subquery(start)
        case .ternary: return try ternary(start)
        case .cast: return try cast(start)
        case .function: return try function(start)
        default: return try fetch(start)
        }
    }

    private mutating func subquery(_ start: Int) throws -> Item {
        let collection = try parseExpression()
        try expect(.comma, "after the collection of SUBQUERY")
        guard case .variable(let name) = token.kind else {
            throw unexpected("the second argument of SUBQUERY must be a variable such as $x")
        }
        try advance()
        try expect(.comma, "after the variable of SUBQUERY")
        let inner = try parse(.or)
        let predicate = try predicate(inner)
        try expect(.closeParenthesis, "after the predicate of SUBQUERY")
        return try item(.subquery(collection.node, variable: name, predicate), start, max(collection.height, inner.height) + 1)
    }

    private mutating func ternary(_ start: Int) throws -> Item {
        let test = try parse(.or)
        let predicate = try predicate(test)
        try expect(.comma, "after the predicate of TERNARY")
        let yes = try parseExpression()
        try expect(.comma, "after the second argument of TERNARY")
        let no = try parseExpression()
        try expect(.closeParenthesis, "after the third argument of TERNARY")
        return try item(.conditional(predicate, yes.node, no.node), start, max(test.height, yes.height, no.height) + 1)
    }

    private mutating func cast(_ start: Int) throws -> Item {
        let arguments = try list(until: .closeParenthesis)
        guard arguments.nodes.count == 2, case .constant(.string(let name)) = arguments.nodes[1] else {
            throw Failure(
                message: "CAST needs a value and the name of a type", offset: start, suggestion: "Write CAST(value, \"NSDate\")",
                kind: .function)
        }
        guard let type = CastType(rawValue: name) else {
            let names = CastType.allCases.map(\.rawValue)
            let near = NearestName.suggestion(for: name, among: names)
            throw Failure(
                message: "CAST can't make \"\(name)\"", offset: arguments.starts[1],
                suggestion: near.map { "Did you mean \"\($0)\"?" } ?? "The types are: \(names.joined(separator: " "))",
                kind: .unsupported)
        }
        // A date is printed as a cast of a number: reading it must give the date again, not a function that is computed for each
        // object.
        if case .constant(let value) = arguments.nodes[0], type.isConstant(from: value), let result = type.cast(value),
            !result.isNull
        {
            return try item(.constant(result), start)
        }
        return try item(.function(.cast, arguments.nodes), start, arguments.height + 1)
    }

    private mutating func function(_ start: Int) throws -> Item {
        let arguments = try list(until: .closeParenthesis)
        guard arguments.nodes.count >= 2, case .constant(.string(let selector)) = arguments.nodes[1], !selector.isEmpty else {
            throw Failure(
                message: "FUNCTION needs an object and the name of a function", offset: start,
                suggestion: "Write FUNCTION(object, \"name:\", argument)", kind: .function)
        }
        let rest = Array(arguments.nodes.dropFirst(2))
        let count = selector.utf8.count { $0 == UInt8(ascii: ":") }
        guard count == rest.count else {
            throw Failure(
                message: "\"\(selector)\" takes \(count) argument\(count == 1 ? "" : "s"), not \(rest.count)",
                offset: arguments.starts[1],
                kind: .function)
        }
        return try item(.call(arguments.nodes[0], selector: selector, rest), start, arguments.height + 1)
    }

    private mutating func fetch(_ start: Int) throws -> Item {
        let arguments = try list(until: .closeParenthesis)
        guard arguments.nodes.count == 3, case .constant(.integer(let countOnly)) = arguments.nodes[2] else {
            throw Failure(
                message: "FETCH needs a fetch request, a context, and YES or NO for counting only", offset: start, kind: .function
            )
        }
        return try item(
            .fetch(request: arguments.nodes[0], context: arguments.nodes[1], countOnly: countOnly != 0), start,
            arguments.height + 1)
    }
}
