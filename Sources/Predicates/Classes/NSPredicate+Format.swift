public import Foundation
public import FoundationGaps

extension NSPredicate: _ClassCluster {}

extension _ClassCluster where Self == NSPredicate {
    /// Reads a predicate from a format string.
    ///
    /// The language is Apple's. Where Apple's initializer raises an exception, the program stops with a message that shows
    /// the place; use ``init(validating:_:)`` for texts that come from outside of the program.
    ///
    /// ```swift
    /// NSPredicate(format: "director.name == %@ AND rating > %d", "Kurosawa", 7)
    /// ```
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - args: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = stopping { try PredicateParser.predicate(predicateFormat, args) }.predicate
    }

    /// Reads a predicate from a format string with its arguments in an array; otherwise as ``init(format:_:)``.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - arguments: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = stopping { try PredicateParser.predicate(predicateFormat, arguments ?? []) }.predicate
    }

    /// Reads a predicate from a format string with its arguments in a C list; otherwise as ``init(format:_:)``.
    ///
    /// ```swift
    /// withVaList([name, id]) { NSPredicate(format: "name == %@ AND id == %@", arguments: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - argList: The values of its `%@`, `%K`, `%d`… in order, of the kinds that these say: they can't be checked.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self =
            stopping {
                try PredicateParser.predicate(predicateFormat, ArgumentList.values(predicateFormat, argList))
            }.predicate
    }

    /// Reads a predicate from a format string, or tells what is wrong with it. Apple's class has no such initializer.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - args: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    /// - Throws: ``InvalidPredicateError`` with the place of the mistake.
    public init(validating predicateFormat: String, _ args: Any?...) throws {
        self = try PredicateParser.predicate(predicateFormat, args).predicate
    }

    /// Reads a predicate from a format string with its arguments in an array, or tells what is wrong with it.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - arguments: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    /// - Throws: ``InvalidPredicateError`` with the place of the mistake.
    public init(validating predicateFormat: String, argumentArray arguments: [Any]?) throws {
        self = try PredicateParser.predicate(predicateFormat, arguments ?? []).predicate
    }
}

extension _PredicatePartMaking where Self: _NSExpression {
    /// Reads an expression from a format string; stops the program with a message if it isn't one.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text, such as `rating * %d`.
    ///   - args: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    public init(format expressionFormat: String, _ args: Any?...) {
        self.init(stopping { try PredicateParser.expression(expressionFormat, args) })
    }

    /// Reads an expression from a format string with its arguments in an array; otherwise as ``init(format:_:)``.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text.
    ///   - arguments: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    public init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(stopping { try PredicateParser.expression(expressionFormat, arguments) })
    }

    /// Reads an expression from a format string, or tells what is wrong with it. Apple's class has no such initializer.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text.
    ///   - args: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    /// - Throws: ``InvalidPredicateError`` with the place of the mistake.
    public init(validating expressionFormat: String, _ args: Any?...) throws {
        self.init(try PredicateParser.expression(expressionFormat, args))
    }

    /// Reads an expression from a format string with its arguments in an array, or tells what is wrong with it.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text.
    ///   - arguments: The values of its `%@`, `%K`, `%d`… in order. Surplus ones are ignored.
    /// - Throws: ``InvalidPredicateError`` with the place of the mistake.
    public init(validating expressionFormat: String, argumentArray arguments: [Any]) throws {
        self.init(try PredicateParser.expression(expressionFormat, arguments))
    }
}

/// Ends the program where Apple's API raises an exception.
func stop(_ error: any Error) -> Never {
    fatalError("\(error)")
}

private func stopping<Result>(_ body: () throws -> Result) -> Result {
    do { return try body() } catch { stop(error) }
}
