import Foundation

extension PredicateParser {
    /// Reads what stands by itself: a value, a key, a function, something in parentheses or braces.
    mutating func primary() throws -> Item {
        switch token.kind {
        case .symbol(.openParenthesis): return try parenthesized()
        case .symbol(.openBrace): return try braces()
        case .word: return try word()
        default: return try simple()
        }
    }

    private mutating func parenthesized() throws -> Item {
        let start = token.range.lowerBound
        try advance()
        let inner = try parse(.or)
        try expect(.closeParenthesis, "to close this parenthesis")
        return Item(content: inner.content, start: start, height: inner.height)
    }

    private mutating func braces() throws -> Item {
        let start = token.range.lowerBound
        try advance()
        let elements = try list(until: .closeBrace)
        return try item(.aggregate(elements.nodes), start, elements.height + 1)
    }

    private mutating func simple() throws -> Item {
        let start = token.range.lowerBound
        let node: ExpressionNode
        switch token.kind {
        case .number(let value): node = .constant(value)
        case .string(let text): node = .constant(.string(text))
        case .variable(let name): node = .variable(name)
        case .collectionOperator(let name):
            try checkOperator(name)
            node = .keyPath([name], of: .evaluatedObject)
        case .objectArgument:
            let argument = try objectArgument()
            try advance()
            return Item(content: argument, start: start, height: 0)
        case .keyArgument: node = .keyPath(try keyArgument(), of: .evaluatedObject)
        case .valueArgument(let type): node = .constant(try valueArgument(type))
        case .symbol(let symbol): throw unexpected("a value is missing before \"\(symbol.rawValue)\"")
        case .word, .end: throw unexpected("a value is missing at the end")
        }
        try advance()
        return try item(node, start)
    }

    /// Reads keys and indexes after a value.
    mutating func postfix(_ first: Item) throws -> Item {
        var item = first
        while true {
            if try take(.dot) {
                let node = try expression(item)
                // All keys at once: joining them one by one would copy the path for each.
                var keys = try key()
                while try take(.dot) { keys += try key() }
                item = try self.item(.keyPath(keys, of: node), item.start, item.height + (node.isKeyPath ? 0 : 1))
            } else if case .symbol(.openBracket) = token.kind {
                let node = try expression(item)
                try advance()
                let index = try index()
                try expect(.closeBracket, "after the index")
                item = try self.item(
                    .function(.elementAtIndex, [node, index.node]), item.start, max(item.height, index.height) + 1)
            } else {
                return item
            }
        }
    }

    private mutating func key() throws -> [String] {
        switch token.kind {
        case .word(let word, let keyword) where keyword != .utiConformsTo && keyword != .utiEquals:
            try advance()
            return [word]
        case .collectionOperator(let name):
            try checkOperator(name)
            try advance()
            return [name]
        case .keyArgument:
            let keys = try keyArgument()
            try advance()
            return keys
        default: throw unexpected("a key is missing after \".\"")
        }
    }

    private mutating func index() throws -> (node: ExpressionNode, height: Int) {
        if case .word(_, let keyword?) = token.kind, let symbol = ExpressionNode.IndexSymbol(rawValue: keyword.rawValue) {
            try advance()
            return (.symbol(symbol), 0)
        }
        return try parseExpression()
    }

    private func checkOperator(_ name: String) throws {
        guard CollectionOperator(rawValue: name) == nil else { return }
        let names = CollectionOperator.allCases.map(\.rawValue)
        let near = NearestName.suggestion(for: name, among: names)
        throw Failure(
            message: "there is no collection operator \"\(name)\"", offset: token.range.lowerBound,
            suggestion: near.map { "Did you mean \"\($0)\"?" } ?? "The operators are: \(names.joined(separator: " "))",
            kind: .function)
    }

    /// Reads expressions with commas between them and the closing symbol.
    mutating func list(until symbol: PredicateToken.Symbol) throws -> (nodes: [ExpressionNode], starts: [Int], height: Int) {
        var nodes: [ExpressionNode] = []
        var starts: [Int] = []
        var height = 0
        if try take(symbol) { return (nodes, starts, height) }
        repeat {
            starts.append(token.range.lowerBound)
            let element = try parseExpression()
            nodes.append(element.node)
            height = max(height, element.height)
        } while try take(.comma)
        try expect(symbol, "after this list")
        return (nodes, starts, height)
    }

    // MARK: Words

    private mutating func word() throws -> Item {
        guard case .word(let word, let keyword) = token.kind else { return try simple() }
        switch keyword {
        case nil, .first, .last, .size, .union, .intersect, .minus, .caseInsensitive, .ci: return try keyOrFunction()
        case .subquery, .cast, .function, .ternary, .fetch: return try special(keyword, word)
        default: return try constant(word, keyword)
        }
    }

    private mutating func constant(_ word: String, _ keyword: PredicateKeyword?) throws -> Item {
        let start = token.range.lowerBound
        let node: ExpressionNode
        switch keyword {
        case .truePredicate, .falsePredicate:
            try advance()
            return try item(PredicateNode.constant(keyword == .truePredicate), start, 0)
        case .self: node = .evaluatedObject
        case .anyKey: node = .anyKey
        case .true, .yes: node = .constant(.yes)
        case .false, .no: node = .constant(.no)
        case .null, .nil: node = .constant(.null)
        default:
            throw Failure(
                message: "a value is missing before \"\(word)\"", offset: start,
                suggestion: "If \"\(word)\" is a key write #\(word)")
        }
        try advance()
        return try item(node, start)
    }

    private mutating func keyOrFunction() throws -> Item {
        let start = token.range.lowerBound
        let name = try functionName()
        guard try take(.openParenthesis) else { return try item(.keyPath([name], of: .evaluatedObject), start) }
        let function = try function(named: name, at: start)
        let arguments = try list(until: .closeParenthesis)
        return try call(function, arguments.nodes, start, arguments.height + 1)
    }

    /// Reads a key, or a function's name with its colons.
    private mutating func functionName() throws -> String {
        guard case .word(var name, _) = token.kind else { return "" }
        try advance()
        guard case .symbol(.colon) = token.kind else { return name }
        while try take(.colon) {
            name += ":"
            guard case .word(let part, _) = token.kind else { break }
            try advance()
            name += part
        }
        guard case .symbol(.openParenthesis) = token.kind, name.hasSuffix(":") else {
            throw unexpected("the arguments of the function \"\(name)\" are missing")
        }
        return name
    }

    private func function(named name: String, at start: Int) throws -> PredicateFunction {
        if let function = PredicateFunction(name: name) { return function }
        let error = InvalidPredicateError.unknownFunction(name, among: PredicateFunction.allCases.map(\.printedName))
        throw Failure(message: error.message, offset: start, suggestion: error.suggestion, kind: .function)
    }

    private func call(_ function: PredicateFunction, _ arguments: [ExpressionNode], _ start: Int, _ height: Int) throws -> Item {
        let function = function == .random && arguments.count == 1 ? .randomBelow : function
        guard function.takes(arguments.count) else {
            let error = InvalidPredicateError.wrongCount(function, arguments.count)
            throw Failure(message: error.message, offset: start, kind: .function)
        }
        return try item(.function(function, arguments), start, height)
    }
}

extension ExpressionNode {
    var isKeyPath: Bool {
        if case .keyPath = self { true } else { false }
    }
}
