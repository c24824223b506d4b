import Foundation

/// Writes trees in the format language, so that the parser makes an equal tree of the text.
///
/// What has no text (closures, objects) is written in a readable form that can't be parsed.
package struct PredicatePrinter {
    /// The text of a predicate.
    package static func print(_ node: PredicateNode) -> String {
        var printer = PredicatePrinter()
        printer.predicate(node)
        return printer.text
    }

    /// The text of an expression.
    package static func print(_ node: ExpressionNode) -> String {
        var printer = PredicatePrinter()
        printer.expression(node)
        return printer.text
    }

    /// Whether only this package reads the text of a predicate: a key or a variable in it is not a word.
    static func quotesNames(_ node: PredicateNode) -> Bool {
        var printer = PredicatePrinter()
        printer.predicate(node)
        return printer.quotesNames
    }

    var text = ""
    /// Whether a constant is an operand of arithmetic, where 2 and 2.0 are not the same.
    var isInArithmetic = false
    /// Whether there is a key or variable that is not a word, so that Apple's systems can't read the text.
    private var quotesNames = false
    private var depth = 0
    private static let maximalDepth = 1000

    // MARK: Predicates

    private mutating func predicate(_ node: PredicateNode) {
        guard enter() else { return }
        let outer = isInArithmetic
        isInArithmetic = false
        defer {
            depth -= 1
            isInArithmetic = outer
        }
        switch node {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let value): comparison(value)
        case .not(let value):
            text += "NOT "
            operand(value)
        case .and(let values): compound(values, " AND ", empty: "TRUEPREDICATE")
        case .or(let values): compound(values, " OR ", empty: "FALSEPREDICATE")
        case .foreign(let predicate):
            let address = UInt(bitPattern: ObjectIdentifier(predicate))
            text += type(of: predicate) == NSPredicate.self ? "BLOCKPREDICATE(0x\(String(address, radix: 16)))" : "\(predicate)"
        }
    }

    private mutating func enter() -> Bool {
        depth += 1
        if depth <= Self.maximalDepth { return true }
        depth -= 1
        text += "…"
        return false
    }

    private mutating func compound(_ operands: [PredicateNode], _ separator: String, empty: String) {
        if operands.isEmpty {
            text += empty
        } else if operands.count == 1 {
            // There is no text for an AND of one operand that isn't the operand's own.
            predicate(operands[0])
        } else {
            for (index, value) in operands.enumerated() {
                if index > 0 { text += separator }
                operand(value)
            }
        }
    }

    private mutating func operand(_ node: PredicateNode) {
        switch node {
        case .and(let operands) where operands.count > 1, .or(let operands) where operands.count > 1:
            text += "("
            predicate(node)
            text += ")"
        default: predicate(node)
        }
    }

    private mutating func comparison(_ node: ComparisonNode) {
        switch node.modifier {
        case .direct: break
        case .all: text += "ALL "
        case .any: text += "ANY "
        }
        expression(node.left)
        text += " \(node.comparisonOperator.symbol)\(node.options.symbol) "
        expression(node.right)
    }

    // MARK: Expressions

    mutating func expression(_ node: ExpressionNode) {
        guard enter() else { return }
        let outer = isInArithmetic
        defer {
            depth -= 1
            isInArithmetic = outer
        }
        switch node {
        case .constant(let value): constant(value)
        case .evaluatedObject: text += "SELF"
        case .variable(let name): variable(name)
        case .keyPath(let operand, let keys): keyPath(operand, keys)
        case .function(let function, let arguments): self.function(function, arguments)
        case .call(let target, let selector, let arguments):
            call("FUNCTION", [target, .constant(.string(selector))] + arguments)
        case .aggregate(let elements):
            text += "{"
            list(elements)
            text += "}"
        case .subquery(let collection, let variable, let predicate):
            text += "SUBQUERY("
            expression(collection)
            text += ", "
            self.variable(variable)
            text += ", "
            self.predicate(predicate)
            text += ")"
        case .conditional(let test, let yes, let no):
            text += "TERNARY("
            predicate(test)
            text += ", "
            list([yes, no])
            text += ")"
        case .setOperation(let operation, let left, let right):
            infix(left, operation.rawValue, right, .set)
        case .symbol(let symbol): text += symbol.rawValue
        case .fetch(let request, let context, let countOnly):
            text += "FETCH("
            list([request, context])
            text += countOnly ? ", YES)" : ", NO)"
        case .anyKey: text += "ANYKEY"
        case .block: text += "BLOCK()"
        case .tooDeep: text += "…"
        }
    }

    private mutating func list(_ elements: [ExpressionNode]) {
        for (index, element) in elements.enumerated() {
            if index > 0 { text += ", " }
            expression(element)
        }
    }

    private mutating func call(_ name: String, _ arguments: [ExpressionNode]) {
        text += name + "("
        list(arguments)
        text += ")"
    }

    private mutating func keyPath(_ operand: ExpressionNode, _ keys: [String]) {
        if case .evaluatedObject = operand {
            if let first = keys.first, first.hasPrefix("@") { text += "SELF." }
        } else {
            // 5.x would be read as a bad number.
            var isNumber = false
            if case .constant(let value) = operand { isNumber = value.isNumber }
            parenthesized(operand, if: isNumber || operand.precedence < .postfix)
            text += "."
        }
        for (index, key) in keys.enumerated() {
            if index > 0 { text += "." }
            self.key(key)
        }
    }

    private mutating func key(_ key: String) {
        if PredicateLexer.isName(key) {
            text += PredicateKeyword(word: key) == nil ? key : "#" + key
        } else if CollectionOperator(rawValue: key) != nil {
            text += key
        } else {
            text += "#"
            quoted(key)
        }
    }

    private mutating func variable(_ name: String) {
        text += "$"
        if PredicateLexer.isName(name) { text += name } else { quoted(name) }
    }

    private mutating func quoted(_ name: String) {
        quotesNames = true
        string(name)
    }

    private mutating func parenthesized(_ node: ExpressionNode, if needed: Bool) {
        if needed { text += "(" }
        expression(node)
        if needed { text += ")" }
    }

    // MARK: Functions

    private mutating func function(_ function: PredicateFunction, _ arguments: [ExpressionNode]) {
        isInArithmetic = isInArithmetic || function.isArithmetic
        switch (function, arguments.count) {
        case (.negate, 1): prefix("-", arguments[0])
        case (.onesComplement, 1): prefix("~", arguments[0])
        case (.elementAtIndex, 2):
            parenthesized(arguments[0], if: arguments[0].precedence < .postfix)
            text += "["
            expression(arguments[1])
            text += "]"
        case (.cast, 2): call("CAST", arguments)
        default:
            if let symbol = function.infixSymbol, arguments.count == 2 {
                infix(arguments[0], symbol, arguments[1], function.precedence)
            } else {
                call(function.printedName, arguments)
            }
        }
    }

    private mutating func prefix(_ symbol: String, _ argument: ExpressionNode) {
        text += symbol
        // A number right after the sign would be read as a negative number.
        var isNumber = false
        if case .constant(let value) = argument { isNumber = value.isNumber }
        parenthesized(argument, if: isNumber || argument.precedence < .prefix)
    }

    private mutating func infix(_ left: ExpressionNode, _ symbol: String, _ right: ExpressionNode, _ precedence: Precedence) {
        // Only the power associates to the right.
        let isPower = precedence == .power
        parenthesized(left, if: isPower ? left.precedence <= precedence : left.precedence < precedence)
        text += " \(symbol) "
        // The exponent may have a sign of its own.
        parenthesized(right, if: isPower ? right.precedence < .prefix : right.precedence <= precedence)
    }
}
