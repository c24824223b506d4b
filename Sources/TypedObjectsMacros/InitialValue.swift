import SwiftParser
import SwiftSyntax

extension ExprSyntax {
    /// Whether the expression certainly has the same value each time, so that it can be the attribute's default in the
    /// model.
    ///
    /// Only the text is known here. Literals, `.case`s, operators on them and initializers with constant arguments
    /// count; anything that may read a clock or a generator (`UUID()`, `Date()`, `.now`, free functions, variables)
    /// does not.
    var isConstant: Bool {
        if self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
            || self.is(BooleanLiteralExprSyntax.self)
            || self.is(NilLiteralExprSyntax.self)
        {
            return true
        }
        if let string = self.as(StringLiteralExprSyntax.self) { return string.representedLiteralValue != nil }
        if let prefixed = self.as(PrefixOperatorExprSyntax.self) { return prefixed.expression.isConstant }
        if let tuple = self.as(TupleExprSyntax.self) { return tuple.elements.allSatisfy { $0.expression.isConstant } }
        if let sequence = self.as(SequenceExprSyntax.self) {
            return sequence.elements.allSatisfy { $0.is(BinaryOperatorExprSyntax.self) || $0.isConstant }
        }
        if let operation = self.as(InfixOperatorExprSyntax.self) {
            return operation.leftOperand.isConstant && operation.rightOperand.isConstant
        }
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.allSatisfy { $0.expression.isConstant } }
        if let member = self.as(MemberAccessExprSyntax.self) { return member.namesConstant }
        if let call = self.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.namesInitializer && !call.arguments.isEmpty && call.trailingClosure == nil
                && call.arguments.allSatisfy { $0.expression.isConstant && $0.label?.text.hasSuffix("Now") != true }
        }
        return false
    }

    /// `Type` or `Outer.Type` or `.init`. Names that begin with a capital letter count as types.
    fileprivate var namesInitializer: Bool {
        if let reference = self.as(DeclReferenceExprSyntax.self) { return reference.baseName.text.first?.isUppercase == true }
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        let name = member.declName.baseName.text
        return (name == "init" || name.first?.isUppercase == true) && member.base?.namesInitializer != false
    }
}

extension MemberAccessExprSyntax {
    /// `.drama`, `Genre.drama`, `Double.infinity`, `Genre.drama.rawValue`; but no clock.
    fileprivate var namesConstant: Bool {
        guard declName.baseName.text != "now", declName.baseName.text != "today" else { return false }
        guard let base else { return true }
        if let reference = base.as(DeclReferenceExprSyntax.self) { return reference.baseName.text.first?.isUppercase == true }
        return base.as(MemberAccessExprSyntax.self)?.namesConstant ?? false
    }
}
