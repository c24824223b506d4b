import Foundation

/// Reads the format language: one pass, by operator precedence, with a bounded depth.
///
/// Parentheses may hold a predicate or an expression, and only what is inside tells which. So both are read by the same rules,
/// and each place checks that it got what it needs; nothing is ever read twice.
package struct PredicateParser {
    typealias Failure = PredicateLexer.Failure

    /// What was read: its tree, where it starts, and how high the tree is.
    struct Item {
        enum Content {
            case predicate(PredicateNode)
            case expression(ExpressionNode)
        }

        let content: Content
        let start: Int
        let height: Int
    }

    /// Deeper texts and higher trees are refused: reading, printing and evaluating them would overflow a thread's stack.
    static let maximalDepth = 200

    var lexer: PredicateLexer
    var token = PredicateToken(kind: .end, range: 0..<0)
    /// Where the token before ends.
    var previousEnd = 0
    private var depth = 0
    private let arguments: [Any?]
    private var usedArguments = 0

    private init(_ text: String, _ arguments: [Any?]) throws {
        lexer = PredicateLexer(text)
        self.arguments = arguments
        try advance()
    }

    // MARK: Entry

    /// Reads a whole predicate.
    package static func predicate(_ text: String, _ arguments: [Any?]) throws -> PredicateNode {
        try reading(text, arguments) { parser in
            let item = try parser.parse(.or)
            try parser.expectEnd()
            return try parser.predicate(item)
        }
    }

    /// Reads a whole expression.
    package static func expression(_ text: String, _ arguments: [Any?]) throws -> ExpressionNode {
        try reading(text, arguments) { parser in
            let item = try parser.parse(.or)
            try parser.expectEnd()
            return try parser.expression(item)
        }
    }

    /// The pieces of a format string, up to its end.
    static func tokens(_ text: String) throws -> [PredicateToken] {
        try reading(text, []) { parser in
            var tokens: [PredicateToken] = []
            while parser.token.kind != .end {
                tokens.append(parser.token)
                try parser.advance()
            }
            return tokens
        }
    }

    private static func reading<Result>(
        _ text: String, _ arguments: [Any?], _ body: (inout PredicateParser) throws -> Result
    ) throws -> Result {
        do {
            var parser = try PredicateParser(text, arguments)
            return try body(&parser)
        } catch let failure as Failure {
            let before = String(decoding: text.utf8.prefix(failure.offset), as: UTF8.self)
            throw InvalidPredicateError(
                failure.kind, failure.message, text: text, position: before.count, suggestion: failure.suggestion)
        }
    }

    // MARK: Tokens

    mutating func advance() throws {
        previousEnd = token.range.upperBound
        token = try lexer.next()
    }

    mutating func take(_ symbol: PredicateToken.Symbol) throws -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: PredicateToken.Symbol, _ place: String) throws {
        guard try take(symbol) else { throw unexpected("\"\(symbol.rawValue)\" is missing \(place)") }
    }

    private func expectEnd() throws {
        guard token.kind != .end else { return }
        if case .symbol(.closeParenthesis) = token.kind { throw unexpected("this \")\" closes nothing") }
        throw unexpected("an operator is missing before \"\(tokenText)\"")
    }

    /// The token as it is written.
    var tokenText: String { String(decoding: lexer.bytes[token.range], as: UTF8.self) }

    func unexpected(_ message: String) -> Failure { Failure(message: message, offset: token.range.lowerBound) }

    /// The next argument.
    mutating func nextArgument() throws -> Any? {
        guard usedArguments < arguments.count else {
            let given =
                arguments.count == 1
                ? "only one argument is" : arguments.isEmpty ? "no argument is" : "only \(arguments.count) arguments are"
            throw Failure(
                message: "there is no value for \"\(tokenText)\": \(given) given", offset: token.range.lowerBound, kind: .argument
            )
        }
        defer { usedArguments += 1 }
        return Optional<Any>.flattening(arguments[usedArguments])
    }

    /// The number of the argument that was taken last, for messages.
    var argumentNumber: Int { usedArguments }

    // MARK: Items

    func predicate(_ item: Item) throws -> PredicateNode {
        switch item.content {
        case .predicate(let node): return node
        case .expression(let node):
            let text = String(decoding: lexer.bytes[item.start..<max(item.start, previousEnd)], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            var suggestion: String?
            if case .keyPath = node { suggestion = "For a Boolean write \(PredicatePrinter.print(node)) == YES" }
            throw Failure(message: "\"\(text)\" is a value, not a comparison", offset: item.start, suggestion: suggestion)
        }
    }

    func expression(_ item: Item) throws -> ExpressionNode {
        switch item.content {
        case .expression(let node): return node
        case .predicate:
            throw Failure(
                message: "a predicate stands where a value is needed", offset: item.start,
                suggestion: "To use it as a value write TERNARY(predicate, YES, NO)")
        }
    }

    func item(_ node: PredicateNode, _ start: Int, _ height: Int) throws -> Item {
        Item(content: .predicate(node), start: start, height: try checked(height))
    }

    func item(_ node: ExpressionNode, _ start: Int, _ height: Int = 0) throws -> Item {
        Item(content: .expression(node), start: start, height: try checked(height))
    }

    private func checked(_ height: Int) throws -> Int {
        guard height <= Self.maximalDepth else { throw tooDeep() }
        return height
    }

    func tooDeep() -> Failure {
        Failure(
            message: "this is nested more than \(Self.maximalDepth) levels deep", offset: token.range.lowerBound,
            suggestion: "A long chain of AND or OR needs no parentheses.", kind: .nesting)
    }

    // MARK: Recursion

    // Each level of nesting goes through a few small functions; the work that needs room on the stack is done in functions that
    // have returned by then.

    /// Reads as far as operators bind at least as tightly as `minimum`.
    mutating func parse(_ minimum: Precedence) throws -> Item {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximalDepth else { throw tooDeep() }
        var left = try prefix(minimum)
        while let next = try infix(left, minimum) { left = next }
        return left
    }

    /// Reads an expression without comparisons.
    mutating func parseExpression() throws -> (node: ExpressionNode, height: Int) {
        let item = try parse(.set)
        return (try expression(item), item.height)
    }

    private mutating func prefix(_ minimum: Precedence) throws -> Item {
        switch token.prefix {
        case .not: return try negation(minimum)
        case .quantifier(let keyword): return try quantified(keyword, minimum)
        case .minus: return try negative()
        case .complement: return try complement()
        case nil: return try postfix(try primary())
        }
    }

    /// Reads an operator after `left` and what follows it; nil if there is none that binds tightly enough.
    private mutating func infix(_ left: Item, _ minimum: Precedence) throws -> Item? {
        guard let infix = token.infix else { return nil }
        switch infix {
        case .or: return minimum <= .or ? try chain(left, .or) : nil
        case .and: return minimum <= .and ? try chain(left, .and) : nil
        case .function(let function): return minimum <= function.precedence ? try arithmetic(left, function) : nil
        case .set(let operation): return minimum <= .set ? try setOperation(left, operation) : nil
        case .comparison(let comparisonOperator):
            return minimum <= .comparison ? try comparison(left, comparisonOperator, .direct, from: left.start) : nil
        case .misplaced:
            try refuseMisplaced(left)
            return nil
        }
    }
}
