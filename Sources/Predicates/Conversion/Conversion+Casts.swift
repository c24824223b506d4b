import Foundation

// Casts have a meaning between classes of entities: an object is of a class if its entity is the class's or a subentity.

extension PredicateExpressions.ForceCast: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let isKnown = state.conversion.entityNames(bare(Desired.self)) != nil
        guard isSame(Input.Output.self, Desired.self) || isKnown else { throw state.castError(self) }
        return try state.convert(input)
    }
}

extension PredicateExpressions.ConditionalCast: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        if isSame(Input.Output.self, Desired.self) { return try state.convert(input) }
        let node = try state.expression(input)
        guard let test = state.isKind(node, of: bare(Desired.self)) else { throw state.castError(self) }
        return .expression(.conditional(test, node, .constant(.null)))
    }
}

extension PredicateExpressions.TypeCheck: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let node = try state.expression(input)
        if isSame(Input.Output.self, Desired.self) { return .predicate(.constant(true)) }
        // An optional is of its own type only if it has a value.
        if isSame(bare(Input.Output.self), Desired.self) { return .predicate(ConversionState.isNotNil(node)) }
        guard let test = state.isKind(node, of: bare(Desired.self)) else { throw state.castError(self) }
        return .predicate(test)
    }
}

extension ConversionState {
    /// Whether an object is of a class, asked by its entity's name.
    fileprivate func isKind(_ node: ExpressionNode, of type: Any.Type) -> PredicateNode? {
        guard let names = conversion.entityNames(type) else { return nil }
        let values = names.map { ExpressionNode.constant(.string($0)) }
        return .comparison(ComparisonNode(.keyPath(["entity", "name"], of: node), .in, .aggregate(values)))
    }

    fileprivate func castError(_ part: some PredicateExpression) -> InvalidPredicateError {
        unsupported(part, "Casts are possible only between classes of entities")
    }
}

/// Whether every value of a type has the other type, or its optional, anyway.
private func isSame(_ input: Any.Type, _ desired: Any.Type) -> Bool {
    if input == desired { return true }
    if let optional = desired as? any OptionalType.Type { return isSame(input, optional.wrapped) }
    guard let input = input as? AnyClass, let desired = desired as? AnyClass else { return false }
    var current: AnyClass? = input
    while let type = current {
        if type == desired { return true }
        current = _getSuperclass(type)
    }
    return false
}

/// The type without its optionals.
private func bare(_ type: Any.Type) -> Any.Type {
    if let optional = type as? any OptionalType.Type { return bare(optional.wrapped) }
    return type
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
