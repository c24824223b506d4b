import Foundation

// Key paths and arithmetic.

extension PredicateExpressions.KeyPath: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let node = try state.expression(root)
        switch kind {
        case .collectionCount: return .expression(Self.count(node))
        case .collectionIsEmpty:
            return .predicate(.comparison(ComparisonNode(Self.count(node), .equalTo, .constant(.integer(0)))))
        case .collectionFirst: return .expression(.function(.elementAtIndex, [node, .symbol(.first)]))
        case .bidirectionalCollectionLast: return .expression(.function(.elementAtIndex, [node, .symbol(.last)]))
        default: break
        }
        if let type = Root.Output.self as? any (RawRepresentable & CaseIterable).Type, Self.isRawValue(keyPath, of: type) {
            return .expression(node)
        }
        guard let name = state.conversion.keyName(keyPath) ?? FoundationKeys.name(of: keyPath) else {
            let isRaw = Root.Output.self is any RawRepresentable.Type
            throw InvalidPredicateError(
                .unsupported, "The property \(ConversionState.text(self)) of \(Root.Output.self) is not stored",
                suggestion: isRaw
                    ? "Compare the \(Root.Output.self) itself, which is stored as its raw value"
                    : "Write the condition with stored properties, or filter the objects in memory")
        }
        let keys = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return .expression(.keyPath(keys, of: node))
    }

    private static func count(_ node: ExpressionNode) -> ExpressionNode {
        .keyPath([Root.Output.self is any StringProtocol.Type ? "length" : "@count"], of: node)
    }

    /// Whether the key path is the raw value, as which an enum is stored. It can't be compared with `\.rawValue` of a generic
    /// type, which is another key path, so the values are.
    private static func isRawValue<Enum: RawRepresentable & CaseIterable>(_ keyPath: AnyKeyPath, of type: Enum.Type) -> Bool {
        guard let keyPath = keyPath as? Swift.KeyPath<Enum, Enum.RawValue> else { return false }
        return Enum.allCases.allSatisfy { PredicateValue($0[keyPath: keyPath]) == PredicateValue($0.rawValue) }
    }
}

/// A key path, whatever it leads from and to.
protocol KeyPathNode {
    func convertedRoot(_ state: inout ConversionState) throws -> ExpressionNode
}

extension PredicateExpressions.KeyPath: KeyPathNode {
    func convertedRoot(_ state: inout ConversionState) throws -> ExpressionNode { try state.expression(root) }
}

extension FoundationKeys {
    /// The key for a property of one of Foundation's values.
    static func name(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \Date.timeIntervalSinceReferenceDate: "timeIntervalSinceReferenceDate"
        case \Date.timeIntervalSince1970: "timeIntervalSince1970"
        case \URL.absoluteString: "absoluteString"
        case \URL.lastPathComponent: "lastPathComponent"
        case \URL.pathExtension: "pathExtension"
        case \URL.path: "path"
        case \URL.host: "host"
        case \URL.scheme: "scheme"
        case \UUID.uuidString: "UUIDString"
        default: nil
        }
    }
}

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let function: PredicateFunction =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw state.unsupported(self)
            }
        return try state.function(function, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.function(.divide, lhs, rhs) }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.function(.divide, lhs, rhs) }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.function(.modulus, lhs, rhs) }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .expression(.function(.multiply, [try state.expression(wrapped), .constant(.integer(-1))]))
    }
}

extension ConversionState {
    mutating func function(
        _ function: PredicateFunction, _ first: some PredicateExpression, _ second: some PredicateExpression
    ) throws -> Result {
        let argument = try expression(first)
        return .expression(.function(function, [argument, try expression(second)]))
    }
}
