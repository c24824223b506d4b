import Foundation

/// A node of Foundation's predicate trees that has a counterpart.
protocol ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result
}

/// What a conversion knows at one place.
struct ConversionState {
    enum Result {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    let conversion: PredicateConversion
    private var variables: [PredicateExpressions.VariableID: ExpressionNode]
    private var localCount = 0

    init(_ conversion: PredicateConversion, root: PredicateExpressions.VariableID) {
        self.conversion = conversion
        variables = [root: .evaluatedObject]
    }

    // MARK: Variables

    func value(of variable: PredicateExpressions.VariableID) -> ExpressionNode? { variables[variable] }

    mutating func bind(_ variable: PredicateExpressions.VariableID, to node: ExpressionNode) { variables[variable] = node }

    /// A name for the elements of a subquery, as Apple's conversion names them.
    mutating func bindLocal(_ variable: PredicateExpressions.VariableID) -> String {
        localCount += 1
        let name = "_local_\(localCount)"
        variables[variable] = .variable(name)
        return name
    }

    // MARK: Parts

    mutating func convert(_ part: some PredicateExpression) throws -> Result {
        // What depends on no variable is computed now, however it is made: captured values and their properties may be anything.
        if let value = constant(part) { return .expression(.constant(value)) }
        guard let convertible = part as? any ConvertibleExpression else { throw unsupported(part) }
        return try convertible.convert(&self)
    }

    mutating func predicate(_ part: some PredicateExpression) throws -> PredicateNode {
        switch try convert(part) {
        case .predicate(let node): node
        case .expression(let node): .comparison(ComparisonNode(node, .equalTo, .constant(.yes)))
        }
    }

    mutating func expression(_ part: some PredicateExpression) throws -> ExpressionNode {
        switch try convert(part) {
        case .predicate(let node): .conditional(node, .constant(.yes), .constant(.no))
        case .expression(let node): node
        }
    }

    private func constant<Part: PredicateExpression>(_ part: Part) -> PredicateValue? {
        if let value = part as? any ConstantExpression { return Self.storable(value.constant) }
        guard !(part is any VariableExpression), let value = try? part.evaluate(PredicateBindings()) else { return nil }
        return Self.storable(value)
    }

    /// A captured value, if it can be compared with stored ones.
    static func storable(_ value: Any) -> PredicateValue? {
        switch PredicateValue(value) {
        case .other(let box): box.value is any UntypedDictionary ? .other(box) : nil
        case .collection(let collection):
            collection.elements.contains { if case .other = $0 { true } else { false } } ? nil : .collection(collection)
        case let value: value
        }
    }

    // MARK: Mistakes

    func unsupported<Part: PredicateExpression>(_ part: Part, _ suggestion: String? = nil) -> InvalidPredicateError {
        InvalidPredicateError(
            .unsupported, "This part of the predicate has no meaning in a store: \(Self.text(part))",
            suggestion: suggestion ?? "Fetch with the other conditions and filter the objects in memory")
    }

    /// Whether Foundation can describe an expression. It stops the program if there is a node in it that is not its own.
    static func isDescribable(_ part: Any) -> Bool {
        guard part is any PredicateExpression else { return true }
        guard part is any ConvertibleExpression || part is any RangeNode else { return false }
        return Mirror(reflecting: part).children.allSatisfy { isDescribable($0.value) }
    }

    /// A part as users wrote it, as far as its own description tells.
    static func text<Part: PredicateExpression>(_ part: Part) -> String {
        var text = (part as? any CustomStringConvertible)?.description ?? "\(Part.self)"
        func replace(_ pattern: String, _ template: String) {
            text = text.replacingOccurrences(of: pattern, with: template, options: .regularExpression)
        }
        replace("Variable\\(\\d+\\)", "\\$0")
        var before = ""
        while before != text {
            before = text
            replace("KeyPath\\(root: ([\\w$.]+), keyPath: \\\\[^,()]*?\\.(\\w+)\\)", "$1.$2")
        }
        return text
    }
}

/// A captured value.
private protocol ConstantExpression {
    var constant: Any { get }
}

extension PredicateExpressions.Value: ConstantExpression {
    fileprivate var constant: Any { value }
}

/// A variable, which never has a value while a predicate is converted: asking it would cost an error for each.
private protocol VariableExpression {}

extension PredicateExpressions.Variable: VariableExpression {}
