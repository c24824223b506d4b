import Foundation

// Collections and strings.

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let subquery = try state.subquery(self, sequence, variable, test)
        return .predicate(.comparison(ComparisonNode(.keyPath(["@count"], of: subquery), .notEqualTo, .constant(.integer(0)))))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let subquery = try state.subquery(self, sequence, variable, test, isNegated: true)
        return .predicate(.comparison(ComparisonNode(.keyPath(["@count"], of: subquery), .equalTo, .constant(.integer(0)))))
    }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .expression(try state.subquery(self, sequence, variable, filter))
    }
}

extension ConversionState {
    /// The elements of a collection that pass a test.
    fileprivate mutating func subquery<Sequence: PredicateExpression, Element>(
        _ whole: some PredicateExpression, _ sequence: Sequence, _ variable: PredicateExpressions.Variable<Element>,
        _ test: some PredicateExpression, isNegated: Bool = false
    ) throws -> ExpressionNode {
        if isText(Sequence.Output.self) {
            throw unsupported(whole, "The characters of a text can't be read one by one; use contains or starts(with:)")
        }
        let collection = try expression(sequence)
        let name = bindLocal(variable.key)
        let predicate = try predicate(test)
        return .subquery(collection, variable: name, isNegated ? .not(predicate) : predicate)
    }
}

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        if isText(LHS.Output.self) { return try state.compare(sequence, .contains, element) }
        if let range = try state.bounds(sequence) { return .predicate(range.contains(try state.expression(element))) }
        return try state.compare(element, .in, sequence)
    }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .expression(.keyPath(["@min", "self"], of: try state.expression(elements)))
    }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .expression(.keyPath(["@max", "self"], of: try state.expression(elements)))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard Index.Output.self == Int.self else { throw state.unsupported(self, "Only whole numbers can be an index") }
        return try state.function(.elementAtIndex, wrapped, index)
    }
}

extension PredicateExpressions.CollectionRangeSubscript: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        throw state.unsupported(self, "A part of a collection can't be taken by a range; use filter")
    }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        try state.function(.elementAtIndex, wrapped, key)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard case .expression(let node) = try state.function(.elementAtIndex, wrapped, key) else {
            throw state.unsupported(self)
        }
        return .expression(.conditional(ConversionState.isNotNil(node), node, try state.expression(self.default)))
    }
}

// MARK: - Strings

private func isText(_ type: Any.Type) -> Bool { type is any StringProtocol.Type }

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard isText(Base.Output.self) else {
            throw state.unsupported(self, "Ask for each element: other.allSatisfy { collection.contains($0) }")
        }
        return try state.compare(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard isText(Base.Output.self) else { throw state.unsupported(self) }
        return try state.compare(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard let pattern = try? regex.evaluate(PredicateBindings()) as? PredicateExpressions.PredicateRegex else {
            throw state.unsupported(self, "The regular expression must be a literal or a captured constant")
        }
        let text = ExpressionNode.constant(.string(".*\(pattern.stringRepresentation).*"))
        return .predicate(.comparison(ComparisonNode(try state.expression(subject), .matches, text)))
    }
}
