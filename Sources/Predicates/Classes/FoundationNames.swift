public import Foundation

/// Linux Foundation's names for the classes of expressions and comparisons. Its own are stubs that can't be made; their names
/// are deprecated there.
public protocol _FoundationNaming {
    /// `NSExpression`.
    associatedtype Expression
    /// `NSExpression.ExpressionType`.
    associatedtype ExpressionType
    /// `NSComparisonPredicate`.
    associatedtype Comparison

    /// Says the names.
    static func names(_: Expression, _: ExpressionType, _: Comparison)
}

/// A type that is inferred from a deprecated member has no deprecated name.
public enum _FoundationNames: _FoundationNaming {
    /// Says the names.
    @available(*, deprecated)
    public static func names(
        _: Foundation.NSExpression, _: Foundation.NSExpression.ExpressionType, _: Foundation.NSComparisonPredicate
    ) {}
}

/// A part of a predicate that has a value: a constant, a key path, a function of other expressions.
///
/// It is Foundation's class, whose initializers and members come from here. Programs write `NSExpression` and get
/// Foundation's warning that the name is deprecated.
public typealias _NSExpression = _FoundationNames.Expression

/// A predicate that compares the values of two expressions.
///
/// It is Foundation's class, whose initializers and members come from here. Programs write `NSExpression` and get
/// Foundation's warning that the name is deprecated.
public typealias _NSComparisonPredicate = _FoundationNames.Comparison

/// What `_ClassCluster` is for other classes. The classes of expressions can't be extended by their names, so that every
/// `NSObject` conforms.
public protocol _PredicatePartMaking {}

extension NSObject: _PredicatePartMaking {}
