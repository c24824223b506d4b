import Foundation

extension PredicateParser {
    /// Reads what stands by itself: a value, a key, a function, something in parentheses or braces.
    mutating func primary() throws -> Item {
        let start = token.range.lowerBound
        switch token.kind {
        case .number(let value):
            try advance()
            return try item(.constant(value), start)
        case .string(let text):
            try advance()
            return try item(.constant(.string(text)), start)
        case .variable(let name):
            try advance()
            return try item(.variable(name), start)
        case .collectionOperator(let name):
            try checkOperator(name)
            try advance()
            return try item(.keyPath([name], of: .evaluatedObject), start)
        case .objectArgument:
            let argument = try objectArgument()
            try advance()
            return Item(content: argument, start: start, height: 0)
        case .keyArgument:
            let keys = try keyArgument()
            try advance()
            return try item(.keyPath(keys, of: .evaluatedObject), start)
        case .valueArgument(let type):
            let value = try valueArgument(type)
            try advance()
            return try item(.constant(value), start)
        case .word(let word, let keyword): return try self.word(word, keyword)
        case .symbol(.openParenthesis):
            try advance()
            let inner = try parse(.or)
            try expect(.closeParenthesis, "to close this parenthesis")
            return Item(content: inner.content, start: start, height: inner.height)
        case .symbol(.openBrace):
            try advance()
            let elements = try list(until: .closeBrace)
            return try item(.aggregate(elements.nodes), start, elements.height + 1)
        case .end: throw unexpected("a value is missing at the end")
        case .symbol(let symbol): throw unexpected("a value is missing before \"\(symbol.rawValue)\"")
        }
    }

    /// Reads keys and indexes after a value.
    mutating func postfix(_ first: Item) throws -> Item {
        var item = first
        while true {
            if try take(.dot) {
                let node = try expression(item)
                item = try self.item(.keyPath(try key(), of: node), item.start, item.height + (node.isKeyPath ? 0 : 1))
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
        case .word(let word, _):
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

    private mutating func word(_ word: String, _ keyword: PredicateKeyword?) throws -> Item {
        let start = token.range.lowerBound
        let constant: PredicateValue
        switch keyword {
        case nil, .first, .last, .size, .union, .intersect, .minus, .caseInsensitive, .ci: return try keyOrFunction(word)
        case .truePredicate, .falsePredicate:
            try advance()
            return try item(PredicateNode.constant(keyword == .truePredicate), start, 0)
        case .self:
            try advance()
            return try item(.evaluatedObject, start)
        case .anyKey:
            try advance()
            return try item(.anyKey, start)
        case .true, .yes: constant = .yes
        case .false, .no: constant = .no
        case .null, .nil: constant = .null
        case .subquery?, .cast?, .function?, .ternary?, .fetch?:
            try advance()
            // Without parentheses the word can only be a key.
            guard try take(.openParenthesis) else { return try item(.keyPath([word], of: .evaluatedObject), start) }
            return try special(keyword, from: start)
        default:
            throw Failure(
                message: "a value is missing before \"\(word)\"", offset: start,
                suggestion: "If \"\(word)\" is a key write #\(word)")
        }
        try advance()
        return try item(.constant(constant), start)
    }

    private mutating func keyOrFunction(_ word: String) throws -> Item {
        let start = token.range.lowerBound
        try advance()
        var name = word
        if case .symbol(.colon) = token.kind {
            while try take(.colon) {
                name += ":"
                guard case .word(let part, _) = token.kind else { break }
                try advance()
                name += part
            }
            guard case .symbol(.openParenthesis) = token.kind, name.hasSuffix(":") else {
                throw unexpected("the arguments of the function \"\(name)\" are missing")
            }
        }
        guard try take(.openParenthesis) else { return try item(.keyPath([name], of: .evaluatedObject), start) }
        guard var function = PredicateFunction(name: name) else {
            let names = PredicateFunction.allCases.map(\.printedName)
            let error = InvalidPredicateError.unknownFunction(name, among: names)
            throw Failure(message: error.message, offset: start, suggestion: error.suggestion, kind: .function)
        }
        let arguments = try list(until: .closeParenthesis)
        if function == .random, arguments.nodes.count == 1 { function = .randomBelow }
        guard function.takes(arguments.nodes.count) else {
            throw Failure(
                message: InvalidPredicateError.wrongCount(function, arguments.nodes.count).message, offset: start, kind: .function
            )
        }
        return try item(.function(function, arguments.nodes), start, arguments.height + 1)
    }
}

extension ExpressionNode {
    var isKeyPath: Bool {
        if case .keyPath = self { true } else { false }
    }
}
