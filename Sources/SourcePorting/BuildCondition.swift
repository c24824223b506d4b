import SwiftSyntax

/// The value of a condition of `#if` on systems other than Apple's, as far as it is known.
enum BuildCondition {
    /// True, false, or nil for a condition that depends on flags and other modules.
    static func value(_ condition: ExprSyntax, depth: Int = 0) -> Bool? {
        // Deeper conditions count as unknown, and their code is ported like any other.
        guard depth < 64 else { return nil }
        if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            return value(negation.expression, depth: depth + 1).map { !$0 }
        }
        if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
            return value(element.expression, depth: depth + 1)
        }
        if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.tokenKind == .keyword(.true) }
        if let call = condition.as(FunctionCallExprSyntax.self) { return value(call) }
        if let sequence = condition.as(SequenceExprSyntax.self) { return value(Array(sequence.elements), depth: depth) }
        return nil
    }

    private static func value(_ call: FunctionCallExprSyntax) -> Bool? {
        guard let function = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let argument = call.arguments.first?.expression.as(DeclReferenceExprSyntax.self)?.baseName.text
        else { return nil }
        switch function {
        case "canImport":
            if AppleModules.systemOnly.contains(argument) { return false }
            return argument == "Foundation" ? true : nil
        case "os": return ["macOS", "OSX", "iOS", "tvOS", "watchOS", "visionOS", "xrOS"].contains(argument) ? false : nil
        case "_runtime": return argument == "_Native"
        case "targetEnvironment": return ["macCatalyst", "simulator", "UIKitForMac"].contains(argument) ? false : nil
        default: return nil
        }
    }

    /// Operands and operators in their order: `&&` binds more than `||`.
    private static func value(_ elements: [ExprSyntax], depth: Int) -> Bool? {
        var alternatives: [[Bool?]] = [[]]
        for element in elements {
            if let binary = element.as(BinaryOperatorExprSyntax.self) {
                switch binary.operator.text {
                case "||": alternatives.append([])
                case "&&": continue
                default: return nil
                }
            } else {
                alternatives[alternatives.count - 1].append(value(element, depth: depth + 1))
            }
        }
        let values = alternatives.map { all in all.contains(false) ? false : all.contains(nil) ? nil : true as Bool? }
        return values.contains(true) ? true : values.contains(nil) ? nil : false
    }
}

extension BuildCondition {
    /// Whether a condition asks for a module of Apple's systems. What is missing in such code is missing on purpose.
    static func asksForAppleModule(_ text: String) -> Bool {
        AppleModules.names.contains { text.contains("canImport(\($0))") }
    }
}

extension BuildCondition {
    /// The clauses of `#if` that are never built elsewhere, and those after a clause that is always built.
    static func clausesNotBuilt(_ node: Syntax) -> [SyntaxIdentifier] {
        guard let condition = node.as(IfConfigDeclSyntax.self) else { return [] }
        var result: [SyntaxIdentifier] = []
        var isDecided = false
        for clause in condition.clauses {
            let value = clause.condition.map { Self.value($0) } ?? true
            if isDecided || value == false { result.append(clause.id) }
            isDecided = isDecided || value == true
        }
        return result
    }
}
