import SwiftSyntax

extension PortingRules {
    /// Replaces `#keyPath(…)` and `#selector(…)` by a text or a name, if that is possible.
    mutating func portExpression(_ macro: some FreestandingMacroExpansionSyntax) -> Bool {
        switch macro.macroName.text {
        case "keyPath":
            guard let key = keyPath(macro.arguments) else {
                say(.warning, at: macro, "#keyPath needs Objective-C, and this one is not a chain of names: write a string")
                return false
            }
            edits.replace(macro.textRange, with: stringLiteral(key))
            edits.count(.keyPath)
        case "selector":
            guard let name = selector(macro.arguments, comparisonsOnly: true) else {
                say(
                    .warning, at: macro,
                    "#selector needs Objective-C: use an interface that takes a closure, such as addObserver(forName:object:queue:using:)"
                )
                return false
            }
            edits.replace(macro.textRange, with: "Selector(\(stringLiteral(name)))")
            edits.count(.selector)
        default: return true
        }
        return false
    }

    /// `NSStringFromSelector(#selector(getter: Movie.title))` is the old way to write a key.
    mutating func portCall(_ call: FunctionCallExprSyntax) -> Bool {
        guard call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "NSStringFromSelector",
            call.arguments.count == 1, let argument = call.arguments.first?.expression.as(MacroExpansionExprSyntax.self),
            argument.macroName.text == "selector", let name = selector(argument.arguments, comparisonsOnly: false)
        else { return true }
        edits.replace(call.textRange, with: stringLiteral(name))
        edits.count(.selector)
        return false
    }

    private func keyPath(_ arguments: LabeledExprListSyntax) -> String? {
        guard arguments.count == 1, let argument = arguments.first, argument.label == nil,
            let names = names(argument.expression)
        else { return nil }
        return keys(names).joined(separator: ".")
    }

    /// The Objective-C name for the argument of `#selector`; nil if the source does not show it.
    private func selector(_ arguments: LabeledExprListSyntax, comparisonsOnly: Bool) -> String? {
        guard arguments.count == 1, let argument = arguments.first, let names = names(argument.expression) else { return nil }
        switch argument.label?.text {
        case "getter": return keys(names).count == 1 ? keys(names)[0] : nil
        case "setter": return keys(names).count == 1 ? "set\(keys(names)[0].withCapital):" : nil
        case nil: break
        default: return nil
        }
        guard let last = names.last else { return nil }
        let labels =
            (argument.expression.as(MemberAccessExprSyntax.self)?.declName
            ?? argument.expression.as(DeclReferenceExprSyntax.self))?.argumentNames?.arguments.map(\.name.text)
        // A sort descriptor accepts these comparisons with any labels.
        if Self.comparisons.contains(last), names.count > 1 { return "\(last):" }
        guard !comparisonsOnly, let labels else { return nil }
        return CollectionAccessor.impliedSelector(last, labels)
    }

    private static let comparisons: Set<String> = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare", "localizedStandardCompare",
    ]

    /// The names of a chain like `Movie.director.name`.
    private func names(_ expression: ExprSyntax) -> [String]? {
        var names: [String] = []
        var rest = expression
        while true {
            if let member = rest.as(MemberAccessExprSyntax.self), let base = member.base {
                names.append(member.declName.baseName.text.withoutBackticks)
                rest = base
            } else if let generic = rest.as(GenericSpecializationExprSyntax.self) {
                rest = generic.expression
            } else if let reference = rest.as(DeclReferenceExprSyntax.self) {
                names.append(reference.baseName.text.withoutBackticks)
                return names.reversed()
            } else {
                return nil
            }
        }
    }

    /// The names without the type at the beginning. A type's name begins with a capital letter.
    private func keys(_ names: [String]) -> [String] {
        var keys = names[...]
        while keys.count > 1, let first = keys.first, first.first?.isUppercase == true,
            keys.count == names.count || facts.properties[first] == nil
        { keys = keys.dropFirst() }
        return keys.map { facts.objectiveCNames[$0] ?? $0 }
    }
}
